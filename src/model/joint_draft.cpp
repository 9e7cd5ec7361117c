// Joints on their way into a model: coordinates, rows, wrenches.
#include "joint_maker.hpp"
#include "motion_formulas.hpp"

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

}  // namespace

Joint JointMaker::made() {
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

void JointMaker::add_coordinates(const JointPose& pose) {
    for (const auto& formula : coordinate_formulas(pose)) {
        const auto value = formula.value ? *formula.value : joint_angle(*draft_, given(), formula);
        joint_.coordinates.push_back({formula.name, formula.rate_name, value, rate_of(value, draft_->model()),
                                      formula.is_angle, !formula.value.has_value()});
    }
}

std::vector<JointCoordinateFormula> JointMaker::coordinate_formulas(const JointPose& pose) const {
    auto formulas = (planar_ ? type_->planar_coordinates : type_->coordinates)(pose);
    for (auto& formula : formulas) {
        formula = counted_from(std::move(formula), given().zero.value_or(0));
    }
    return formulas;
}

std::vector<JointRowFormula> JointMaker::formulas(const JointPose& pose) const {
    auto rows = (planar_ ? type_->planar_rows : type_->rows)(pose);
    if (given().motion) {
        const auto driven = coordinate_formulas(pose)[0];
        const auto& wanted = *given().motion;
        rows.push_back({"motion", driven.value ? *driven.value - wanted
                                               : driven.sine * cos(wanted) - driven.cosine * sin(wanted)});
    }
    return rows;
}

void JointMaker::add_rows(const JointPose& pose) {
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
        // Where both sides have one direction from the ground, a row may say 0 = 0.
        const bool says_nothing = moving_symbols(draft_->model(), std::array{rows[k].value}).q.empty();
        if ((lent_rows_ && is_about_directions(rows[k].name)) || says_nothing) {
            continue;
        }
        auto slopes = gradient(probes[k].value, symbols);
        for (auto& slope : slopes) {
            slope = substitute(slope, symbols, meanings);
        }
        const auto slope = [&](std::size_t v) { return Vector3{slopes[3 * v], slopes[3 * v + 1], slopes[3 * v + 2]}; };
        const Vector3 torque = cross(pose.second.first, slope(1)) + cross(pose.second.second, slope(2)) +
                               cross(pose.second.axis, slope(3)) + Vector3{0, 0, slopes[12]};
        joint_.rows.push_back({rows[k].name, rows[k].value, slope(0), torque});
    }
    const auto motion = joint_.rows.end() - (given().motion ? 1 : 0);
    joint_.rows.insert(motion, rod_rows_.begin(), rod_rows_.end());
}

const Joint& Draft::add_joint(JointProperties given) {
    require_free(given.name, given.place);
    require_no_function(given.name, given.place);
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
