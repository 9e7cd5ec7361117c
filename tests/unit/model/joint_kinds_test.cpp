// Joints of planar and slender bodies, frames in bodies, prescribed motions; loads; what is refused.
#include "faults.hpp"
#include "joint_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

using namespace joint_samples;

constexpr double kinds_rounding = 1e-14;

void expect_rows_vanish(const Model& model, const Numbers& state, const std::string& what) {
    for (const auto& joint : model.joints) {
        for (const auto& row : joint.rows) {
            EXPECT_NEAR(value_of(model, row.value, state), 0, kinds_rounding)
                << what << " " << joint.name() << "." << row.name;
        }
    }
}

const std::string planar_crank = R"toml(
[parameters]
l = 2
[[body]]
name = "crank"
planar = true
inertia = 0.5
mass = 3
position = ["l/2", 0]
angle = 0.4
points = { pin = [1, 0.5] }
[[body]]
name = "rod"
planar = true
inertia = 0.25
mass = 1
position = [1, 2]
angle = -0.3
)toml";

TEST(PlanarJoint, rows_are_two_two_three_and_one_and_angles_are_differences) {
    const std::array<std::pair<std::string, std::size_t>, 4> kinds{
        {{"type = 'revolute'\nat = [0.5, 0.25]\nzero = 1", 2},
         {"type = 'prismatic'\nat = [0.5, 0.25]\naxis = [1, 2]", 2},
         {"type = 'fixed'\nat = [0.5, 0.25]", 3},
         {"type = 'distance'\nat = [[0.5, 0.25], [1, 'l']]", 1}}};
    for (const auto& [keys, rows] : kinds) {
        for (const auto* between : {"'crank', 'rod'", "'ground', 'rod'", "'rod', 'ground'"}) {
            const auto model = Model::parse(
                planar_crank + fmt::format("[[joint]]\nname = 'j'\nbetween = [{}]\n{}\n", between, keys), "planar");
            EXPECT_EQ(model.constraint_rows, rows) << keys;
            expect_rows_vanish(model, start_of(model), keys);
        }
    }
    const auto model =
        Model::parse(planar_crank + "[[joint]]\nname = 'j'\nbetween = ['crank', 'rod']\n" + kinds[0].first, "planar");
    auto state = start_of(model);
    EXPECT_EQ(value_of(model, "j.angle", state), 1);
    state["rod.angle"] += 20;  // more than three turns
    state["crank.angle"] -= 1;
    state["v_rod.angle"] = 3;
    EXPECT_NEAR(value_of(model, "j.angle", state), 22, 10 * kinds_rounding);
    EXPECT_EQ(value_of(model, "j.rate", state), 3);
}

// A rod is slender along x; hinges about z, one below the other.
std::string rods(const std::string& more) {
    return R"toml(
[[body]]
name = "a"
inertia = [0, 0.3, 0.3]
mass = 1
position = [0, 0, 0]
com = [0.5, 0, 0]
points = { tip = [1, 0, 0] }
[[body]]
name = "b"
inertia = [0, 0.3, 0.3]
mass = 2
com = [0.5, 0, 0]
position = [0.6, 0.8, 0]
orientation = { axis = [0, 0, 1], angle = 0.5 }
[initial]
)toml" + more;
}

std::string tilted_rods(const std::string& joints) {
    auto text = rods(joints);
    text.erase(text.find("[initial]\n"), 10);
    text.replace(text.find("com = [0.5, 0, 0]\npoints"), 0,
                 "orientation = { axis = [0, 0, 1], angle = 'atan2(0.8, 0.6)' }\n");
    return text;
}

const std::string upper =
    "[[joint]]\nname = 'top'\ntype = 'revolute'\nbetween = ['ground', 'a']\nat = [0, 0, 0]\naxis = "
    "[0, 0, 1]\n";

TEST(SlenderJoint, a_hinge_across_a_rod_has_four_rows_and_lends_it_a_direction) {
    const auto model = Model::parse(tilted_rods(upper + "[[joint]]\nname = 'mid'\nturns = true\ntype = "
                                                        "'revolute'\nbetween = ['a', 'b']\nat = [0.6, 0.8, 0]\naxis = "
                                                        "[0, 0, 1]\n"),
                                    "rods");
    ASSERT_EQ(model.joints[0].rows.size(), 4U);
    ASSERT_EQ(model.joints[1].rows.size(), 4U);
    EXPECT_EQ(model.constraint_rows, 4U + 4 + 2);
    EXPECT_TRUE(model.bodies[1].lent.has_value());
    // Both rods turn about z: the rows of directions are linear.
    EXPECT_EQ(symbols_of(std::array{model.joints[1].rows[3].value}), std::vector{symbol("b.Q[3,1]")});
    auto state = start_of(model);
    expect_rows_vanish(model, state, "rods");
    EXPECT_NEAR(value_of(model, "mid.angle", state), 0, kinds_rounding);
    // The second rod, turned by 0.7 more.
    state["b.Q[1,1]"] = std::cos(1.2);
    state["b.Q[2,1]"] = std::sin(1.2);
    EXPECT_NEAR(value_of(model, "mid.angle", state), 0.7, kinds_rounding);
}

