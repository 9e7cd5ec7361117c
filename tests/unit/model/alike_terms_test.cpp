// Rows and weights of families whose numbers differ inside functions of parameters: one term for all members, with the
// values, slopes and derivatives of formulas that are written out.
#include "joint_samples.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/model/builder.hpp>

#include <gtest/gtest.h>

namespace libration::alike_terms_test {
namespace {

using joint_samples::Numbers;
using joint_samples::start_of;
using joint_samples::value_of;

// Rods from node i - 1 to node i, whose places are written with functions of the index.
Model rods(const std::string& n, const std::string& width = "2") {
    return Model::parse(R"toml(
[parameters]
n = 4
width = 2
x = "if(i < 1, 0, hypot(width, i/3))"
y = "if(i < 3, -i, atan2(i, width) - 3*sqrt(width + i))"
[dynamics]
gravity = [0, -9.81]
[[body]]
for = "i in 1..n"
name = "rod[i]"
planar = true
mass = "exp(-i/width)"
inertia = "hypot(x[i] - x[i-1], y[i] - y[i-1])^3/12"
position = ["(x[i] + x[i-1])/2", "(y[i] + y[i-1])/2"]
angle = "atan2(y[i] - y[i-1], x[i] - x[i-1])"
[[joint]]
name = "pivot[1]"
type = "revolute"
between = ["ground", "rod[1]"]
at = [0, 0]
[[joint]]
for = "i in 2..n"
name = "pivot[i]"
type = "revolute"
between = ["rod[i-1]", "rod[i]"]
at = ["x[i-1]", "y[i-1]"]
[[joint]]
for = "i in 2..n"
name = "bar[i]"
type = "distance"
between = ["ground", "rod[i]"]
at = [["width", "sqrt(i)"], ["x[i]", "y[i]"]]
)toml",
                        "test.toml", {{"n", n}, {"width", width}});
}

TEST(AlikeTerms, are_few_whatever_the_number_of_members) {
    const auto small = rods("9"), large = rods("40");
    EXPECT_EQ(large.constraint_rows, 2U * 40 + 39);
    EXPECT_EQ(large.constraints.size(), small.constraints.size());
    EXPECT_EQ(large.potential.size(), small.potential.size());
    // Twenty shapes of rows near the first rods, where an if() is decided and i - 1 is 0; without columns of values,
    // each row and each weight would be a term.
    EXPECT_LE(large.constraints.size() + large.potential.size(), 21U);
}

// Against the formulas of joints, which have been read one by one.
TEST(AlikeTerms, have_the_values_of_their_members) {
    for (const auto* width : {"2", "1.75"}) {
        const auto model = rods("9", width);
        auto q = initial_state<double>(model).q;
        Numbers state = start_of(model);
        for (std::size_t k = 0; k < q.size(); ++k) {
            q[k] += 0.1 + 0.01 * static_cast<double>(k);
            state[model.coordinate_name(k)] = q[k];
        }
        const auto system = make_system<double>(model);
        std::vector<double> g(model.constraint_rows), p(q.size());
        system->constraint(0, q, {}, g);
        constexpr double rounding = 1e-13;  // of some dozen operations with numbers near 10
        for (const auto& joint : model.joints) {
            for (const auto& row : joint.rows) {
                EXPECT_NEAR(g.at(row.number), value_of(model, row.value, state), rounding) << joint.name() << row.name;
            }
        }
        double energy = 0;
        for (const auto& body : model.bodies) {
            energy += 9.81 * value_of(model, *body.mass, state) * state.at(body.name + ".r.y");
        }
        EXPECT_NEAR(system->energy(0, q, p), energy, 10 * rounding);
    }
}

// Numbers in exponents stay apart, since they decide the formula of the derivative.
TEST(AlikeTerms, do_not_mix_exponents) {
    const auto text = [](const std::string& mass) {
        return "[parameters]\nn = 4\nc = 1.5\n[dynamics]\ngravity = [0, -9.81]\n[[body]]\nfor = \"i in 1..n\"\n"
               "name = \"disk[i]\"\nplanar = true\nmass = \"" +
               mass + "\"\ninertia = 1\n";
    };
    const auto powers = Model::parse(text("c^i"), "test.toml"), roots = Model::parse(text("sqrt(c + i)"), "test.toml");
    EXPECT_EQ(powers.potential.size(), 4U);
    EXPECT_EQ(roots.potential.size(), 1U);
    const auto system = make_system<double>(powers);
    auto q = initial_state<double>(powers).q;
    std::vector<double> p(q.size());
    for (std::size_t i = 0; i < 4; ++i) {
        q[3 * i + 1] = 1;  // y of a disk
    }
    EXPECT_NEAR(system->energy(0, q, p), 9.81 * (1.5 + 2.25 + 3.375 + 5.0625), 1e-13);
}

}  // namespace
}  // namespace libration::alike_terms_test
