// Reactions of redundant constraints: of all multipliers with the same G^T lambda, those of least norm.
#pragma once

#include "constraint_matrix.hpp"
#include <libration/kit/system.hpp>

#include <vector>

namespace libration {

// What multipliers of some rows, those of a joint, amount to: the components of a wrench, with torques divided by a
// length, so that all are forces. Component c is the sum of map[c * rows.size() + i] lambda[rows[i]].
struct WrenchBlock {
    std::vector<std::size_t> rows;
    std::size_t components = 0;
    std::vector<double> map;
};

class LeastNorm {
  public:
    // The system with all rows, the one with those that are carried, and their numbers in the first; both must outlive
    // this.
    LeastNorm(System<double>& whole, System<double>& carried, std::vector<std::size_t> rows);

    // Large null spaces are left alone: the numbers of their bases would not fit.
    [[nodiscard]] bool available() const { return available_; }
    // At a state: the null space of G^T and, with these wrenches W lambda, the directions in which |W lambda| can be
    // made smaller. Rows in no block have one component each, the multiplier times the length of the row of G M^-1/2;
    // those of rigid bodies, whose multipliers are internal stresses, and of blocks without components have none.
    void set_state(double t, std::span<const double> q, std::span<const double> p,
                   std::span<const WrenchBlock> blocks = {});
    // A basis of the null space of G^T: what can be added to the multipliers of all rows.
    [[nodiscard]] const std::vector<std::vector<double>>& null_space() const { return null_; }
    // lambda of all rows becomes that of least |W lambda| with the same G^T lambda.
    void distribute(std::span<double> lambda) const;
    // Whether the mechanism determines each multiplier: its row of the null space vanishes. Rounding leaves there eps
    // divided by the smallest pivot of the rows carried, some times.
    [[nodiscard]] std::vector<bool> determined() const;
    // The same for the components of the wrenches, block after block.
    [[nodiscard]] std::vector<bool> determined_components() const;

  private:
    struct Weight {
        std::size_t row;
        double value;
    };
    using Column = std::vector<double>;

    void find_lengths(double t, std::span<const double> q, std::span<const double> p);
    void find_null_space(double t, std::span<const double> q, std::span<const double> p);
    void set_weights(std::span<const WrenchBlock> blocks);
    void orthogonalize();
    [[nodiscard]] Column wrench_of(std::span<const double> lambda) const;
    // The largest entry of a null vector in units of the lengths of the rows.
    [[nodiscard]] double size_of(const Column& vector) const;

    System<double>*whole_, *carried_;
    std::vector<std::size_t> rows_, left_out_;
    std::shared_ptr<ConstraintMatrix<double>> matrix_;
    bool available_;
    double tolerance_ = 0;
    std::vector<double> G_, carried_G_, A_, length_;
    std::vector<Column> null_;                   // one per row left out
    std::vector<std::vector<Weight>> weights_;   // W, one list per component
    std::vector<Column> directions_, wrenches_;  // z and W z with orthonormal W z
};

}  // namespace libration
