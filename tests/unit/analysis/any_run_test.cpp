// Every analysis on runs that go backward, that were recorded at chosen times, that are short, or that exploded.
#include "recorded.hpp"

#include "analysis/error_growth.hpp"
#include <libration/integrate/drift.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace libration {

namespace {

// A periodic Toda lattice, which all analyses can take. With the momenta turned round it goes the same way backward.
Model ring(double sign) {
    return Model::parse(fmt::format(R"toml(
name = "ring"
[coordinates]
q = ["a", "b", "c"]
[dynamics]
mass = 1.0
potential = "exp(a-b) + exp(b-c) + exp(c-a)"
[initial]
q = [0.4, -0.1, 0.3]
p = [{}, {}, {}]
)toml",
                                    0.5 * sign, -0.75 * sign, 0.25 * sign),
                        "test");
}

struct Case {
    std::string name;
    AnalysisOptions options;
};

const std::vector<Case> cases{{"summary", {}},
                              {"drift", {}},
                              {"error-growth", {}},
                              {"modified-energy", {}},
                              {"averages", {}},
                              {"oscillatory", {{"coordinates", "a,b"}, {"omega", "1"}}},
                              {"toda", {}},
                              {"lyapunov", {{"count", "2"}}},
                              {"transport", {}},
                              {"portrait", {{"x", "a"}, {"y", "b"}}},
                              {"poincare", {{"event", "a - c rising"}, {"x", "a"}, {"y", "b"}}}};

Trajectory first_rows(Trajectory run, std::size_t rows) {
    run.step.resize(rows);
    for (auto* values : {&run.t, &run.energy, &run.constraint, &run.hidden}) {
        values->resize(rows);
    }
    for (auto* values : {&run.q, &run.p, &run.v, &run.lambda, &run.observables}) {
        values->resize(rows);
    }
    return run;
}

TEST(any_run, has_all_analyses_in_these_tests) {
    std::set<std::string> tried, known;
    for (const auto& one : cases) {
        tried.insert(one.name);
    }
    for (const auto& record : analyses()) {
        known.insert(record.name);
    }
    EXPECT_EQ(tried, known);
}

// The equations have the symmetry (t, p) -> (-t, -p), and so has Verlet's method, up to round-off of 400 steps.
TEST(any_run, backward_gives_the_numbers_of_the_mirrored_run) {
    const auto forward = recorded(ring(-1), "verlet", {.step = 0.1, .steps = 400});
    const auto backward = recorded(ring(1), "verlet", {.step = -0.1, .steps = 400});
    const std::set<std::string> signed_like_time{"t_last", "slope", "first", "last"};
    for (const auto& one : cases) {
        if (one.name == "lyapunov") {
            continue;  // its tangent vectors are not mirrored: lyapunov_test has a test of its own
        }
        const auto there = analyse(forward, one.name, one.options), back = analyse(backward, one.name, one.options);
        EXPECT_EQ(back.verdict.find("-40 units"), std::string::npos) << back.verdict;  // a time has a length
        EXPECT_EQ(back.warnings, there.warnings);
        if (one.name == "toda") {  // the mirrored state has other eigenvalues; h^2/8 is what Verlet leaves of them
            EXPECT_LT(number(back, "deviation"), 0.01 / 8);
            continue;
        }
        ASSERT_EQ(there.numbers.size(), back.numbers.size());
        for (std::size_t k = 0; k < there.numbers.size(); ++k) {
            const double sign = signed_like_time.contains(there.numbers[k].name) ? -1 : 1;
            EXPECT_NEAR(sign * back.numbers[k].value, there.numbers[k].value,
                        1e-10 * (1 + std::abs(there.numbers[k].value)))
                << one.name << ' ' << there.numbers[k].name;
        }
    }
}

TEST(any_run, backward_has_drifts_too) {
    const auto run = recorded(ring(1), "verlet", {.step = -0.1, .steps = 400});
    const auto linear = analyse(run, "drift", {{"of", "2*t"}});
    EXPECT_EQ(number(linear, "kind"), static_cast<double>(DriftKind::linear)) << linear.verdict;
    EXPECT_NEAR(number(linear, "slope"), 2, 1e-12);
    // From here to there is meant along the run.
    const auto part = analyse(run, "drift", {{"of", "2*t"}, {"from", "-10"}, {"to", "-30"}});
    EXPECT_NEAR(number(part, "range"), 40, 1e-9);
    EXPECT_THROW(analyse(run, "drift", {{"from", "-30"}, {"to", "-10"}}), InputError);
    // A walk, too, has a length of time and not its negative.
    std::vector<double> t, walk;
    double x = 0;
    std::uint32_t bits = 1;
    for (int i = 0; i < 2000; ++i) {
        bits = bits * 1664525U + 1013904223U;
        t.push_back(-0.1 * i);
        walk.push_back(x += bits >> 31U != 0 ? 1 : -1);
    }
    auto forward = t;
    for (double& time : forward) {
        time = -time;
    }
    EXPECT_EQ(classify_drift(t, walk).kind, classify_drift(forward, walk).kind);
    EXPECT_EQ(classify_drift(t, walk).slope_error, classify_drift(forward, walk).slope_error);
    EXPECT_EQ(classify_drift(t, walk).slope, -classify_drift(forward, walk).slope);
}

