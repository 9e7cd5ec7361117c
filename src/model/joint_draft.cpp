// Joints on their way into a model: coordinates, rows, wrenches.
#include "couplings.hpp"
#include "joint_maker.hpp"
#include "motion_formulas.hpp"
#include "term_groups.hpp"
#include "winding.hpp"

#include "expression/program.hpp"
#include <libration/expression/differentiate.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// The angle of the point (cosine, sine), continued along the motion if it counts turns.
Expression joint_angle(Draft& draft, const JointProperties& given, const JointCoordinateFormula& formula,
                       const Expression& first) {
    return given.turns
               ? draft.add_winding(given.name + '.' + formula.name, formula.sine, formula.cosine, first, given.place)
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

// Wrenches on the second body of what is a formula of both sides, by moving that body alone.
class SecondSide {
  public:
    explicit SecondSide(const JointPose& pose) : pose_(&pose), moved_(pose) {
        const auto stand_in = [&](Expression& value) {
            meanings_.push_back(value);
            value = fresh_symbol("side");
            symbols_.push_back(value);
        };
        const std::array vectors{&moved_.second.point, &moved_.second.first, &moved_.second.second,
                                 &moved_.second.axis};
        for (auto* vector : vectors) {
            std::ranges::for_each(*vector, stand_in);
        }
        stand_in(moved_.turn);
    }

    [[nodiscard]] const JointPose& moved() const { return moved_; }

    // Of a formula over the moved pose: force and torque. A turn by dw changes directions c by dw x c: the torque is
    // the sum of c x dg/dc.
    [[nodiscard]] std::pair<Vector3, Vector3> wrench(const Expression& formula) const {
        auto slopes = gradient(formula, symbols_);
        for (auto& slope : slopes) {
            slope = substitute(slope, symbols_, meanings_);
        }
        const auto slope = [&](std::size_t v) { return Vector3{slopes[3 * v], slopes[3 * v + 1], slopes[3 * v + 2]}; };
        return {slope(0), cross(pose_->second.first, slope(1)) + cross(pose_->second.second, slope(2)) +
                              cross(pose_->second.axis, slope(3)) + Vector3{0, 0, slopes[12]}};
    }

  private:
    const JointPose* pose_;
    JointPose moved_;
    std::vector<Expression> symbols_, meanings_;
};

}  // namespace

Joint JointMaker::made() {
    if (type_->rolls()) {
        place_rolling();
    } else {
        place_points();
        place_directions();
        lend();
    }
    for (std::size_t k = 0; k < 2; ++k) {
        if (ends_[k].body != nullptr) {
            joint_.sides[k].body = ends_[k].number;
        }
        joint_.sides[k].local = local_[k];
    }
    auto pose = pose_of_now();
    if (type_->rolls()) {
        add_contact(pose);
    } else {
        add_coordinates(pose);
        add_rows(pose);
    }
    return std::move(joint_);
}

void JointMaker::add_coordinates(const JointPose& pose) {
    const SecondSide second(pose);
    const auto formulas = coordinate_formulas(pose), probes = coordinate_formulas(second.moved());
    for (std::size_t k = 0; k < formulas.size(); ++k) {
        const auto& formula = formulas[k];
        const auto& probe = probes[k];
        const auto value =
            formula.value ? *formula.value : joint_angle(*draft_, given(), formula, first_angle(formula));
        const auto [force, torque] = second.wrench(probe.value ? *probe.value : atan2(probe.sine, probe.cosine));
        joint_.coordinates.push_back({formula.name, formula.rate_name, value, rate_of(value, draft_->model()),
                                      formula.is_angle, !formula.value.has_value(), force, torque});
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
    if (type_->has_pitch) {
        const auto all = coordinate_formulas(pose);
        const auto turn =
            nearest_branch(atan2(all[0].sine, all[0].cosine), turn_symbol(given().name + '.' + all[0].name));
        rows.push_back(
            {"pitch", *all[1].value - *given().factor / (2 * constant("pi")) * (turn - given().zero.value_or(0))});
    }
    return rows;
}

void JointMaker::add_rows(const JointPose& pose) {
    const SecondSide second(pose);
    const auto rows = formulas(pose), probes = formulas(second.moved());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        // Where both sides have one direction from the ground, a row may say 0 = 0.
        const bool says_nothing = moving_symbols(draft_->model(), std::array{rows[k].value}).q.empty();
        if ((lent_rows_ && is_about_directions(rows[k].name)) || says_nothing) {
            continue;
        }
        const auto [force, torque] = second.wrench(probes[k].value);
        joint_.rows.push_back({rows[k].name, rows[k].value, force, torque});
    }
    const auto motion = joint_.rows.end() - (given().motion ? 1 : 0);
    joint_.rows.insert(motion, rod_rows_.begin(), rod_rows_.end());
}

Expression JointMaker::first_angle(const JointCoordinateFormula& formula) const {
    const auto zero = given().zero.value_or(0);
    if (joint_.closed) {
        return zero;
    }
    if (given().motion) {
        return motion_at_start(given());
    }
    const auto sine = at_start(draft_->model(), formula.sine), cosine = at_start(draft_->model(), formula.cosine);
    return sine && cosine ? nearest_branch(atan2(*sine, *cosine), zero) : zero;
}

const Joint& Draft::add_joint(JointProperties given) {
    require_free_member(given.name, given.place, true);
    model_.joints.push_back(is_coupling(given) ? make_coupling(model_, given) : JointMaker(*this, given).made());
    model_.joint_numbers.emplace(given.name, model_.joints.size() - 1);
    note_member(given.name, true);
    return model_.joints.back();
}

// Of members of families, those that are alike become one term; joints of their own keep terms of their own.
void Draft::add_member_rows(std::size_t from) {
    TermGroups groups(model_);
    std::vector<std::pair<Joint*, JointRow*>> rows;
    for (auto& joint : std::span(model_.joints).subspan(from)) {
        for (auto& row : joint.rows) {
            if (joint.name().ends_with(']') && !row.on_velocity) {
                groups.add(row.value);
                rows.emplace_back(&joint, &row);
            }
        }
    }
    for (auto& [term, members] : groups.made({})) {
        term.place = rows[members[0]].first->given.place;
        Constraint constraint{std::move(term), {}, false, false, 0};
        for (const auto k : members) {
            rows[k].second->number = model_.constraint_rows + constraint.row_names.size();
            constraint.row_names.push_back(fmt::format("{}.{}", rows[k].first->name(), rows[k].second->name));
        }
        constraint.name = constraint.row_names[0];
        add_constraint(std::move(constraint));
    }
}

void Draft::add_joint_rows() {
    const std::size_t first = joints_with_rows_;
    for (; joints_with_rows_ < model_.joints.size(); ++joints_with_rows_) {
        auto& joint = model_.joints[joints_with_rows_];
        if (joint.name().ends_with(']')) {
            continue;
        }
        const auto rows = scope({.coordinates = true, .time = true});
        for (auto& row : joint.rows) {
            if (row.on_velocity) {
                continue;
            }
            row.number = model_.constraint_rows;
            add_constraint({rows.term(row.value, std::make_shared<Instances>(), joint.given.place),
                            fmt::format("{}.{}", joint.name(), row.name), false, false, 0});
        }
    }
    add_member_rows(first);
}

}  // namespace libration
