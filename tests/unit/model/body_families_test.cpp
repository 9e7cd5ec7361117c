// Families of bodies and joints: what their members are one by one, references to members, and what is refused.
#include "faults.hpp"
#include "joint_samples.hpp"
#include "same_model.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

namespace libration::body_families_test {
namespace {

using joint_samples::Numbers;
using joint_samples::start_of;
using joint_samples::value_of;

const std::string head = R"toml(
name = "chain"
[parameters]
n = 3
l = 0.5
k = [0, 1, 2.5, 4]
)toml";

const std::string links = R"toml(
[[body]]
for = "i in 1..n"
name = "link[i]"
planar = true
mass = "k[i] + l"
inertia = "l^2/i"
position = ["(i-1)*l", 0]
com = ["l/2", 0]
points = { tip = ["l", "i/100"] }
)toml";

const std::string hinges = R"toml(
[[joint]]
name = "hinge[1]"
type = "revolute"
between = ["ground", "link[1]"]
at = [0, 0]
[[joint]]
for = "i in 2..n"
name = "hinge[i]"
type = "revolute"
between = ["link[i-1].tip", "link[i]"]
zero = "i/10"
)toml";

const std::string loads = R"toml(
[[spring]]
for = "i in 2..n"
joint = "hinge[i]"
stiffness = "k[i]"
angle = "0.1*i"
[[spring]]
for = "i in 1..n"
between = ["link[i].tip", ["i", 1]]
stiffness = 2
length = 0.25
[[damper]]
for = "i in 1..n-1"
between = ["link[i].tip", "link[i+1].tip"]
coefficient = "i"
[[damper]]
for = "i in 1..n"
name = "oil"
joint = "hinge[i]"
coefficient = 0.25
[[energy]]
for = "i in 1..n"
term = "k[i]*link[i].r.y + sum(j in 1..i, link[j].angle)^2"
[[forces]]
for = "i in 1..n"
name = "wind"
class = "driving"
force = { at = "link[i].tip", value = ["i*cos(t)", 0] }
[[forces]]
for = "i in 1..n"
name = "motors"
class = "driving"
torque = { body = "link[i]", value = [0, 0, "sin(i*t)"] }
[[forces]]
for = "i in 2..n"
name = "air"
class = "dissipative"
on = { "link[i].r" = "-v_link[i].r", "link[i-1].angle" = "-v_link[i-1].angle/i" }
)toml";

const std::string outputs = R"toml(
[observables]
height = "link[n].tip.y"
bend = "hinge[n-1].angle - hinge[2].rate"
total = "sum(i in 1..n, link[i].r.y)"
pull = "hinge[2].force.x + lambda_hinge[3].y"
[[events]]
name = "low"
when = "link[3].r.y + 1"
)toml";

// The same with numbers in the place of the index.
std::string one_by_one() {
    std::string text = head;
    const auto each = [&](int first, int last, const std::string& block) {
        for (int i = first; i <= last; ++i) {
            auto one = block;
            const auto put = [&](const std::string& what, const std::string& by) {
                for (auto at = one.find(what); at != std::string::npos; at = one.find(what, at + by.size())) {
                    one.replace(at, what.size(), by);
                }
            };
            put("<i-1>", std::to_string(i - 1));
            put("<i>", std::to_string(i));
            text += one;
        }
    };
    each(1, 3, R"toml(
[[body]]
name = "link[<i>]"
planar = true
mass = "k[<i>] + l"
inertia = "l^2/<i>"
position = ["<i-1>*l", 0]
com = ["l/2", 0]
points = { tip = ["l", "<i>/100"] }
)toml");
    text += R"toml(
[[joint]]
name = "hinge[1]"
type = "revolute"
between = ["ground", "link[1]"]
at = [0, 0]
)toml";
    each(2, 3, R"toml(
[[joint]]
name = "hinge[<i>]"
type = "revolute"
between = ["link[<i-1>].tip", "link[<i>]"]
zero = "<i>/10"
)toml");
    return text;
}

