// What is special to the Euler pair, both Verlet variants, constrained bases, splittings, and the counter-examples.
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

template <class S>
StartState<S> moving_start(const Model& model, System<S>& system) {
    auto start = start_state<S>(model, system);
    for (std::size_t j = 0; j < start.p.size(); ++j) {
        start.p[j] = start.p[j] + from_double<S>(0.05 * static_cast<double>(j + 1));
    }
    Manifold<S>(system).project_momentum(lit<S>(0), start.q, start.p);
    return start;
}

// The state after some steps, positions then momenta.
template <class S>
std::vector<S> end_of(const std::string& spec, System<S>& system, const StartState<S>& start, const S& h, int steps) {
    const auto stepper = make_stepper<S>(method(spec), system);
    stepper->start(lit<S>(0), start.q, start.p, h);
    for (int n = 0; n < steps; ++n) {
        EXPECT_EQ(to_double(stepper->advance().converged), 1) << spec;
        stepper->accept();
    }
    const auto node = stepper->node();
    std::vector<S> end(node.q.begin(), node.q.end());
    end.insert(end.end(), node.p.begin(), node.p.end());
    return end;
}

template <class S>
double state_distance(const std::vector<S>& a, const std::vector<S>& b) {
    double most = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        most = std::max(most, std::abs(to_double(real_part(a[j])) - to_double(real_part(b[j]))));
    }
    return most;
}

template <class S>
double after_hundred_steps(const Model& model, const std::string& one, const std::string& other) {
    const auto system = make_system<S>(model);
    const auto start = moving_start<S>(model, *system);
    const S h = lit<S>(1, 100);
    auto difference = end_of<S>(one, *system, start, h, 100);
    const auto b = end_of<S>(other, *system, start, h, 100);
    for (std::size_t j = 0; j < b.size(); ++j) {
        difference[j] = difference[j] - b[j];
    }
    return state_distance<S>(difference, std::vector<S>(b.size(), lit<S>(0)));
}

Model split_pendulums(const std::string& constraint) {
    return Model::parse("name = \"split\"\n"
                        "[coordinates]\nq = [\"x\", \"y\", \"u\", \"v\"]\n"
                        "[dynamics]\nmass = [1, 1, 1.5, 1.5]\n"
                        "[dynamics.potential]\nslow = \"y + 1.5*v + cos(x*u)/5\"\n"
                        "fast = \"10*(sqrt((x-u)^2 + (y-v)^2) - 1)^2\"\n" +
                            constraint + "[initial]\nq = [1, 0, 1.5, -0.5]\n",
                        "split");
}

const std::string rod = "[[constraint]]\nequation = \"x^2 + y^2 - 1\"\n";

// Round-off of 100 steps of numbers of size one, amplified by the motion by less than ten in this time: 1e3 epsilons.
TEST(Constrain, verlet_becomes_rattle) {
    for (const auto* problem : {"triple-pendulum", "two-body-sphere"}) {
        const auto model = Model::load(problem);
        EXPECT_LT(after_hundred_steps<double>(model, "constrain(verlet)", "rattle"), 2e-13) << problem;
        EXPECT_LT(after_hundred_steps<Quad>(model, "constrain(verlet)", "rattle"), 2e-31) << problem;
    }
    EXPECT_GT(after_hundred_steps<double>(Model::load("two-body-sphere"), "constrain(verlet-b)", "rattle"), 1e-6);
}

TEST(Constrain, needs_no_more_forces_than_rattle_where_the_position_comes_before_the_force) {
    const auto model = Model::load("triple-pendulum");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const auto forces = [&](const std::string& spec, int steps) {
        const auto stepper = make_stepper<double>(method(spec), *system);
        stepper->start(0, start.q, start.p, 0.01);
        for (int n = 0; n < steps; ++n) {
            stepper->advance();
            stepper->accept();
        }
        return stepper->evaluations().count[Evaluations<double>::force];
    };
    for (const auto* spec :
         {"constrain(verlet)", "constrain(symplectic-euler)", "constrain(symplectic-euler-adjoint)"}) {
        EXPECT_EQ(forces(spec, 20) - forces(spec, 10), 10) << spec;
        EXPECT_TRUE(method(spec).claims().is_explicit) << spec;
    }
    EXPECT_GT(forces("constrain(verlet-b)", 20) - forces("constrain(verlet-b)", 10), 20);
    EXPECT_FALSE(method("constrain(verlet-b)").claims().is_explicit);
}

