// Newton's matrix of the stages of spark(s): the sparse one gives the corrections of the dense one, and large models
// are solved as small ones are.
#include "integrate/start.hpp"
#include "interruption.hpp"
#include "manifold/manifold.hpp"
#include "methods/make_spark_matrix.hpp"
#include "methods/spark_stages.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// Two bodies in space with a hinge, a spring with a part of its own, dampers, a force with a multiplier and a wheel.
constexpr const char* two_bodies = R"toml(
[[body]]
name = "arm"
mass = 2
inertia = [0.3, 0.2, 0.4]
position = [0.5, 0, 0]
omega = [0, 0.4, 0]
[body.points]
hub = [-0.5, 0, 0]
end = [0.5, 0, 0]
[[body]]
name = "hand"
mass = 1
inertia = [0.1, 0.15, 0.05]
position = [1.5, 0, 0]
omega = [0, 0.4, 0]
velocity = [0, 0, -0.4]
[body.points]
tip = [0.5, 0, 0]
[[joint]]
name = "elbow"
type = "revolute"
between = ["arm", "hand"]
at = [1, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "ball"
type = "spherical"
between = ["ground", "arm"]
at = [0, 0, 0]
[dynamics]
gravity = [0, 0, -9.81]
potential = { slow = "0", fast = "20*(hand.r.x^2 + (hand.r.y - 1)^2)*(1 + arm.r.x^2)" }
{ROLLING}
[[damper]]
between = ["hand.tip", [1, 1, 1]]
coefficient = 0.7
[[damper]]
joint = "elbow"
coefficient = 0.3
[[forces]]
name = "friction"
class = "dissipative"
force = { at = "arm.end", value = ["-0.1*v_arm.end.x*({MULTIPLIER})", "-0.2*v_arm.end.y", 0] }
[spark]
force.fast = "C"
{POSITION}
)toml";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
    return text;
}

// A disk that rolls in the plane, whose heading is a vector, with drag.
constexpr const char* rolling_disk = R"toml(
[coordinates]
q = ["x", "y", "phi", "c", "s"]
[dynamics]
mass = [2, 2, 0.5, 0.3, 0.3]
potential = "-9.8*x + 0.5*(x*c)^2"
constraints = ["c^2 + s^2 - 1"]
nonholonomic = ["v_x - 0.5*v_phi*c", "v_y - 0.5*v_phi*s"]
[[forces]]
name = "drag"
class = "dissipative"
on = { x = "-0.3*v_x^3 - 0.1*lambda_1^2*v_x", phi = "-0.2*v_phi*c" }
[initial]
q = [0, 0, 0, 1, 0]
v = [1, 0, 2, 0, 2]
)toml";

// Corrections of both matrices for a right-hand side that has no meaning.
void expect_same_corrections(const Model& model, std::size_t stages, bool same) {
    SCOPED_TRACE(fmt::format("{} spark({}) {}", model.name, stages, same ? "one stage" : "all stages"));
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    SparkStages<double> at(*system, stages);
    const auto& layout = at.layout();
    State<double> z(*system, *constraint_matrix(*system));
    z.q.assign(start.q, {});
    z.p.assign(start.p, {});
    Evaluations<double> evaluations;
    z.at.evaluate_constraints(*system, *constraint_matrix(*system), 0, z.q.high, z.p.high, evaluations);
    const Substep<double> step{0.0, 0.05, 0.05};
    at.choose_direction(step.h);
    std::vector<double> x(layout.unknowns());
    for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] = 0.02 * std::sin(1.0 + 3 * static_cast<double>(k));
    }
    at.evaluate(step, z, x);
    SparkBlocks<double> sparse(*system, layout);
    SparkNewton<double> dense(*system, layout);
    std::array<std::vector<double>, 2> corrections, noise_p, noise_q;
    const std::array<SparkMatrix<double>*, 2> matrices{&sparse, &dense};
    for (std::size_t m = 0; m < 2; ++m) {
        for (std::size_t i = 0; i < (same ? 1 : stages); ++i) {
            matrices[m]->linearise(i, same ? at.start_point(step, z, x) : at.stage_point(step, z, x, i));
        }
        matrices[m]->assemble({step.h, &at.coefficients().mixes, &at.constraint_weights(), &at.rolling(), same});
        for (std::size_t k = 0; k < x.size(); ++k) {
            corrections[m].push_back(std::cos(2.0 + 5 * static_cast<double>(k)));
        }
        matrices[m]->solve(corrections[m]);
        noise_p[m].resize(layout.dimension);
        noise_q[m].resize(layout.dimension);
        matrices[m]->noise(z.q.high, z.p.high, noise_p[m], noise_q[m]);
    }
    double largest = 0;
    for (const double value : corrections[1]) {
        largest = std::max(largest, std::abs(value));
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
        // The matrices have condition numbers of some 1e5: multipliers are larger than momenta by 1/h^2.
        EXPECT_NEAR(corrections[0][k], corrections[1][k], 1e-11 * largest) << k;
    }
    for (std::size_t k = 0; k < layout.dimension; ++k) {
        EXPECT_NEAR(noise_q[0][k], noise_q[1][k], 1e-13 * (1 + noise_q[1][k]));
        // The dense matrix adds up entries of different terms before it takes magnitudes.
        EXPECT_LE(noise_p[1][k], noise_p[0][k] * (1 + 1e-13));
    }
}

