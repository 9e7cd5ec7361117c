// Angles that count turns: in texts and builders, in systems of every scalar, in trajectories that share a system.
#include "same_model.hpp"

#include "integrate/start.hpp"
#include "methods/good_step.hpp"
#include "system/windings.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace libration {
namespace {

constexpr double turn = 2 * std::numbers::pi;

// A bead on a unit circle at a torsion spring.
std::string bead_text() {
    return R"(name = "bead"
[parameters]
k = 0.2
a = 0
[coordinates]
q = ["x", "y"]
[angles]
turn = { sine = "y", cosine = "x", start = "a" }
[definitions]
spring = "k/2*turn^2"
[dynamics]
mass = 1
potential = "spring + y"
constraints = { rod = "x^2 + y^2 - 1" }
[[forces]]
name = "drag"
class = "dissipative"
on = { x = "0.001*y*v_turn", y = "-0.001*x*v_turn" }
[observables]
twice = "2*turn + turn_at_node*0"
[initial]
q = [1, 0]
v = [0, 12]
)";
}

Model bead() {
    auto text = bead_text();
    const auto first = text.find("[[forces]]");
    text.erase(first, text.find("[observables]") - first);
    return Model::parse(text, "bead");
}

Model built_bead() {
    ModelBuilder builder("bead");
    const auto k = builder.parameter("k", Expression(0.2)), a = builder.parameter("a", 0);
    const auto q = builder.coordinates({"x", "y"});
    const auto angle = builder.angle("turn", q[1], q[0], a);
    builder.definition("spring", k / 2 * pow(angle, 2));
    builder.mass(1).potential(k / 2 * pow(angle, 2) + q[1]).constraint("rod", q[0] * q[0] + q[1] * q[1] - 1);
    builder.observable("twice", 2 * angle);
    builder.initial_position({1, 0}).initial_velocity({0, 12});
    return builder.build();
}

TEST(AnglesInModels, AreWrittenAndReadAgain) {
    const auto built = built_bead();
    const auto text = to_text(built);
    EXPECT_NE(text.find("[angles]"), std::string::npos) << text;
    EXPECT_EQ(text.find('@'), std::string::npos) << text;
    const auto read = Model::parse(text, "bead");
    expect_same_model(built, read);
    expect_same_run(built, read, "rattle", 0.01, 400);
}

TEST(AnglesInModels, MeanTheSameInTextsAndInBuilders) { expect_same_run(built_bead(), bead(), "rattle", 0.01, 400); }

TEST(AnglesInModels, AreKnownToFormulasOfTheCommandLine) {
    const auto model = bead();
    EXPECT_EQ(model.formula("turn", "a formula"), model.windings[0].angle);
    EXPECT_EQ(model.formula("v_turn", "a formula"), model.windings[0].rate);
}

TEST(AnglesInModels, StartWhereAnotherValueOfAParameterSays) {
    const auto other = bead().with({{"a", "13"}});
    expect_same_run(other, Model::parse(to_text(other), "bead"), "rattle", 0.01, 100);
    const auto system = make_system<double>(other);
    EXPECT_EQ(system->windings()->start()[0], 13);
}

template <class S>
double first_lane(const S& x) {
    return to_double(x);
}
double first_lane(const Pack& x) { return x.lane[0]; }

// U = k/2 angle^2 + y on the branch that the system was told, whenever its programs were made.
template <class S>
class SystemsWithAngles : public testing::Test {};
using AngleScalars = testing::Types<double, Dual<double>, Pack
#ifdef LIBRATION_HAS_QUAD
                                    ,
                                    Quad
#endif
                                    >;
TYPED_TEST_SUITE(SystemsWithAngles, AngleScalars);

TYPED_TEST(SystemsWithAngles, TakeTheBranchThatTheyWereTold) {
    using S = TypeParam;
    const auto system = make_system<S>(bead());
    const std::vector<S> q{lit<S>(-3, 5), lit<S>(-4, 5)}, p{lit<S>(0), lit<S>(0)};
    const double principal = std::atan2(-0.8, -0.6);
    std::vector<S> hessian(4, lit<S>(0)), gradient(2, lit<S>(0));
    for (const int n : {0, 3, -7}) {
        system->windings()->refer_to(std::vector<S>{from_double<S>(principal + turn * n + 2)});
        const double angle = principal + turn * n;
        EXPECT_NEAR(first_lane(system->energy(lit<S>(0), q, p)), 0.1 * angle * angle - 0.8,
                    1e-13 * angle * angle + 1e-13);
        system->force_gradient(lit<S>(0), q, p, gradient);
        EXPECT_NEAR(first_lane(gradient[0]), 0.2 * angle * 0.8, 1e-12);  // angle_x = -y
        // Its programs are made by the first call, after the system was told.
        system->part_hessian(all_parts, lit<S>(0), q, hessian);
        EXPECT_NEAR(first_lane(hessian[0]), 0.2 * (0.64 + angle * 2 * -0.6 * -0.8), 1e-11);  // angle_xx = 2xy
    }
}

