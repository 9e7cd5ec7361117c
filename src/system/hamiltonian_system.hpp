// The system of a whole Hamiltonian H(t, q, p), which need not be separable. All derivatives are programs.
#pragma once

#include "constrained_system.hpp"
#include "dense.hpp"
#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/kit/iterate.hpp>
#include <libration/kit/scalars.hpp>
#include <libration/text/error.hpp>

namespace libration {

template <class S>
class HamiltonianSystem final : public ConstrainedSystem<S> {
  public:
    explicit HamiltonianSystem(const Model& model) : HamiltonianSystem(model, parameter_values<S>(model)) {}
    // `given`: the parameters of the model, or other values for them.
    HamiltonianSystem(const Model& model, const ParameterValues<S>& given) : ConstrainedSystem<S>(model, given) {
        const auto& H = model.hamiltonian->value;
        const auto q = model.coordinate_symbols(), p = model.coordinate_symbols("p_");
        const auto dq = fresh_symbols("dq", q.size()), dp = fresh_symbols("dp", p.size());
        energy_ = WholeTape<S>(std::array{H}, {q, p}, given);
        velocity_ = WholeTape<S>(gradient(H, p), {q, p}, given);
        force_ = WholeTape<S>(gradient(H, q), {q, p}, given);
        // The gradient by p of a derivative along a direction: reverse after forward, a small multiple of the cost of
        // H.
        inverse_mass_ = WholeTape<S>(gradient(directional_derivative(H, p, dp), p), {q, p, dp}, given);
        Symbols all{time_symbol()}, direction{Expression(1)};
        for (const auto& [from, along] : {std::pair{&q, &dq}, std::pair{&p, &dp}}) {
            all.insert(all.end(), from->begin(), from->end());
            direction.insert(direction.end(), along->begin(), along->end());
        }
        velocity_rate_ = WholeTape<S>(gradient(directional_derivative(H, all, direction), p), {q, p, dq, dp}, given);
        this->properties_.separable = false;
        this->properties_.depends_on_time |= depends_on_time(std::array{*model.hamiltonian});
        this->properties_.conservative =
            !this->properties_.depends_on_time && !this->properties_.forced && this->reactions_without_work();
    }

    S energy(const S& t, std::span<const S> q, std::span<const S> p) override {
        energy_.run(t, {q, p});
        return energy_.output(0);
    }
    void velocity(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> v) override {
        velocity_.run(t, {q, p}, v);
    }
    void force_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> gradient) override {
        force_.run(t, {q, p}, gradient);
    }
    void solve_mass(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> x,
                    std::span<S> y) override {
        inverse_mass_.run(t, {q, p, x}, y);
    }
    void velocity_rate(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> dq,
                       std::span<const S> dp, std::span<S> rate) override {
        velocity_rate_.run(t, {q, p, dq, dp}, rate);
    }
    [[nodiscard]] std::span<const S> inverse_masses() const override { return {}; }

    // Newton's method; for starts only, it allocates. From p = 0 the velocity is led to v in some steps, so that what
    // lies far out is found, too.
    void apply_mass(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> p) override {
        constexpr int steps = 8;
        const std::size_t d = this->dimension_;
        std::vector<S> first(d, lit<S>(0)), target(d, lit<S>(0)), correction(d, lit<S>(0));
        std::vector<S> unit(d, lit<S>(0)), column(d, lit<S>(0)), matrix(d * d, lit<S>(0));
        std::ranges::fill(p, lit<S>(0));
        velocity(t, q, p, first);
        // dx = H_pp^-1 (target - H_p); returns the residual.
        const auto pass = [&](std::span<const S> x, std::span<S> dx) {
            velocity(t, q, x, dx);
            Real<S> residual = lit<Real<S>>(0);
            for (std::size_t i = 0; i < d; ++i) {
                // In units of the round-off of both sides, or of a small part of 1 where these vanish.
                const Real<S> size = absv(real_part(dx[i])) + absv(real_part(target[i])) + lit<Real<S>>(1, 1000);
                dx[i] = target[i] - dx[i];
                residual = worse(residual, floors(real_part(dx[i]), Real<S>(size * epsilon<S>())));
            }
            for (std::size_t j = 0; j < d; ++j) {
                unit[j] = lit<S>(1);
                solve_mass(t, q, x, unit, column);
                unit[j] = lit<S>(0);
                for (std::size_t i = 0; i < d; ++i) {
                    matrix[i * d + j] = column[i];
                }
            }
            solve_general<S>(d, matrix, dx);
            return residual;
        };
        const auto correct = [&] {
            pass(p, correction);
            for (std::size_t i = 0; i < d; ++i) {
                p[i] = p[i] + correction[i];
            }
        };
        for (int k = 1; k < steps; ++k) {
            for (std::size_t i = 0; i < d; ++i) {
                target[i] = mad(lit<S>(k, steps), S(v[i] - first[i]), first[i]);
            }
            correct();
        }
        std::ranges::copy(v, target.begin());
        const auto report = iterate(IterationControl{}, p, std::span<S>(correction), pass);
        correct();  // tangents are right one correction after the value
        if constexpr (!records_operations<S>) {
            if (any(less(report.converged, lit<Real<S>>(1)))) {
                throw InputError("the initial momenta cannot be found from the velocities: no p with H_p(q, p) = v was "
                                 "found starting from p = 0; give momenta p under `[initial]` instead");
            }
        }
    }

    void visit_tapes(TapeVisitor<S>& visitor) override {
        ConstrainedSystem<S>::visit_tapes(visitor);
        for (auto* tape : {&energy_, &velocity_, &force_, &inverse_mass_, &velocity_rate_}) {
            tape->visit_tapes(visitor);
        }
    }

  private:
    WholeTape<S> energy_, velocity_, force_, inverse_mass_, velocity_rate_;
};

// Compiled once, in src/system/hamiltonian_system.cpp.
#define LIBRATION_EXTERN(scalar) extern template class HamiltonianSystem<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
