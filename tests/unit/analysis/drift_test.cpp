// Drift: synthetic series with many seeds, and the energies of real runs.
#include "recorded.hpp"

#include <libration/integrate/drift.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace libration {

namespace {

// Normally distributed numbers by Box and Muller: the same with every standard library.
class Noise {
  public:
    explicit Noise(unsigned seed) : bits_(seed) {}
    double uniform() { return (static_cast<double>(bits_()) + 0.5) / 4294967296.0; }
    double normal() {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * M_PI * uniform());
    }

  private:
    std::mt19937 bits_;
};

struct Counts {
    int bounded = 0, random_walk = 0, linear = 0, growing = 0, changing = 0;
};

constexpr int seeds = 1000;
constexpr std::size_t series_rows = 2000;

// How often each verdict falls for series made by make(noise, t).
template <class Make>
Counts counted(Make make) {
    Counts counts;
    std::vector<double> t(series_rows), values(series_rows);
    for (int seed = 1; seed <= seeds; ++seed) {
        Noise noise(static_cast<unsigned>(seed));
        auto next = make(noise);
        for (std::size_t i = 0; i < series_rows; ++i) {
            t[i] = 0.1 * static_cast<double>(i);
            values[i] = next(t[i]);
        }
        switch (classify_drift(t, values).kind) {
            case DriftKind::bounded: ++counts.bounded; break;
            case DriftKind::random_walk: ++counts.random_walk; break;
            case DriftKind::linear: ++counts.linear; break;
            case DriftKind::growing: ++counts.growing; break;
            case DriftKind::changing: ++counts.changing; break;
        }
    }
    return counts;
}

// Four standard errors of 64 blocks: chance exceeds them once in some thousand series.
TEST(drift, does_not_find_a_trend_in_noise) {
    const auto counts = counted([](Noise& noise) { return [&noise](double) { return noise.normal(); }; });
    EXPECT_LE(counts.linear, 2);
    EXPECT_LE(counts.random_walk, 2);
    EXPECT_EQ(counts.growing, 0);
}

TEST(drift, does_not_find_a_trend_in_noise_with_memory) {
    const auto counts = counted([](Noise& noise) {
        return
            [&noise, x = 0.0](double) mutable { return x = 0.8 * x + noise.normal(); };  // for about a fifth of a block
    });
    EXPECT_LE(counts.linear, 3);
    EXPECT_LE(counts.random_walk, 3);
}

TEST(drift, does_not_find_a_trend_in_oscillations) {
    const auto counts = counted([](Noise& noise) {
        const double a = 0.1 + 20 * noise.uniform(), b = 0.1 + 20 * noise.uniform(), phase = 6 * noise.uniform();
        return [=](double t) { return 3 + std::cos(a * t + phase) + 0.3 * std::sin(b * t); };
    });
    EXPECT_EQ(counts.linear, 0);
    EXPECT_LE(counts.random_walk, 1);
    EXPECT_EQ(counts.growing, 0);
}

// Of walks, one in a thousand has a slope of four standard errors, and few are so lucky that they look bounded: 15 of
// 1000 are called something else. Such a count has the deviation sqrt(15) = 4 from one set of seeds to another: 30 are
// four of these more.
TEST(drift, knows_a_random_walk) {
    const auto counts =
        counted([](Noise& noise) { return [&noise, x = 0.0](double) mutable { return x += noise.normal(); }; });
    EXPECT_GE(counts.random_walk, seeds * 97 / 100);
    EXPECT_LE(counts.linear, 10);
    EXPECT_EQ(counts.growing, 0);
}

TEST(drift, finds_a_small_drift_below_an_oscillation) {
    // The slope of noise has the error sqrt(12/2000)/200 = 3.9e-4, with the weights sqrt(3/2) times that: 4e-3 is 8 of
    // them. Four are asked for, of an error that 62 blocks know to 1/sqrt(124) = 9%: to miss it takes three deviations,
    // one in a thousand.
    const auto counts = counted(
        [](Noise& noise) { return [&noise](double t) { return 4 * std::cos(7 * t) + noise.normal() + 4e-3 * t; }; });
    EXPECT_GE(counts.linear, seeds - 5);
    EXPECT_EQ(counts.growing, 0);
}

TEST(drift, finds_the_drift_of_a_walk_with_a_bias) {
    // The bias of 1/2 a step of size 1 is 0.5 sqrt(2000)/1.1 = 20 standard errors.
    const auto counts =
        counted([](Noise& noise) { return [&noise, x = 0.0](double) mutable { return x += noise.normal() + 0.5; }; });
    EXPECT_EQ(counts.linear, seeds);
}

