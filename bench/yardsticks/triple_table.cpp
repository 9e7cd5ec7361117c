// The triple pendulum with RATTLE: the library, and programs by hand, for one, eight and sixteen trajectories.
#include <bench/library_side.hpp>
#include <bench/yardsticks/count_instructions.hpp>
#include <bench/yardsticks/measure.hpp>
#include <bench/yardsticks/tables.hpp>
#include <bench/yardsticks/triple.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bench {

namespace {

constexpr double pi = std::numbers::pi;

std::array<double, 3> angles_of(std::size_t lane) {
    const double off = 0.01 * static_cast<double>(lane);
    return {pi / 6 + off, pi / 4 - off / 2, pi / 2 + off / 3};
}

libration::Model triple_model(const TripleParameters& parameters) {
    return libration::Model::load(
        "triple-pendulum", {{"g", fmt::format("{}", parameters.gravity)}, {"l", fmt::format("{}", parameters.rod)}});
}

std::unique_ptr<LibraryRun> start_library(std::size_t lanes, const TripleParameters& parameters) {
    auto run = library_lanes(triple_model(parameters), libration::method("rattle"), lanes);
    std::vector<libration::StartState<double>> states;
    for (std::size_t k = 0; k < lanes; ++k) {
        libration::StartState<double> state{{}, std::vector<double>(6)};
        double x = 0, y = 0;
        for (const double angle : angles_of(k)) {
            state.q.push_back(x += parameters.rod * std::sin(angle));
            state.q.push_back(y -= parameters.rod * std::cos(angle));
        }
        states.push_back(state);
    }
    run->start(states, parameters.step);
    return run;
}

std::unique_ptr<TripleProgram> start_by_hand(TripleForm form, TripleLoop loop, std::size_t lanes,
                                             const TripleParameters& parameters) {
    auto program = make_triple(form, loop, lanes, parameters);
    for (std::size_t k = 0; k < lanes; ++k) {
        program->start(k, angles_of(k));
    }
    return program;
}

template <class State>
double largest_gap(const State& state, double rod) {
    long double worst = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        long double square = 0;
        for (std::size_t c = 0; c < 2; ++c) {
            const auto at = [&](std::size_t j) {
                return static_cast<long double>(state.q[j]) + static_cast<long double>(state.q_low[j]);
            };
            const long double e = at(2 * i + c) - (i == 0 ? 0 : at(2 * i - 2 + c));
            square += e * e;
        }
        const long double gap = std::abs(square - static_cast<long double>(rod) * rod);
        worst = gap <= worst ? worst : gap;  // what is not a number stays
    }
    return static_cast<double>(worst);
}

template <class State>
double energy(const State& state, double gravity) {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double px = state.p[2 * i], py = state.p[2 * i + 1];
        sum += (px * px + py * py) / 2 + gravity * state.q[2 * i + 1];
    }
    return sum;
}

// Largest |g| and |H - H0| of all lanes, looked at after each of so many steps.
struct Quality {
    double gap = 0, energy_error = 0;
};
template <class Program, class Make>
Quality quality(Program& program, Make&& make_step, const TripleParameters& parameters, int steps) {
    Quality worst;
    std::vector<double> start;
    for (std::size_t k = 0; k < program.lanes(); ++k) {
        start.push_back(energy(program.state(k), parameters.gravity));
    }
    const auto grow = [](double& most, double value) { most = value <= most ? most : value; };
    for (int n = 0; n < steps; ++n) {
        make_step();
        for (std::size_t k = 0; k < program.lanes(); ++k) {
            const auto state = program.state(k);
            grow(worst.gap, largest_gap(state, parameters.rod));
            grow(worst.energy_error, std::abs(energy(state, parameters.gravity) - start[k]));
        }
    }
    return worst;
}

struct ByHand {
    const char* name;
    TripleForm form;
    TripleLoop loop;
};
constexpr ByHand by_hand[] = {
    {"rods, Newton, checked", TripleForm::rods, TripleLoop::full},
    {"rods, simplified, checked", TripleForm::rods, TripleLoop::simplified},
    {"rods, 2 fixed", TripleForm::rods, TripleLoop::two_full},
    {"rods, 1 fixed", TripleForm::rods, TripleLoop::one_full},
    {"points, Newton, checked", TripleForm::points, TripleLoop::full},
    {"points, simplified, checked", TripleForm::points, TripleLoop::simplified},
    {"points, 2 fixed", TripleForm::points, TripleLoop::two_full},
    {"compensated, Newton, checked", TripleForm::compensated, TripleLoop::full},
    {"compensated, simplified, checked", TripleForm::compensated, TripleLoop::simplified},
};

}  // namespace