TEST(SlenderJoint, types_that_hold_a_rod_have_rows_for_its_direction_only) {
    for (const auto& [type, keys, rows] :
         {std::tuple("fixed", "", 5U), std::tuple("prismatic", "axis = [1, 2, 3]", 4U),
          std::tuple("cylindrical", "axis = [1, 2, 3]", 3U), std::tuple("planar", "normal = [1, 2, 3]", 2U),
          std::tuple("spherical", "", 3U)}) {
        for (const auto* between : {"'ground', 'a'", "'a', 'ground'"}) {
            const auto model =
                Model::parse(tilted_rods(fmt::format("[[joint]]\nname = 'j'\ntype = '{}'\nbetween = [{}]\nat = [0.3, "
                                                     "0.4, 0]\n{}\n",
                                                     type, between, keys)),
                             "rods");
            EXPECT_EQ(model.joints[0].rows.size(), rows) << type;
            expect_rows_vanish(model, start_of(model), type);
        }
    }
    expect_fault(tilted_rods("[[joint]]\nname = 'j'\ntype = 'spherical'\nbetween = ['ground', 'a']\nat = [0, 1, 0]\n"),
                 "off the axis of the slender body a");
    expect_fault(
        tilted_rods("[[joint]]\nname = 'j'\ntype = 'universal'\nbetween = ['ground', 'a']\nat = [0, 0, 0]\naxes = "
                    "[[1, 0, 0], [0, 1, 0]]\n"),
        "use a spherical joint");
    expect_fault(
        tilted_rods("[[joint]]\nname = 'mid'\ntype = 'revolute'\nbetween = ['a', 'b']\nat = [0.6, 0.8, 0]\naxis = "
                    "[0, 0, 1]\n" +
                    upper),
        "write the joint that connects one of them to the ground");
}

// Moments of the reaction on a rod in space, from the row u.w - cos and its point rows.
TEST(SlenderJoint, reactions_on_a_rod_are_those_of_its_multipliers) {
    for (const auto* between : {"'ground', 'a'", "'a', 'ground'"}) {
        const auto model =
            Model::parse(tilted_rods(fmt::format("[[joint]]\nname = 'j'\ntype = 'prismatic'\nbetween = [{}]\n"
                                                 "at = [0.3, 0.4, 0]\naxis = [1, 2, 3]\n",
                                                 between)),
                         "rods");
        auto state = start_of(model);
        Expression work(0);
        double lambda = 1.5;
        for (const auto& row : model.joints[0].rows) {
            work += symbol("lambda_j." + row.name) * row.value;
            state["lambda_j." + row.name] = lambda;
            lambda -= 0.7;
        }
        const double sign = between[1] == 'g' ? 1 : -1;
        const std::array u{symbol("a.Q[1,1]"), symbol("a.Q[2,1]"), symbol("a.Q[3,1]")};
        const std::array r{symbol("a.r.x"), symbol("a.r.y"), symbol("a.r.z")};
        const auto on_u = gradient(work, u), on_r = gradient(work, r);
        std::array<double, 3> arm{}, axis{}, push{}, force{}, torque{};
        const std::array at{0.3, 0.4, 0.0};
        for (std::size_t i = 0; i < 3; ++i) {
            axis[i] = value_of(model, u[i], state);
            arm[i] = at[i] - value_of(model, r[i], state);
            push[i] = -value_of(model, on_u[i], state);
            force[i] = sign * value_of(model, fmt::format("j.force.{}", "xyz"[i]), state);
            torque[i] = sign * value_of(model, fmt::format("j.torque.{}", "xyz"[i]), state);
            EXPECT_NEAR(-value_of(model, on_r[i], state), force[i], 10 * kinds_rounding);
        }
        // About its own axis nothing has a moment: compare what is across.
        std::array<double, 3> moment{}, reaction{};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
            moment[i] = axis[j] * push[k] - axis[k] * push[j];
            reaction[i] = torque[i] + arm[j] * force[k] - arm[k] * force[j];
        }
        double along = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            along += reaction[i] * axis[i];
        }
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_NEAR(moment[i], reaction[i] - along * axis[i], 20 * kinds_rounding) << between;
        }
    }
}

