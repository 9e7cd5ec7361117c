// Joints on their way into a model: where both sides are, rows, coordinates, wrenches.
#include "draft.hpp"
#include "dynamics.hpp"
#include "joint_places.hpp"
#include "joint_types.hpp"
#include "motion_formulas.hpp"

#include "text/suggest.hpp"
#include <libration/expression/differentiate.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// The angle of the point (cosine, sine), continued along the motion if it counts turns.
Expression joint_angle(Draft& draft, const JointProperties& given, const JointCoordinateFormula& formula) {
    return given.turns ? draft.add_winding(given.name + '.' + formula.name, formula.sine, formula.cosine,
                                           given.zero.value_or(0), given.place)
                       : atan2(formula.sine, formula.cosine);
}

// Counted from the direction that makes it `zero` at the start.
JointCoordinateFormula counted_from(JointCoordinateFormula formula, const Expression& zero) {
    if (!formula.is_angle || zero.is_constant(0)) {
        return formula;
    }
    if (formula.value) {
        formula.value = *formula.value + zero;
        return formula;
    }
    const auto sine = formula.sine * cos(zero) + formula.cosine * sin(zero);
    formula.cosine = formula.cosine * cos(zero) - formula.sine * sin(zero);
    formula.sine = sine;
    return formula;
}

const JointType& type_of(const JointProperties& given) {
    std::vector<std::string> names;
    for (const auto& type : joint_types()) {
        if (type.name == given.type) {
            return type;
        }
        names.emplace_back(type.name);
    }
    refuse(given.place,
           fmt::format("unknown type '{}' of the joint {}{}", given.type, given.name, suggestion(given.type, names)));
}

using Directions = JointType::Directions;

// From the description to a joint, without what needs other parts of the model.
class JointMaker {
  public:
    JointMaker(Draft& draft, const JointProperties& given) : draft_(&draft), type_(&type_of(given)) {
        joint_.given = given;
        for (std::size_t k = 0; k < 2; ++k) {
            ends_[k] = joint_end(draft.model(), given.between[k], given.between_places[k]);
        }
        require_two_bodies();
        planar_ = is_planar_end(0) || is_planar_end(1);
        if (planar_) {
            require_planar();
        }
        axes_wanted_ = planar_ ? type_->planar_axes : type_->axes;
        check_keys();
    }

    Joint made() {
        place_points();
        place_directions();
        lend();
        for (std::size_t k = 0; k < 2; ++k) {
            if (ends_[k].body != nullptr) {
                joint_.sides[k].body = ends_[k].number;
            }
            joint_.sides[k].local = local_[k];
        }
        auto pose = pose_of_now();
        add_coordinates(pose);
        add_rows(pose);
        return std::move(joint_);
    }

  private:
    [[nodiscard]] const JointProperties& given() const { return joint_.given; }
    [[nodiscard]] bool is_planar_end(std::size_t k) const {
        return ends_[k].body != nullptr && is_planar(*ends_[k].body);
    }
    // Of at least one body: of points, frames and the ground, some may be missing.
    [[nodiscard]] bool has_point(std::size_t k) const { return ends_[k].point.has_value(); }
    [[nodiscard]] bool has_axis(std::size_t k) const { return ends_[k].axis.has_value(); }

    void require_two_bodies() const {
        const auto& place = given().between_places[1];
        if (ends_[0].body == ends_[1].body) {
            refuse(place, ends_[0].body == nullptr
                              ? fmt::format("the joint {} is between the ground and itself; one of both is a body",
                                            given().name)
                              : fmt::format("the joint {} is between the body {} and itself; name two bodies, or a "
                                            "body and \"ground\"",
                                            given().name, ends_[0].body->name));
        }
    }

