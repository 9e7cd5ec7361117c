// Constraints and held formulas as rows.
#include "pose_rows.hpp"

#include "model/model_values.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/sparse_product.hpp>

#include <algorithm>

namespace libration {

Model constraints_alone(const Model& model) {
    Model alone = model;
    alone.mass = {};
    alone.mass.diagonal.push_back({{Expression(1), 1, {}}, model.dimension, {}});
    alone.variable_mass.reset();
    alone.potential.clear();
    alone.kinetic.reset();
    alone.hamiltonian.reset();
    alone.field.reset();
    alone.forces.clear();
    alone.treatment = {};
    alone.nonholonomic.clear();
    alone.singular_mass = false;
    alone.assembly.reset();
    return alone;
}

template <class S>
PoseRows<S>::PoseRows(const Model& model, double t)
    : system_(make_system<S>(constraints_alone(model))), t_(from_double<S>(t)), entries_(system_->pattern().entries()),
      rate_(system_->constraints()) {
    const auto given = parameter_values<S>(model);
    for (std::size_t k = 0; model.assembly && k < model.assembly->hold.size(); ++k) {
        const auto& value = model.assembly->hold[k].value;
        Held held;
        std::vector<Expression> inputs, outputs{value};
        for (const auto& s : symbols_of(std::array{value})) {
            if (const auto j = model.coordinate_number(s.text())) {
                inputs.push_back(s);
                held.coordinates.push_back(*j);
            }
        }
        std::ranges::copy(gradient(value, inputs), std::back_inserter(outputs));
        held.tape = Tape<S>(compile(outputs, inputs, given.symbols), given.values);
        held_.push_back(std::move(held));
    }
}

template <class S>
void PoseRows<S>::run(Held& held, std::span<const S> q) {
    for (std::size_t k = 0; k < held.coordinates.size(); ++k) {
        held.tape.input(k) = q[held.coordinates[k]];
    }
    held.tape.run();
}

template <class S>
void PoseRows<S>::hold_at(std::span<const S> q) {
    for (auto& held : held_) {
        run(held, q);
        held.value = held.tape.output(0);
    }
}

template <class S>
void PoseRows<S>::values(std::span<const S> q, std::span<S> rows) {
    system_->constraint(t_, q, rows.first(constraints()));
    for (std::size_t k = 0; k < held_.size(); ++k) {
        run(held_[k], q);
        rows[constraints() + k] = held_[k].tape.output(0) - held_[k].value;
    }
}

template <class S>
void PoseRows<S>::slopes(std::span<const S> q, std::span<S> matrix) {
    const std::size_t d = dimension();
    std::ranges::fill(matrix, lit<S>(0));
    const auto& pattern = system_->pattern();
    system_->jacobian(t_, q, entries_);
    for (std::size_t i = 0; i < constraints(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            matrix[i * d + pattern.column[e]] = matrix[i * d + pattern.column[e]] + entries_[e];
        }
    }
    for (std::size_t k = 0; k < held_.size(); ++k) {
        run(held_[k], q);
        for (std::size_t c = 0; c < held_[k].coordinates.size(); ++c) {
            matrix[(constraints() + k) * d + held_[k].coordinates[c]] = held_[k].tape.output(c + 1);
        }
    }
}

template <class S>
void PoseRows<S>::rates(std::span<const S> q, std::span<const S> v, std::span<S> rows) {
    system_->jacobian(t_, q, entries_);
    apply_jacobian<S>(system_->pattern(), entries_, v, rows);
    system_->constraint_rate(t_, q, rate_);
    for (std::size_t i = 0; i < constraints(); ++i) {
        rows[i] = rows[i] + rate_[i];
    }
}

template class PoseRows<double>;
#ifdef LIBRATION_HAS_QUAD
template class PoseRows<Quad>;
#endif

}  // namespace libration
