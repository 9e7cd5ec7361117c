// Joints: rows that hold at the start and are independent, wrenches by virtual work, angles and rates, reactions.
#include "faults.hpp"
#include "joint_samples.hpp"
#include "same_model.hpp"

#include "model/body_frame.hpp"
#include "model/joint_types.hpp"
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace libration {
namespace {

using namespace joint_samples;
using Vector = std::array<double, 3>;

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// All sizes are near 1 and a dozen operations are behind each number.
constexpr double rounding = 1e-14;

Vector numbers(const Model& model, const std::array<Expression, 3>& vector, const Numbers& state) {
    Vector result{};
    std::ranges::transform(vector, result.begin(), [&](const Expression& e) { return value_of(model, e, state); });
    return result;
}

TEST(Joint, every_type_has_a_sample) {
    for (const auto& type : joint_types()) {
        if (type.rolls()) {
            continue;  // it is not closed by definition: rolling_joint_test.cpp
        }
        EXPECT_TRUE(std::ranges::any_of(samples, [&](const JointSample& s) { return type.name == s.type; }))
            << type.name;
    }
    EXPECT_EQ(joint_types().size(), samples.size() + 1);
}

TEST(Joint, rows_vanish_at_the_start_between_two_bodies_and_to_the_ground) {
    for (const auto& sample : samples) {
        for (const auto* between : {"'a', 'b'", "'ground', 'b'", "'b', 'ground'"}) {
            const auto model = two_bodies_with(keys_of(sample, between));
            ASSERT_EQ(model.joints.size(), 1U);
            ASSERT_EQ(model.joints[0].rows.size(), sample.rows) << sample.type;
            EXPECT_EQ(model.constraint_rows, sample.rows + 12);
            for (const auto& row : model.joints[0].rows) {
                EXPECT_NEAR(value_of(model, row.value, start_of(model)), 0, rounding) << sample.type << row.name;
            }
        }
    }
}

// The rows of the matrix of wrenches (force, torque about the joint), made orthogonal one after the other: what is left
// of each says how independent it is.
TEST(Joint, rows_are_independent_and_of_size_one) {
    for (const auto& sample : samples) {
        const auto model = two_bodies_with(keys_of(sample));
        std::vector<std::array<double, 6>> basis;
        for (const auto& row : model.joints[0].rows) {
            const auto force = numbers(model, row.force, start_of(model)),
                       torque = numbers(model, row.torque, start_of(model));
            std::array<double, 6> rest{force[0], force[1], force[2], torque[0], torque[1], torque[2]};
            const auto product = [](const auto& a, const auto& b) {
                return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
            };
            // Universal axes that are not perpendicular have a row of size sine.
            const double sine = std::string(sample.type) == "universal" ? 0.5 : 1 - rounding;
            // The row of a pitch turns, too, by the pitch/(2 pi).
            const double turn = row.name == "pitch" ? 4 * 0.3 / (2 * std::numbers::pi) : 0;
            EXPECT_LE(std::sqrt(product(rest, rest)), std::hypot(1, turn) + rounding) << sample.type << row.name;
            for (const auto& known : basis) {
                const double part = product(rest, known);
                for (std::size_t k = 0; k < 6; ++k) {
                    rest[k] -= part * known[k];
                }
            }
            const double size = std::sqrt(product(rest, rest));
            EXPECT_GE(size, sine) << sample.type << " " << row.name;
            std::ranges::for_each(rest, [size](double& r) { r /= size; });
            basis.push_back(rest);
        }
    }
}

// What the multipliers do to a body is -G^T lambda: the force on its center and the moment about it must be those of
// the reaction at the joint, with opposite signs on the first body.
TEST(Joint, reactions_are_the_forces_and_moments_of_the_multipliers) {
    for (const auto& sample : samples) {
        const auto model = two_bodies_with(keys_of(sample));
        const auto& joint = model.joints[0];
        auto state = start_of(model);
        Expression work(0);
        for (std::size_t k = 0; k < joint.rows.size(); ++k) {
            const auto name = "lambda_hinge." + joint.rows[k].name;
            state[name] = 1.5 - 0.7 * static_cast<double>(k);
            work += symbol(name) * joint.rows[k].value;
        }
        const auto push = [&](const std::vector<Expression>& symbols) {
            std::vector<double> slopes;
            for (const auto& slope : gradient(work, symbols)) {
                slopes.push_back(-value_of(model, slope, state));
            }
            return slopes;
        };
        const auto part = [&](const std::string& name) {
            return Vector{value_of(model, name + ".x", state), value_of(model, name + ".y", state),
                          value_of(model, name + ".z", state)};
        };
        const auto force = part("hinge.force"), torque = part("hinge.torque");
        const auto at = numbers(model, frame_of(model.bodies[1]).point(joint.sides[1].local.point), state);
        for (std::size_t b = 0; b < 2; ++b) {
            const double sign = b == 0 ? -1 : 1;
            const auto symbols = body_symbols(model.bodies[b]);
            const auto on_centre = push(symbols.r);
            const auto on_axes = push({symbols.Q.begin(), symbols.Q.end()});
            Vector moment{}, arm{};
            for (std::size_t j = 0; j < 3; ++j) {
                Vector axis{};
                for (std::size_t i = 0; i < 3; ++i) {
                    axis[i] = value_of(model, symbols.Q[3 * i + j], state);
                }
                const auto turned = cross(axis, {on_axes[j], on_axes[3 + j], on_axes[6 + j]});
                for (std::size_t i = 0; i < 3; ++i) {
                    moment[i] += turned[i];
                }
            }
            for (std::size_t i = 0; i < 3; ++i) {
                arm[i] = at[i] - value_of(model, symbols.r[i], state);
                EXPECT_NEAR(on_centre[i], sign * force[i], 10 * rounding) << sample.type;
            }
            const auto lever = cross(arm, force);
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(moment[i], sign * (torque[i] + lever[i]), 20 * rounding) << sample.type << b;
            }
        }
        const auto Q = body_symbols(model.bodies[1]).Q;
        const auto in_body = part("hinge.body_torque");
        for (std::size_t i = 0; i < 3; ++i) {
            double back = 0;
            for (std::size_t j = 0; j < 3; ++j) {
                back += value_of(model, Q[3 * i + j], state) * in_body[j];
            }
            EXPECT_NEAR(back, torque[i], 10 * rounding) << sample.type;
        }
    }
}

// A body at the origin with the axes of the world, turned by hand.
std::string turning(const std::string& joint) {
    return R"toml(
[[body]]
name = "b"
inertia = [1, 1.25, 0.75]
mass = 3
[[joint]]
name = "hinge"
between = ["ground", "b"]
at = [0, 0, 0]
)toml" + joint +
           "\n[initial.b]\nquaternion = [1, 0, 0, 0]\nr = [0, 0, 0]\n";
}

