// Rigid bodies: the matrix algorithm against the solution of the same constraints as any others.
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include "methods/kick_drift.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace libration {
namespace {

struct Top {
    std::string name = "a";
    std::array<std::string, 3> d{"0.25", "0.75", "1.25"};  // principal moments 2, 1.5, 1
};

// What a model says of one body, or of more, in the order of the model format.
struct Parts {
    std::vector<std::string> coordinates, masses, constraints, q, v;
    std::vector<Body> bodies;

    void add(const Top& top) {
        Body body;
        body.name = top.name;
        body.first = coordinates.size();
        body.first_row = constraints.size();
        bodies.push_back(body);
        const auto entry = [&](int i, int j) { return fmt::format("{}{}{}", top.name, i, j); };
        for (int i = 1; i <= 3; ++i) {
            for (int j = 1; j <= 3; ++j) {
                coordinates.push_back(entry(i, j));
                masses.push_back(top.d[static_cast<std::size_t>(j - 1)]);
            }
        }
        for (const auto& [i, j] : {std::pair{1, 1}, {2, 2}, {3, 3}, {1, 2}, {1, 3}, {2, 3}}) {
            constraints.push_back(fmt::format("{}*{} + {}*{} + {}*{} - {}", entry(1, i), entry(1, j), entry(2, i),
                                              entry(2, j), entry(3, i), entry(3, j), i == j ? 1 : 0));
        }
        // Q = R_x(1), V = Q w^ with the angular velocity w = (0.3, -0.2, 2) in the body.
        const std::array<std::string, 9> position{"1", "0", "0", "0", "cos(1)", "-sin(1)", "0", "sin(1)", "cos(1)"};
        const std::array<std::string, 9> velocity{"0",
                                                  "-2",
                                                  "-0.2",
                                                  "2*cos(1) - 0.2*sin(1)",
                                                  "-0.3*sin(1)",
                                                  "-0.3*cos(1)",
                                                  "2*sin(1) + 0.2*cos(1)",
                                                  "0.3*cos(1)",
                                                  "-0.3*sin(1)"};
        q.insert(q.end(), position.begin(), position.end());
        v.insert(v.end(), velocity.begin(), velocity.end());
    }

