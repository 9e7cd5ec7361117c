// Sections of a model file: gravity, [[spring]], [[damper]], and [[forces]] on points, bodies and joints.
#include "family_names.hpp"
#include "joint_places.hpp"
#include "loads.hpp"
#include "motion_formulas.hpp"
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

constexpr Visible for_loads{.coordinates = true, .velocities = true, .multipliers = true, .time = true};

}  // namespace

void ModelReader::read_gravity() {
    const auto* dynamics = document_.find("dynamics");
    const auto* gravity = dynamics != nullptr ? dynamics->find("gravity") : nullptr;
    if (gravity == nullptr) {
        return;
    }
    auto scope = draft_.scope({});
    draft_.set_gravity(value_of(*gravity, scope, "gravity").components, gravity->place);
}

void ModelReader::refuse_body_as_point(const Document& value, const std::string& what) const {
    if (value.kind != Document::Kind::text) {
        return;
    }
    const auto& bodies = draft_.model().bodies;
    const auto body = std::ranges::find(bodies, value.text, &Body::name);
    if (body != bodies.end()) {
        value.fail(fmt::format("{0} is a point, and '{1}' is a body; write {1}.r, its center of mass, or {2}", what,
                               value.text,
                               body->points.empty() ? value.text + (is_planar(*body) ? ".at(0, 0)" : ".at(0, 0, 0)")
                                                    : value.text + "." + body->points[0].name));
    }
}

std::array<Vector3, 2> ModelReader::load_ends(const Document& block, Scope& scope, const std::string& where) {
    const auto& between = require(block, "between", Document::Kind::list, where);
    if (between.items.size() != 2) {
        between.fail(
            fmt::format("'between' of {} needs two points, such as [\"crank.at(1, 0, 0)\", [2, 0, 0]]", where));
    }
    std::array<Vector3, 2> ends;
    for (std::size_t k = 0; k < 2; ++k) {
        refuse_body_as_point(between.items[k], fmt::format("an end of {}", where));
        ends[k] = vector_in_space(between.items[k], scope, fmt::format("an end of {}", where));
    }
    if (ends[0] == ends[1]) {
        between.fail(fmt::format("both ends of {} are the same point; name two points", where));
    }
    return ends;
}

// Either 'between' or 'joint'.
const Document* ModelReader::joint_of_load(const Document& block, const std::string& where) const {
    const auto* joint = block.find("joint");
    if ((joint == nullptr) == (block.find("between") == nullptr)) {
        block.fail(
            fmt::format("{} acts between two points or in a joint: give one of the keys 'between' and 'joint'", where));
    }
    return joint == nullptr ? nullptr : &require(block, "joint", Document::Kind::text, where);
}

const Document& ModelReader::load_key(const Document& block, const std::string& key, const std::string& where) {
    const auto* value = block.find(key);
    if (value == nullptr) {
        block.fail(fmt::format("{} needs the key '{}'", where, key));
    }
    return *value;
}

void ModelReader::read_springs() {
    const auto* blocks = document_.find("spring");
    for (const auto& block : blocks == nullptr ? std::vector<Document>{} : blocks->items) {
        const std::string where = "`[[spring]]`";
        const auto all = instances(block, where, {"between", "joint", "stiffness", "length", "angle", "part"});
        const auto* joint = block.find("joint");
        if (all->names.empty() || (joint == nullptr && !names_members(block, draft_.model()))) {
            auto scope = draft_.scope(for_potentials, all->names);
            read_spring(block, all, scope);
        } else {
            for_each_instance(for_potentials, *all,
                              [&](ModelScope& scope) { read_spring(block, std::make_shared<Instances>(), scope); });
        }
    }
}

void ModelReader::read_spring(const Document& block, const std::shared_ptr<const Instances>& all, ModelScope& scope) {
    const std::string where = "`[[spring]]`";
    const auto stiffness = formula(load_key(block, "stiffness", where), scope, "the stiffness of `[[spring]]`");
    const auto* joint = joint_of_load(block, where);
    const auto* coordinate =
        joint == nullptr
            ? nullptr
            : &joint_coordinate(draft_.model(), with_numbers(joint->text, scope, joint->place, "the joint of " + where),
                                joint->place);
    const bool is_angle = coordinate != nullptr && coordinate->is_angle;
    if (const auto* wrong = block.find(is_angle ? "length" : "angle")) {
        wrong->fail(is_angle ? "a spring about the axis of a joint has an angle, not a length; write 'angle'"
                             : "a spring along a line has a length, not an angle; write 'length'");
    }
    const auto* given_rest = block.find(is_angle ? "angle" : "length");
    const auto rest =
        given_rest == nullptr
            ? Expression(0)
            : formula(*given_rest, scope, fmt::format("the {} of {}", is_angle ? "angle" : "length", where));
    Expression energy;
    if (coordinate != nullptr) {
        energy = stiffness * pow(coordinate->value - rest, 2) / 2;
    } else {
        const auto ends = load_ends(block, scope, where);
        energy = spring_energy(ends[0], ends[1], stiffness, rest);
    }
    draft_.model().potential.push_back(scope.term(energy, all, block.place));
    if (const auto* part = block.find("part")) {
        draft_.model().potential.back().part = part_of(*part);
    }
    if (draft_.model().potential.back().slots.empty() && all->count > 0) {
        block.fail("both ends of this spring are at rest; name a point of a body for one of them");
    }
}

