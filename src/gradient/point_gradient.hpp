// The gradients of formulas of the state at one point of a run after another.
#pragma once

#include "formula_gradient.hpp"

#include "extended_model.hpp"

namespace libration {

// (q, p) of the extended model.
struct Tangent {
    std::vector<double> q, p;
};

// How much the coordinate x = q/s of the extended model changes with each unknown of a group where q does not: s' of
// q = s x, by coordinate and unknown. Zero but for masses that depend on parameters.
using Changes = std::array<double, dual_width>;
std::vector<Changes> scale_changes(System<Dual<double>>& along, std::size_t dimension);

// By q, p and parameters of the extended model. Systems and programs are made once.
class PointGradient {
  public:
    PointGradient(const Model& model, const Loss& loss, std::span<const Unknown> parameters,
                  const ExtendedModel& extended);
    PointGradient(const PointGradient&) = delete;
    PointGradient& operator=(const PointGradient&) = delete;

    // All formulas, at a state of the model.
    void read(const Node<double>& node);
    // Of the state that was read last.
    [[nodiscard]] const Tangent& of(std::size_t formula) const { return gradients_[formula]; }

  private:
    using D = Dual<double>;
    // The model along some of the parameters.
    struct Along {
        Along(const Model& model, std::span<const Unknown> group);
        ParameterValues<D> given;
        std::unique_ptr<System<D>> system;
        std::vector<Changes> scale;
        std::size_t first = 0, count = 0;
        std::optional<LossReader<D>> reader;
    };
    void read_along(const D& t, Along& along);
    void read_at_once(const Node<double>& node);

    std::size_t dimension_;
    ParameterValues<D> given_;
    std::unique_ptr<System<D>> system_;
    LossReader<D> reader_;
    std::vector<std::size_t> coordinates_;  // of which formulas may depend
    std::vector<std::unique_ptr<Along>> along_;
    std::optional<FormulaGradient> at_once_;  // of many parameters
    std::vector<Unknown> parameters_;
    std::vector<D> q_, p_;
    std::vector<Tangent> gradients_;
};

}  // namespace libration