    [[nodiscard]] Model model(const std::string& potential) const {
        const auto quoted = [](const std::vector<std::string>& words) {
            std::string list;
            for (const auto& word : words) {
                list += (list.empty() ? "\"" : ", \"") + word + "\"";
            }
            return "[" + list + "]";
        };
        return Model::parse("name = \"bodies\"\n[coordinates]\nq = " + quoted(coordinates) +
                                "\n[dynamics]\nmass = " + quoted(masses) + "\npotential = " + potential +
                                "\nconstraints = " + quoted(constraints) + "\n[initial]\nq = " + quoted(q) +
                                "\nv = " + quoted(v) + "\n",
                            "bodies");
    }
};

// The same model as any other, and with its bodies named.
struct TwoWays {
    Model generic, fast;
    TwoWays(const Parts& parts, const std::string& potential) : generic(parts.model(potential)), fast(generic) {
        fast.bodies = parts.bodies;
    }
};

TwoWays heavy_top(const Top& top = {}) {
    Parts parts;
    parts.add(top);
    return {parts, R"("a33")"};
}

TwoWays two_tops() {
    Parts parts;
    parts.add({});
    parts.add({"b", {"2", "0.5", "0.7"}});
    return {parts, R"("a33 + 2*b31 + a11*b22")"};
}

// A pendulum lies between two bodies, and pulls at the first.
TwoWays tops_and_pendulum() {
    Parts parts;
    parts.add({});
    parts.coordinates.insert(parts.coordinates.end(), {"x", "y"});
    parts.masses.insert(parts.masses.end(), {"1", "1"});
    parts.constraints.emplace_back("x^2 + y^2 - 1");
    parts.q.insert(parts.q.end(), {"0.6", "-0.8"});
    parts.v.insert(parts.v.end(), {"0.8", "0.6"});
    parts.add({"b", {"2", "0.5", "0.7"}});
    return {parts, R"("a33 + y + 2*b31 + x*a13")"};
}

template <class S>
struct Result {
    std::vector<S> state;  // q, p
    double converged = 1;
    std::array<double, Evaluations<S>::kinds> count{};
};

template <class S>
Result<S> result_of(const Model& model, const std::string& spec, double h, int steps) {
    const auto system = make_system<S>(model);
    auto start = start_state<S>(model, *system);
    Manifold<S>(*system).project_momentum(lit<S>(0), start.q, start.p);
    for (auto& p : start.p) {
        if constexpr (requires { p.tangent; }) {  // twice as fast stays on the manifold
            p.tangent[0] = p.value;
        }
    }
    const auto stepper = make_stepper<S>(method(spec), *system);
    stepper->start(lit<S>(0), start.q, start.p, from_double<S>(h));
    Result<S> result;
    for (int n = 0; n < steps; ++n) {
        result.converged = std::min(result.converged, to_double(stepper->advance().converged));
        stepper->accept();
    }
    const auto node = stepper->node();
    result.state.assign(node.q.begin(), node.q.end());
    result.state.insert(result.state.end(), node.p.begin(), node.p.end());
    for (std::size_t k = 0; k < result.count.size(); ++k) {
        result.count[k] = to_double(stepper->evaluations().count[k]);
    }
    return result;
}

// In units of round-off of the largest number.
template <class S>
double difference(const TwoWays& models, const std::string& spec, double h, int steps) {
    const auto generic = result_of<S>(models.generic, spec, h, steps);
    const auto fast = result_of<S>(models.fast, spec, h, steps);
    EXPECT_EQ(generic.converged, 1) << spec << " " << h;
    EXPECT_EQ(fast.converged, 1) << spec << " " << h;
    double most = 0, largest = 0;
    for (std::size_t j = 0; j < fast.state.size(); ++j) {
        const S apart = generic.state[j] - fast.state[j];
        most = std::max(most, std::abs(to_double(apart)));
        largest = std::max(largest, std::abs(to_double(generic.state[j])));
        if constexpr (requires { apart.tangent; }) {
            most = std::max(most, std::abs(to_double(apart.tangent[0])));
        }
    }
    return most / largest / to_double(epsilon<S>());
}

constexpr auto force = Evaluations<double>::force, jacobian = Evaluations<double>::jacobian,
               factorizations = Evaluations<double>::factorizations,
               newton_passes = Evaluations<double>::newton_iterations;

// The generic way rounds each g some times, which moves q and p by some units. The momenta of SHAKE are differences of
// positions: there the units are divided by h.
TEST(RigidBodies, a_step_is_that_of_the_generic_solution) {
    for (const auto& models : {heavy_top(), two_tops(), tops_and_pendulum()}) {
        for (const auto* spec : {"rattle", "shake", "compose(rattle, suzuki4)"}) {
            for (const double h : {1e-3, 0.01, 0.1, -0.1}) {
                const double bound = 8 + (std::string(spec) == "shake" ? 1 / std::abs(h) : 0);
                EXPECT_LT(difference<double>(models, spec, h, 2), bound) << spec << " " << h;
                EXPECT_LT(difference<Quad>(models, spec, h, 2), bound) << spec << " " << h;
                EXPECT_LT(difference<Dual<double>>(models, spec, h, 2), 4 * bound) << spec << " " << h;
            }
        }
    }
}

// Each step adds some units, and the motion carries errors of the momenta along for ten units of time.
TEST(RigidBodies, a_thousand_steps_stay_within_the_growth_of_round_off) {
    for (const auto& models : {heavy_top(), two_tops(), tops_and_pendulum()}) {
        EXPECT_LT(difference<double>(models, "rattle", 0.01, 1000), 1e4);
        EXPECT_LT(difference<double>(models, "shake", 0.01, 1000), 1e4);
        EXPECT_LT(difference<Quad>(models, "rattle", 0.01, 1000), 1e4);
    }
}

TEST(RigidBodies, nearly_flat_thin_and_round_ones_too) {
    for (const auto& d : {std::array<std::string, 3>{"1e-6", "0.75", "1.25"},
                          {"1", "1e-6", "1"},
                          {"1", "1", "1e-6"},
                          {"1", "1", "1"},
                          {"1000", "1", "1"}}) {
        EXPECT_LT(difference<double>(heavy_top({"a", d}), "rattle", 0.01, 2), 16) << d[0] << " " << d[1];
    }
}

// 0.25 is half a radian and needs some 46 passes of the generic iteration; beyond it gives up, and the step back must
// tell. RATTLE has no solution beyond one radian, where the sine of the angle of a step would have to be more than one.
TEST(RigidBodies, large_rotations) {
    EXPECT_LT(difference<double>(heavy_top(), "rattle", 0.25, 3), 32);
    const auto model = heavy_top().fast;
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    for (const double h : {0.3, 0.4, 0.44}) {
        const auto there = make_stepper<double>(method("rattle"), *system),
                   back = make_stepper<double>(method("rattle"), *system);
        there->start(0, start.q, start.p, h);
        ASSERT_EQ(there->advance().converged, 1) << h;
        there->accept();
        EXPECT_GT(std::abs(there->node().q[0] - 1), 0.1) << h;
        back->start(h, there->node().q, there->node().p, -h);
        ASSERT_EQ(back->advance().converged, 1) << h;
        back->accept();
        for (std::size_t j = 0; j < 9; ++j) {
            EXPECT_NEAR(back->node().q[j], start.q[j], 32 * epsilon<double>()) << h;
            EXPECT_NEAR(back->node().p[j], start.p[j], 64 * epsilon<double>()) << h;
        }
    }
}

// The multipliers of one kick and drift in quadruple precision, both ways. Rounding of g makes noise of the size
// eps/(k h) = 2e4 eps in the generic ones.
TEST(RigidBodies, the_multipliers_are_those_of_the_generic_solution) {
    const auto models = tops_and_pendulum();
    const auto system = make_system<Quad>(models.generic), named = make_system<Quad>(models.fast);
    const auto start = start_state<Quad>(models.generic, *system);
    const auto matrix = constraint_matrix(*system);
    PositionData<Quad> at(*system, *matrix);
    Evaluations<Quad> evaluations;
    at.evaluate(*system, *matrix, 0, start.q, start.p, evaluations);
    const std::size_t d = system->dimension();
    PairVector<Quad> q(d), p(d), q1(d), p1(d);
    q.assign(start.q, {});
    p.assign(start.p, {});
    std::vector<Quad> lambda(system->constraints(), 0), direct(lambda);
    KickDrift<Quad> kick_drift(*system, *matrix);
    const Quad kick = 0.005, h = 0.01;
    EXPECT_EQ(kick_drift.run(h, q, p, at, {kick, kick}, h, lambda, p1, q1, evaluations).converged, 1);
    RigidBodies<Quad>(*named).multipliers(start.q, start.p, at.force, kick, kick, h, direct);
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        if (i == 6) {  // the pendulum
            EXPECT_EQ(to_double(direct[i]), 0);
            continue;
        }
        EXPECT_GT(std::abs(to_double(lambda[i])), 0.01);
        EXPECT_LT(std::abs(to_double(direct[i] - lambda[i])), 1e5 * to_double(quad_epsilon)) << i;
    }
}

