// Bushings: springs and dampers along and about the axes of a frame.
#include "bushing.hpp"

#include "dynamics.hpp"
#include "joint_places.hpp"
#include "joint_types.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

class BushingMaker {
  public:
    BushingMaker(Draft& draft, const BushingProperties& given)
        : draft_(&draft), given_(&given), what_(fmt::format("the bushing '{}'", given.name)) {}

    Bushing made() {
        for (std::size_t k = 0; k < 2; ++k) {
            ends_[k] = joint_end(draft_->model(), given_->between[k], given_->between_places[k]);
        }
        require_two_bodies();
        read_numbers();
        place();
        Bushing bushing;
        add_energy(bushing);
        add_dampers(bushing);
        return bushing;
    }

  private:
    enum Kind : std::size_t { along, about, damped_along, damped_about };
    static constexpr std::array keys{"stiffness", "rotational_stiffness", "damping", "rotational_damping"};

    [[nodiscard]] const BodyFrame& start(std::size_t k) {
        const auto* body = ends_[k].body;
        if (body != nullptr && !body->start) {
            refuse(given_->between_places[k],
                   fmt::format("{} needs to know where the body {} starts; give the body its own start, or connect "
                               "frames of the bodies",
                               what_, body->name));
        }
        if (!starts_[k]) {
            starts_[k] = ends_[k].start();
        }
        return *starts_[k];
    }

    void require_two_bodies() {
        const auto *first = ends_[0].body, *second = ends_[1].body;
        if (first == second) {
            refuse(given_->between_places[1],
                   fmt::format("{} is between {} and itself; name two bodies, or a body and \"ground\"", what_,
                               first == nullptr ? "the ground" : "the body " + first->name));
        }
        const auto planar = [](const Body* body) { return body != nullptr && is_planar(*body); };
        planar_ = planar(first) || planar(second);
        for (std::size_t k = 0; k < 2; ++k) {
            if (planar_ && ends_[k].body != nullptr && !is_planar(*ends_[k].body)) {
                refuse(given_->between_places[k],
                       fmt::format("{} is between a planar body and {}, which moves in space; make both planar, or "
                                   "neither",
                                   what_, ends_[k].body->name));
            }
        }
    }

    void read_numbers() {
        const std::array all{&given_->stiffness, &given_->rotational_stiffness, &given_->damping,
                             &given_->rotational_damping};
        for (std::size_t kind = 0; kind < all.size(); ++kind) {
            const auto& numbers = *all[kind];
            const auto& place = given_->number_places[kind];
            const bool turns = kind == about || kind == damped_about;
            const std::size_t axes = !planar_ ? 3 : turns ? 1 : 2;
            if (numbers.size() > 1 && numbers.size() != axes) {
                refuse(place, fmt::format("'{}' of {} has {} numbers; {}", keys[kind], what_, numbers.size(),
                                          axes == 1 ? "between planar bodies it is one"
                                                    : fmt::format("it is one for all axes, or {}", axes)));
            }
            for (const auto& number : numbers) {
                const auto name = fmt::format("'{}' of {}", keys[kind], what_);
                draft_->require_constant(number, name, place);
                draft_->model().nonnegative.push_back({name, number, place});
            }
            for (std::size_t i = 0; i < 3 && !numbers.empty(); ++i) {
                const bool acts = !planar_ || (turns ? i == 2 : i < 2);
                numbers_[kind][i] = acts ? numbers[numbers.size() == 1 ? 0 : i] : Expression(0);
            }
        }
        has_ = {!all[0]->empty(), !all[1]->empty(), !all[2]->empty(), !all[3]->empty()};
        if (std::ranges::none_of(has_, [](bool has) { return has; })) {
            refuse(given_->place, fmt::format("{} has neither stiffness nor damping; give it 'stiffness', "
                                              "'rotational_stiffness', 'damping' or 'rotational_damping'",
                                              what_));
        }
        one_stiffness_ = given_->stiffness.size() == 1;
    }

    // As the places of a joint: what the bodies do not say comes from the world at the start.
    void place() {
        const bool bare = !ends_[0].point && !ends_[1].point;
        if (bare && !given_->at) {
            refuse(given_->place, fmt::format("{} needs the key 'at', its point in the world at the start, or points "
                                              "of the bodies in 'between'",
                                              what_));
        }
        if (ends_[0].point && ends_[1].point && given_->at) {
            refuse(given_->at_place, fmt::format("{} has a superfluous key 'at': both ends name their points; remove "
                                                 "it",
                                                 what_));
        }
        for (const auto& component : given_->at.value_or(Vector3{0, 0, 0})) {
            draft_->require_constant(component, fmt::format("'at' of {}", what_), given_->at_place);
        }
        const bool turns = has_[about] || has_[damped_about];
        const bool needs_axes = turns || has_[damped_along] || (has_[along] && !one_stiffness_);
        for (std::size_t k = 0; k < 2; ++k) {
            const auto frame = ends_[k].frame();
            points_[k] = frame.point(ends_[k].point ? *ends_[k].point : point_at_start(k));
            if (k == 0 ? needs_axes : turns) {
                const auto local = axes_of_end(k);
                axes_[k] = {frame.direction(local.first), frame.direction(local.second), frame.direction(local.axis)};
            }
        }
    }

