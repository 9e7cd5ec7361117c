// Linkages of thousands of rods with every method that takes constraints: round-off stays round-off, and numbers of
// points mean nothing.
#include "integrate/start.hpp"
#include "system/term_system.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace libration {
namespace {

constexpr std::size_t masses = 10'000;
// A tenth of 1/sqrt(n), the time of the fastest mode of n masses that hang on one rod.
constexpr double short_step = 1e-3;
constexpr std::int64_t few_steps = 5;
// Round-off means at most four floors, see manifold/solve.hpp.
constexpr double most_floors = 4;

std::vector<std::string> constrained_methods() {
    std::vector<std::string> specs;
    for (const auto* record : methods()) {
        for (const auto& example : examples(*record)) {
            // SHAKE has its own momenta, all others here keep both constraints.
            const auto claims = method(example).claims(true);
            if (unmet_needs(method(example), SystemProperties{}, 1).empty() && claims.position.exact &&
                (claims.hidden.exact || example == "shake")) {
                specs.push_back(example);
            }
        }
    }
    return specs;
}

// Rods of length 1 in the plane between pairs of points and from one point to the origin, under gravity, at rest.
Model rods(std::span<const double> q, std::span<const std::pair<std::size_t, std::size_t>> pairs, std::size_t hanging) {
    std::string bonds, places, zeros;
    for (const auto& [i, j] : pairs) {
        bonds += fmt::format("[{}, {}], ", i, j);
    }
    for (std::size_t i = 0; i < q.size(); i += 2) {
        places += fmt::format("[{:.17g}, {:.17g}], ", q[i], q[i + 1]);
        zeros += "[0, 0], ";
    }
    return Model::parse(fmt::format(R"(
        name = "rods"
        parameters.bonds = [{}]
        points.r = {{ count = {}, dimension = 2, mass = 1 }}
        [[energy]]
        for = "i in 0..{}"
        term = "r[i].y"
        [[constraint]]
        equation = "norm2(r[{}]) - 1"
        [[constraint]]
        for = "(i, j) in bonds"
        equation = "norm2(r[i] - r[j]) - 1"
        [initial.r]
        q = [{}]
        v = [{}])",
                                    bonds, q.size() / 2, q.size() / 2 - 1, hanging, places, zeros),
                        "rods.toml");
}

// Substeps and stages may end where their iteration stagnates, which is allowed up to 64 floors.
double stagnation(const std::string& spec) {
    return spec == "rattle" || spec == "shake" || spec == "constrain(verlet)" ? most_floors : 64;
}

Run checked_run(const Model& model, const std::string& spec, double h) {
    const auto run = integrate(model, method(spec), {.step = h, .steps = few_steps});
    EXPECT_EQ(run.status, RunStatus::completed) << spec << " on " << model.name;
    EXPECT_EQ(run.steps, few_steps);
    EXPECT_LE(run.constraint.max_floors, stagnation(spec)) << spec << " on " << model.name;
    EXPECT_GT(run.constraint.max_floors, 0) << spec << " on " << model.name;
    return run;
}

// Rod lengths are right to some 1e-14 after each step, in both runs. Along n rods, were all errors in one direction,
// that makes 1e-10 at the tip; momenta carry it on, so that k steps may add up k(k+1)/2 = 15 of it.
constexpr double same_motion = 2e-9;

