// Two bodies in general position with one joint, and formulas evaluated at any state.
#pragma once

#include "expression/tape.hpp"
#include "model/model_values.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace libration::joint_samples {

using Numbers = std::map<std::string, double>;

// Every symbol of the formula has a value among the parameters of the model or in `state`.
inline double value_of(const Model& model, const Expression& formula, const Numbers& state) {
    const auto given = parameter_values<double>(model);
    std::vector<Expression> inputs;
    std::vector<double> values;
    for (const auto& s : symbols_of(std::array{formula})) {
        if (std::ranges::find(given.symbols, s) == given.symbols.end()) {
            inputs.push_back(s);
            values.push_back(state.at(s.text()));
        }
    }
    Tape<double> tape(compile(std::array{formula}, inputs, given.symbols), given.values);
    for (std::size_t k = 0; k < values.size(); ++k) {
        tape.input(k) = values[k];
    }
    tape.run();
    return tape.output(0);
}

inline double value_of(const Model& model, const std::string& formula, const Numbers& state) {
    return value_of(model, model.formula(formula, "the formula"), state);
}

// The start, with t = 0.
inline Numbers start_of(const Model& model) {
    Numbers state{{"t", 0}};
    const auto start = initial_state<double>(model);
    for (std::size_t k = 0; k < model.dimension; ++k) {
        state[model.coordinate_name(k)] = start.q[k];
        state["v_" + model.coordinate_name(k)] = start.velocity[k];
    }
    return state;
}

// Bodies a and b with all axes different, connected by a joint with these keys. `at` and directions are parameters.
inline std::string two_bodies(const std::string& joint, const std::string& more = "") {
    return R"toml(
[parameters]
px = 0.3
py = -0.2
pz = 0.5
[[body]]
name = "a"
inertia = [2, 1.5, 1]
mass = 2
[[body]]
name = "b"
inertia = [1, 1.25, 0.75]
mass = 3
[[joint]]
name = "hinge"
)toml" + joint +
           R"toml(
[initial.a]
quaternion = [1, 0.3, -0.2, 0.4]
r = [0.1, 0.2, -0.3]
[initial.b]
quaternion = [0.5, -0.7, 0.1, 0.6]
r = [1, 0.7, 0.4]
)toml" + more;
}

inline Model two_bodies_with(const std::string& joint, const std::string& more = "") {
    return Model::parse(two_bodies(joint, more), "two.toml");
}

struct JointSample {
    const char* type;
    const char* keys;
    std::size_t rows;
};
inline constexpr std::array samples{
    JointSample{"fixed", "at = ['px', 'py', 'pz']", 6},
    JointSample{"revolute", "at = ['px', 'py', 'pz']\naxis = [1, 'py', 2]", 5},
    JointSample{"prismatic", "at = ['px', 'py', 'pz']\naxis = [1, 'py', 2]", 5},
    JointSample{"cylindrical", "at = ['px', 'py', 'pz']\naxis = [1, 'py', -2]", 4},
    JointSample{"universal", "at = ['px', 'py', 'pz']\naxes = [[1, 'py', 2], [0, 1, 0.3]]", 4},
    JointSample{"spherical", "at = ['px', 'py', 'pz']", 3},
    JointSample{"planar", "at = ['px', 'py', 'pz']\nnormal = [1, 'py', 2]", 3},
    JointSample{"distance", "at = [['px', 'py', 'pz'], [1, 1, 1]]", 1},
    JointSample{"screw", "at = ['px', 'py', 'pz']\naxis = [1, 'py', 2]\npitch = '4*px'", 5},
    JointSample{"point-on-line", "at = ['px', 'py', 'pz']\naxis = [1, 'py', 2]", 2},
    JointSample{"point-on-plane", "at = ['px', 'py', 'pz']\nnormal = [1, 'py', 2]", 1}};

inline std::string keys_of(const JointSample& sample, const std::string& between = "'a', 'b'") {
    return fmt::format("type = '{}'\nbetween = [{}]\n{}\n", sample.type, between, sample.keys);
}

}  // namespace libration::joint_samples
