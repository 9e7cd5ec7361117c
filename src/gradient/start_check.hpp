// Whether initial values follow parameters: for many of them at once, by a generic combination of all constraints.
#pragma once

#include "extended_model.hpp"
#include "parameter_adjoint.hpp"

namespace libration {

// y^T g and y^T (G v + g_t) with a generic y: their gradients by coordinates of the extended model and, of the second,
// by momenta; and the sizes of all terms in them.
class RowSums {
  public:
    struct At {
        double q, v;
    };
    struct Gradient {
        std::vector<double> x, p, x_size, p_size;
        double values = 0;  // the largest sum of |G_ij x_j|, or of |G_ij v_j|, of a row
    };

    // Dimensions of the extended model and of the model.
    RowSums(std::size_t dimension, std::size_t of_model);
    // G_ij.
    void add_slope(std::size_t i, std::size_t j, double value, At at);
    // Of the rows one after another.
    void end_row();
    // The derivative of G_ij along (v, 1) in (q, t).
    void add_curvature(std::size_t i, std::size_t j, double value);
    // At last; those of parameters are infinite.
    void divide_by_masses(std::span<const double> inverse);

    [[nodiscard]] const Gradient& of_g() const { return g_; }
    [[nodiscard]] const Gradient& of_f() const { return f_; }

  private:
    Gradient g_, f_;
    double g_row_ = 0, f_row_ = 0;
};
// `system`, `dual`: of the extended model, whose masses are those of single coordinates.
RowSums row_sums(System<double>& system, System<Dual<double>>& dual, const StartPoint& start);

// The number of the first parameter along which the start leaves the manifold; nothing: along none. As
// leaving_direction() says it, at a cost that does not depend on the number of parameters.
std::optional<std::size_t> leaving_parameter(const Model& model, const ExtendedModel& extended, const RowSums& sums,
                                             const StartPoint& start, std::span<const Unknown> parameters);

// Below this number of unknowns directions are as good.
inline constexpr std::size_t many_unknowns = 9;

}  // namespace libration