TEST(RigidBodies, alone_need_no_jacobian_and_beside_others_fewer_passes) {
    for (const auto* spec : {"rattle", "shake"}) {
        const auto alone = result_of<double>(two_tops().fast, spec, 0.1, 100);
        EXPECT_EQ(alone.count[jacobian], 0) << spec;
        EXPECT_EQ(alone.count[factorizations], 0) << spec;
        EXPECT_NEAR(alone.count[force], 100, 1) << spec;
        EXPECT_LE(alone.count[newton_passes], 200) << spec;
        const auto models = tops_and_pendulum();
        const auto beside = result_of<double>(models.fast, spec, 0.1, 100);
        const auto generic = result_of<double>(models.generic, spec, 0.1, 100);
        EXPECT_EQ(beside.count[factorizations], generic.count[factorizations]) << spec;
        EXPECT_LT(beside.count[newton_passes], generic.count[newton_passes] / 2) << spec;
    }
}

// The axis of the body is held at its angle to the vertical: no longer free, so nothing may change, not one bit.
TEST(RigidBodies, with_a_further_constraint_are_solved_as_any_system) {
    Parts parts;
    parts.add({});
    parts.constraints.emplace_back("a33 - cos(1)");
    const TwoWays models(parts, R"("a33 + a12")");
    for (const auto* spec : {"rattle", "shake"}) {
        EXPECT_EQ(difference<double>(models, spec, 0.01, 200), 0) << spec;
    }
    const auto end = result_of<double>(models.fast, "rattle", 0.01, 200).state;
    EXPECT_LT(std::abs(end[8] - std::cos(1.0)), 1e-15);
    EXPECT_GT(std::abs(end[0] - 1), 0.1);
}

