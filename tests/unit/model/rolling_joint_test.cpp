// Joints that roll: rows as velocities at the contact, reactions by virtual work, the text and the builder.
#include "joint_samples.hpp"
#include "same_model.hpp"

#include "model/body_frame.hpp"
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

using namespace joint_samples;
using Components = std::array<double, 3>;

constexpr double rolling_rounding = 1e-14;  // sizes are near 1; some dozen operations

Components vector_product(const Components& a, const Components& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Components part_of(const Model& model, const std::string& name, const Numbers& state) {
    return {value_of(model, name + ".x", state), value_of(model, name + ".y", state),
            value_of(model, name + ".z", state)};
}

// Both bodies in general position and motion; the plane belongs to a.
Model rolling_pair(const std::string& axis) {
    return two_bodies_with("type = 'rolling'\nbetween = ['a', 'b']\nat = ['px', 'py', 'pz']\non = [0.3, 'py', 2]\n"
                           "radius = 0.7\n" +
                               axis,
                           "omega = [0.3, -0.5, 0.8]\nv = [0.4, -0.2, 0.6]\n");
}

Numbers moving_state(const Model& model) {
    auto state = start_of(model);
    // Another velocity than the start has: also of the first body, as rotations of both.
    const auto omega = [&](const std::string& body, const Components& w) {
        for (std::size_t j = 1; j <= 3; ++j) {
            const auto name = [&](std::size_t i) { return fmt::format("{}.Q[{},{}]", body, i, j); };
            const auto turned = vector_product(w, {state[name(1)], state[name(2)], state[name(3)]});
            for (std::size_t i = 0; i < 3; ++i) {
                state["v_" + name(i + 1)] = turned[i];
            }
        }
    };
    omega("a", {0.7, -0.4, 0.2});
    omega("b", {-0.3, 0.9, 0.5});
    for (const auto& [name, value] : {std::pair("v_a.r.x", 0.3), {"v_a.r.y", -0.6}, {"v_b.r.z", 0.8}}) {
        state[name] = value;
    }
    return state;
}

constexpr std::array axles{"", "axis = [1, 0.5, 0.25]\n"};

// d/dt of the distance is the slip along the normal: all rows are components of one velocity, that of the points at the
// contact, which is computed here from the two rotations.
TEST(RollingJoint, rows_are_the_velocity_at_the_contact) {
    for (const auto* axis : axles) {
        const auto model = rolling_pair(axis);
        const auto state = moving_state(model);
        const auto& joint = model.joints[0];
        ASSERT_EQ(joint.rows.size(), 3U);
        const auto at = part_of(model, "hinge.point", state);
        const auto velocity = [&](const std::string& body, const Components& w) {
            auto v = part_of(model, "v_" + body + ".r", state);
            const auto r = part_of(model, body + ".r", state);
            const auto turned = vector_product(w, {at[0] - r[0], at[1] - r[1], at[2] - r[2]});
            for (std::size_t i = 0; i < 3; ++i) {
                v[i] += turned[i];
            }
            return v;
        };
        const auto a = velocity("a", {0.7, -0.4, 0.2}), b = velocity("b", {-0.3, 0.9, 0.5});
        for (const auto& row : joint.rows) {
            double slip = 0, length = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                const double direction = value_of(model, row.force[i], state);
                slip += direction * (b[i] - a[i]);
                length += direction * direction;
                EXPECT_TRUE(row.torque[i].is_constant(0)) << row.name;
            }
            EXPECT_NEAR(length, 1, rolling_rounding) << row.name;
            const auto rate = row.on_velocity ? row.value : rate_of(row.value, model);
            EXPECT_NEAR(value_of(model, rate, state), slip, 20 * rolling_rounding) << axis << row.name;
        }
    }
}

// -G^T lambda - k_v^T lambda is what the force at the contact does to both bodies.
TEST(RollingJoint, reactions_are_forces_at_the_contact) {
    for (const auto* axis : axles) {
        const auto model = rolling_pair(axis);
        auto state = moving_state(model);
        const auto& joint = model.joints[0];
        // Without its motion the gradient of a row by q is that of its rate by v.
        Expression power(0);
        for (std::size_t k = 0; k < joint.rows.size(); ++k) {
            const auto& row = joint.rows[k];
            state["lambda_hinge." + row.name] = 1.5 - 0.7 * static_cast<double>(k);
            power += symbol("lambda_hinge." + row.name) * (row.on_velocity ? row.value : rate_of(row.value, model));
        }
        const auto force = part_of(model, "hinge.force", state), at = part_of(model, "hinge.point", state);
        for (const auto& [body, sign] : {std::pair(std::size_t{0}, -1.0), {1, 1.0}}) {
            const auto symbols = body_symbols(model.bodies[body]);
            Components moment{}, arm{};
            for (std::size_t j = 0; j < 3; ++j) {
                Components axis_now{}, push{};
                for (std::size_t i = 0; i < 3; ++i) {
                    const auto& entry = symbols.Q[3 * i + j];
                    axis_now[i] = value_of(model, entry, state);
                    push[i] = -value_of(model, derivative(power, symbol("v_" + entry.text())), state);
                }
                const auto turned = vector_product(axis_now, push);
                for (std::size_t i = 0; i < 3; ++i) {
                    moment[i] += turned[i];
                }
            }
            for (std::size_t i = 0; i < 3; ++i) {
                const auto& r = symbols.r[i];
                arm[i] = at[i] - value_of(model, r, state);
                EXPECT_NEAR(-value_of(model, derivative(power, symbol("v_" + r.text())), state), sign * force[i],
                            20 * rolling_rounding);
            }
            const auto lever = vector_product(arm, force);
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(moment[i], sign * lever[i], 40 * rolling_rounding) << axis << body;
                EXPECT_EQ(value_of(model, fmt::format("hinge.torque.{}", "xyz"[i]), state), 0);
            }
        }
    }
}

