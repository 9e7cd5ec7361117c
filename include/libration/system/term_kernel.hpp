// One term of a model over one scalar: its programs, and the tables that carry them over all instances.
#pragma once

#include <libration/expression/differentiate.hpp>
#include <libration/model/model.hpp>
#include <libration/system/system.hpp>

namespace libration {

template <class S>
class TermKernel {
  public:
    // Only constraints need curvatures.
    TermKernel(const Term& term, const ParameterValues<S>& given, bool with_curvature)
        : slots_(term.slots.size()), instances_(term.formula.instances), width_(term.formula.parameters.size()),
          indices_(term.indices), table_(instance_parameter_table(term.formula, given)) {
        auto inputs = term.slots;
        for (const auto& parameter : term.formula.parameters) {
            inputs.push_back(parameter.symbol);
        }
        const auto& kernel = term.formula.kernel;
        const auto tape = [&](std::span<const Expression> outputs) {
            return Tape<S>(compile(outputs, inputs, given.symbols), given.values);
        };
        value_ = tape(std::array{kernel});
        gradient_ = tape(gradient(kernel, term.slots));
        if (!with_curvature) {
            return;
        }
        // Second derivative along a velocity: inputs are the slots, the parameters, then one velocity a slot.
        std::vector<Expression> velocities;
        for (std::size_t k = 0; k < slots_; ++k) {
            velocities.push_back(fresh_symbol("velocity"));
        }
        const auto first = directional_derivative(kernel, term.slots, velocities);
        const auto second = directional_derivative(first, term.slots, velocities);
        inputs.insert(inputs.end(), velocities.begin(), velocities.end());
        curvature_ = tape(std::array{second});
    }

    [[nodiscard]] std::size_t instances() const { return instances_; }
    [[nodiscard]] std::size_t slots() const { return slots_; }
    [[nodiscard]] std::span<const std::uint32_t> indices() const { return indices_; }

    S value(std::size_t instance, std::span<const S> q) {
        load(value_, instance, q);
        value_.run();
        return value_.output(0);
    }

    // Afterwards `slope(k)` is the derivative to slot k.
    void differentiate(std::size_t instance, std::span<const S> q) {
        load(gradient_, instance, q);
        gradient_.run();
    }
    [[nodiscard]] const S& slope(std::size_t slot) const { return gradient_.output(slot); }

    S curvature(std::size_t instance, std::span<const S> q, std::span<const S> v) {
        load(curvature_, instance, q);
        const auto* index = &indices_[instance * slots_];
        for (std::size_t k = 0; k < slots_; ++k) {
            curvature_.input(slots_ + width_ + k) = v[index[k]];
        }
        curvature_.run();
        return curvature_.output(0);
    }

  private:
    void load(Tape<S>& tape, std::size_t instance, std::span<const S> q) const {
        const auto* index = indices_.data() + instance * slots_;
        for (std::size_t k = 0; k < slots_; ++k) {
            tape.input(k) = q[index[k]];
        }
        const auto* row = table_.data() + instance * width_;
        for (std::size_t k = 0; k < width_; ++k) {
            tape.input(slots_ + k) = row[k];
        }
    }

    std::size_t slots_, instances_, width_;
    std::vector<std::uint32_t> indices_;
    std::vector<S> table_;
    Tape<S> value_, gradient_, curvature_;
};

}  // namespace libration