TEST(drift, states_an_honest_error_of_the_slope) {
    // The slope of noise, of noise with memory and of a walk is 0: its square over that of its error is 1 in the mean,
    // for errors that are known exactly. A thousand seeds measure the root of it to 1/sqrt(2000) = 2%: it is 0.94 and
    // 0.93, since the larger error of two numbers of blocks is taken, and 1.22 for a walk, whose error is itself
    // estimated from its changes: within a quarter.
    for (const double memory : {0.0, 0.8, 1.0}) {
        double sum = 0;
        std::vector<double> t(series_rows), values(series_rows);
        for (int seed = 1; seed <= seeds; ++seed) {
            Noise noise(static_cast<unsigned>(seed));
            double x = 0;
            for (std::size_t i = 0; i < series_rows; ++i) {
                t[i] = 0.1 * static_cast<double>(i);
                values[i] = x = memory * x + noise.normal();
            }
            const auto drift = classify_drift(t, values);
            sum += drift.slope * drift.slope / (drift.slope_error * drift.slope_error);
        }
        EXPECT_NEAR(std::sqrt(sum / seeds), 1, 0.25) << memory;
    }
}

TEST(drift, has_the_exponents_of_its_kinds) {
    std::vector<double> t, line, noise_values, walk;
    Noise noise(7);
    double x = 0;
    for (std::size_t i = 0; i < 20'000; ++i) {
        t.push_back(static_cast<double>(i));
        line.push_back(1 - 2 * t.back());
        noise_values.push_back(noise.normal());
        walk.push_back(x += noise.normal());
    }
    EXPECT_NEAR(classify_drift(t, line).exponent, 1, 1e-3);
    // From seed to seed (300 of them) the exponents have the standard deviations 0.035 and 0.108: three and two of
    // these.
    EXPECT_NEAR(classify_drift(t, noise_values).exponent, 0, 0.1);
    EXPECT_NEAR(classify_drift(t, walk).exponent, 0.5, 0.2);
    EXPECT_NEAR(classify_drift(t, line).slope, -2, 1e-12);
    EXPECT_NEAR(classify_drift(t, line).intercept, 1, 1e-8);
    EXPECT_EQ(classify_drift(t, line).kind, DriftKind::linear);
}

TEST(drift, of_a_constant_is_none_and_of_an_explosion_is_growth) {
    std::vector<double> t, same, rounded, burst;
    for (std::size_t i = 0; i < 1000; ++i) {
        t.push_back(0.01 * static_cast<double>(i));
        same.push_back(0.1);
        rounded.push_back(1 + (i < 600 ? 0 : 2.2e-16));  // one unit of the last place
        burst.push_back(std::exp(3 * t.back()));
    }
    EXPECT_EQ(classify_drift(t, same).kind, DriftKind::bounded);
    EXPECT_EQ(classify_drift(t, same).slope, 0);
    EXPECT_NE(classify_drift(t, rounded).kind, DriftKind::linear);
    EXPECT_EQ(classify_drift(t, burst).kind, DriftKind::growing);
}

TEST(drift, refuses_too_few_values_and_those_that_are_no_numbers) {
    const std::vector<double> few(least_drift_rows - 1), t(100);
    std::vector<double> bad(100);
    bad[40] = NAN;
    EXPECT_THROW(classify_drift(few, few), InputError);
    EXPECT_THROW(classify_drift(t, bad), InputError);
}

TEST(drift, of_the_energy_of_a_symplectic_method_is_none) {
    const auto result = analyse(recorded("pendulum", "rattle", {.step = 0.1, .duration = 2000}), "drift");
    EXPECT_EQ(number(result, "kind"), static_cast<double>(DriftKind::bounded)) << result.verdict;
    EXPECT_TRUE(result.verdict.starts_with("bounded")) << result.verdict;
    EXPECT_NEAR(number(result, "range"), 3.7e-3,
                0.1e-3);  // two digits are known; a step of 0.1 samples the extremes to 1%
    EXPECT_LT(std::abs(number(result, "slope")), 1e-8);
}

// [Jay 1996, Fig. 5.4] Radau IIA loses energy: slope -2.53e-4 in 5000 steps of 0.12, known to three digits.
TEST(drift, of_the_energy_of_radau_is_linear) {
    const auto run = recorded("double-pendulum", "radau(2)", {.step = 0.12, .steps = 5000});
    const auto result = analyse(run, "drift");
    EXPECT_EQ(number(result, "kind"), static_cast<double>(DriftKind::linear)) << result.verdict;
    EXPECT_NEAR(number(result, "slope"), -2.53e-4, 0.005e-4);
    const auto lobatto = analyse(recorded("double-pendulum", "lobatto(3)", {.step = 0.12, .steps = 5000}), "drift");
    EXPECT_EQ(number(lobatto, "kind"), static_cast<double>(DriftKind::bounded)) << lobatto.verdict;
}

// Truncation errors of order 8 with h = 0.01 are far below round-off: what is seen is rounding alone, and it must not
// drift.
TEST(drift, of_an_energy_at_round_off_is_not_linear) {
    const auto run = recorded("pendulum", "compose(rattle, kahanli8)", {.step = 0.01, .duration = 500});
    const auto result = analyse(run, "drift", {{"of", "energy_error"}});
    EXPECT_LT(number(result, "range"), 1e-12);
    EXPECT_NE(number(result, "kind"), static_cast<double>(DriftKind::linear)) << result.verdict;
    EXPECT_NE(number(result, "kind"), static_cast<double>(DriftKind::growing)) << result.verdict;
}