// Steps of two trajectories in turn, on one system.
TEST(TrajectoriesWithAngles, MayShareASystem) {
    const auto model = bead();
    const auto system = make_system<double>(model), own = make_system<double>(model);
    const auto chosen = method("rattle");
    auto start = start_state<double>(model, *system);
    const auto alone = make_stepper<double>(chosen, *own), one = make_stepper<double>(chosen, *system),
               other = make_stepper<double>(chosen, *system);
    const std::vector<double> far{2 * turn};
    alone->start(0, start.q, start.p, 0.01);
    one->start(0, start.q, start.p, 0.01);
    other->start({0, start.q, {}, start.p, far}, 0.01);
    for (int n = 0; n < 300; ++n) {
        for (auto* stepper : {alone.get(), one.get(), other.get()}) {
            ASSERT_TRUE(good_step(stepper->advance()));
            stepper->accept();
        }
    }
    const auto expected = alone->node(), found = one->node();
    EXPECT_GT(expected.turns[0], 2 * turn);
    EXPECT_EQ(std::vector(found.q.begin(), found.q.end()), std::vector(expected.q.begin(), expected.q.end()));
    EXPECT_EQ(found.turns[0], expected.turns[0]);
    EXPECT_NE(other->node().turns[0], expected.turns[0]);
}

// A node says in which turn it is.
TEST(TrajectoriesWithAngles, GoBackFromANode) {
    const auto model = bead();
    for (const auto* spec : {"rattle", "lobatto(3)", "compose(rattle, yoshida4)"}) {
        const auto system = make_system<double>(model);
        const auto start = start_state<double>(model, *system);
        const auto stepper = make_stepper<double>(method(spec), *system);
        stepper->start(0, start.q, start.p, 0.01);
        const auto steps = [&](int count) {
            for (int n = 0; n < count; ++n) {
                ASSERT_TRUE(good_step(stepper->advance())) << spec;
                stepper->accept();
            }
        };
        steps(300);
        const auto node = stepper->node();
        const std::vector<double> q(node.q.begin(), node.q.end()), low(node.q_low.begin(), node.q_low.end()),
            p(node.p.begin(), node.p.end()), turns(node.turns.begin(), node.turns.end());
        EXPECT_GT(turns[0], 2 * turn);
        stepper->start({node.t, q, low, p, turns}, -0.01);
        steps(300);
        // Symmetric methods return up to round-off of 600 steps, each of some ten roundings of p = 12.
        EXPECT_NEAR(stepper->node().turns[0], 0, 600 * 10 * 12 * 2.3e-16) << spec;
        EXPECT_NEAR(stepper->node().p[1], 12, 600 * 10 * 12 * 12 * 2.3e-16) << spec;
    }
}

// A free rotor; -1 says that the step was solved, but not counted.
TEST(TrajectoriesWithAngles, RefuseStepsThatTurnTooFar) {
    ModelBuilder builder("rotor");
    const auto phi = builder.coordinates({"phi"})[0];
    builder.angle("turn", sin(phi), cos(phi));
    const auto model = builder.mass(1).potential(0).initial_position({0}).initial_velocity({12}).build();
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    for (const auto* spec : {"verlet", "lobatto(2)", "leapfrog"}) {
        const auto stepper = make_stepper<double>(method(spec), *system);
        const int lag = method(spec).lag();
        const double most = std::numbers::pi / 2 / (lag + 1);
        for (const double share : {0.99, 1.01, 4.0, 8.0}) {  // of which the last two are whole turns
            stepper->start(0, start.q, start.p, share * most / 12);
            double converged = 1;
            for (int n = 0; n <= lag + 1 && converged == 1; ++n) {
                converged = stepper->advance().converged;
                stepper->accept();
            }
            EXPECT_EQ(converged, share < 1 ? 1 : -1) << spec << " " << share;
        }
    }
}

}  // namespace
}  // namespace libration