TEST(LargeLinkages, a_chain_with_its_points_numbered_at_random_moves_as_the_chain) {
    const auto chain = Model::load("chain", {{"n", std::to_string(masses)}});
    TermSystem<double> system(chain);
    const auto start = start_state<double>(chain, system).q;
    std::vector<std::size_t> number(masses);  // of the point at each place of the chain
    std::iota(number.begin(), number.end(), std::size_t{0});
    std::mt19937_64 random(1);
    std::shuffle(number.begin(), number.end(), random);
    std::vector<double> q(2 * masses);
    std::vector<std::pair<std::size_t, std::size_t>> bonds;
    for (std::size_t k = 0; k < masses; ++k) {
        q[2 * number[k]] = start[2 * k];
        q[2 * number[k] + 1] = start[2 * k + 1];
        if (k > 0) {
            bonds.emplace_back(number[k], number[k - 1]);
        }
    }
    std::shuffle(bonds.begin(), bonds.end(), random);
    const auto renumbered = rods(q, bonds, number[0]);
    for (const auto& spec : constrained_methods()) {
        const auto a = checked_run(chain, spec, short_step), b = checked_run(renumbered, spec, short_step);
        EXPECT_LT(b.constraint.max_floors, 4 * a.constraint.max_floors) << spec;
        double apart = 0, moved = 0;
        for (std::size_t k = 0; k < masses; ++k) {
            for (std::size_t c = 0; c < 2; ++c) {
                apart = std::max(apart, std::abs(a.q[2 * k + c] - b.q[2 * number[k] + c]));
                moved = std::max(moved, std::abs(a.q[2 * k + c] - start[2 * k + c]));
            }
        }
        RecordProperty(spec + "_apart", fmt::format("{:.2e}", apart));
        EXPECT_LT(apart, same_motion) << spec;
        // Free fall for 5 ms is 1.25e-5; a chain that has forgotten its forces would not show that.
        EXPECT_GT(moved, 1e-6) << spec;
    }
}

// Each point hangs from one chosen at random among those before it.
TEST(LargeLinkages, a_random_recursive_tree_keeps_its_rods_to_round_off) {
    std::mt19937_64 random(2);
    std::vector<double> q;
    std::vector<std::pair<std::size_t, std::size_t>> bonds;
    for (std::size_t i = 0; i < masses; ++i) {
        const double angle = std::uniform_real_distribution<double>(-1, 1)(random);
        const std::size_t parent = i == 0 ? 0 : random() % i;
        q.push_back((i == 0 ? 0 : q[2 * parent]) + std::sin(angle));
        q.push_back((i == 0 ? 0 : q[2 * parent + 1]) - std::cos(angle));
        if (i > 0) {
            bonds.emplace_back(i, parent);
        }
    }
    const auto tree = rods(q, bonds, 0);
    const auto chain = Model::load("chain", {{"n", std::to_string(masses)}});
    for (const auto& spec : constrained_methods()) {
        const double floors = checked_run(chain, spec, short_step).constraint.max_floors;
        const double on_tree = checked_run(tree, spec, short_step).constraint.max_floors;
        EXPECT_LT(on_tree, std::max(4 * floors, stagnation(spec))) << spec;
    }
}

TEST(LargeLinkages, rings_nets_and_polymers_keep_their_rods_to_round_off) {
    for (const auto& model :
         {Model::load("ring", {{"n", std::to_string(masses)}}), Model::load("net", {{"n", "60"}, {"m", "60"}}),
          Model::load("polymer", {{"n", "1000"}})}) {
        for (const auto& spec : constrained_methods()) {
            const auto run = checked_run(model, spec, *model.run.step);
            EXPECT_LT(run.energy.max_error, 1e-3 * std::abs(run.energy.initial) + 1e-3) << spec << " on " << model.name;
        }
    }
}

// Rods are right only because positions carry low parts.
void expect_rods_below_the_last_place(const char* links, double reach) {
    const auto chain = Model::load("chain", {{"n", links}});
    for (const auto& spec : constrained_methods()) {
        const auto run = checked_run(chain, spec, 2e-4);
        EXPECT_GT(std::abs(run.q.back()), reach) << spec;
        EXPECT_LT(run.constraint.max, 1e-14) << spec;
    }
}

// Positions reach 2e4, where one unit in the last place is 4e-12.
TEST(LargeLinkages, a_long_chain_keeps_its_rods_below_the_last_place_of_its_positions) {
    expect_rods_below_the_last_place("20000", 1.3e4);
}

// Positions reach 2e5, where it is 3e-11.
TEST(LongLinkages, a_very_long_chain_keeps_its_rods_below_the_last_place_of_its_positions) {
    expect_rods_below_the_last_place("200000", 1.3e5);
}

}  // namespace
}  // namespace libration