TEST(any_run, at_chosen_times_gives_numbers_or_says_what_it_needs) {
    IntegrationOptions options{.step = 0.1, .steps = 400};
    const auto all = recorded(ring(1), "verlet", options);
    for (int k = 0; k <= 120; ++k) {
        options.at.push_back(0.33 * k);
    }
    const auto chosen = recorded(ring(1), "verlet", options);
    ASSERT_EQ(chosen.rows(), 121U);
    for (const auto& one : cases) {
        if (one.name == "modified-energy") {
            EXPECT_THROW(analyse(chosen, one.name), InputError);
            continue;
        }
        const auto result = analyse(chosen, one.name, one.options);
        for (const auto& entry : result.numbers) {
            EXPECT_TRUE(std::isfinite(entry.value)) << one.name << ' ' << entry.name;
        }
        EXPECT_TRUE(result.warnings.empty()) << one.name << ": " << result.warnings[0];
    }
    const auto find = [&](const Trajectory& run, std::size_t index, const char* name) {
        return number(analyse(run, cases[index].name, cases[index].options), name);
    };
    EXPECT_EQ(find(chosen, 10, "difference"), 0);
    EXPECT_EQ(find(chosen, 10, "crossings"), find(all, 10, "crossings"));
    const AnalysisOptions times{{"times", "5, 10"}};
    EXPECT_EQ(number(analyse(chosen, "transport", times), "area_2"),
              number(analyse(all, "transport", times), "area_2"));
    EXPECT_LE(find(chosen, 2, "largest"), find(all, 2, "largest") * (1 + 1e-6));
}

// Steps that are numbered one after the other are no steps of the method where states were asked for at times between
// them.
TEST(any_run, at_chosen_times_does_not_hold_every_step) {
    IntegrationOptions options{.step = 0.1, .steps = 40};
    for (int k = 0; k < 40; ++k) {
        options.at.push_back(0.1 * k + 0.05);
    }
    EXPECT_FALSE(recorded(ring(1), "verlet", options).holds_every_step());
    EXPECT_TRUE(recorded(ring(1), "verlet", {.step = 0.1, .steps = 40}).holds_every_step());
}

TEST(any_run, of_few_rows_gives_numbers_or_says_what_it_needs) {
    const auto run = recorded(ring(1), "verlet", {.step = 0.1, .steps = 2});
    for (const auto& one : cases) {
        if (one.name == "summary") {
            EXPECT_EQ(number(analyse(first_rows(run, 1), "summary"), "rows"), 1);
        } else {
            EXPECT_THROW(analyse(first_rows(run, 1), one.name, one.options), InputError) << one.name;
        }
        for (const std::size_t rows : {2U, 3U}) {
            const std::set<std::string> need_more{"drift",       "error-growth", "modified-energy",
                                                  "oscillatory", "lyapunov",     "transport"};
            if (need_more.contains(one.name)) {
                EXPECT_THROW(analyse(first_rows(run, rows), one.name, one.options), InputError) << one.name << rows;
                continue;
            }
            for (const auto& entry : analyse(first_rows(run, rows), one.name, one.options).numbers) {
                EXPECT_TRUE(std::isfinite(entry.value)) << one.name << rows << ' ' << entry.name;
            }
        }
    }
    const auto short_part = first_rows(run, 2);
    EXPECT_GT(number(analyse(short_part, "modified-energy", {{"terms", "1"}}), "spread"), 0);
    try {
        analyse(short_part, "error-growth");
        ADD_FAILURE() << "two rows have no growth";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("10 recorded states"), std::string::npos) << error.what();
    }
}

// An explosion near the end, after good rows: nothing may be said of "all" and mean the good ones alone.
TEST(any_run, that_explodes_is_not_overlooked) {
    const auto good = recorded(ring(1), "verlet", {.step = 0.1, .steps = 400});
    for (const double bad : {std::nan(""), static_cast<double>(INFINITY)}) {
        auto run = good;
        for (std::size_t row = 380; row < 385; ++row) {
            run.energy[row] = bad;
            run.q[row].assign(3, bad);
            run.p[row].assign(3, bad);
            run.v[row].assign(3, bad);
        }
        for (const auto& one : cases) {
            try {
                const auto result = analyse(run, one.name, one.options);
                ASSERT_FALSE(result.warnings.empty()) << one.name;
                EXPECT_NE(result.warnings.back().find("non-finite"), std::string::npos) << result.warnings.back();
            } catch (const InputError&) {
                EXPECT_EQ(one.name, "drift");
            }
        }
        const auto find = [&](std::size_t index, const char* name) {
            return number(analyse(run, cases[index].name, cases[index].options), name);
        };
        EXPECT_FALSE(std::isfinite(find(0, "energy_error_max")));
        EXPECT_EQ(find(2, "kind"), static_cast<double>(GrowthKind::exponential));
        EXPECT_FALSE(std::isfinite(find(2, "largest")));
        EXPECT_FALSE(std::isfinite(find(3, "spread")));
        EXPECT_FALSE(std::isfinite(find(3, "spread_2")));
        EXPECT_FALSE(std::isfinite(find(4, "virial")));
        EXPECT_FALSE(std::isfinite(find(5, "highest")));
        EXPECT_FALSE(std::isfinite(find(5, "tenths_range")));
        EXPECT_FALSE(std::isfinite(find(5, "highest_1")));
        EXPECT_EQ(find(6, "deviation"), INFINITY);
        EXPECT_EQ(find(6, "deviation_1"), INFINITY);
        EXPECT_FALSE(std::isfinite(find(9, "x_high_1")));
        EXPECT_FALSE(std::isfinite(find(10, "difference")));
    }
    auto run = good;
    run.constraint[5] = run.hidden[7] = std::nan("");
    const auto summary = analyse(run, "summary");
    EXPECT_TRUE(std::isnan(number(summary, "constraint_max")));
    EXPECT_TRUE(std::isnan(number(summary, "hidden_max")));
    EXPECT_NE(summary.verdict.find("not a number"), std::string::npos) << summary.verdict;
}

}  // namespace

}  // namespace libration
