// Pairs of joints, numerically.
#include "misalignment.hpp"

#include "expression/tape.hpp"
#include "model/body_frame.hpp"
#include "model/model_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace libration {

namespace {

// What is smaller is round-off; what misses by more was not meant to meet; the most that `[assembly] snap` takes.
constexpr double rounding = 1e-12, farthest = 0.1, most_snap = 0.01;

using Numbers = std::array<double, 3>;

Numbers cross_product(const Numbers& a, const Numbers& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double norm_of(const Numbers& a) { return std::hypot(a[0], a[1], a[2]); }

struct Axis {
    const Joint* joint;
    Numbers point, direction;
};

struct Miss {
    double size = farthest;
    std::string words;
};

bool has_axis(const Joint& joint) {
    const auto& type = joint.given.type;
    return type == "revolute" || type == "cylindrical" || type == "prismatic" || type == "screw";
}

bool is_spatial(const Model& model, const JointSide& side) {
    return side.body && model.bodies[*side.body].kind != BodyKind::planar &&
           model.bodies[*side.body].kind != BodyKind::slender;
}

std::vector<Axis> axes_of(const Model& model, std::span<const double> q) {
    std::vector<Axis> axes;
    std::vector<Expression> values;
    for (const auto& joint : model.joints) {
        const auto& side = joint.sides[1].body ? joint.sides[1] : joint.sides[0];
        if (!has_axis(joint) || !is_spatial(model, side)) {
            continue;
        }
        const auto frame = frame_of(model.bodies[*side.body]);
        std::ranges::copy(frame.point(side.local.point), std::back_inserter(values));
        std::ranges::copy(frame.direction(side.local.axis), std::back_inserter(values));
        axes.push_back({&joint, {}, {}});
    }
    const auto given = constant_parameters(model);
    const auto coordinates = model.coordinate_symbols();
    Tape<double> tape(compiled(given.programs.get(), values, coordinates, given.symbols), given.values);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        tape.input(k) = q[k];
    }
    tape.run();
    for (std::size_t n = 0; n < axes.size(); ++n) {
        for (std::size_t k = 0; k < 3; ++k) {
            axes[n].point[k] = tape.output(6 * n + k);
            axes[n].direction[k] = tape.output(6 * n + 3 + k);
        }
    }
    return axes;
}

bool of_same_bodies(const Joint& a, const Joint& b) {
    const auto bodies = [](const Joint& joint) { return std::set{joint.sides[0].body, joint.sides[1].body}; };
    return bodies(a) == bodies(b);
}

}  // namespace

std::string smallest_misalignment(const Model& model, std::span<const double> q) {
    const auto axes = axes_of(model, q);
    Miss least;
    const auto note = [&](double size, std::string words) {
        if (size > rounding && size < least.size) {
            least = {size, std::move(words)};
        }
    };
    for (std::size_t b = 0; b < axes.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
            const double sine = norm_of(cross_product(axes[a].direction, axes[b].direction));
            note(sine, fmt::format("the axis of {} deviates from that of {} by {:.3g} rad", axes[b].joint->name(),
                                   axes[a].joint->name(), sine));
            if (!of_same_bodies(*axes[a].joint, *axes[b].joint) || axes[a].joint->given.type == "prismatic" ||
                axes[b].joint->given.type == "prismatic" || sine > farthest) {
                continue;
            }
            Numbers gap{};
            for (std::size_t k = 0; k < 3; ++k) {
                gap[k] = axes[b].point[k] - axes[a].point[k];
            }
            const double off = norm_of(cross_product(gap, axes[a].direction));
            note(off, fmt::format("the point of {} is off the axis of {} by {:.3g}", axes[b].joint->name(),
                                  axes[a].joint->name(), off));
        }
    }
    if (least.words.empty()) {
        return {};
    }
    return fmt::format("The smallest misalignment: {}; if they were meant to coincide, correct the data{}.",
                       least.words,
                       least.size < most_snap ? fmt::format(", or let `[assembly] snap = {:.1g}` align them",
                                                            2 * least.size < most_snap ? 2 * least.size : most_snap)
                                              : "");
}

}  // namespace libration