std::string two_wheels() {
    return "[parameters]\nR = 0.4\n[[body]]\nname = 'b'\ninertia = [1, 1.25, 0.75]\nmass = 3\n"
           "[[joint]]\nname = 'left'\ntype = 'rolling'\nbetween = ['ground', 'b']\nradius = 'R'\nat = [0, 0, '-R']\n"
           "axis = [0, 1, 0]\non = [0, 0, 1]\n"
           "[[joint]]\nname = 'right'\ntype = 'rolling'\nbetween = ['ground', 'b']\nradius = 'R'\nat = [0, 0, '-R']\n"
           "axis = [0, 1, 0]\non = [0, 0, 1]\nslides = true\n"
           "[dynamics]\nnonholonomic = ['v_b.r.x + v_b.r.y']\n"
           "[observables]\nload = 'left.force.z'\nx = 'right.point.x'\nl = 'lambda_left.slip[2]'\nfirst = 'lambda_9'\n"
           "[initial.b]\nquaternion = [1, 0, 0, 0]\nr = [0, 0, 0]\n";
}

TEST(RollingJoint, numbers_of_rows_and_multipliers_follow_those_of_the_user) {
    const auto model = Model::parse(two_wheels(), "t");
    EXPECT_EQ(model.constraint_rows, 8U);
    ASSERT_EQ(model.nonholonomic.size(), 4U);
    const std::array names{"lambda_9", "lambda_left.slip[1]", "lambda_left.slip[2]", "lambda_right.slip[1]"};
    for (std::size_t k = 0; k < names.size(); ++k) {
        EXPECT_EQ(model.multiplier_name(8 + k), names[k]);
    }
    EXPECT_EQ(model.joints[0].rows[1].number, 9U);
    EXPECT_EQ(model.joints[1].rows[0].number, 1U);
    EXPECT_EQ(model.joints[1].rows.size(), 2U);
}

TEST(RollingJoint, the_builder_and_the_text_make_the_model_again) {
    const auto text = Model::parse(two_wheels(), "t");
    ModelBuilder builder("t");
    const auto R = builder.parameter("R", ratio(2, 5));
    builder.body({.name = "b", .inertia = {1, ratio(5, 4), ratio(3, 4)}, .mass = 3});
    builder.initial_body("b", {.quaternion = {1, 0, 0, 0}, .r = {0, 0, 0}});
    JointProperties wheel{.name = "left",
                          .type = "rolling",
                          .between = {"ground", "b"},
                          .at = {{0, 0, -R}},
                          .axes = {{0, 1, 0}},
                          .factor = R,
                          .on = {{0, 0, 1}}};
    const auto left = builder.joint(wheel);
    wheel.name = "right";
    wheel.slides = true;
    const auto right = builder.joint(wheel);
    builder.nonholonomic(symbol("v_b.r.x") + symbol("v_b.r.y"));
    const auto multipliers = builder.multipliers();
    ASSERT_EQ(multipliers.size(), 12U);
    EXPECT_EQ(multipliers[10], symbol("lambda_left.slip[2]"));
    builder.observable("load", left.force[2])
        .observable("x", right.point[0])
        .observable("l", multipliers[10])
        .observable("first", multipliers[8]);
    const auto built = builder.build();
    expect_same_model(Model::parse(to_text(built), "again.toml"), built);
    ASSERT_EQ(built.nonholonomic.size(), text.nonholonomic.size());
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(built.nonholonomic[k].name, text.nonholonomic[k].name);
    }
    const auto written = to_text(built);
    EXPECT_NE(written.find("on = [0, 0, 1]"), std::string::npos) << written;
    EXPECT_NE(written.find("radius = \"R\""), std::string::npos) << written;
    EXPECT_NE(written.find("slides = true"), std::string::npos) << written;
    EXPECT_EQ(written.find("slip[1]"), std::string::npos) << "rows follow from the joint\n" << written;
}

TEST(RollingJoint, a_circle_on_a_line_has_one_row_of_each_kind) {
    const auto model = Model::parse("[[body]]\nname = 'b'\nplanar = true\ninertia = 1\nmass = 3\nposition = [0, 0.5]\n"
                                    "[[joint]]\nname = 'j'\ntype = 'rolling'\nbetween = ['ground', 'b']\nat = [3, 0]\n"
                                    "on = [0, 1]\nradius = 0.5\n",
                                    "t");
    EXPECT_EQ(model.constraint_rows, 1U);
    ASSERT_EQ(model.nonholonomic.size(), 1U);
    auto state = start_of(model);
    state["v_b.r.x"] = 2;
    state["v_b.angle"] = -4;  // to the right
    EXPECT_EQ(value_of(model, model.nonholonomic[0].equation.value, state), 0);
    state["v_b.angle"] = 0;
    EXPECT_EQ(value_of(model, model.nonholonomic[0].equation.value, state), 2);
    EXPECT_EQ(value_of(model, "j.point.x", state), 0);
    EXPECT_EQ(value_of(model, "j.point.y", state), 0);
}

}  // namespace
}  // namespace libration