TEST(BodyFamily, is_what_its_members_are_one_by_one) {
    const auto model = Model::parse(head + links + hinges, "test.toml");
    ASSERT_EQ(model.bodies.size(), 3U);
    ASSERT_EQ(model.joints.size(), 3U);
    expect_same_model(model, Model::parse(one_by_one(), "test.toml"));
    EXPECT_EQ(model.coordinate_name(4), "link[2].r.y");
    EXPECT_EQ(model.constraint_name(2), "hinge[2].x");
    EXPECT_EQ(model.multiplier_name(5), "lambda_hinge[3].y");
}

TEST(BodyFamily, is_written_as_a_text_that_reads_as_the_same_model) {
    const auto model = Model::parse(head + links + hinges + loads + outputs, "test.toml");
    expect_same_model(model, Model::parse(text_from_data(model), "again.toml"));
}

TEST(BodyFamily, follows_the_parameters_that_decide_its_size) {
    const auto text = head + links + hinges;
    const auto model = Model::parse(text, "test.toml");
    const auto shorter = model.with({{"n", "1"}});
    EXPECT_EQ(shorter.bodies.size(), 1U);
    EXPECT_EQ(shorter.joints.size(), 1U);
    expect_same_model(shorter, Model::parse(text, "test.toml", {{"n", "1"}}));
    expect_same_state(initial_state<double>(model.with({{"l", "0.75"}})),
                      initial_state<double>(Model::parse(text, "test.toml", {{"l", "0.75"}})));
}

TEST(BodyFamily, has_members_in_all_formulas) {
    const auto model = Model::parse(head + links + hinges + loads + outputs, "test.toml");
    const auto state = start_of(model);
    const auto at = [&](const std::string& formula) { return value_of(model, formula, state); };
    // Link 3 starts at (1, 0) with its tip at (0.5, 0.03) in its frame.
    EXPECT_EQ(at("link[n].tip.x"), 1.5);
    EXPECT_EQ(at("link[2+1].tip.y"), 0.03);
    EXPECT_EQ(at("sum(i in 1..n, link[i].r.x)"), 0.25 + 0.75 + 1.25);
    EXPECT_EQ(at("v_link[2].tip.x"), 0);
    EXPECT_EQ(at("hinge[2].angle"), 0.2);  // planar: the zero of joint 2, a difference of angles that are 0
    // Springs, energies: one term a member, two for hinges 2 and 3.
    EXPECT_EQ(model.potential.size(), 3U + 2 + 3);
    EXPECT_EQ(model.forces.size(), 5U);
    EXPECT_EQ(model.forces[0].on.size(), 9U);  // r and angle of three links
}

// Gravity and rows of joints: one term for all members that are alike.
TEST(BodyFamily, has_few_terms_whatever_its_size) {
    const std::string text = head + links + hinges + "[dynamics]\ngravity = [0, -9.81]\n";
    // Masses differ in a number; of the hinges two rows each, where 0*l, 1*l and 2*l are written differently.
    const auto model = [&](const std::string& n) {
        auto longer = text;
        longer.replace(longer.find("k = [0, 1, 2.5, 4]"), 18, "k = [0, 1, 2.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]");
        return Model::parse(longer, "test.toml", {{"n", n}});
    };
    const auto small = model("4"), large = model("12");
    EXPECT_EQ(large.potential.size(), small.potential.size());
    EXPECT_EQ(large.constraints.size(), small.constraints.size());
    EXPECT_LE(large.potential.size() + large.constraints.size(), 9U);
    EXPECT_EQ(large.constraint_rows, 24U);
}

// Each row of each joint, evaluated by the system and by the formula of the joint.
TEST(BodyFamily, has_the_rows_of_its_joints) {
    const auto model = Model::parse(head + links + hinges + "[dynamics]\ngravity = [0, -9.81]\n", "test.toml");
    auto q = initial_state<double>(model).q;
    Numbers state = start_of(model);
    for (std::size_t k = 0; k < q.size(); ++k) {
        q[k] += 0.1 + 0.01 * static_cast<double>(k);
        state[model.coordinate_name(k)] = q[k];
    }
    const auto system = make_system<double>(model);
    std::vector<double> g(model.constraint_rows), p(q.size());
    system->constraint(0, q, {}, g);
    std::size_t rows = 0;
    constexpr double rounding = 1e-14;  // of a dozen operations with numbers near 1
    for (const auto& joint : model.joints) {
        for (const auto& row : joint.rows) {
            EXPECT_NEAR(g.at(row.number), value_of(model, row.value, state), rounding) << joint.name() << row.name;
            EXPECT_EQ(model.constraint_name(row.number), joint.name() + '.' + row.name);
            ++rows;
        }
    }
    EXPECT_EQ(rows, model.constraint_rows);
    double energy = 0;
    for (const auto& body : model.bodies) {
        energy += 9.81 * value_of(model, *body.mass, state) * state.at(body.name + ".r.y");
    }
    EXPECT_NEAR(system->energy(0, q, p), energy, 10 * rounding);
}

