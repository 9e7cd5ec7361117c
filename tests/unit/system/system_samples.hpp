// Models of every kind with curved derivatives, and states to evaluate them at.
#pragma once

#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace libration::samples {

const std::string head = R"toml(
[parameters]
k = "7/5"
[coordinates]
q = ["x", "y"]
[initial]
q = ["3/10", "1/5"]
v = ["1/2", "-1/4"]
)toml";
const std::string rod = "constraints = { rod = \"x^2 + k*sin(y) - x*y^3\" }\n";

// M(t, q) = [[3 + cos(x) + t, sin(x*y)], [sin(x*y), 2 + y^2]], U = k x^2 y + exp(y), three times the same mechanics.
inline const std::string kinetic =
    head + "[dynamics]\nkinetic = \"((3 + cos(x) + t)*v_x^2 + (2 + y^2)*v_y^2)/2 + sin(x*y)*v_x*v_y\"\n" +
    "potential = \"k*x^2*y + exp(y)\"\n" + rod;
inline const std::string hamiltonian =
    head +
    "[dynamics]\nhamiltonian = \"((2 + y^2)*p_x^2 - 2*sin(x*y)*p_x*p_y + (3 + cos(x) + t)*p_y^2)"
    "/(2*((3 + cos(x) + t)*(2 + y^2) - sin(x*y)^2)) + k*x^2*y + exp(y)\"\n" +
    rod;
// The first without t.
inline const std::string curved_mass =
    head + "[dynamics]\nmass = [[\"3 + cos(x)\", \"sin(x*y)\"], [\"sin(x*y)\", \"2 + y^2\"]]\n" +
    "potential = \"k*x^2*y + exp(y)\"\n" + rod;

// A separable model twice, once with a split potential.
inline const std::string separable =
    head + "[dynamics]\nmass = [\"k\", 3]\n" + rod +
    "[dynamics.potential]\nslow = \"k*x^2*y\"\nfast = \"exp(y)\"\nstiff = \"cos(x)\"\n";
inline const std::string separable_whole =
    head + "[dynamics]\nhamiltonian = \"p_x^2/(2*k) + p_y^2/6 + k*x^2*y + exp(y) + cos(x)\"\n" + rod;

// Not even quadratic in p.
inline const std::string relativistic =
    head + "[dynamics]\nhamiltonian = \"sqrt(1 + (p_x - y)^2 + (p_y + k*x*t)^2)*(2 + cos(x*y))\"\n" + rod;

inline const std::string field = head + "[field]\nq = { x = \"v_x + k*y*v_y^2 + t*x\", y = \"exp(v_y)*x\" }\n"
                                        "v = { x = \"-sin(x) - v_x^2/5\", y = \"x*v_x - t\" }\n";
inline const std::string flow = R"toml(
[coordinates]
q = ["x", "y", "z"]
[field]
q = { x = "sin(z) + cos(y)", y = "sin(x)*z", z = "x*y" }
blocks = [["y"], ["x", "z"]]
[initial]
q = ["3/10", "1/5", 1]
)toml";

inline Model model_of(const std::string& text) { return Model::parse(text, "sample.toml"); }

struct SampleState {
    double t = 0;
    std::vector<double> q, p, x, y;  // x and y: directions
};

inline std::vector<SampleState> random_states(std::size_t dimension, int count = 5) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<SampleState> states;
    for (int n = 0; n < count; ++n) {
        SampleState state;
        state.t = 0.5 + 0.4 * uniform(random);
        for (auto* vector : {&state.q, &state.p, &state.x, &state.y}) {
            for (std::size_t k = 0; k < dimension; ++k) {
                vector->push_back(uniform(random));
            }
        }
        states.push_back(state);
    }
    return states;
}

// Every value that a system of H gives at a state, one after the other.
template <class S>
std::vector<S> all_values(System<S>& system, const SampleState& state) {
    const auto convert = [](std::span<const double> from) {
        std::vector<S> to;
        for (const double value : from) {
            to.push_back(from_double<S>(value));
        }
        return to;
    };
    const S t = from_double<S>(state.t);
    const auto q = convert(state.q), p = convert(state.p), x = convert(state.x), y = convert(state.y);
    const std::size_t d = system.dimension();
    std::vector<S> all{system.energy(t, q, p)}, out(d, lit<S>(0));
    const auto keep = [&](std::span<const S> values) { all.insert(all.end(), values.begin(), values.end()); };
    system.velocity(t, q, p, out), keep(out);
    system.force_gradient(t, q, p, out), keep(out);
    system.solve_mass(t, q, p, x, out), keep(out);
    system.velocity_rate(t, q, p, x, y, out), keep(out);
    std::vector<S> rows(system.constraints(), lit<S>(0)), entries(system.pattern().entries(), lit<S>(0));
    system.constraint(t, q, rows), keep(rows);
    system.jacobian(t, q, entries), keep(entries);
    system.curvature(t, q, x, rows), keep(rows);
    system.constraint_rate(t, q, rows), keep(rows);
    return all;
}

}  // namespace libration::samples