int triple_table(std::size_t lanes, bool json) {
    const TripleParameters parameters;
    const std::int64_t steps = lanes == 1 ? 40'000 : 8'000;
    const int watched = lanes == 1 ? 100'000 : 10'000;
    bool failed = false;
    std::vector<Contestant> all;
    const auto library = start_library(lanes, parameters);
    {
        const auto watch = start_library(lanes, parameters);
        const auto made = quality(
            *watch, [&] { failed = !watch->run(1) || failed; }, parameters, watched);
        all.push_back({.name = "libration rattle",
                       .block = [&] { failed = !library->run(steps) || failed; },
                       .units = static_cast<double>(steps) * static_cast<double>(lanes),
                       .gap = made.gap,
                       .energy = made.energy_error,
                       .passes = watch->passes() / watched,
                       .note = library->backend()});
    }
    std::vector<std::unique_ptr<TripleProgram>> programs;
    const auto add = [&](const ByHand& one, std::size_t width, const std::string& name) {
        const auto watch = start_by_hand(one.form, one.loop, width, parameters);
        const auto made = quality(
            *watch, [&] { watch->run(1); }, parameters, watched);
        programs.push_back(start_by_hand(one.form, one.loop, width, parameters));
        auto* program = programs.back().get();
        const std::int64_t count = steps * static_cast<std::int64_t>(lanes / width);
        all.push_back({.name = name,
                       .block = [program, count] { program->run(count); },
                       .units = static_cast<double>(steps) * static_cast<double>(lanes),
                       .gap = made.gap,
                       .energy = made.energy_error,
                       .passes = static_cast<double>(watch->passes()) / watched,
                       .note = watch->failed() ? "NOT CONVERGED" : ""});
        failed = failed || !std::isfinite(made.gap + made.energy_error) || watch->failed();
    };
    for (const auto& one : by_hand) {
        add(one, lanes, one.name);
    }
    if (lanes > 1) {
        add(by_hand[0], 1, "scalar: rods, Newton, checked");
        add(by_hand[4], 1, "scalar: points, Newton, checked");
    }
    for (auto& one : all) {
        one.block();  // histories and caches
    }
    take_turns(all);
    for (const auto& program : programs) {
        failed = failed || program->failed() || !std::isfinite(energy(program->state(program->lanes() - 1), 1));
    }
    print_table({fmt::format("triple pendulum, RATTLE, h = {}, {} {}", parameters.step, lanes,
                             lanes == 1 ? "trajectory" : "trajectories together"),
                 lanes == 1 ? "ns per step" : "ns/trajectory-step"},
                all, json);
    if (failed) {
        fmt::print(stderr, "yardsticks: a step did not converge, or a state is not finite\n");
    }
    return failed ? 1 : 0;
}

// No parameter is 1, so that one that a formula forgets shows. Chaos multiplies round-off by some 100 within these 500
// steps.
int check_triple() {
    const TripleParameters parameters{.gravity = 1.25, .rod = 0.5, .step = 0.0075};
    int failures = 0;
    for (const std::size_t lanes : {1, 8, 16}) {
        const auto library = start_library(lanes, parameters);
        const bool converged = library->run(500);
        for (const auto& one : by_hand) {
            const auto program = start_by_hand(one.form, one.loop, lanes, parameters);
            program->run(500);
            double difference = converged && !program->failed() ? 0 : HUGE_VAL;
            for (std::size_t k = 0; k < lanes; ++k) {
                const auto state = program->state(k);
                const auto reference = library->state(k);
                for (std::size_t j = 0; j < 6; ++j) {
                    const double off =
                        std::max(std::abs(state.q[j] - reference.q[j]), std::abs(state.p[j] - reference.p[j]));
                    difference = off <= difference ? difference : off;
                    difference = std::isfinite(state.q[j] + state.p[j]) ? difference : HUGE_VAL;
                }
            }
            // One correction a step leaves the first steps, whose multipliers are badly predicted, at 1e-9.
            const bool same = difference < (one.loop == TripleLoop::one_full ? 1e-8 : 1e-10);
            fmt::print("{:>2} x {:<34} differs from the library by {:.1e}{}\n", lanes, one.name, difference,
                       same ? "" : "  TOO MUCH");
            failures += same ? 0 : 1;
        }
    }
    return failures;
}

int make_steps(std::size_t lanes, std::int64_t steps, bool hand) {
    constexpr std::int64_t first_steps = 100;  // until histories are full and code is in its place
    const TripleParameters parameters;
    const auto count = [&](auto& program) {
        program->run(first_steps);
        return count_instructions([&] { program->run(steps); });
    };
    std::int64_t instructions = 0;
    if (hand) {
        const auto program = start_by_hand(TripleForm::points, TripleLoop::full, lanes, parameters);
        instructions = count(program);
    } else {
        const auto program = start_library(lanes, parameters);
        instructions = count(program);
    }
    if (instructions < 0) {
        fmt::print(stderr, "yardsticks: this system does not let a process be traced\n");
        return 1;
    }
    fmt::print("lanes {}\nsteps {}\ninstructions {}\n", lanes, steps, instructions);
    return 0;
}

}  // namespace bench