// In space: the system of the family against that of bodies with names of their own, at a state off the manifold.
TEST(BodyFamily, in_space_has_the_rows_and_slopes_of_bodies_that_are_given_one_by_one) {
    const auto text = [](const std::string& name, const std::string& joint, bool family) {
        std::string all;
        for (int i = 1; i <= (family ? 1 : 3); ++i) {
            const auto number = std::to_string(i);
            const auto value = [&](const std::string& formula) {
                auto one = formula;
                for (auto at = one.find('i'); !family && at != std::string::npos; at = one.find('i')) {
                    one.replace(at, 1, number);
                }
                return '"' + one + '"';
            };
            all += "[[body]]\n" + std::string(family ? "for = \"i in 1..3\"\n" : "") + "name = \"" + name +
                   (family ? "[i]" : number) + "\"\nmass = " + value("1 + i/8") + "\ninertia = [1, 1.5, " +
                   value("2 + i/8") + "]\nposition = [" + value("2*i") + ", " + value("1/i") + ", 0]\n";
        }
        for (int i = 1; i <= (family ? 1 : 3); ++i) {
            const auto number = std::to_string(i);
            const auto member = name + (family ? "[i]" : number);
            all += "[[joint]]\n" + std::string(family ? "for = \"i in 1..3\"\n" : "") + "name = \"" + joint +
                   (family ? "[i]" : number) + "\"\ntype = \"revolute\"\nbetween = [\"ground\", \"" + member +
                   "\"]\nat = [\"" + (family ? "i" : number) + "/3\", 0, 1]\naxis = [1, 2, 3]\n";
        }
        return all + "[dynamics]\ngravity = [0, 1, -9]\n";
    };
    const auto family = Model::parse(text("link", "hinge", true), "test.toml"),
               single = Model::parse(text("rod", "pin", false), "test.toml");
    ASSERT_EQ(family.constraint_rows, single.constraint_rows);
    EXPECT_LT(family.constraints.size() + family.potential.size(), 10U);
    auto q = initial_state<double>(family).q;
    ASSERT_EQ(q, initial_state<double>(single).q);
    std::vector<double> v(q.size()), p(q.size()), gravity(q.size()), gravity_of_single(q.size());
    for (std::size_t k = 0; k < q.size(); ++k) {
        q[k] += 0.1 + 0.01 * static_cast<double>(k);
        v[k] = 1 - 0.02 * static_cast<double>(k);
    }
    const auto a = make_system<double>(family), b = make_system<double>(single);
    const auto other_name = [](std::string name) {
        for (const auto& [from, to] : {std::pair("link[", "rod"), std::pair("hinge[", "pin")}) {
            if (name.starts_with(from)) {
                name = to + name.substr(std::string(from).size());
                name.erase(name.find(']'), 1);
            }
        }
        return name;
    };
    struct Rows {
        std::vector<double> g, curvature, dense;
    };
    const auto rows_of = [&](System<double>& system) {
        const std::size_t m = system.constraints();
        Rows rows{std::vector<double>(m), std::vector<double>(m), std::vector<double>(m * q.size())};
        std::vector<double> G(system.pattern().entries());
        system.constraint(0, q, {}, rows.g);
        system.curvature(0, q, v, rows.curvature);
        system.jacobian(0, q, G);
        for (std::size_t i = 0; i < m; ++i) {
            for (auto e = system.pattern().row_start[i]; e < system.pattern().row_start[i + 1]; ++e) {
                rows.dense[i * q.size() + system.pattern().column[e]] += G[e];
            }
        }
        return rows;
    };
    const auto ours = rows_of(*a), theirs = rows_of(*b);
    constexpr double rounding = 1e-13;  // of some dozen operations with numbers below 10
    for (std::size_t i = 0; i < ours.g.size(); ++i) {
        const auto name = other_name(family.constraint_name(i));
        std::size_t row = 0;
        while (row < theirs.g.size() && single.constraint_name(row) != name) {
            ++row;
        }
        ASSERT_LT(row, theirs.g.size()) << name;
        EXPECT_NEAR(ours.g[i], theirs.g[row], rounding) << name;
        EXPECT_NEAR(ours.curvature[i], theirs.curvature[row], rounding) << name;
        for (std::size_t j = 0; j < q.size(); ++j) {
            EXPECT_NEAR(ours.dense[i * q.size() + j], theirs.dense[row * q.size() + j], rounding) << name << j;
        }
    }
    a->force_gradient(0, q, p, gravity);
    b->force_gradient(0, q, p, gravity_of_single);
    for (std::size_t k = 0; k < q.size(); ++k) {
        EXPECT_NEAR(gravity[k], gravity_of_single[k], rounding);
    }
    // Six rows stand together for each body.
    for (const auto& body : family.bodies) {
        EXPECT_EQ(family.constraint_name(body.first_row + 5), body.name + ".rigid[2,3]");
    }
}

