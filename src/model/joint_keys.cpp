// What the description of a joint must and must not say.
#include "check_joints.hpp"
#include "couplings.hpp"
#include "dynamics.hpp"
#include "joint_maker.hpp"

#include "text/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace libration {

namespace {

const JointType& type_of(const JointProperties& given) {
    for (const auto& type : joint_types()) {
        if (type.name == given.type) {
            return type;
        }
    }
    refuse(given.place, unknown_joint_type(given.type, given.name));
}

// What other programs call it.
struct OtherWord {
    std::string_view word, here;
};
constexpr std::array other_words{
    OtherWord{"hinge", "revolute"},       OtherWord{"pin", "revolute"},     OtherWord{"rotational", "revolute"},
    OtherWord{"ball", "spherical"},       OtherWord{"socket", "spherical"}, OtherWord{"weld", "fixed"},
    OtherWord{"rigid", "fixed"},          OtherWord{"slider", "prismatic"}, OtherWord{"translational", "prismatic"},
    OtherWord{"cylinder", "cylindrical"}, OtherWord{"cardan", "universal"}, OtherWord{"hooke", "universal"},
    OtherWord{"rod", "distance"},         OtherWord{"link", "distance"},    OtherWord{"plane", "planar"},
    OtherWord{"wheel", "rolling"},        OtherWord{"roll", "rolling"},     OtherWord{"tire", "rolling"},
};

}  // namespace

std::string unknown_joint_type(const std::string& type, const std::string& joint) {
    std::vector<std::string> names;
    for (const auto& known : joint_types()) {
        names.emplace_back(known.name);
    }
    for (const auto& known : coupling_types()) {
        names.emplace_back(known.name);
    }
    const auto other = std::ranges::find(other_words, std::string_view(type), &OtherWord::word);
    return fmt::format("unknown type '{}' of the joint {}{}", type, joint,
                       other != other_words.end() ? fmt::format(": did you mean '{}'?", other->here)
                                                  : suggestion(type, names));
}

JointMaker::JointMaker(Draft& draft, const JointProperties& given) : draft_(&draft), type_(&type_of(given)) {
    joint_.given = given;
    joint_.given.turns = given.turns || type_->has_pitch;
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

void JointMaker::require_two_bodies() const {
    const auto& place = given().between_places[1];
    if (ends_[0].body == ends_[1].body) {
        refuse(place,
               ends_[0].body == nullptr
                   ? fmt::format("the joint {} is between the ground and itself; one of both is a body", given().name)
                   : fmt::format("the joint {} is between the body {} and itself; name two bodies, or a "
                                 "body and \"ground\"",
                                 given().name, ends_[0].body->name));
    }
}

void JointMaker::require_planar() const {
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

void JointMaker::superfluous(const Place& place, std::string_view key, const std::string& why) const {
    refuse(place, fmt::format("the joint {} has a superfluous key '{}': {}; remove it", given().name, key, why));
}

// Those that only a rolling joint has.
void JointMaker::check_rolling_keys() const {
    const auto& g = given();
    if (g.on && !type_->rolls()) {
        superfluous(g.on_place, "on", fmt::format("a {} joint has no plane to roll on", type_->name));
    }
    if (g.slides && !type_->rolls()) {
        superfluous(g.slides_place, "slides", fmt::format("a {} joint does not roll", type_->name));
    }
    if (g.on && std::ranges::all_of(*g.on, [](const Expression& e) { return e.is_constant(0); })) {
        refuse_zero_normal(g);
    }
}

void JointMaker::check_keys() const {
    const auto& g = given();
    if (g.length && !type_->has_length) {
        superfluous(g.length_place, "length", fmt::format("a {} joint has no length", type_->name));
    }
    if (!g.of[0].empty() || !g.of[1].empty()) {
        superfluous(g.of_places[0], "of", fmt::format("a {} joint is between two bodies", type_->name));
    }
    if (g.offset) {
        superfluous(g.offset_place, "offset", fmt::format("a {} joint has no offset", type_->name));
    }
    check_rolling_keys();
    if (g.factor && !type_->has_pitch && !type_->rolls()) {
        superfluous(g.factor_place, "pitch", fmt::format("a {} joint has no pitch", type_->name));
    }
    if (!g.factor && type_->has_pitch) {
        refuse(g.place, fmt::format("the joint {} needs the key 'pitch', the displacement in one turn", g.name));
    }
    if (g.motion && !type_->has_motion) {
        superfluous(g.motion_place, "motion",
                    "only revolute, prismatic and point-on-line joints have a prescribed motion");
    }
    if (g.zero && type_->directions != JointType::Directions::parallel_axes) {
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
    for (const auto& axis : g.axes) {
        if (std::ranges::all_of(axis, [](const Expression& e) { return e.is_constant(0); })) {
            refuse_zero_axis(g);
        }
    }
    if (!g.axes.empty() && has_axis(0) && (has_axis(1) || !has_directions(1)) && !planar_) {
        superfluous(g.axes_place, type_->axes_key,
                    has_directions(1) ? "both ends are frames, which have their own axes"
                                      : "the first end is a frame, which has its own axis");
    }
    if (!g.at.empty() && has_point(0) && has_point(1)) {
        superfluous(g.at_place, "at", "both ends name their points");
    }
}

}  // namespace libration