// Q = rotation about z by `angle` after `inner`, with the velocity of a turn about z.
void turn_about_z(Numbers& state, double angle, double speed, const std::array<double, 9>& inner) {
    const double c = std::cos(angle), s = std::sin(angle);
    for (std::size_t j = 0; j < 3; ++j) {
        const double x = inner[j], y = inner[3 + j];
        const auto name = [j](int i) { return fmt::format("b.Q[{},{}]", i, j + 1); };
        state[name(1)] = c * x - s * y;
        state[name(2)] = s * x + c * y;
        state[name(3)] = inner[6 + j];
        state["v_" + name(1)] = -speed * state[name(2)];
        state["v_" + name(2)] = speed * state[name(1)];
        state["v_" + name(3)] = 0;
    }
}

constexpr std::array<double, 9> upright{1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST(Joint, angle_and_rate_are_right_handed_about_the_axis_and_start_at_zero) {
    const auto model = Model::parse(turning("type = 'revolute'\nturns = true\naxis = [0, 0, 2]\nzero = 0.25"), "t");
    auto state = start_of(model);
    EXPECT_NEAR(value_of(model, "hinge.angle", state), 0.25, rounding);
    turn_about_z(state, 0.5, 3, upright);
    EXPECT_NEAR(value_of(model, "hinge.angle", state), 0.75, rounding);
    EXPECT_NEAR(value_of(model, "hinge.rate", state), 3, rounding);
    const auto down = Model::parse(turning("type = 'revolute'\nturns = true\naxis = [0, 0, -1]"), "t");
    EXPECT_NEAR(value_of(down, "hinge.angle", state), -0.5, rounding);
    EXPECT_NEAR(value_of(down, "hinge.rate", state), -3, rounding);
}

TEST(Joint, displacement_is_along_the_axis_of_the_first_body) {
    const auto model = Model::parse(turning("type = 'cylindrical'\nturns = true\naxis = [0, 0, 1]"), "t");
    auto state = start_of(model);
    turn_about_z(state, -0.4, 2, upright);
    state["b.r.z"] = 1.5;
    state["v_b.r.z"] = -2.5;
    EXPECT_NEAR(value_of(model, "hinge.angle", state), -0.4, rounding);
    EXPECT_NEAR(value_of(model, "hinge.displacement", state), 1.5, rounding);
    EXPECT_NEAR(value_of(model, "hinge.speed", state), -2.5, rounding);
}

// The second axis y is turned about z by angle 1, the body about the turned y by angle 2.
TEST(Joint, angles_of_a_universal_joint_are_those_of_two_turns_one_after_the_other) {
    for (const auto* axes : {"axes = [[0, 0, 1], [0, 1, 0]]", "axes = [[0, 0, 1], [0, 4, 3]]"}) {
        const auto model = Model::parse(turning(fmt::format("type = 'universal'\nturns = true\n{}", axes)), "t");
        const bool slanted = std::string(axes).find('4') != std::string::npos;
        const double y = slanted ? 0.8 : 1, z = slanted ? 0.6 : 0;
        const double c = std::cos(0.3), s = std::sin(0.3);
        // By Rodrigues' formula about (0, y, z).
        const std::array<double, 9> inner{c,
                                          -s * z,
                                          s * y,
                                          s * z,
                                          c + (1 - c) * y * y,
                                          (1 - c) * y * z,
                                          -s * y,
                                          (1 - c) * y * z,
                                          c + (1 - c) * z * z};
        auto state = start_of(model);
        turn_about_z(state, -0.8, 2, inner);
        EXPECT_NEAR(value_of(model, "hinge.angle1", state), -0.8, rounding);
        EXPECT_NEAR(value_of(model, "hinge.angle2", state), 0.3, rounding);
        EXPECT_NEAR(value_of(model, "hinge.rate1", state), 2, 4 * rounding);
        for (const auto& row : model.joints[0].rows) {
            EXPECT_NEAR(value_of(model, row.value, state), 0, rounding) << row.name;
        }
    }
}

// Another start than the one of parameters must move points, axes and rows along.
TEST(Joint, parameters_of_places_and_axes_can_be_set) {
    const auto text = two_bodies(keys_of(samples[1]));
    const auto model = Model::parse(text, "two.toml").with({{"px", "0.9"}, {"py", "1.4"}});
    const auto other = Model::parse(text, "two.toml", {{"px", "0.9"}, {"py", "1.4"}});
    for (std::size_t k = 0; k < model.joints[0].rows.size(); ++k) {
        const auto& row = model.joints[0].rows[k].value;
        EXPECT_EQ(row, other.joints[0].rows[k].value);
        EXPECT_NEAR(value_of(model, row, start_of(model)), 0, rounding);
    }
}

TEST(Joint, the_text_of_a_built_model_is_the_model_again) {
    for (const auto& sample : samples) {
        const auto more = std::string(sample.type) == "revolute"
                              ? "[observables]\nangle = 'hinge.angle^2'\nload = 'hinge.force.y'\n"
                                "[[spring]]\njoint = 'hinge'\nstiffness = 2\nangle = 0.1\n"
                              : "";
        auto model = two_bodies_with(keys_of(sample), more);
        model.text.clear();
        const auto text = to_text(model);
        const auto again = Model::parse(text, "again.toml");
        expect_same_model(model, again);
        EXPECT_NE(text.find(fmt::format("type = \"{}\"", sample.type)), std::string::npos);
        ASSERT_EQ(again.joints.size(), 1U);
        for (std::size_t k = 0; k < sample.rows; ++k) {
            EXPECT_EQ(again.joints[0].rows[k].value, model.joints[0].rows[k].value);
        }
    }
}

const char* const shafts = R"toml(
[parameters]
z = 24
[[body]]
name = "a"
inertia = [1, 1.25, 0.75]
mass = 3
[[body]]
name = "b"
inertia = [1, 1.25, 0.75]
mass = 3
[[joint]]
name = "mesh"
type = "gear"
of = ["first", "second"]
ratio = "-z/18"
[[joint]]
name = "first"
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 0, 1]
zero = 0.25
[[joint]]
name = "second"
type = "cylindrical"
between = ["a", "b"]
at = [1, 0, 0]
axis = [1, 1, 0]
[[joint]]
name = "same"
type = "mimic"
of = ["first.angle", "second.displacement"]
offset = -0.25
[initial.a]
quaternion = [1, 0, 0, 0]
r = [0, 0, 0]
[initial.b]
quaternion = [1, 0, 0, 0]
r = [1, 0, 0]
)toml";