void ModelReader::read_dampers() {
    const auto* blocks = document_.find("damper");
    std::size_t count = 0;
    for (const auto& block : blocks == nullptr ? std::vector<Document>{} : blocks->items) {
        const std::string where = "`[[damper]]`";
        const auto all = instances(block, where, {"name", "between", "joint", "coefficient"});
        const auto name = fmt::format("damper{}", ++count);
        const auto* given_name = block.find("name");
        Force force{given_name == nullptr ? name : require(block, "name", Document::Kind::text, where).text,
                    ForceClass::dissipative,
                    {},
                    given_name == nullptr ? block.place : given_name->place};
        const auto* joint = joint_of_load(block, where);
        EffortSum sum(draft_.model(), force);
        for_each_instance(for_loads, *all, [&](ModelScope& scope) {
            const auto c = formula(load_key(block, "coefficient", where), scope, "the coefficient of `[[damper]]`");
            Expression speed;
            if (joint != nullptr) {
                const auto of_joint = with_numbers(joint->text, scope, joint->place, "the joint of " + where);
                speed = joint_coordinate(draft_.model(), of_joint, joint->place).rate;
            } else {
                const auto ends = load_ends(block, scope, where);
                speed = rate_of(distance_between(ends[0], ends[1]), draft_.model());
            }
            sum.add(std::array{Effort{-(c * speed), speed}}, block.place);
        });
        draft_.model().forces.push_back(std::move(force));
    }
}

// The scope with the numbers of each instance.
void ModelReader::for_each_instance(Visible visible, const Instances& all,
                                    const std::function<void(ModelScope&)>& use) {
    auto scope = draft_.scope(visible, all.names);
    for (std::size_t k = 0; k < all.count; ++k) {
        for (std::size_t c = 0; c < all.names.size(); ++c) {
            scope.bind(all.names[c], all.columns[c][k]);
        }
        use(scope);
    }
}

void ModelReader::add_load(Force& force, const Document& block, const Instances& all) {
    const auto where = fmt::format("the force '{}'", force.name);
    EffortSum sum(draft_.model(), force);
    for_each_instance(for_loads, all, [&](ModelScope& scope) {
        if (const auto* torque = block.find("torque")) {
            add_vector_load(sum, *torque, scope, "the torque of " + where, true);
        } else if (const auto* push = block.find("force")) {
            add_vector_load(sum, *push, scope, "the force of " + where, false);
        } else {
            const auto& joint = require(block, "joint", Document::Kind::text, where);
            const auto value = formula(load_key(block, "value", where), scope, "the value of " + where);
            const auto of_joint = with_numbers(joint.text, scope, joint.place, "the joint of " + where);
            const auto& coordinate = joint_coordinate(draft_.model(), of_joint, joint.place);
            sum.add(std::array{Effort{value, coordinate.rate}}, block.place);
        }
    });
}

// A torque { body, value, frame }, or a force { at, value, frame }.
void ModelReader::add_vector_load(EffortSum& sum, const Document& given, ModelScope& scope, const std::string& where,
                                  bool is_torque) {
    const auto& model = draft_.model();
    const std::string target = is_torque ? "body" : "at";
    if (given.kind != Document::Kind::table) {
        given.fail(fmt::format("{} must be a table with the keys '{}' and 'value', a vector", where, target));
    }
    given.allow_only(std::array<std::string, 3>{target, "value", "frame"}, where);
    const auto* frame = given.find("frame");
    if (frame != nullptr &&
        (frame->kind != Document::Kind::text || (frame->text != "body" && frame->text != "world"))) {
        frame->fail(fmt::format("the frame of {} must be \"world\" or \"body\"", where));
    }
    const bool in_body = frame != nullptr && frame->text == "body";
    if (is_torque) {
        const auto& name = require(given, "body", Document::Kind::text, where);
        plane_ = is_planar(
            body_named(model, with_numbers(name.text, scope, name.place, "the body of " + where), name.place));
    }
    auto value = vector_in_space(load_key(given, "value", where), scope, fmt::format("the value of {}", where));
    plane_.reset();
    if (is_torque) {
        const auto& name = require(given, "body", Document::Kind::text, where);
        const auto& body =
            body_named(model, with_numbers(name.text, scope, name.place, "the body of " + where), name.place);
        value = in_body ? frame_of(body).direction(value) : value;
        sum.add(torque_efforts(model, body, value), given.place);
        return;
    }
    const auto& at = load_key(given, "at", where);
    refuse_body_as_point(at, fmt::format("the point of {}", where));
    const auto point = vector_in_space(at, scope, fmt::format("the point of {}", where));
    value = in_body ? frame_of(body_of_point(model, point, at.place)).direction(value) : value;
    sum.add(point_efforts(model, point, value), given.place);
}

}  // namespace libration
