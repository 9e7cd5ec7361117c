// Orders, symplecticity, symmetry and energy of methods on a singular mass matrix, and the four-bar linkage, whose
// constraints become dependent twice a turn.
#include <libration/analysis/certify.hpp>
#include <libration/analysis/check.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

TEST(SingularMassFigures, methods_keep_their_claims) {
    for (const auto* spec : {"lobatto(2)", "lobatto(3)", "lobatto(4)", "spark(2)", "spark(3)", "spark(4)"}) {
        const auto found = certify(method(spec), Model::load("pendulum-redundant"), {.step = 0.25, .work = 200'000});
        const double order = 2.0 * (spec[std::string_view(spec).size() - 2] - '0') - 2;
        const auto& measured = found.measurement;
        for (const auto* one : {&measured.q, &measured.p, &measured.lambda}) {
            ASSERT_TRUE(one->value.has_value()) << spec;
            EXPECT_NEAR(*one->value, order, 0.1) << spec;
        }
        EXPECT_TRUE(measured.symmetry.is_round_off()) << spec << ' ' << measured.symmetry.size;
        EXPECT_TRUE(measured.symplecticity.is_round_off())
            << spec << ' ' << measured.symplecticity.size << ' ' << measured.symplecticity.failure;
        EXPECT_TRUE(found.with(Verdict::contradicted).empty()) << spec << ' ' << found.with(Verdict::contradicted)[0];
    }
}

// 10,000 steps: no trend in the energy.
TEST(SingularMassFigures, energy_stays_bounded) {
    const auto model = Model::load("pendulum-redundant");
    const auto a = integrate(model, method("lobatto(3)"), {.step = 0.05, .steps = 1'000});
    const auto b = integrate(model, method("lobatto(3)"), {.step = 0.05, .steps = 10'000});
    ASSERT_EQ(b.status, RunStatus::completed);
    EXPECT_GT(a.energy.max_error, 1e-8);
    EXPECT_LT(b.energy.max_error, 1.02 * a.energy.max_error);
    EXPECT_LT(b.constraint.max, 1e-15);
}

// ------------------------------------------------------------------------------------------------------ the four-bar
// linkage

constexpr double x10 = 0.328458111540815378652164168, y10 = 0.944518538178600962161285439;
constexpr double singular_time = 0.714355529292960472455484154;

bool all_finite(const Run& run) {
    const auto finite = [](const std::vector<double>& values) {
        for (const double x : values) {
            if (!std::isfinite(x)) {
                return false;
            }
        }
        return true;
    };
    return finite(run.q) && finite(run.p) && finite(run.v) && finite(run.lambda) && std::isfinite(run.energy.final) &&
           std::isfinite(run.energy.max_error) && std::isfinite(run.constraint.max) &&
           std::isfinite(run.constraint.hidden_max) && std::isfinite(run.constraint.max_floors);
}

// Ten turns and more: twenty times past positions where all bars lie on one line. Figures of an independent program,
// which give the larger error of the two coordinates; conditions of 1e4 and more leave round-off of 1e-10 at the
// smallest step.
TEST(FourBar, passes_its_singular_positions_with_the_known_errors) {
    struct Known {
        double h, error, energy, round_off;
    };
    for (const auto* spec : {"lobatto(3)", "spark(3)"}) {
        for (const auto& known : {Known{0.01, 1.430e-7, 1.14e-6, 0}, Known{0.005, 8.94e-9, 7.13e-8, 0},
                                  Known{0.0025, 5.58e-10, 4.46e-9, 1e-10}}) {
            const auto run = integrate(Model::load("four-bar"), method(spec), {.step = known.h, .duration = 10});
            ASSERT_EQ(run.status, RunStatus::completed) << spec << ' ' << run.failure->message;
            const double error = std::max(std::abs(run.q[0] - x10), std::abs(run.q[1] - y10));
            EXPECT_NEAR(error, known.error, 5e-4 * known.error + 1e-12 + known.round_off) << spec << ' ' << known.h;
            EXPECT_NEAR(run.energy.max_error, known.energy, 5e-3 * known.energy + known.round_off) << spec;
            EXPECT_LT(run.constraint.max, 1e-12);  // the iteration stagnates there, at round-off times the condition
            EXPECT_TRUE(all_finite(run));
        }
    }
}

// A step that lands on the singular position: it may pass or fail, but it never leaves anything that is not a number,
// and says why.
TEST(FourBar, at_the_singular_step_ends_with_a_reason_and_the_last_good_state) {
    int failed = 0;
    for (const auto* spec : {"lobatto(2)", "lobatto(3)", "lobatto(4)", "spark(2)", "spark(3)", "spark(4)", "rattle"}) {
        for (const int n : {36, 72, 144, 288, 576}) {
            struct Watch final : Observer {
                void see(const Sample& sample) override {
                    for (const auto values : {sample.q, sample.p, sample.v, sample.lambda}) {
                        for (const double x : values) {
                            finite = finite && std::isfinite(x);
                        }
                    }
                    finite = finite && std::isfinite(sample.energy) && std::isfinite(sample.constraint) &&
                             std::isfinite(sample.hidden);
                }
                bool finite = true;
            } watch;
            const auto run =
                integrate(Model::load("four-bar"), method(spec), {.step = singular_time / n, .steps = n + 5}, watch);
            EXPECT_TRUE(watch.finite) << spec << ' ' << n;
            EXPECT_TRUE(all_finite(run)) << spec << ' ' << n;
            if (run.status == RunStatus::failed) {
                ++failed;
                EXPECT_TRUE(run.failure->kind == "rank" || run.failure->kind == "newton") << run.failure->kind;
                EXPECT_FALSE(run.failure->message.empty());
                EXPECT_GE(run.steps, n - 1);  // all before were good
                EXPECT_LT(run.energy.max_error, 0.1);
            }
        }
    }
    EXPECT_GT(failed, 0);
}

TEST(FourBar, of_forty_loops_has_the_known_energy) {
    const auto found = check(Model::load("four-bar", {{"n", "40"}}));
    EXPECT_TRUE(found.faults.empty());
    EXPECT_EQ(found.dimension, 82U);
    EXPECT_EQ(found.rank, 81U);
    EXPECT_NEAR(found.energy, 620.338333333333, 1e-9);
}

}  // namespace
}  // namespace libration