    [[nodiscard]] Vector3 point_at_start(std::size_t k) {
        const std::size_t other = 1 - k;
        const auto world = given_->at ? *given_->at : start(other).point(*ends_[other].point);
        return start(k).local_point(world);
    }

    // In the body: of the frame that the end names, or of that of the other end, or those of the world.
    [[nodiscard]] JointFrame axes_of_end(std::size_t k) {
        const auto named = [&](std::size_t side) {
            const auto& end = ends_[side];
            const auto axis = unit(*end.axis);
            return end.x ? frame_about({}, axis, *end.x) : frame_about({}, axis);
        };
        if (ends_[k].axis) {
            return named(k);
        }
        const std::size_t other = 1 - k;
        JointFrame world{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        if (ends_[other].axis) {
            const auto frame = named(other);
            const auto& from = start(other);
            world = {{}, from.direction(frame.first), from.direction(frame.second), from.direction(frame.axis)};
        }
        const auto& to = start(k);
        return {{}, to.local_direction(world.first), to.local_direction(world.second), to.local_direction(world.axis)};
    }

    void add_energy(Bushing& bushing) {
        Expression energy = 0;
        const auto d = points_[1] - points_[0];
        if (has_[along] && one_stiffness_) {
            energy += numbers_[along][0] * dot(d, d) / 2;
        } else if (has_[along]) {
            for (std::size_t i = 0; i < 3; ++i) {
                energy += numbers_[along][i] * pow(dot(axes_[0][i], d), 2) / 2;
            }
        }
        const auto& c = numbers_[about];
        const auto off = [&](std::size_t i) { return 1 - dot(axes_[0][i], axes_[1][i]); };
        if (has_[about] && planar_) {
            energy += c[2] * off(0);
        } else if (has_[about]) {
            for (std::size_t i = 0; i < 3; ++i) {
                energy += (c[(i + 1) % 3] + c[(i + 2) % 3] - c[i]) / 2 * off(i);
            }
        }
        if (has_[along] || has_[about]) {
            bushing.energy = energy;
        }
    }

    // Seen from the first body, so that nothing resists a motion of both together.
    void add_dampers(Bushing& bushing) {
        const auto& model = draft_->model();
        const auto resist = [&](const Expression& coefficient, const Expression& speed) {
            if (!coefficient.is_constant(0)) {
                bushing.dampers.push_back({-(coefficient * speed), speed});
            }
        };
        const auto d = points_[1] - points_[0];
        for (std::size_t i = 0; i < 3 && has_[damped_along]; ++i) {
            resist(numbers_[damped_along][i], rate_of(dot(axes_[0][i], d), model));
        }
        if (has_[damped_about]) {
            const auto omega = [&](std::size_t k) {
                return ends_[k].body == nullptr ? Vector3{0, 0, 0} : angular_velocity_of(model, *ends_[k].body);
            };
            const auto relative = omega(1) - omega(0);
            for (std::size_t i = 0; i < 3; ++i) {
                resist(numbers_[damped_about][i], dot(axes_[0][i], relative));
            }
        }
    }

    Draft* draft_;
    const BushingProperties* given_;
    std::string what_;
    std::array<JointEnd, 2> ends_;
    std::array<std::optional<BodyFrame>, 2> starts_;
    std::array<Vector3, 2> points_;
    std::array<std::array<Vector3, 3>, 2> axes_;
    std::array<std::array<Expression, 3>, 4> numbers_;
    std::array<bool, 4> has_{};
    bool planar_ = false, one_stiffness_ = false;
};

}  // namespace

Bushing make_bushing(Draft& draft, const BushingProperties& given) { return BushingMaker(draft, given).made(); }

void add_bushing_dampers(Draft& draft, const BushingProperties& given, const Bushing& bushing) {
    if (!bushing.dampers.empty()) {
        Force force{given.name, ForceClass::dissipative, {}, given.place};
        EffortSum(draft.model(), force).add(bushing.dampers, given.place);
        draft.model().forces.push_back(std::move(force));
    }
}

}  // namespace libration