// Multiple time steps project slow forces with the G and A of the inner steps.
TEST(RigidBodies, with_multiple_time_steps_are_solved_as_any_system) {
    Parts parts;
    parts.add({});
    const TwoWays models(parts, R"({ slow = "a33 + a12", fast = "5*a11^2" })");
    EXPECT_EQ(difference<double>(models, "respa(3)", 0.01, 20), 0);
}

TEST(RigidBodies, a_step_without_solution_fails_with_a_reason) {
    const auto models = heavy_top();
    for (const auto* spec : {"rattle", "shake"}) {
        for (const auto* model : {&models.generic, &models.fast}) {
            const auto run = integrate(*model, method(spec), {.step = 3, .steps = 20});
            ASSERT_EQ(run.status, RunStatus::failed) << spec;
            EXPECT_EQ(run.failure->kind, "newton") << spec;
            for (const double value : run.q) {
                EXPECT_TRUE(std::isfinite(value)) << spec;
            }
        }
    }
}

// In quadruple precision, at the pair of high and low part.
TEST(RigidBodies, stay_orthogonal_to_the_last_digit) {
    const auto models = heavy_top();
    const auto system = make_system<double>(models.fast);
    const auto start = start_state<double>(models.fast, *system);
    const auto stepper = make_stepper<double>(method("rattle"), *system);
    stepper->start(0, start.q, start.p, 0.01);
    double worst = 0;
    for (int n = 0; n < 5000; ++n) {
        EXPECT_LE(stepper->advance().residual, 1);
        stepper->accept();
        const auto node = stepper->node();
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                Quad sum = i == j ? -1 : 0;
                for (std::size_t k = 0; k < 9; k += 3) {
                    sum += (Quad{node.q[k + i]} + node.q_low[k + i]) * (Quad{node.q[k + j]} + node.q_low[k + j]);
                }
                worst = std::max(worst, std::abs(to_double(sum)));
            }
        }
    }
    // What one step adds, h |v| eps, with some sums of it.
    EXPECT_LT(worst, 4 * 0.01 * 2.3 * epsilon<double>());
}

TEST(RigidBodies, have_in_every_lane_the_bits_of_a_run_of_its_own) {
    const auto models = two_tops();
    const auto packs = make_system<Pack>(models.fast);
    const auto singles = make_system<double>(models.fast);
    const auto start = start_state<double>(models.fast, *singles);
    const std::size_t d = start.q.size();
    std::vector<Pack> q(d, lit<Pack>(0)), p(q);
    for (std::size_t j = 0; j < d; ++j) {
        for (int lane = 0; lane < pack_width; ++lane) {
            q[j].lane[lane] = start.q[j];
            p[j].lane[lane] = start.p[j] * (1 + lane);  // the last rotates by two thirds of a radian a step
        }
    }
    const auto together = make_stepper<Pack>(method("rattle"), *packs);
    together->start(lit<Pack>(0), q, p, from_double<Pack>(0.04));
    for (int n = 0; n < 50; ++n) {
        together->advance();
        together->accept();
    }
    const auto node = together->node();
    for (int lane = 0; lane < pack_width; ++lane) {
        auto p0 = start.p;
        for (auto& value : p0) {
            value *= 1 + lane;
        }
        const auto alone = make_stepper<double>(method("rattle"), *singles);
        alone->start(0, start.q, p0, 0.04);
        for (int n = 0; n < 50; ++n) {
            alone->advance();
            alone->accept();
        }
        const auto single = alone->node();
        for (std::size_t j = 0; j < d; ++j) {
            ASSERT_TRUE(std::isfinite(single.q[j])) << lane;
            EXPECT_EQ(std::memcmp(&node.q[j].lane[lane], &single.q[j], sizeof(double)), 0) << lane << " " << j;
            EXPECT_EQ(std::memcmp(&node.p[j].lane[lane], &single.p[j], sizeof(double)), 0) << lane << " " << j;
        }
    }
}

}  // namespace
}  // namespace libration