TEST(BodyFamily, of_several_indices_and_of_tables) {
    const auto body = [](const std::string& range) {
        return "[parameters]\nn = 2\nplaces = [[1, 5], [2, 3]]\n[[body]]\nfor = \"" + range +
               "\"\nname = \"cell[i,j]\"\nmass = \"i + j\"\ninertia = [1, 1, 1]\nposition = [\"i\", \"j\", 0]\n"
               "[observables]\nx = \"cell[i0,n+1].r.x\"\n";
    };
    const auto with_index = [](std::string text) { return text.replace(text.find("i0"), 2, "2"); };
    const auto nested = Model::parse(with_index(body("i in 1..n, j in i..n+1")), "test.toml");
    EXPECT_EQ(nested.bodies.size(), 5U);
    EXPECT_EQ(nested.bodies[4].name, "cell[2,3]");
    const auto table = Model::parse(with_index(body("(i, j) in places")), "test.toml");
    ASSERT_EQ(table.bodies.size(), 2U);
    EXPECT_EQ(value_of(table, "cell[1,5].r.y", start_of(table)), 5);
    EXPECT_EQ(value_of(table, "cell[2,n+1].r.y", start_of(table)), 3);
}

TEST(BodyFamily, constraints_over_members_have_names_with_their_indices) {
    const auto model = Model::parse(head + links +
                                        "[[constraint]]\nfor = \"i in 2..n\"\nname = \"pin\"\nequation = "
                                        "\"link[i-1].tip - link[i].at(0, (i-1)/100)\"\n",
                                    "test.toml");
    EXPECT_EQ(model.constraint_rows, 4U);
    EXPECT_EQ(model.multiplier_name(0), "lambda_pin[2].x");
    EXPECT_EQ(model.multiplier_name(3), "lambda_pin[3].y");
    EXPECT_EQ(model.formula("lambda_pin[3].y", "it"), symbol("lambda_pin[3].y"));
    expect_same_model(model, Model::parse(text_from_data(model), "again.toml"));
}

// Spatial joints count turns where an angle is used: of one member, or of all if the index is not known.
TEST(BodyFamily, counts_the_turns_of_members_whose_angles_are_used) {
    const std::string text = R"toml(
[parameters]
n = 3
[[body]]
for = "i in 1..n"
name = "rod[i]"
mass = 1
inertia = [1, 1.5, 2]
position = ["i", 0, 0]
[[joint]]
for = "i in 1..n"
name = "pivot[i]"
type = "revolute"
between = ["ground", "rod[i]"]
at = ["i", 0, 0]
axis = [0, 0, 1]
)toml";
    const auto counted = [&](const std::string& more) {
        std::vector<bool> turns;
        for (const auto& joint : Model::parse(text + more, "test.toml").joints) {
            turns.push_back(joint.given.turns);
        }
        return turns;
    };
    EXPECT_EQ(counted(""), (std::vector<bool>{false, false, false}));
    EXPECT_EQ(counted("[observables]\na = \"pivot[n-1].angle\"\n"), (std::vector<bool>{false, true, false}));
    EXPECT_EQ(counted("[observables]\na = \"sum(j in 1..n, pivot[j].angle)\"\n"),
              (std::vector<bool>{true, true, true}));
    EXPECT_EQ(counted("[[spring]]\njoint = \"pivot[3]\"\nstiffness = 1\n"), (std::vector<bool>{false, false, true}));
    EXPECT_EQ(counted("[[spring]]\nfor = \"i in 1..2\"\njoint = \"pivot[i]\"\nstiffness = 1\n"),
              (std::vector<bool>{true, true, true}));
}