// What goes somewhere else and stays there is not bounded, and what jumps is no walk.
TEST(drift, of_what_settles_or_jumps_is_a_change) {
    std::vector<double> t, decay, jump, logarithm, square, hop;
    for (std::size_t i = 0; i < 1000; ++i) {
        t.push_back(0.02 * static_cast<double>(i));
        decay.push_back(std::exp(-t.back()) * (1 + 0.2 * std::cos(9 * t.back())) - 1);
        jump.push_back(i == 0 ? -0.5 : 3e30);
        logarithm.push_back(std::log(1 + 10 * t.back()));
        square.push_back(t.back() * t.back());
        hop.push_back(i < 300 ? 0 : (i < 700 ? 1 : 0.4));
    }
    for (const auto* values : {&decay, &jump, &logarithm, &hop}) {
        EXPECT_EQ(classify_drift(t, *values).kind, DriftKind::changing) << (*values)[500];
    }
    EXPECT_TRUE(classify_drift(t, decay).settled);
    EXPECT_TRUE(classify_drift(t, jump).settled);
    EXPECT_FALSE(classify_drift(t, logarithm).settled);
    // The line through t^2 misses it by T^2/4 in all, a quarter of its way; means of blocks take a little off.
    EXPECT_NEAR(classify_drift(t, square).bend, 0.25, 0.02);
    EXPECT_EQ(classify_drift(t, t).bend, 0);
}

// No mean moves, and yet nothing is bounded. However few of the values are looked at, the verdict is the same.
TEST(drift, of_an_oscillation_whose_amplitude_grows_is_growth) {
    std::vector<double> t, exponential, with_time, quiet_at_first, spiked;
    for (std::size_t i = 0; i < 20000; ++i) {
        t.push_back(0.01 * static_cast<double>(i));
        const double wave = std::sin(7 * t.back()) + 0.3 * std::cos(11.3 * t.back());
        exponential.push_back(1e-9 * std::exp(0.06 * t.back()) * wave);
        with_time.push_back(std::pow(t.back() / 200, 3) * wave);
        quiet_at_first.push_back((i < 6000 ? 1e-3 : 1.0) * wave);
        spiked.push_back(wave + (i == 19000 ? 1e3 : 0.0));
    }
    for (const std::size_t every : {1, 10, 100, 300}) {
        const auto seen = [&](const std::vector<double>& values) {
            std::vector<double> result;
            for (std::size_t i = 0; i < values.size(); i += every) {
                result.push_back(values[i]);
            }
            return result;
        };
        const auto times = seen(t);
        EXPECT_EQ(classify_drift(times, seen(exponential)).kind, DriftKind::growing) << every;
        EXPECT_EQ(classify_drift(times, seen(with_time)).kind, DriftKind::growing) << every;
        EXPECT_EQ(classify_drift(times, seen(quiet_at_first)).kind, DriftKind::changing) << every;
        EXPECT_EQ(classify_drift(times, seen(spiked)).kind, DriftKind::bounded) << every;
    }
    EXPECT_NEAR(classify_drift(t, exponential).amplitude_growth, std::exp(0.06 * 160), 0.1 * std::exp(0.06 * 160));
    EXPECT_NEAR(classify_drift(t, spiked).amplitude_growth, 1, 0.1);
}

TEST(drift, of_the_energy_of_a_field_is_refused) {
    const auto run = recorded("abc-flow", "volume", {.step = 0.1, .steps = 100});
    EXPECT_THROW(analyse(run, "drift"), InputError);
    EXPECT_NO_THROW(analyse(run, "drift", {{"of", "x"}}));
    EXPECT_NE(analyse(run, "summary").verdict.find("without a Hamiltonian"), std::string::npos);
}

TEST(drift, takes_a_part_of_the_run) {
    const auto run = recorded("pendulum", "rattle", {.step = 0.1, .duration = 100});
    const auto result = analyse(run, "drift", {{"of", "2*t + 1"}, {"from", "20"}, {"to", "60"}});
    EXPECT_NEAR(number(result, "slope"), 2, 1e-12);
    EXPECT_NEAR(number(result, "range"), 80, 1e-9);
    EXPECT_THROW(analyse(run, "drift", {{"from", "99"}}), InputError);
    EXPECT_THROW(analyse(run, "drift", {{"form", "2"}}), InputError);
    EXPECT_THROW(analyse(run, "drift", {{"from", "soon"}}), InputError);
    EXPECT_THROW(analyse(run, "drift", {{"from", "nan"}}), InputError);
    EXPECT_THROW(analyse(run, "drift", {{"to", "inf"}}), InputError);
    EXPECT_THROW(analyse(run, "drift", {{"of", "nothing"}}), InputError);
}

}  // namespace

}  // namespace libration
