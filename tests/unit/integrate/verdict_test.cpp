// Verdicts from made-up numbers, and error histories whose growth is known.
#include "integrate/companion.hpp"

#include <libration/integrate/run.hpp>
#include <libration/integrate/verdict.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace libration {
namespace {

// A pendulum-like run: T up to 2, U from -1 to 1.
Run judged_run(double energy_error) {
    Run run;
    run.steps = 1000;
    run.t = 10;
    run.energy.max_error = run.balance.max_error = energy_error;
    run.energy_scale = {2, -1, 1};
    run.turn = 0.01;
    return run;
}

VerdictWord word_of(const Run& run) { return judge(run, {}).word; }

TEST(RunVerdict, ComparesTheEnergyErrorWithTheLargestEnergies) {
    EXPECT_EQ(word_of(judged_run(0)), VerdictWord::good);
    EXPECT_EQ(word_of(judged_run(0.03)), VerdictWord::good);
    EXPECT_EQ(word_of(judged_run(0.05)), VerdictWord::rough);
    EXPECT_EQ(word_of(judged_run(0.39)), VerdictWord::rough);
    EXPECT_EQ(word_of(judged_run(0.41)), VerdictWord::meaningless);
    EXPECT_EQ(word_of(judged_run(std::numeric_limits<double>::quiet_NaN())), VerdictWord::rough);
}

// A free top exchanges no energy, and a system at rest has none.
TEST(RunVerdict, IsNotMisledByEnergiesThatAreNotExchanged) {
    auto top = judged_run(1e-3);
    top.energy_scale = {0.75, 0, 0};
    EXPECT_EQ(word_of(top), VerdictWord::good);
    auto rest = judged_run(3e-15);
    rest.energy_scale = {0, -9.81, -9.81};
    EXPECT_EQ(word_of(rest), VerdictWord::good);
    auto nothing = judged_run(0);
    nothing.energy_scale = {0, 0, 0};
    EXPECT_EQ(word_of(nothing), VerdictWord::good);
}

// A run that was begun by a version that did not measure them.
TEST(RunVerdict, IsNotMisledByAnUnknownScale) {
    auto run = judged_run(1e-3);
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    run.energy_scale = {unknown, unknown, unknown};
    EXPECT_EQ(word_of(run), VerdictWord::good);
}

TEST(RunVerdict, SaysWhatToDoUnlessAllIsWell) {
    EXPECT_FALSE(judge(judged_run(1), {}).reasons.back().find("to do: ") == std::string::npos);
    EXPECT_TRUE(judge(judged_run(0), {}).reasons.back().find("to do: ") == std::string::npos);
}

TEST(RunVerdict, CallsOutDoubts) {
    const auto verdict = judge(judged_run(0), {"the force 'x' is declared dissipative but adds energy"});
    EXPECT_EQ(verdict.word, VerdictWord::rough);
    EXPECT_NE(verdict.reasons.front().find("declared dissipative"), std::string::npos);
    EXPECT_NE(verdict.reasons.back().find("correct the model"), std::string::npos);
}

TEST(RunVerdict, FindsMotionThatStepsDoNotResolve) {
    auto run = judged_run(1e-15);  // gauss keeps quadratic energies whatever the step
    run.turn = 2;
    run.error_estimate = ErrorEstimate{.error = 1.5, .early_error = 0.2, .at_end = 1.5};
    EXPECT_EQ(word_of(run), VerdictWord::rough);
    run.error_estimate->early_error = 1.5;
    EXPECT_EQ(word_of(run), VerdictWord::meaningless);
    run.error_estimate = ErrorEstimate{.error = 1e-6, .early_error = 1e-7, .at_end = 1e-5};
    EXPECT_EQ(word_of(run), VerdictWord::good);  // a method of high order
}

TEST(RunVerdict, FindsADriftThatIsNoOscillation) {
    auto run = judged_run(0.03);
    for (int k = 0; k <= 500; ++k) {
        run.energy_history.t.push_back(0.02 * k);
        run.energy_history.error.push_back(0.03 * k / 500);
    }
    EXPECT_EQ(word_of(run), VerdictWord::rough);
    for (int k = 0; k <= 500; ++k) {
        run.energy_history.error[static_cast<std::size_t>(k)] = 0.03 * std::sin(k);
    }
    EXPECT_EQ(word_of(run), VerdictWord::good);
}

TEST(RunVerdict, NeverCallsAFailedRunGood) {
    auto run = judged_run(0);
    run.failure = RunFailure{5, 0.05, "newton", "no"};
    EXPECT_EQ(word_of(run), VerdictWord::rough);
    run.steps = 0;
    EXPECT_EQ(word_of(run), VerdictWord::meaningless);
}

TEST(RunVerdict, NeedsMonitorsAndSteps) {
    auto run = judged_run(0);
    EXPECT_TRUE(can_be_judged(run));
    run.monitor = 0;
    EXPECT_FALSE(can_be_judged(run));
    run.monitor = 1;
    run.steps = 0;
    EXPECT_FALSE(can_be_judged(run));
}

TEST(RunVerdict, OfFieldsIsThatOfTheEstimate) {
    auto run = judged_run(std::numeric_limits<double>::quiet_NaN());
    run.energy.changed_by = "no Hamiltonian";
    run.turn = std::numeric_limits<double>::quiet_NaN();
    run.error_estimate = ErrorEstimate{.error = 1e-4, .early_error = 1e-6, .at_end = 1e-3};
    EXPECT_EQ(word_of(run), VerdictWord::good);
    run.error_estimate->at_end = 0.5;
    EXPECT_EQ(word_of(run), VerdictWord::rough);
}

template <class Error>
ErrorEstimate estimate_of(Error error, double duration, int order = 60) {
    ErrorHistory history(order);  // of so high an order that the difference is the error
    for (int n = 1; n <= 1000; ++n) {
        history.note(n, 0.1 * n, error(0.1 * n), 0.1);
    }
    return history.estimate(duration);
}

TEST(ErrorHistory, ExtrapolatesPowers) {
    const auto linear = estimate_of([](double t) { return 1e-6 * t; }, 1e4);
    EXPECT_FALSE(linear.chaotic);
    EXPECT_NEAR(linear.exponent, 1, 0.05);
    EXPECT_NEAR(linear.at_end, 1e-2, 2e-3);
    EXPECT_TRUE(std::isnan(linear.horizon));
    const auto quadratic = estimate_of([](double t) { return 1e-7 * t * t; }, 1e4);
    EXPECT_NEAR(quadratic.exponent, 2, 0.05);
    EXPECT_NEAR(quadratic.at_end, 10, 3);
    EXPECT_NEAR(quadratic.horizon, 1000, 100);
}

TEST(ErrorHistory, TellsExponentialGrowth) {
    const auto chaos = estimate_of([](double t) { return std::min(2.0, 1e-9 * std::exp(0.3 * t)); }, 1e4);
    EXPECT_TRUE(chaos.chaotic);
    EXPECT_TRUE(std::isnan(chaos.at_end));
    EXPECT_NEAR(chaos.horizon, std::log(1e8) / 0.3, 1);
    const auto later = estimate_of([](double t) { return 1e-13 * std::exp(0.2 * t); }, 1e4);
    EXPECT_TRUE(later.chaotic);
    EXPECT_NEAR(later.horizon, std::log(1e12) / 0.2, 5);
}

// From rest, errors grow fast at first; a quarter of an oscillation is no chaos.
TEST(ErrorHistory, DoesNotTakeAStartFromRestForChaos) {
    ErrorHistory history(60);
    for (int n = 1; n <= 1000; ++n) {
        history.note(n, 1e-3 * n, 1e-6 * std::pow(1e-3 * n, 5), 1.5e-3);
    }
    EXPECT_FALSE(history.estimate(10).chaotic);
}

TEST(ErrorHistory, KnowsTheOrder) {
    EXPECT_NEAR(estimate_of([](double) { return 1e-6; }, 100, 1).error, 2e-6, 1e-20);
    EXPECT_NEAR(estimate_of([](double) { return 3e-6; }, 100, 2).error, 4e-6, 1e-20);
}

TEST(CompanionSteps, AreATenthOfTheCostOrAMillisecond) {
    EXPECT_EQ(companion_steps(15000, 6), 500);
    EXPECT_EQ(companion_steps(20000, 6), companion_steps(160000, 6));
    EXPECT_EQ(companion_steps(2400000, 6), 10000);
    EXPECT_EQ(companion_steps(1000, 6), 100);
    EXPECT_EQ(companion_steps(20, 6), 20);
    EXPECT_EQ(companion_steps(20, 100000), 0);
}

}  // namespace
}  // namespace libration