TEST(BodyFamily, from_cpp_is_that_of_the_text) {
    ModelBuilder builder("chain");
    const auto n = builder.parameter("n", 3), l = builder.parameter("l", 0.5), i = symbol("i");
    const auto k = builder.parameters("k", {0, 1, 2.5, 4});
    BodyStart start;
    start.in_body = true;
    start.position = {(i - 1) * l, 0};
    const auto bodies = builder.bodies({.name = "link[i]",
                                        .inertia = {pow(l, 2) / i},
                                        .mass = k[i] + l,
                                        .planar = true,
                                        .com = {l / 2, 0},
                                        .points = {{"tip", {l, i / 100, 0}}},
                                        .start = start},
                                       over(i, 1, n));
    ASSERT_EQ(bodies.size(), 3U);
    builder.joint({.name = "hinge[1]", .type = "revolute", .between = {"ground", "link[1]"}, .at = {{0, 0, 0}}});
    const auto joints = builder.joints(
        {.name = "hinge[i]", .type = "revolute", .between = {"link[i-1].tip", "link[i]"}, .zero = i / 10},
        over(i, 2, n));
    ASSERT_EQ(joints.size(), 2U);
    expect_same_model(builder.build(), Model::parse(head + links + hinges, "test.toml"));
}

TEST(BodyFamily, of_couplings_from_cpp_is_that_of_the_text) {
    ModelBuilder builder("gears");
    const auto i = symbol("i");
    BodyStart start;
    start.in_body = true;
    start.position = {i, 0};
    builder.bodies({.name = "wheel[i]", .inertia = {i}, .mass = 1, .planar = true, .start = start}, over(i, 1, 3));
    builder.joints({.name = "axle[i]", .type = "revolute", .between = {"ground", "wheel[i]"}, .at = {{i, 0, 0}}},
                   over(i, 1, 3));
    builder.joints({.name = "mesh[i]", .type = "gear", .of = {"axle[i]", "axle[i+1]"}, .factor = -1 - i},
                   over(i, 1, 2));
    const auto text = R"toml(
[[body]]
for = "i in 1..3"
name = "wheel[i]"
planar = true
mass = 1
inertia = "i"
position = ["i", 0]
[[joint]]
for = "i in 1..3"
name = "axle[i]"
type = "revolute"
between = ["ground", "wheel[i]"]
at = ["i", 0]
[[joint]]
for = "i in 1..2"
name = "mesh[i]"
type = "gear"
of = ["axle[i]", "axle[i+1]"]
ratio = "-1 - i"
)toml";
    const auto built = builder.build();
    EXPECT_EQ(built.constraint_rows, 8U);
    expect_same_model(built, Model::parse(text, "gears.toml"));
}

TEST(BodyFamily, refuses_what_is_no_member) {
    const auto refuse = [](const std::string& more, const std::string& words) {
        expect_fault(head + links + hinges + more, words, "test.toml:");
    };
    const auto observable = [](const std::string& formula) { return "[observables]\na = \"" + formula + "\"\n"; };
    refuse(observable("link[4].r.x"), "link[4] does not exist; the 3 bodies are link[1] to link[3]");
    refuse(observable("hinge[0].rate"), "hinge[0] does not exist; the 3 joints are hinge[1] to hinge[3]");
    refuse(observable("v_link[0].r.x"), "v_link[0] does not exist");
    refuse(observable("link.r.x"), "'link' stands for 3 bodies; write link[i]");
    refuse(observable("link + 1"), "'link' stands for 3 bodies; write link[i]");
    refuse(observable("link[2]"), "'link[2]' is a body; write the quantity that is meant");
    refuse(observable("hinge[2]"), "'hinge[2]' is a joint; write the quantity that is meant");
    refuse(observable("link[1,2].r.x"), "link has 1 index, such as link[1]");
    refuse(observable("link[1/2].r.x"), "1/2");
    refuse("[[energy]]\nfor = \"i in 1..n\"\nterm = \"link[i+1].r.y\"\n", "link[4] does not exist");
    refuse("[[spring]]\njoint = \"hinge[n+1]\"\nstiffness = 1\n", "hinge[4]");
    refuse("[[damper]]\nfor = \"i in 0..1\"\njoint = \"hinge[i]\"\ncoefficient = 1\n", "hinge[0]");
    refuse("[[forces]]\nname = \"m\"\nclass = \"driving\"\ntorque = { body = \"link[5]\", value = [0, 0, 1] }\n",
           "link[5]");
    refuse("[[joint]]\nname = \"h\"\ntype = \"revolute\"\nbetween = [\"link[2]\", \"link[7]\"]\nat = [0, 0]\n",
           "there is no body 'link[7]'");
    refuse("[[joint]]\nname = \"h\"\ntype = \"revolute\"\nbetween = [\"link\", \"ground\"]\nat = [0, 0]\n",
           "there is no body 'link'");
}