const std::string framed = R"toml(
[[body]]
name = "a"
inertia = [2, 1.5, 1]
mass = 2
points = { eye = [0, 0, 1] }
frames = { bore = { at = [1, 0, 0], axis = [0, 0, 2], x = [1, 1, 5] } }
[[body]]
name = "b"
inertia = [1, 1.25, 0.75]
mass = 3
position = [1, 0, 0]
orientation = { axis = [0, 0, 1], angle = 0.6 }
frames = { pin = { at = [0, 0, 0], axis = [0, 0, 1], x = [1, 0, 0] } }
[[joint]]
name = "j"
)toml";

TEST(JointInFrames, axes_and_the_angle_are_those_of_the_frames) {
    const auto model = Model::parse(framed + "type = 'revolute'\nturns = true\nbetween = ['a.bore', 'b.pin']\n", "t");
    expect_rows_vanish(model, start_of(model), "frames");
    EXPECT_NEAR(value_of(model, "j.angle", start_of(model)), 0.6 - std::atan(1.0), kinds_rounding);
    EXPECT_FALSE(model.joints[0].closed);
    // One frame and a bare body: closed by definition.
    for (const auto* between : {"'a.bore', 'b'", "'b', 'a.bore'", "'ground', 'a.bore'"}) {
        for (const auto* type : {"revolute", "prismatic", "fixed", "cylindrical", "planar", "spherical"}) {
            const auto bare = Model::parse(framed + fmt::format("type = '{}'\nbetween = [{}]\n", type, between), "t");
            expect_rows_vanish(bare, start_of(bare), type);
        }
    }
}

std::string driven(const std::string& motion) {
    return R"toml(
[[body]]
name = "b"
inertia = [1, 1.25, 0.75]
mass = 3
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "b"]
at = [0, 0, 0]
axis = [0, 0, 1]
)toml" + motion;
}

TEST(Motion, is_one_more_row_whose_multiplier_is_the_torque_about_the_axis) {
    const auto model = Model::parse(driven("zero = 0.5\nmotion = '0.5 + 2*t'"), "t");
    auto state = start_of(model);
    ASSERT_EQ(model.joints[0].rows.size(), 6U);
    expect_rows_vanish(model, state, "driven");
    for (const auto& row : model.joints[0].rows) {
        state["lambda_hinge." + row.name] = row.name == "motion" ? 7 : 0;
    }
    EXPECT_NEAR(value_of(model, "hinge.torque.z", state), -7, kinds_rounding);
    EXPECT_NEAR(value_of(model, "hinge.torque.x", state), 0, kinds_rounding);
    EXPECT_EQ(model.formula("hinge.force.x", "it"), -symbol("lambda_hinge.x"));
}

TEST(Motion, that_starts_elsewhere_is_refused_with_both_numbers) {
    expect_fault(driven("motion = '0.5 + 2*t'"), "starts at hinge.angle = 0, but its motion at 0.5", ":11:");
    // Half a turn off, the sine vanishes, too.
    expect_fault(driven("motion = 'pi'"), "its motion at 3.14159");
}

TEST(Loads, weights_springs_and_forces_are_those_of_the_formulas) {
    const std::string body =
        "[points]\nr = { count = 2, dimension = 3, mass = 'i + 2' }\n[[body]]\nname = 'b'\ninertia = [1, "
        "1.25, 0.75]\nmass = 3\ncom = [0.1, 0.2, 0.3]\n";
    const std::string start = "[initial.r]\nq = [[1, 2, 3], [4, 5, 6]]\n";
    const auto model =
        Model::parse(body + start +
                         "[dynamics]\ngravity = [0, -10, 1]\npotential = 'b.r.x'\n"
                         "[[spring]]\nbetween = ['b.at(1, 0, 0)', [2, 0, 0]]\nstiffness = 40\nlength = 0.5\n"
                         "[[spring]]\nbetween = ['b.at(1, 0, 0)', 'r[1]']\nstiffness = 4\n"
                         "[[spring]]\nfor = 'i in 1..1'\nbetween = ['r[i-1]', 'r[i]']\nstiffness = 'i'\nlength = 2\n",
                     "t");
    const auto state = start_of(model);
    double energy = 0;
    for (const auto& term : model.potential) {
        for (std::size_t k = 0; k < term.formula.instances; ++k) {
            auto local = state;
            for (std::size_t s = 0; s < term.slots.size(); ++s) {
                local[term.slots[s].text()] = state.at(model.coordinate_name(term.indices[k * term.slots.size() + s]));
            }
            for (const auto& parameter : term.formula.parameters) {
                local[parameter.symbol.text()] = static_cast<double>(parameter.integers[k]);
            }
            energy += value_of(model, term.formula.kernel, local);
        }
    }
    const double weights = 3 * (10 * 0.2 - 0.3) + 2 * (10 * 2 - 3) + 3 * (10 * 5 - 6);
    const double springs = 20 * 0.25 + 2 * (9 + 25 + 36) + 0.5 * std::pow(std::sqrt(27) - 2, 2);
    EXPECT_NEAR(energy, 0.1 + weights + springs, 1e-12);  // sums of numbers up to 200
}

