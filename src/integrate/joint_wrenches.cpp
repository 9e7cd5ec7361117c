// Evaluating the wrenches of joints.
#include "joint_wrenches.hpp"

#include "model/body_frame.hpp"
#include "model/model_values.hpp"
#include "start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Forces, then torques.
constexpr std::size_t wrench_components = 6;

struct JointDirections {
    std::array<Vector3, 3> vectors;
    std::array<const char*, 3> names;
};

// Of the second body, or of the first one if that is the ground; in the world.
JointDirections directions_of(const Model& model, const Joint& joint) {
    const JointDirections world{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {"x", "y", "z"}};
    const auto is_given = [](const Vector3& v) {
        return std::ranges::any_of(v, [](const Expression& e) { return !e.is_constant(0); });
    };
    const auto& side = joint.sides[1].body ? joint.sides[1] : joint.sides[0];
    const auto& body = model.bodies[*side.body];
    if (body.kind == BodyKind::planar || body.kind == BodyKind::slender || !is_given(side.local.axis)) {
        return world;
    }
    const auto frame = frame_of(body);
    return {{frame.direction(side.local.first), frame.direction(side.local.second), frame.direction(side.local.axis)},
            {"1", "2", "axis"}};
}

// A free joint has no torque about its axis: what rounding of the directions leaves there is not a wrench.
void drop_rounding(WrenchBlock& block) {
    constexpr double rounding = 1e-13;  // of directions, which are orthonormal to some hundred eps
    const std::size_t rows = block.rows.size();
    for (std::size_t i = 0; i < rows; ++i) {
        double largest = 0;
        for (std::size_t c = 0; c < block.components; ++c) {
            largest = std::max(largest, std::abs(block.map[c * rows + i]));
        }
        for (std::size_t c = 0; c < block.components; ++c) {
            auto& value = block.map[c * rows + i];
            value = std::abs(value) > rounding * largest ? value : 0;
        }
    }
}

// Where the joint is, over the coordinates.
Vector3 place_of(const Model& model, const Joint& joint) {
    const auto& side = joint.sides[1].body ? joint.sides[1] : joint.sides[0];
    return frame_of(model.bodies[*side.body]).point(side.local.point);
}

}  // namespace

double reaction_length(const Model& model, System<double>& system, double t) {
    if (model.joints.empty()) {
        return 1;
    }
    const auto given = constant_parameters(model);
    if (model.reaction_length) {
        const auto program = compiled(given.programs.get(), std::array{*model.reaction_length}, {}, given.symbols);
        return Tape<double>(program, given.values).output(0);
    }
    const auto start = start_state<double>(model, system, t);
    std::vector<Expression> places;
    for (const auto& joint : model.joints) {
        if (!joint.coupling) {  // it has no place of its own
            std::ranges::copy(place_of(model, joint), std::back_inserter(places));
        }
    }
    const auto coordinates = model.coordinate_symbols();
    Tape<double> tape(compiled(given.programs.get(), places, coordinates, given.symbols), given.values);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        tape.input(k) = start.q[k];
    }
    tape.run();
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < places.size() / 3; ++a) {
        for (std::size_t b = 0; b < a; ++b, ++pairs) {
            sum += std::hypot(tape.output(3 * a) - tape.output(3 * b), tape.output(3 * a + 1) - tape.output(3 * b + 1),
                              tape.output(3 * a + 2) - tape.output(3 * b + 2));
        }
    }
    return sum > 0 ? sum / static_cast<double>(pairs) : 1;
}

JointWrenches::JointWrenches(const Model& model, double length) : length_(length) {
    if (model.joints.empty()) {
        return;
    }
    std::vector<Expression> values;
    for (const auto& joint : model.joints) {
        add_joint(model, joint, values);
    }
    for (const auto& body : model.bodies) {
        WrenchBlock internal;
        for (std::size_t i = 0; i < body.rows(); ++i) {
            internal.rows.push_back(body.first_row + i);
        }
        blocks_.push_back(std::move(internal));
    }
    const auto given = constant_parameters(model);
    std::vector<Expression> symbols;
    for (const auto& s : symbols_of(values)) {
        if (std::ranges::find(given.symbols, s) != given.symbols.end()) {
            continue;
        }
        const auto coordinate = model.coordinate_number(s.text());
        symbols.push_back(s);
        inputs_.push_back({!coordinate.has_value(), coordinate.value_or(0)});
    }
    tape_ = Tape<double>(compiled(given.programs.get(), values, symbols, given.symbols), given.values);
}

void JointWrenches::add_joint(const Model& model, const Joint& joint, std::vector<Expression>& values) {
    WrenchBlock block;
    block.components = wrench_components;
    for (const auto& row : joint.rows) {
        block.rows.push_back(row.number);
    }
    block.map.resize(wrench_components * block.rows.size());
    const auto directions = directions_of(model, joint);
    for (const auto* kind : {"force", "torque"}) {
        for (std::size_t k = 0; k < 3; ++k) {
            names_.push_back(fmt::format("{}.{}[{}]", joint.name(), kind, directions.names[k]));
            for (const auto& row : joint.rows) {
                const bool force = std::string_view(kind) == "force";
                const auto part = dot(force ? row.force : row.torque, directions.vectors[k]);
                values.push_back(force ? part : part / Expression(length_));
            }
        }
    }
    blocks_.push_back(std::move(block));
}

std::span<const WrenchBlock> JointWrenches::at(const Node<double>& node) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        tape_.input(i) = inputs_[i].time ? node.t : node.q[inputs_[i].coordinate];
    }
    tape_.run();
    std::size_t output = 0;
    for (auto& block : blocks_) {
        for (auto& value : block.map) {
            value = tape_.output(output++);
        }
        drop_rounding(block);
    }
    return blocks_;
}

}  // namespace libration
