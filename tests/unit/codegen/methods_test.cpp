// Whole steps of methods, recorded and compiled: the bits of the method itself, over thousands of steps.
#include "random_program.hpp"
#include "recorded_step.hpp"

#include "codegen/machine_code.hpp"
#include "scalar/aligned.hpp"
#include <libration/kit/method_record.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace libration::test {
namespace {

struct Case {
    const char* problem;
    const char* spec;
    double step;
    std::size_t most_lanes = 16;  // more would be too large to compile
};

class GeneratedMethod : public testing::TestWithParam<Case> {};

TEST_P(GeneratedMethod, has_the_bits_of_the_method) {
    const auto& [problem, spec, step, most_lanes] = GetParam();
    constexpr std::int64_t steps = 2000;
    constexpr std::size_t kinds = 4;
    std::vector<std::unique_ptr<RunningMethod>> runs;
    std::vector<std::vector<double>> before;
    for (std::size_t n = 0; n < kinds; ++n) {
        runs.push_back(std::make_unique<RunningMethod>(problem, spec, step, 0.01 * static_cast<double>(n)));
        before.push_back(runs.back()->memory());
    }
    const auto program = runs[0]->record();
    for (auto& run : runs) {
        run->take(steps);
    }
    for (const std::size_t lanes : {1, 4, 8, 16}) {
        if (lanes > most_lanes) {
            break;
        }
        std::string why;
        const auto code = generate_step(program, lanes, &why);
        ASSERT_NE(code, nullptr) << why;
        AlignedVector<double> constants(1), state((program.memory + 2) * lanes), other(state.size()), worst(lanes, 0);
        for (std::size_t k = 0; k < program.memory; ++k) {
            for (std::size_t l = 0; l < lanes; ++l) {
                state[k * lanes + l] = before[l % kinds][k];
            }
        }
        ASSERT_EQ(code->run(steps, constants.data(), state.data(), other.data(), worst.data()), steps);
        for (std::size_t l = 0; l < lanes; ++l) {
            const auto now = runs[l % kinds]->memory();
            ASSERT_EQ(now.size(), program.memory);
            for (std::size_t k = 0; k < now.size(); ++k) {
                ASSERT_TRUE(std::isfinite(now[k]));
                ASSERT_TRUE(same(state[k * lanes + l], now[k])) << "lanes " << lanes << " lane " << l << " entry " << k;
            }
        }
    }
}

constexpr std::array cases{
    Case{"triple-pendulum", "rattle", 0.01},
    Case{"triple-pendulum", "shake", 0.01},
    Case{"triple-pendulum", "multistep(8)", 0.005},
    Case{"triple-pendulum", "compose(rattle, suzuki4)", 0.01},
    Case{"triple-pendulum", "compose(rattle, kahanli8)", 0.01, 8},
    Case{"heavy-top", "rattle", 0.005},
    Case{"pendulum-angle", "verlet", 0.01},
    Case{"two-body-sphere", "rattle", 0.01},
    Case{"slider-crank", "rattle", 0.001},
    Case{"spherical-pendulum", "lobatto(2)", 0.01},
    Case{"triple-pendulum", "lobatto(3)", 0.01},
    Case{"andrews", "rattle", 1e-5},
    Case{"charged-particle", "verlet", 0.01},
    Case{"kepler", "compose(verlet, kahanli8)", 0.05},
};

INSTANTIATE_TEST_SUITE_P(Suite, GeneratedMethod, testing::ValuesIn(cases), [](const auto& one) {
    std::string name = std::string(one.param.problem) + "_" + one.param.spec;
    std::erase_if(name, [](char c) { return c == ')' || c == ' '; });
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

}  // namespace
}  // namespace libration::test