TEST(Coupling, the_builder_and_the_text_make_the_model_again) {
    auto text = std::string(shafts);
    // A cylindrical joint has two coordinates.
    expect_fault(text, "write \"second.angle\"");
    text.replace(text.find("\"second\"]"), 9, "\"second.angle\"]");
    const auto model = Model::parse(text, "t");
    ModelBuilder builder("t");
    const auto z = builder.parameter("z", 24);
    builder.body({.name = "a", .inertia = {1, 1.25, 0.75}, .mass = 3});
    builder.body({.name = "b", .inertia = {1, 1.25, 0.75}, .mass = 3});
    builder.initial_body("a", {.quaternion = {1, 0, 0, 0}, .r = {0, 0, 0}});
    builder.initial_body("b", {.quaternion = {1, 0, 0, 0}, .r = {1, 0, 0}});
    builder.joint({.name = "first",
                   .type = "revolute",
                   .between = {"ground", "a"},
                   .at = {{0, 0, 0}},
                   .axes = {{0, 0, 1}},
                   .zero = 0.25,
                   .turns = true});
    builder.joint({.name = "second",
                   .type = "cylindrical",
                   .between = {"a", "b"},
                   .at = {{1, 0, 0}},
                   .axes = {{1, 1, 0}},
                   .turns = true});
    const auto mesh =
        builder.joint({.name = "mesh", .type = "gear", .of = {"first", "second.angle"}, .factor = -z / 18});
    builder.joint(
        {.name = "same", .type = "mimic", .of = {"first.angle", "second.displacement"}, .offset = ratio(-1, 4)});
    const auto built = builder.build();
    expect_same_model(built, model);
    expect_same_model(Model::parse(to_text(built), "again.toml"), model);
    EXPECT_EQ(built.constraint_rows, 5U + 4 + 1 + 1 + 12);
    EXPECT_EQ(mesh.torque[2], model.formula("mesh.torque.z", "it"));
    for (const auto& joint : model.joints) {
        for (const auto& row : joint.rows) {
            EXPECT_NEAR(value_of(model, row.value, start_of(model)), 0, rounding) << joint.name() << row.name;
        }
    }
}

