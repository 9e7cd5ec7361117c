// Projection of momenta for general H.
#include "integrate/start.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

// At the start G has one entry, and the velocity along that coordinate is zero: the terms of G H_p vanish, their
// rounding in the step that leads there does not.
constexpr const char* bead = R"(
[coordinates]
q = ["x", "y", "z"]
[dynamics]
hamiltonian = "((p_x + y)^2 + (p_y - x)^2 + p_z^2)/(2*(1 + z^2/10)) + z"
constraints = ["(sqrt(x^2 + y^2) - 2)^2 + z^2 - 1"]
[initial]
q = [3, 0, 0]
v = [0, 0.5, 0.3]
)";

template <class S>
void there_and_back(const char* spec) {
    const auto system = make_system<S>(Model::parse(bead, "bead"));
    auto start = start_state<S>(Model::parse(bead, "bead"), *system);
    for (const int sign : {1, -1}) {
        const auto stepper = make_stepper<S>(method(spec), *system);
        stepper->start(lit<S>(0), start.q, start.p, lit<S>(sign, 16));
        for (int n = 1; n <= 16; ++n) {
            ASSERT_EQ(stepper->advance().converged, 1) << spec << " step " << n << (sign < 0 ? " back" : "");
            stepper->accept();
        }
        const auto node = stepper->node();
        start = {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}};
    }
    // 32 steps of a hundred roundings each.
    EXPECT_LT(to_double(absv(start.q[1])), 1e4 * to_double(epsilon<S>())) << spec;
}

TEST(Projection, comes_to_where_the_terms_of_the_hidden_constraint_vanish) {
    for (const auto* spec : {"rattle", "lobatto(4)", "constrain(verlet-b)", "compose(rattle, suzuki4)"}) {
        there_and_back<double>(spec);
        there_and_back<Quad>(spec);
    }
}

}  // namespace
}  // namespace libration