TEST(Constrain, says_which_bases_would_do) {
    const auto fault = [](const std::string& spec) -> std::string {
        try {
            (void)method(spec);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no fault";
    };
    EXPECT_NE(fault("constrain(runge2)").find("such as verlet"), std::string::npos);
    EXPECT_NE(fault("constrain(leapfrog)").find("such as verlet"), std::string::npos);
    EXPECT_NE(fault("constrain").find("write e.g. constrain(verlet)"), std::string::npos);
    EXPECT_EQ(fault("constrain(verlet)"), "no fault");
    EXPECT_EQ(
        to_string(method("constrain(symplectic-euler)").record().adjoint(parse_spec("constrain(symplectic-euler)"))),
        "constrain(symplectic-euler-adjoint)");
}

// One step there with a method and back with its adjoint; separable, general and without H.
TEST(SymplecticEuler, is_undone_by_its_adjoint) {
    for (const auto* problem : {"kepler", "reversible-field", "henon-heiles"}) {
        const auto model = Model::load(problem);
        const auto system = make_system<double>(model);
        const auto start = start_state<double>(model, *system);
        const std::size_t d = start.q.size();
        const auto there = end_of<double>("symplectic-euler", *system, start, 0.1, 1);
        const StartState<double> turned{{there.begin(), there.begin() + static_cast<std::ptrdiff_t>(d)},
                                        {there.begin() + static_cast<std::ptrdiff_t>(d), there.end()}};
        auto before = start.q;
        before.insert(before.end(), start.p.begin(), start.p.end());
        EXPECT_LT(state_distance(end_of<double>("symplectic-euler-adjoint", *system, turned, -0.1, 1), before), 1e-15)
            << problem;
        EXPECT_GT(state_distance(end_of<double>("symplectic-euler", *system, turned, -0.1, 1), before), 1e-4)
            << problem;
    }
}

// HLW03 Figure 1.6: one step of h = 1.5 from (-1.8, 0.3), with a force that depends on the velocity. Values by an
// independent solution of (1.25) to 16 digits.
TEST(VerletB, takes_the_step_of_the_figure) {
    const auto model = Model::load("reversible-field");
    const auto system = make_system<double>(model);
    const auto end = end_of<double>("verlet-b", *system, {{-1.8}, {0.3}}, 1.5, 1);
    EXPECT_NEAR(end[0], -0.4764829025339108, 5e-16);
    EXPECT_NEAR(end[1], 1.464689463288119, 1e-15);
}

// With one inner step the kicks of both parts add up: the same method, other round-off.
TEST(Respa, with_one_inner_step_is_verlet_or_rattle) {
    EXPECT_LT(after_hundred_steps<double>(split_pendulums(""), "respa(1)", "verlet"), 2e-13);
    EXPECT_LT(after_hundred_steps<double>(split_pendulums(rod), "respa(1)", "rattle"), 2e-13);
    EXPECT_LT(after_hundred_steps<Quad>(split_pendulums(rod), "respa(1)", "rattle"), 2e-31);
    EXPECT_GT(after_hundred_steps<double>(split_pendulums(rod), "respa(2)", "rattle"), 1e-6);
}

// det Phi' = 1 by dual numbers, for h as large as 1/2. Runge's method fails.
TEST(Volume, is_kept_on_the_abc_flow) {
    static_assert(dual_width >= 3);
    using S = Dual<double>;
    const auto model = Model::load("abc-flow");
    const auto system = make_system<S>(model);
    auto start = start_state<S>(model, *system);
    for (std::size_t j = 0; j < 3; ++j) {
        start.q[j].tangent[static_cast<int>(j)] = 1;
    }
    const auto determinant = [&](const std::string& spec) {
        const auto end = end_of<S>(spec, *system, start, from_double<S>(0.5), 10);
        const auto a = [&](int i, int j) { return end[static_cast<std::size_t>(i)].tangent[j]; };
        return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
               a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
    };
    // Ten steps and entries up to about 10^2: products of three of them carry 1e6 epsilons of round-off at most.
    EXPECT_NEAR(determinant("volume"), 1, 1e-10);
    EXPECT_GT(std::abs(determinant("runge2") - 1), 1e-3);
}

TEST(Volume, refuses_blocks_that_move_themselves) {
    const auto model =
        Model::parse("name = \"bad\"\n[coordinates]\nq = [\"x\", \"y\"]\n[field]\nq = { x = \"y + x^2\", y = "
                     "\"-2*x*y\" }\nblocks = [[\"x\"], [\"y\"]]\n[initial]\nq = [0.3, 0.1]\n",
                     "bad");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    EXPECT_THROW(make_stepper<double>(method("volume"), *system)->start(0, start.q, start.p, 0.1), InputError);
}

// A step of more than twenty periods of the stiff part, h omega = 140: the energy, 1/2 at the start, stays within one
// per cent.
TEST(MidpointVerlet, takes_steps_far_beyond_the_stiff_period) {
    const auto model = Model::parse("name = \"stiff\"\n[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\n"
                                    "[dynamics.potential]\nslow = \"y^2/2 + x^2*y^2/3\"\n"
                                    "stiff = \"1e6*(x - y/3)^2*(1 + x^2/10)\"\n[initial]\nq = [\"1/3\", 1]\n",
                                    "stiff");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const double energy = system->energy(0, start.q, start.p);
    for (const int steps : {10, 100, 1000}) {
        const auto end = end_of<double>("midpoint-verlet", *system, start, 0.1, steps);
        const std::span<const double> all(end);
        EXPECT_NEAR(system->energy(0, all.first(2), all.last(2)), energy, 0.005) << steps;
    }
}

// The implicit Euler method on q' = p, p' = -q divides the radius by sqrt(1 + h^2) in every step.
TEST(Bdf, of_order_one_damps_an_oscillator_as_implicit_euler_does) {
    const auto model = Model::load("harmonic-oscillator");
    const auto system = make_system<double>(model);
    const auto end = end_of<double>("bdf(1)", *system, {{1}, {0}}, 0.1, 10);
    EXPECT_NEAR(std::hypot(end[0], end[1]), std::pow(1.01, -5), 1e-14);
}

TEST(Bdf, keeps_positions_on_the_constraints_and_loses_the_energy) {
    const auto model = Model::load("pendulum");
    const auto system = make_system<double>(model);
    const auto start = moving_start<double>(model, *system);
    const auto end = end_of<double>("bdf(2)", *system, start, 0.05, 400);
    const std::size_t d = start.q.size();
    const std::span<const double> q(end.data(), d), p(end.data() + d, d);
    std::vector<double> g(system->constraints());
    system->constraint(0, q, g);
    EXPECT_LT(std::abs(g[0]), 1e-15);
    EXPECT_GT(std::abs(system->energy(0, q, p) - system->energy(0, start.q, start.p)), 1e-2);
}

}  // namespace
}  // namespace libration
