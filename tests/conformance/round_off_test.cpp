// Round-off in the energy, seen at a fixed phase of the pendulum.
#include "analysis/round_off.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace libration {
namespace {

std::vector<Model> pendulums(int count) {
    std::vector<Model> models;
    for (int k = 0; k < count; ++k) {
        models.push_back(Model::parse(
            fmt::format("[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\npotential = \"y\"\n"
                        "constraints = [\"x^2 + y^2 - 1\"]\n[initial]\nq = [\"sin({0})\", \"-cos({0})\"]\nv = [0, 0]\n",
                        1 + 0.1 * k),
            "pendulum"));
    }
    return models;
}

// A step of 0.01 rounds increments of 1e-2: a random walk of 3e4 roundings of 1e-18 is 2e-16, the energy itself is read
// to 2e-16. Without the low parts every step rounds numbers of size one, and in one direction more than in the other.
TEST(RoundOff, stays_a_random_walk_with_compensated_sums) {
    const auto models = pendulums(8);
    const RoundOffOptions options{.step = 0.01, .steps = 30'000};
    auto plain = options;
    plain.compensated = false;
    for (const auto* spec : {"rattle", "lobatto(3)"}) {
        EXPECT_LT(round_off_growth(method(spec), models, options).rms.back(), 2e-15) << spec;
        EXPECT_GT(round_off_growth(method(spec), models, plain).rms.back(), 1e-14) << spec;
    }
}

TEST(RoundOff, asks_for_whole_packs_and_methods_that_run_in_lanes) {
    EXPECT_THROW(round_off_growth(method("rattle"), pendulums(3), {}), InputError);
    EXPECT_THROW(round_off_growth(method("gauss(2)"), pendulums(8), {}), InputError);
}

}  // namespace
}  // namespace libration