// The power of a load is that of its formula, whatever moves: force times velocity, torque times angular velocity.
TEST(Loads, generalized_forces_have_the_power_of_the_load) {
    const auto model =
        Model::parse(two_bodies(keys_of(samples[3]),
                                "[[forces]]\nname = 'push'\nclass = 'driving'\nforce = { at = 'b.at(1, 2, 3)', "
                                "value = [1, 't + 2', 3], frame = 'body' }\n[[forces]]\nname = 'turn'\nclass = "
                                "'driving'\ntorque = { body = 'a', value = [1, 2, -3] }\n[[forces]]\nname = "
                                "'motor'\nclass = 'driving'\njoint = 'hinge.angle'\nvalue = 5\n[[damper]]\nname = "
                                "'oil'\njoint = 'hinge.displacement'\ncoefficient = 3\n[[damper]]\nbetween = "
                                "['b.at(1, 0, 0)', [2, 0, 5]]\ncoefficient = 2\n"),
                     "t");
    auto state = start_of(model);
    // Any velocity of a rigid motion of each body.
    double seed = 0.3;
    for (const auto* name : {"a", "b"}) {
        std::array<double, 3> omega{seed, -1.1, 0.7};
        for (std::size_t j = 1; j <= 3; ++j) {
            for (std::size_t i = 0; i < 3; ++i) {
                const std::size_t p = (i + 1) % 3, q = (i + 2) % 3;
                const auto entry = [&](std::size_t row) { return fmt::format("{}.Q[{},{}]", name, row + 1, j); };
                state["v_" + entry(i)] = omega[p] * state[entry(q)] - omega[q] * state[entry(p)];
            }
        }
        for (const auto* c : {"x", "y", "z"}) {
            state[fmt::format("v_{}.r.{}", name, c)] = seed = 1.3 - 2 * seed;
        }
    }
    const auto power = [&](std::size_t force) {
        double sum = 0;
        for (const auto& component : model.forces[force].on) {
            sum += value_of(model, component.value.value, state) *
                   state["v_" + model.coordinate_name(component.coordinate)];
        }
        return sum;
    };
    const auto value = [&](const std::string& text) { return value_of(model, text, state); };
    double push = 0, turn = 0;
    for (int i = 1; i <= 3; ++i) {
        const auto c = "xyz"[i - 1];
        const auto force = fmt::format("(b.Q[{0},1] + 2*b.Q[{0},2] + 3*b.Q[{0},3])", i);
        push += value(fmt::format("{0}*(v_b.r.{1} + v_b.Q[{2},1] + 2*v_b.Q[{2},2] + 3*v_b.Q[{2},3])", force, c, i));
        turn += value(fmt::format("(a.Q[{0},1]*a.omega.x + a.Q[{0},2]*a.omega.y + a.Q[{0},3]*a.omega.z)", i)) *
                (i == 3 ? -3 : i);
    }
    EXPECT_NEAR(power(0), push, 1e-13);
    EXPECT_NEAR(power(1), turn, 1e-13);
    EXPECT_NEAR(power(2), 5 * value("hinge.rate"), 1e-13);
    EXPECT_NEAR(power(3), -3 * std::pow(value("hinge.speed"), 2), 1e-13);
    const double d = value("sqrt((b.at(1,0,0).x - 2)^2 + b.at(1,0,0).y^2 + "
                           "(b.at(1,0,0).z - 5)^2)");
    const double speed =
        value("((b.at(1,0,0).x - 2)*v_b.at(1,0,0).x + b.at(1,0,0).y*v_b.at(1,0,0).y + (b.at(1,0,0).z - "
              "5)*v_b.at(1,0,0).z)") /
        d;
    EXPECT_NEAR(power(4), -2 * speed * speed, 1e-13);
}

}  // namespace
}  // namespace libration