    void require_planar() const {
        for (std::size_t k = 0; k < 2; ++k) {
            if (ends_[k].body != nullptr && !is_planar_end(k)) {
                refuse(given().between_places[k],
                       fmt::format("the joint {} is between a planar body and {}, which moves in space; make both "
                                   "planar, or neither",
                                   given().name, ends_[k].body->name));
            }
        }
        if (type_->planar_rows == nullptr) {
            std::string names;
            for (const auto& type : joint_types()) {
                names += type.planar_rows == nullptr ? "" : fmt::format("{}{}", names.empty() ? "" : ", ", type.name);
            }
            refuse(given().place,
                   fmt::format("a {} joint cannot connect planar bodies; these types can: {}", type_->name, names));
        }
    }

    [[noreturn]] void superfluous(const Place& place, std::string_view key, const std::string& why) const {
        refuse(place, fmt::format("the joint {} has a superfluous key '{}': {}; remove it", given().name, key, why));
    }

    void check_keys() const {
        const auto& g = given();
        if (g.length && !type_->has_length) {
            superfluous(g.length_place, "length", fmt::format("a {} joint has no length", type_->name));
        }
        if (g.motion && !type_->has_motion) {
            superfluous(g.motion_place, "motion", "only revolute and prismatic joints have a prescribed motion");
        }
        if (g.zero && (type_->axes != 1 || type_->name == "prismatic")) {
            superfluous(g.zero_place, "zero", fmt::format("a {} joint has no single angle", type_->name));
        }
        if (!g.axes.empty() && axes_wanted_ == 0) {
            superfluous(g.axes_place, type_->axes_key.empty() ? "axis" : type_->axes_key,
                        planar_ ? "planar bodies turn about the z axis"
                                : fmt::format("a {} joint has no axis", type_->name));
        }
        if (!g.axes.empty() && g.axes.size() != axes_wanted_) {
            refuse(g.axes_place, fmt::format("the joint {} needs {} direction{}; {} are given", g.name, axes_wanted_,
                                             axes_wanted_ == 1 ? "" : "s", g.axes.size()));
        }
        if (!g.axes.empty() && has_axis(0) && has_axis(1)) {
            superfluous(g.axes_place, type_->axes_key, "both ends are frames, which have their own axes");
        }
        if (!g.at.empty() && has_point(0) && has_point(1)) {
            superfluous(g.at_place, "at", "both ends name their points");
        }
    }

    // Where something of the bodies themselves is missing, it comes from the world at the start.
    const BodyFrame& start(std::size_t k) {
        if (!starts_[k]) {
            if (ends_[k].body != nullptr && !ends_[k].body->start) {
                refuse(given().between_places[k],
                       fmt::format("the joint {} needs to know where the body {} starts; give the body its own start, "
                                   "or connect points of the bodies",
                                   given().name, ends_[k].body->name));
            }
            starts_[k] = ends_[k].start();
        }
        return *starts_[k];
    }

    void place_points() {
        const bool is_distance = type_->has_length;
        const auto& at = given().at;
        const std::size_t bare = (has_point(0) ? 0 : 1) + (has_point(1) ? 0 : 1);
        const bool needs_at = is_distance ? bare > 0 : bare == 2;
        if (at.empty() && needs_at) {
            refuse(given().place,
                   is_distance ? fmt::format("the joint {} needs the points whose distance it keeps: name points of "
                                             "the bodies in `between`, or give at = [[x, y, z], [x, y, z]] in the "
                                             "world at the start",
                                             given().name)
                               : fmt::format("the joint {} needs the key 'at', the point of the joint in the world at "
                                             "the start, or points of the bodies in `between`",
                                             given().name));
        }
        if (at.size() > (is_distance ? bare : 1)) {
            refuse(given().at_place, fmt::format("'at' of the joint {} is one point [x, y, z]", given().name));
        }
        if (is_distance && at.size() < bare) {
            refuse(given().at_place, fmt::format("'at' of the joint {} needs one point for each end: [[x, y, z], [x, "
                                                 "y, z]]",
                                                 given().name));
        }
        std::size_t used = 0;
        for (std::size_t k = 0; k < 2; ++k) {
            if (has_point(k)) {
                local_[k].point = *ends_[k].point;
                continue;
            }
            const std::size_t other = 1 - k;
            const auto world = at.empty() ? start(other).point(*ends_[other].point) : at[is_distance ? used++ : 0];
            local_[k].point = on_slender_axis(k, start(k).local_point(world));
            joint_.closed = true;
        }
    }

