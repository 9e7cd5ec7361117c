// The system of a kinetic energy T(t, q, v) = 1/2 v^T M(t, q) v beside a potential: H = 1/2 p^T M^-1 p + U(t, q).
//
// M^-1 is never written down: p is turned into v by solving M v = p, and then (Legendre)
//
//     H_p = v     H_q = U_q - T_q(q, v) with v held fixed     H_pp = M^-1     d/dt H_p: M v' = p' - T_vq q' - T_vt
//
// Of an augmented model (see model/augmented.hpp) M is not definite; all the rest is the same.
#pragma once

#include "constrained_system.hpp"
#include "mass_factor.hpp"
#include "model/model_values.hpp"
#include "potential_terms.hpp"
#include "whole_tape.hpp"
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class KineticSystem final : public ConstrainedSystem<S> {
  public:
    explicit KineticSystem(const Model& model) : KineticSystem(model, parameter_values<S>(model)) {}
    // `given`: the parameters of the model, or other values for them.
    KineticSystem(const Model& model, const ParameterValues<S>& given)
        : ConstrainedSystem<S>(model, given), potential_(model, given) {
        const auto& T = model.kinetic->value;
        const std::size_t d = model.dimension;
        const auto q = model.coordinate_symbols(), v = model.coordinate_symbols("v_");
        const auto programs =
            stored(given.programs.get(), ProgramPurpose::kinetic, {std::array{T}, q, v, given.symbols},
                   [&] { return kinetic_programs(T, q, v, given.symbols); });
        const std::array<WholeTape<S>*, 5> tapes{&kinetic_, &momentum_, &by_position_, &mass_, &momentum_rate_};
        for (std::size_t k = 0; k < programs->size(); ++k) {
            *tapes[k] = WholeTape<S>((*programs)[k], given);
        }
        factor_ = MassFactor<S>(model);
        this->properties_.added = factor_.added();
        v_.assign(d, lit<S>(0));
        this->properties_.separable = false;
        this->properties_.depends_on_time |= potential_.uses_time() || depends_on_time(std::array{*model.kinetic});
        this->properties_.conservative =
            !this->properties_.depends_on_time && !this->properties_.forced && this->reactions_without_work();
        this->properties_.parts = potential_.named_parts();
    }

    S energy(const S& t, std::span<const S> q, std::span<const S> p) override {
        solve_velocity(t, q, p);
        kinetic_.run(t, {q, v_});
        return potential_.add_to(kinetic_.output(0), t, q);
    }
    void velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) override {
        solve_velocity(t, q, p);
        std::ranges::copy(v_, v.begin());
    }
    void force_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> gradient) override {
        solve_velocity(t, q, p);
        by_position_.run(t, {q, v_});
        potential_.gradient(t, q, gradient);
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            gradient[i] = gradient[i] - by_position_.output(i);
        }
    }
    void part_gradient(unsigned parts, const S& t, std::span<const S> q, std::span<S> gradient) override {
        potential_.gradient(parts, t, q, gradient);
    }
    void apply_mass(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p) override {
        momentum_.run(t, {q, v}, p);
    }
    void solve_mass(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> x,
                    std::span<S> y) override {
        factor(t, q);
        if (y.data() != x.data()) {
            std::ranges::copy(x, y.begin());
        }
        factor_.solve(y);
    }
    void velocity_rate(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> dq,
                       std::span<const S> dp, std::span<S> rate) override {
        solve_velocity(t, q, p);
        momentum_rate_.run(t, {q, v_, dq});
        for (std::size_t i = 0; i < rate.size(); ++i) {
            rate[i] = dp[i] - momentum_rate_.output(i);
        }
        factor_.solve(rate);
    }
    bool mass_pivots(const S& t, std::span<const S> q, std::span<S> pivots) override {
        factor(t, q);
        const std::size_t d = this->dimension_;
        if (factor_.added() > 0) {
            factor_.relative_pivots(pivots);
            return true;
        }
        for (std::size_t i = 0; i < d; ++i) {
            pivots[i] = factor_.matrix()[i * d + i] / magnitude(mass_.output(i * (i + 3) / 2));
        }
        return true;
    }
    [[nodiscard]] std::span<const S> inverse_masses() const override { return {}; }

    void visit_tapes(TapeVisitor<S>& visitor) override {
        ConstrainedSystem<S>::visit_tapes(visitor);
        potential_.visit_tapes(visitor);
        for (auto* tape : {&kinetic_, &momentum_, &by_position_, &mass_, &momentum_rate_}) {
            tape->visit_tapes(visitor);
        }
    }

  private:
    void factor(const S& t, std::span<const S> q) {
        mass_.run(t, {q});
        const std::size_t d = this->dimension_;
        const auto matrix = factor_.matrix();
        std::size_t entry = 0;
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                matrix[i * d + j] = mass_.output(entry++);
            }
        }
        factor_.factor();
    }

    // v_ = M^-1 p; the factor of M stays.
    void solve_velocity(const S& t, std::span<const S> q, std::span<const S> p) {
        factor(t, q);
        std::ranges::copy(p, v_.begin());
        factor_.solve(v_);
    }

    // T, T_v, T_q, the lower triangle of M = T_vv row after row, T_vq dq + T_vt.
    static ProgramStore::Programs kinetic_programs(const Expression& T, const Symbols& q, const Symbols& v,
                                                   std::span<const Expression> parameters) {
        const auto momenta = gradient(T, v);
        const auto dq = fresh_symbols("dq", q.size());
        std::vector<Expression> lower;
        for (std::size_t i = 0; i < v.size(); ++i) {
            const auto row = gradient(momenta[i], std::span(v).first(i + 1));
            lower.insert(lower.end(), row.begin(), row.end());
        }
        Symbols positions{time_symbol()}, direction{Expression(1)};
        positions.insert(positions.end(), q.begin(), q.end());
        direction.insert(direction.end(), dq.begin(), dq.end());
        const auto rate = gradient(directional_derivative(T, positions, direction), v);
        return {whole_program(std::array{T}, {q, v}, parameters), whole_program(momenta, {q, v}, parameters),
                whole_program(gradient(T, q), {q, v}, parameters), whole_program(lower, {q}, parameters),
                whole_program(rate, {q, v, dq}, parameters)};
    }

    PotentialTerms<S> potential_;
    WholeTape<S> kinetic_, momentum_, by_position_, mass_, momentum_rate_;
    MassFactor<S> factor_;
    std::vector<S> v_;
};

// Compiled once, in src/system/kinetic_system.cpp.
#define LIBRATION_EXTERN(scalar) extern template class KineticSystem<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