Model everything_with(const std::string& rolling, const std::string& multiplier, const std::string& position) {
    auto text = replaced(two_bodies, "{ROLLING}", rolling);
    text = replaced(text, "{MULTIPLIER}", multiplier);
    return Model::parse(replaced(text, "{POSITION}", position), multiplier + rolling + position);
}

TEST(SparkBlocks, give_the_corrections_of_the_dense_matrix) {
    for (const std::size_t stages : {2U, 3U, 4U}) {
        for (const bool same : {true, false}) {
            expect_same_corrections(everything_with("", "1", ""), stages, same);
            expect_same_corrections(everything_with("", "1", "position = \"C\""), stages, same);
            expect_same_corrections(everything_with("", "elbow.force.x^2", ""), stages, same);
            expect_same_corrections(everything_with("nonholonomic = [\"v_hand.tip.y - 0.3*v_arm.r.x\"]", "1", ""),
                                    stages, same);
            expect_same_corrections(Model::parse(rolling_disk, "disk"), stages, same);
            expect_same_corrections(Model::load("damped-spherical-pendulum"), stages, same);
        }
    }
}

// Disks that know nothing of each other.
Model disks(int count, const std::string& start = "[0, 0, 0, 1, 0]") {
    const auto each = [&](const std::string& part, const std::string& separator) {
        std::string all;
        for (int k = 1; k <= count; ++k) {
            std::string one = part;
            for (auto at = one.find('#'); at != std::string::npos; at = one.find('#', at)) {
                one.replace(at, 1, std::to_string(k));
            }
            all += (k == 1 ? "" : separator) + one;
        }
        return all;
    };
    const auto inner = [](const std::string& list) { return list.substr(1, list.size() - 2); };
    return Model::parse(
        "[coordinates]\nq = [" + each(R"("x#", "y#", "phi#", "c#", "s#")", ", ") + "]\n[dynamics]\nmass = [" +
            each("2, 2, 0.5, 0.3, 0.3", ", ") + "]\npotential = \"" + each("-9.8*x# + 0.5*(x#*c#)^2", " + ") +
            "\"\nconstraints = { " + each("circle# = \"c#^2 + s#^2 - 1\"", ", ") + " }\nnonholonomic = { " +
            each("along# = \"v_x# - 0.5*v_phi#*c#\", across# = \"v_y# - 0.5*v_phi#*s#\"", ", ") + " }\n" +
            "[initial]\nq = [" + each(inner(start), ", ") + "]\nv = [" + each("1, 0, 2, 0, 2", ", ") + "]\n" +
            each("[[forces]]\nname = \"drag#\"\nclass = \"dissipative\"\non = { x# = \"-0.3*v_x#^3 - "
                 "0.03*lambda_along#^2*v_x#\", phi# = \"-0.2*v_phi#*c#\" }\n",
                 ""),
        std::to_string(count) + " disks");
}

// Of one disk the matrices are dense, of fifty they are sparse: those of the stages and those of the reactions.
TEST(SparkBlocks, many_disks_roll_like_one) {
    constexpr int count = 50;
    const IntegrationOptions options{.step = 0.05, .steps = 12};
    const auto one = integrate(disks(1), method("spark(3)"), options);
    const auto many = integrate(disks(count), method("spark(3)"), options);
    ASSERT_EQ(one.status, RunStatus::completed);
    ASSERT_EQ(many.status, RunStatus::completed);
    EXPECT_LT(many.constraint.max, 1e-15);
    EXPECT_LT(many.constraint.hidden_max, 1e-13);
    for (std::size_t k = 0; k < many.q.size(); ++k) {
        EXPECT_NEAR(many.q[k], one.q[k % 5], 1e-13);
        EXPECT_NEAR(many.p[k], one.p[k % 5], 1e-13);
    }
    for (std::size_t k = 0; k < many.lambda.size(); ++k) {  // circles first
        const std::size_t of_one = k < count ? 0 : 1 + k % 2;
        EXPECT_NEAR(many.lambda[k], one.lambda[of_one], 1e-11) << k;
    }
}

TEST(SparkBlocks, starts_of_large_models_are_projected_onto_all_constraints) {
    auto options = IntegrationOptions{.step = 0.05, .steps = 2, .project = true};
    const auto one = integrate(disks(1, "[0, 0, 0, 0.9, 0.5]"), method("spark(3)"), options);
    const auto many = integrate(disks(50, "[0, 0, 0, 0.9, 0.5]"), method("spark(3)"), options);
    ASSERT_EQ(many.status, RunStatus::completed);
    for (std::size_t k = 0; k < many.p.size(); ++k) {
        EXPECT_NEAR(many.p[k], one.p[k % 5], 1e-13);
    }
}

// --------------------------------------------------------------------------------------- which iteration is first

// A damper that a step of 0.02 does not resolve, and one that it does.
Model damped(const char* coefficient) {
    return Model::parse(fmt::format(R"toml(
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "0.5*x^2 + 0.5*y^2*(1 + x^2)"
[[forces]]
name = "damper"
class = "stiff"
on = {{ x = "-{}*(v_x + v_y*x)" }}
[initial]
q = [1, 0.5]
)toml",
                                    coefficient),
                        "damped.toml");
}