TEST(Joint, the_builder_makes_the_model_of_the_text) {
    const auto text = Model::parse(turning("type = 'revolute'\naxis = [0, 0, 2]\nzero = 0.25\n[dynamics]\n"
                                           "gravity = [0, -9.81, 0]\n[[spring]]\njoint = 'hinge'\nstiffness = 2\n"
                                           "[[forces]]\nname = 'motor'\nclass = 'driving'\ntorque = { body = 'b', "
                                           "value = [0, 0, 5] }\n[[damper]]\nname = 'oil'\njoint = 'hinge'\n"
                                           "coefficient = 0.3\n[[bushing]]\nname = 'mount'\nbetween = ['ground', "
                                           "'b']\nat = [1, 0, 0]\nstiffness = [1, 2, 3]\nrotational_stiffness = 4\n"
                                           "damping = 5"),
                                   "t");
    ModelBuilder builder("t");
    builder.body({.name = "b", .inertia = {1, 1.25, 0.75}, .mass = 3});
    builder.initial_body("b", {.quaternion = {1, 0, 0, 0}, .r = {0, 0, 0}});
    const auto hinge = builder.joint({.name = "hinge",
                                      .type = "revolute",
                                      .between = {"ground", "b"},
                                      .at = {{0, 0, 0}},
                                      .axes = {{0, 0, 2}},
                                      .zero = 0.25,
                                      .turns = true});
    builder.gravity({0, -9.81, 0}).spring({.joint = "hinge", .stiffness = 2});
    builder.load({.name = "motor", .body = "b", .value = {0, 0, 5}});
    builder.damper({.name = "oil", .joint = "hinge", .coefficient = 0.3});
    builder.bushing({.name = "mount",
                     .between = {"ground", "b"},
                     .at = {{1, 0, 0}},
                     .stiffness = {1, 2, 3},
                     .rotational_stiffness = {4},
                     .damping = {5}});
    const auto model = builder.build();
    EXPECT_EQ(hinge.angle, text.formula("hinge.angle", "it"));
    EXPECT_EQ(hinge.torque[2], text.formula("hinge.torque.z", "it"));
    expect_same_model(model, text);
    const auto again = Model::parse(to_text(model), "again.toml");
    expect_same_model(model, again);
}

}  // namespace
}  // namespace libration
