// Consistent initial values: q on g = 0, p on G H_p = 0.
#pragma once

#include "assembly.hpp"
#include "model/model_values.hpp"
#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <algorithm>

namespace libration {

template <class S>
struct StartState {
    std::vector<S> q, p;
};

// q and p of these initial values; velocities become momenta. Momenta for some coordinates and velocities for others
// are an InputError where the mass couples them.
template <class S>
StartState<S> state_of(const Model& model, System<S>& system, InitialState<S> given, const S& t) {
    // What an augmented system adds starts at zero; its momenta G v, too, if v is consistent.
    given.q.resize(system.dimension(), lit<S>(0));
    given.velocity.resize(system.dimension(), lit<S>(0));
    StartState<S> state{std::move(given.q), std::vector<S>(system.dimension(), lit<S>(0))};
    const auto momenta = static_cast<std::size_t>(std::ranges::count(given.has_momentum, true));
    if (momenta < model.dimension) {
        if (momenta > 0 && system.inverse_masses().empty()) {
            throw InputError("some coordinates start with a momentum, others with a velocity or at rest; if the mass "
                             "matrix is not diagonal, give p for all coordinates, or v for all");
        }
        system.apply_mass(t, state.q, given.velocity, state.p);
    }
    for (std::size_t k = 0; k < model.dimension; ++k) {
        if (given.has_momentum[k]) {
            state.p[k] = given.momentum[k];
        }
    }
    return state;
}

// q and p of the model at the precision of S, as they are given. Not checked, not projected, not assembled.
template <class S>
StartState<S> given_start(const Model& model, System<S>& system, const S& t = lit<S>(0)) {
    return state_of<S>(model, system, initial_state<S>(model), t);
}

// The same, assembled if the model asks for it: of one trajectory.
template <class S>
StartState<S> start_state(const Model& model, System<S>& system, const S& t = lit<S>(0)) {
    auto given = initial_state<S>(model);
    if constexpr (OneTrajectory<S>) {
        const auto assembled = model.assembly ? assembled_start(model, to_double(t)) : std::nullopt;
        if (assembled) {
            const auto read = [](const std::vector<FinestReal>& from, std::vector<S>& to) {
                for (std::size_t k = 0; k < from.size(); ++k) {
                    to[k] = from_finest<S>(from[k]);
                }
            };
            read(assembled->q, given.q);
            read(assembled->v, given.velocity);
            read(assembled->p, given.momentum);
            given.has_momentum.assign(model.dimension, assembled->v.empty());
        }
    }
    return state_of<S>(model, system, std::move(given), t);
}

// Residuals of a state, and how to read them.
struct Consistency {
    double position = 0, hidden = 0;               // largest |g_i| and |(G H_p)_i|
    std::size_t position_row = 0, hidden_row = 0;  // where
    bool consistent = true;                        // both within 1e-10, scaled by the sizes of the terms
    bool finite = true;
};
Consistency consistency(System<double>& system, double t, std::span<const double> q, std::span<const double> p);

// What is wrong with the start of a model, ready for a user: rank, finiteness, consistency. Empty if all is well.
std::string start_fault(const Model& model, System<double>& system, std::span<const double> q,
                        std::span<const double> p, double t = 0);
// The part of it that concerns the rank of G, and of nonholonomic constraints: which constraints are redundant.
std::string redundancy_fault(const Model& model, System<double>& system, std::span<const double> q,
                             std::span<const double> p, double t);
// The first formula that is not a finite number at a state, with its place; `state` says in words which state that is.
// Empty if all are.
std::string undefined_formula(const Model& model, System<double>& system, double t, std::span<const double> q,
                              std::span<const double> p, const std::string& state);
// The part of it that projection cannot fix: rank of G. With `close`, sets whose squared sine is below it are named,
// too.
std::string rank_fault(const Model& model, System<double>& system, double t, std::span<const double> q,
                       double close = 0);

}  // namespace libration
