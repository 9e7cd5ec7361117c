// A system without H: q' = f(t, q), or q' = f(t, q, v), v' = k(t, q, v). Methods see it through the names of mechanics:
// velocity = f, force_gradient = -k, and p holds v.
#pragma once

#include "constrained_system.hpp"
#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class FieldSystem final : public ConstrainedSystem<S> {
  public:
    explicit FieldSystem(const Model& model) : FieldSystem(model, parameter_values<S>(model)) {}
    // `given`: the parameters of the model, or other values for them.
    FieldSystem(const Model& model, const ParameterValues<S>& given) : ConstrainedSystem<S>(model, given) {
        const auto& field = *model.field;
        const auto q = model.coordinate_symbols(), v = model.coordinate_symbols("v_");
        const auto dq = fresh_symbols("dq", q.size()), dv = fresh_symbols("dv", v.size());
        const auto f = values_of(field.q);
        std::vector<Expression> negative(model.dimension), by_velocity, second;
        for (std::size_t k = 0; k < field.v.size(); ++k) {
            negative[k] = -field.v[k].value;
        }
        Symbols all{time_symbol()}, direction{Expression(1)};
        for (const auto& [from, along] : {std::pair{&q, &dq}, std::pair{&v, &dv}}) {
            all.insert(all.end(), from->begin(), from->end());
            direction.insert(direction.end(), along->begin(), along->end());
        }
        for (const auto& component : f) {
            by_velocity.push_back(directional_derivative(component, v, dv));
            second.push_back(directional_derivative(component, all, direction));
        }
        position_rate_ = WholeTape<S>(f, {q, v}, given);
        negative_rate_ = WholeTape<S>(negative, {q, v}, given);
        by_velocity_ = WholeTape<S>(by_velocity, {q, v, dv}, given);
        second_rate_ = WholeTape<S>(second, {q, v, dq, dv}, given);
        auto& properties = this->properties_;
        properties.separable = properties.hamiltonian = properties.conservative = false;
        properties.partitioned = !field.v.empty();
        properties.depends_on_time |= depends_on_time(field.q) || depends_on_time(field.v);
        properties.blocks = field.blocks;
    }

    S energy(const S&, std::span<const S>, std::span<const S>) override { return lit<S>(0); }
    void velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) override {
        position_rate_.run(t, {q, p}, v);
    }
    void force_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> gradient) override {
        negative_rate_.run(t, {q, p}, gradient);
    }
    // p holds v; it is zero for a field in q alone.
    void apply_mass(const S&, std::span<const S>, std::span<const S> v, std::span<S> p) override {
        for (std::size_t i = 0; i < p.size(); ++i) {
            p[i] = this->properties_.partitioned ? v[i] : lit<S>(0);
        }
    }
    // f_v x
    void solve_mass(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> x,
                    std::span<S> y) override {
        by_velocity_.run(t, {q, p, x}, y);
    }
    // f_q dq + f_v dp + f_t
    void velocity_rate(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> dq,
                       std::span<const S> dp, std::span<S> rate) override {
        second_rate_.run(t, {q, p, dq, dp}, rate);
    }
    [[nodiscard]] std::span<const S> inverse_masses() const override { return {}; }

    void visit_tapes(TapeVisitor<S>& visitor) override {
        ConstrainedSystem<S>::visit_tapes(visitor);
        for (auto* tape : {&position_rate_, &negative_rate_, &by_velocity_, &second_rate_}) {
            tape->visit_tapes(visitor);
        }
    }

  private:
    WholeTape<S> position_rate_, negative_rate_, by_velocity_, second_rate_;
};

// Compiled once, in src/system/field_system.cpp.
#define LIBRATION_EXTERN(scalar) extern template class FieldSystem<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