    void place_directions() {
        if (type_->directions == Directions::none) {
            return;
        }
        for (std::size_t k = 0; k < 2; ++k) {
            if (has_axis(k) && !planar_) {
                const auto axis = unit(*ends_[k].axis);
                local_[k] =
                    ends_[k].x ? frame_about(local_[k].point, axis, *ends_[k].x) : frame_about(local_[k].point, axis);
            }
        }
        for (std::size_t k = 0; k < 2; ++k) {
            if (planar_ || !has_axis(k)) {
                const auto world = world_frame(k);
                const auto local = [&](const Vector3& v) { return start(k).local_direction(v); };
                local_[k] = {local_[k].point, local(world.first), local(world.second), local(world.axis)};
                joint_.closed = true;
            }
        }
        if (type_->axes == 2 && !(has_axis(0) && has_axis(1))) {
            cross_references();
        }
    }

    // The directions at the start of a side that has none of its own.
    JointFrame world_frame(std::size_t k) {
        const auto& axes = given().axes;
        const Vector3 origin{0, 0, 0}, z{0, 0, 1};
        const std::size_t other = 1 - k;
        if (!axes.empty()) {
            const auto axis = unit(axes[axes.size() == 2 ? k : 0]);
            if (planar_) {
                return {origin, cross(z, axis), z, axis};
            }
            return has_axis(other) && axes_wanted_ < 2
                       ? frame_about(origin, axis, start(other).direction(local_[other].first))
                       : frame_about(origin, axis);
        }
        if (axes_wanted_ < 2 && has_axis(other) && !planar_) {
            const auto& from = local_[other];
            const auto world = [&](const Vector3& v) { return start(other).direction(v); };
            return {origin, world(from.first), world(from.second), world(from.axis)};
        }
        if (axes_wanted_ > 0) {
            refuse(given().place,
                   fmt::format("the joint {} needs the key '{}', {} in the world at the start{}", given().name,
                               type_->axes_key, axes_wanted_ == 2 ? "two directions" : "a direction",
                               planar_ ? "" : ", or frames of the bodies in `between`"));
        }
        return frame_about(origin, z);
    }

    // Of a universal joint: each axis measures the other one from where it starts.
    void cross_references() {
        const auto a = start(0).direction(local_[0].axis), b = start(1).direction(local_[1].axis);
        slant_ = dot(a, b);
        local_[0] = frame_about(local_[0].point, local_[0].axis, start(0).local_direction(b));
        local_[1] = frame_about(local_[1].point, local_[1].axis, start(1).local_direction(a));
    }

    [[nodiscard]] JointFrame in_world(std::size_t k) const {
        const auto frame = ends_[k].frame();
        const auto& local = local_[k];
        if (type_->directions == Directions::none) {
            return {frame.point(local.point), {}, {}, {}};
        }
        // A lent direction need not be looked for among the axes.
        const auto* body = ends_[k].body;
        const bool is_lent = body != nullptr && body->lent && body->lent->local == local.axis;
        return {frame.point(local.point), frame.direction(local.first), frame.direction(local.second),
                is_lent ? body->lent->world : frame.direction(local.axis)};
    }

    [[nodiscard]] bool is_bare_rod(std::size_t k) const {
        return ends_[k].body != nullptr && ends_[k].body->kind == BodyKind::slender && !ends_[k].body->lent;
    }

    // Nothing determines the rotation of a slender body about its axis: only points on the axis have a place. Whether
    // the point lies there is checked when numbers are known.
    Vector3 on_slender_axis(std::size_t k, const Vector3& local) {
        if (!is_bare_rod(k)) {
            return local;
        }
        const auto& body = *ends_[k].body;
        const auto axis = slender_axis(body);
        const auto arm = local - body.com;
        const auto along = dot(arm, axis) * axis;
        const auto off = arm - along;
        joint_.sides[k].off_axis = sqrt(dot(off, off));
        return body.com + along;
    }