TEST(BodyFamily, refuses_names_that_collide) {
    const auto refuse = [](const std::string& more, const std::string& words) {
        expect_fault(head + links + more, words, "test.toml:");
    };
    const std::string body = "mass = 1\ninertia = 1\nplanar = true\n";
    const std::string joint = "type = \"revolute\"\nbetween = [\"ground\", \"link[1]\"]\nat = [0, 0]\n";
    refuse("[[body]]\nname = \"link[2]\"\n" + body, "two bodies are named link[2]; give each its own index");
    refuse("[[body]]\nname = \"link\"\n" + body, "it is already a family of bodies");
    refuse("[[body]]\nname = \"l[1]\"\n" + body, "it is already a parameter");
    refuse("[[body]]\nname = \"link[1,2]\"\n" + body, "has 2 indices, but link[1] has 1");
    refuse("[[joint]]\nname = \"link[9]\"\n" + joint, "link are bodies already");
    refuse("[[body]]\nfor = \"i in 1..n\"\nname = \"bar\"\n" + body, "such as name = \"bar[i]\"");
    refuse("[[joint]]\nfor = \"i in 1..n\"\nname = \"bar[i].x\"\n" + joint, "such as name = \"bar[i]\"");
    refuse("[[body]]\nfor = \"l in 1..n\"\nname = \"bar[l]\"\n" + body, "the name 'l' cannot be used");
    refuse("[[body]]\nfor = \"i in 1..n\"\nname = \"bar[1]\"\n" + body, "two bodies are named bar[1]");
    refuse("[[body]]\nfor = \"i in 1..link\"\nname = \"bar[i]\"\n" + body, "link");
    refuse("[[body]]\nfor = \"i in 1..i\"\nname = \"bar[i]\"\n" + body, "'i'");
    refuse("[[body]]\nname = \"bar[i]\"\n" + body, "'i'");
    refuse("[observables]\nlink = \"link[1].r.x\"\n", "it is already a family of bodies");
    refuse("[[body]]\nfor = \"i in 1..n\"\nname = \"bar[i]\"\nmess = 1\n" + body, "unknown key 'mess'");
    refuse("[initial.link]\nangle = 1\n", "link");
}

TEST(BodyFamily, may_be_empty) {
    const auto model = Model::parse(head + links +
                                        "[[joint]]\nfor = \"i in 2..0\"\nname = \"hinge[i]\"\ntype = "
                                        "\"revolute\"\nbetween = [\"link[i-1]\", \"link[i]\"]\nat = [0, 0]\n",
                                    "test.toml");
    EXPECT_TRUE(model.joints.empty());
    expect_fault(head + links +
                     "[[joint]]\nfor = \"i in 2..0\"\nname = \"hinge[i]\"\ntype = \"revolute\"\nbetween = "
                     "[\"link[i-1]\", \"link[i]\"]\nat = [0, 0]\n[observables]\na = \"hinge[2].angle\"\n",
                 "hinge[2] does not exist; the family of joints has no members");
    expect_fault("[[body]]\nfor = \"i in 1..0\"\nname = \"bar[i]\"\nmass = 1\ninertia = 1\nplanar = true\n",
                 "the model has no coordinates");
}

}  // namespace
}  // namespace libration::body_families_test
