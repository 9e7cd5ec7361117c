// Makes steps and nothing else: what callgrind counts and a profiler looks at. Counting starts after the warm-up, when
// the history of multipliers is full, so that neither loading nor starting is seen.
//
//     step_driver MODEL [--set NAME=VALUE]... [--method SPEC] [--step H] [--warm-up W] [--steps K]
//
// Prints one `name value` a line.
#include "integrate/start.hpp"
#include "system/term_system.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/core.h>
#include <valgrind/callgrind.h>

#include <ctime>
#include <exception>
#include <string>

namespace {

struct Arguments {
    std::string model, method;
    std::vector<std::pair<std::string, std::string>> overrides;
    double step = 0;
    int warm_up = 6, steps = 10;
};

Arguments read(int count, char** words) {
    Arguments arguments;
    for (int k = 1; k < count; ++k) {
        const std::string word = words[k];
        if (!word.starts_with("--")) {
            arguments.model = word;
            continue;
        }
        if (++k == count) {
            throw libration::InputError("a value must follow " + word);
        }
        const std::string value = words[k];
        if (word == "--set" && value.find('=') != std::string::npos) {
            const auto equals = value.find('=');
            arguments.overrides.emplace_back(value.substr(0, equals), value.substr(equals + 1));
        } else if (word == "--method") {
            arguments.method = value;
        } else if (word == "--step") {
            arguments.step = std::stod(value);
        } else if (word == "--warm-up") {
            arguments.warm_up = std::stoi(value);
        } else if (word == "--steps") {
            arguments.steps = std::stoi(value);
        } else {
            throw libration::InputError("cannot read " + word + " " + value);
        }
    }
    if (arguments.model.empty() || arguments.warm_up < 0 || arguments.steps < 1) {
        throw libration::InputError("a model and at least one step are needed");
    }
    return arguments;
}

// False if a step did not reach round-off.
bool make_steps(libration::Stepper<double>& stepper, int steps) {
    bool converged = true;
    for (int k = 0; k < steps; ++k) {
        converged = stepper.advance().converged == 1 && converged;
        stepper.accept();
    }
    return converged;
}

double passes(const libration::Stepper<double>& stepper) {
    return stepper.evaluations().count[libration::Evaluations<double>::newton_iterations];
}

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What code that chooses its instructions at run time sees; valgrind shows less than the machine has.
std::string cpu_features() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return fmt::format("avx2={:d} fma={:d} avx512f={:d}", __builtin_cpu_supports("avx2") != 0,
                       __builtin_cpu_supports("fma") != 0, __builtin_cpu_supports("avx512f") != 0);
#else
    return "other";
#endif
}

int run(const Arguments& arguments) {
    const auto model = libration::Model::load(arguments.model, arguments.overrides);
    libration::TermSystem<double> system(model);
    const auto method = libration::method(arguments.method.empty() ? model.run.method.value_or("") : arguments.method);
    const auto stepper = make_stepper<double>(method, system);
    const auto start = libration::start_state(model, system);
    const double step = arguments.step != 0 ? arguments.step : model.run.step.value_or(0);
    stepper->start(0, start.q, start.p, step);
    bool converged = make_steps(*stepper, arguments.warm_up);

    const double passes_before = passes(*stepper);
    const double began = thread_seconds();
    CALLGRIND_START_INSTRUMENTATION;
    converged = make_steps(*stepper, arguments.steps) && converged;
    CALLGRIND_STOP_INSTRUMENTATION;
    const double seconds = thread_seconds() - began;

    fmt::print("constraints {}\ndimension {}\nsteps {}\n", system.constraints(), system.dimension(), arguments.steps);
    fmt::print("passes {}\nseconds {}\n", (passes(*stepper) - passes_before) / arguments.steps, seconds);
    fmt::print("compiler g++ {}\ncpu {}\n", __VERSION__, cpu_features());
    if (!converged) {
        fmt::print(stderr, "step_driver: a step did not converge; the figures mean nothing\n");
    }
    return converged ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(read(count, words));
    } catch (const std::exception& fault) {
        fmt::print(stderr, "step_driver: {}\n", fault.what());
        return 2;
    }
}