    // A slender body takes the direction across its axis from the first joint that fixes one.
    void lend() {
        for (std::size_t k = 0; k < 2; ++k) {
            if (type_->directions == Directions::none || !is_bare_rod(k)) {
                continue;
            }
            const std::size_t other = 1 - k;
            if (type_->directions == Directions::crossed_axes) {
                refuse(
                    given().between_places[k],
                    fmt::format("a universal joint cannot hold the slender body {}, whose rotation about its own axis "
                                "nothing determines; use a spherical joint, or give the body a small moment of "
                                "inertia about its axis",
                                ends_[k].body->name));
            }
            if (is_bare_rod(other)) {
                refuse(given().place, fmt::format("the joint {} connects slender bodies whose rotation about their own "
                                                  "axes nothing determines yet; write the joint that connects one of "
                                                  "them to the ground or to another body above this one",
                                                  given().name));
            }
            const auto world = in_world(other);
            const auto& body = draft_->model().bodies[ends_[k].number];
            const auto axis = slender_axis(body), u = slender_direction(body);
            const auto& mine = local_[k];
            if (type_->directions == Directions::parallel_axes) {
                const auto along = dot(axis, mine.axis);
                const auto across = cross(axis, mine.axis);
                if (draft_->number(dot(across, across), "the axis", given().axes_place) < 1e-12) {
                    refuse(
                        given().axes_place,
                        fmt::format("the axis of the joint {} is that of the slender body {}, whose rotation about "
                                    "it nothing determines; use a spherical joint with a direction, or give the body "
                                    "a small moment of inertia about its axis",
                                    given().name, body.name));
                }
                rod_rows_.push_back(rod_row("axis", u, world.axis, along, k));
                lend_direction(k, mine.axis, world.axis);
                continue;
            }
            // The rod keeps its direction in the other body: two directions there are perpendicular to it.
            const Vector3 parts{dot(axis, mine.first), dot(axis, mine.second), dot(axis, mine.axis)};
            const auto across = frame_about({}, parts);
            const auto in = [](const JointFrame& frame, const Vector3& c) {
                return c[0] * frame.first + c[1] * frame.second + c[2] * frame.axis;
            };
            const auto first = in(world, across.first);
            rod_rows_.push_back(rod_row("turn[1]", u, first, 0, k));
            rod_rows_.push_back(rod_row("turn[2]", u, in(world, across.second), 0, k));
            lend_direction(k, in(mine, across.first), first);
        }
    }

    void lend_direction(std::size_t k, const Vector3& local, const Vector3& world) {
        draft_->model().bodies[ends_[k].number].lent = LentDirection{local, world};
        lent_rows_ = true;
    }

    // u.w = cosine, where u turns with the slender body on side k, and w with the other one.
    static JointRow rod_row(const char* name, const Vector3& u, const Vector3& w, const Expression& cosine,
                            std::size_t k) {
        return {name, dot(u, w) - cosine, {0, 0, 0}, k == 1 ? cross(u, w) : cross(w, u)};
    }

    // What the rows of a slender body stand for.
    [[nodiscard]] static bool is_about_directions(const std::string& row) {
        return row.starts_with("axis") || row.starts_with("turn");
    }

    JointPose pose_of_now() {
        JointPose pose;
        pose.first = in_world(0);
        pose.second = in_world(1);
        pose.slant = slant_;
        if (planar_) {
            const auto turn = [&](std::size_t k) {
                (void)start(k);
                return ends_[k].body == nullptr ? Expression(0)
                                                : planar_angle(*ends_[k].body) - planar_start_angle(*ends_[k].body);
            };
            pose.turn = turn(1) - turn(0);
        }
        if (type_->has_length) {
            const auto gap = [&] { return start(1).point(local_[1].point) - start(0).point(local_[0].point); };
            if (given().length) {
                pose.length = *given().length;
            } else {
                const auto d = gap();
                pose.length = sqrt(dot(d, d));
            }
            joint_.length = pose.length;
        }
        return pose;
    }