// Matrices are counted: none where the iteration with frozen forces converges; otherwise one in a step, of which 256
// follow each other before the iteration without a matrix is tried again.
TEST(SparkWays, without_a_matrix_come_first_and_again_after_some_time) {
    const auto matrices = [](const char* coefficient, std::int64_t steps) {
        return integrate(damped(coefficient), method("spark(3)"), {.step = 0.02, .steps = steps})
            .evaluations.factorizations;
    };
    EXPECT_EQ(matrices("1", 300), 0);
    EXPECT_EQ(matrices("1e4", 1), 1);
    EXPECT_EQ(matrices("1e4", 256), 256);
    const auto work = [](std::int64_t steps) {
        return integrate(damped("1e4"), method("spark(3)"), {.step = 0.02, .steps = steps}).evaluations.force;
    };
    // The step of the trial evaluates more than those around it.
    EXPECT_GT(work(258) - work(257), 2 * (work(257) - work(256)));
    EXPECT_LT(work(259) - work(258), 2 * (work(257) - work(256)));
}

TEST(SparkWays, take_new_matrices_where_one_in_a_step_needs_many_corrections) {
    // 69 corrections a step with one matrix; those of the first step are not known before it.
    const auto run = integrate(Model::load("wheelset"), method("spark(3)"), {.step = 0.05, .steps = 40});
    EXPECT_EQ(run.status, RunStatus::completed);
    EXPECT_LT(run.evaluations.newton_iterations, 40 * 12);
    EXPECT_GT(run.evaluations.factorizations, 40 * 4);
}

// A run that is continued takes the way of the one that was not interrupted: bits, and what they cost.
TEST(SparkWays, are_part_of_the_memory) {
    const auto wheels = Model::load("wheelset");
    const auto stiff = damped("1e4");
    for (const auto& [model, step] : {std::pair(&stiff, 0.02), std::pair(&wheels, 0.05)}) {
        for (const std::int64_t at : {1, 30}) {
            const auto parts = [&](std::int64_t steps, std::span<const std::byte> memory, LastCheckpoint& kept) {
                Integration integration(*model, method("spark(3)"), {.step = step, .steps = steps});
                integration.checkpoint_to(kept);
                if (!memory.empty()) {
                    integration.restore(memory);
                }
                return integration.run();
            };
            LastCheckpoint begun, ended, whole;
            static_cast<void>(parts(at, {}, begun));
            const auto continued = parts(60, begun.bytes, ended);
            const auto once = parts(60, {}, whole);
            EXPECT_EQ(continued.q, once.q) << model->name << at;
            EXPECT_EQ(continued.p, once.p) << model->name << at;
            EXPECT_EQ(continued.evaluations.force, once.evaluations.force) << model->name << at;
            EXPECT_EQ(continued.evaluations.factorizations, once.evaluations.factorizations) << model->name << at;
        }
    }
}

}  // namespace
}  // namespace libration