    void add_coordinates(const JointPose& pose) {
        for (const auto& formula : coordinate_formulas(pose)) {
            const auto value = formula.value ? *formula.value : joint_angle(*draft_, given(), formula);
            joint_.coordinates.push_back({formula.name, formula.rate_name, value, rate_of(value, draft_->model()),
                                          formula.is_angle, !formula.value.has_value()});
        }
    }

    [[nodiscard]] std::vector<JointCoordinateFormula> coordinate_formulas(const JointPose& pose) const {
        auto formulas = (planar_ ? type_->planar_coordinates : type_->coordinates)(pose);
        for (auto& formula : formulas) {
            formula = counted_from(std::move(formula), given().zero.value_or(0));
        }
        return formulas;
    }

    // With the row of the motion, which has no sine and no cosine to offer between planar bodies and along an axis.
    std::vector<JointRowFormula> formulas(const JointPose& pose) const {
        auto rows = (planar_ ? type_->planar_rows : type_->rows)(pose);
        if (given().motion) {
            const auto driven = coordinate_formulas(pose)[0];
            const auto& wanted = *given().motion;
            rows.push_back({"motion", driven.value ? *driven.value - wanted
                                                   : driven.sine * cos(wanted) - driven.cosine * sin(wanted)});
        }
        return rows;
    }

    // A turn by dw of the second body changes its direction c by dw x c: the torque of a row is the sum of c x
    // dg/dc.
    void add_rows(const JointPose& pose) {
        std::vector<Expression> symbols, meanings;
        JointPose moved = pose;
        const auto stand_in = [&](Expression& value) {
            meanings.push_back(value);
            value = fresh_symbol("side");
            symbols.push_back(value);
        };
        const std::array vectors{&moved.second.point, &moved.second.first, &moved.second.second, &moved.second.axis};
        for (auto* vector : vectors) {
            std::ranges::for_each(*vector, stand_in);
        }
        stand_in(moved.turn);
        const auto rows = formulas(pose), probes = formulas(moved);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (lent_rows_ && is_about_directions(rows[k].name)) {
                continue;
            }
            auto slopes = gradient(probes[k].value, symbols);
            for (auto& slope : slopes) {
                slope = substitute(slope, symbols, meanings);
            }
            const auto slope = [&](std::size_t v) {
                return Vector3{slopes[3 * v], slopes[3 * v + 1], slopes[3 * v + 2]};
            };
            const Vector3 torque = cross(pose.second.first, slope(1)) + cross(pose.second.second, slope(2)) +
                                   cross(pose.second.axis, slope(3)) + Vector3{0, 0, slopes[12]};
            joint_.rows.push_back({rows[k].name, rows[k].value, slope(0), torque});
        }
        const auto motion = joint_.rows.end() - (given().motion ? 1 : 0);
        joint_.rows.insert(motion, rod_rows_.begin(), rod_rows_.end());
    }

    Draft* draft_;
    const JointType* type_;
    Joint joint_;
    std::array<JointEnd, 2> ends_;
    std::array<JointFrame, 2> local_;
    std::array<std::optional<BodyFrame>, 2> starts_;
    Expression slant_ = 0;
    std::vector<JointRow> rod_rows_;
    bool lent_rows_ = false, planar_ = false;
    std::size_t axes_wanted_ = 0;
};

}  // namespace

const Joint& Draft::add_joint(JointProperties given) {
    require_free(given.name, given.place);
    model_.joints.push_back(JointMaker(*this, given).made());
    return model_.joints.back();
}

void Draft::add_joint_rows() {
    for (; joints_with_rows_ < model_.joints.size(); ++joints_with_rows_) {
        auto& joint = model_.joints[joints_with_rows_];
        joint.first_row = model_.constraint_rows;
        const auto rows = scope({.coordinates = true, .time = true});
        for (const auto& row : joint.rows) {
            add_constraint({rows.term(row.value, std::make_shared<Instances>(), joint.given.place),
                            fmt::format("{}.{}", joint.name(), row.name), false, false, 0});
        }
    }
}

}  // namespace libration
