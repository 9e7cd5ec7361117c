// Andrews' squeezing mechanism until t = 0.03 with an error of 1e-8 in the angles: four-stage Lobatto by hand beside
// methods of the library, each with the largest step that reaches the error.
#include <bench/library_side.hpp>
#include <bench/yardsticks/andrews.hpp>
#include <bench/yardsticks/find_steps.hpp>
#include <bench/yardsticks/measure.hpp>
#include <bench/yardsticks/tables.hpp>

#include <fmt/core.h>

#include <algorithm>

namespace bench {

namespace {

constexpr double duration = 0.03, wanted = 1e-8;
// Two runs in quadruple precision, with 120 and 240 steps, that agree to 24 digits. The first is that of
// tests/conformance/spark_figures_test.cpp. The values of the IVP test set are off by 1.1e-9.
constexpr double reference[7] = {15.810771195153707097,   -15.756371058411839470, 0.040822240119645804858,
                                 -0.53473011634207959377, 0.52440996587995406937, 0.53473011634207959377,
                                 1.0480807410419378731};
constexpr double first_energy = 1.43783295753214;

template <class Angles>
double largest_error(const Angles& angles) {
    double worst = 0;
    for (std::size_t k = 0; k < 7; ++k) {
        const double off = std::abs(angles[k] - reference[k]);
        worst = off <= worst ? worst : off;  // what is not a number stays
    }
    return std::isfinite(worst) ? worst : HUGE_VAL;
}

class Library {
  public:
    explicit Library(const std::string& spec)
        : model_(libration::Model::load("andrews")), method_(libration::method(spec)),
          run_(library_lanes(model_, method_, 1)), system_(libration::make_system<double>(model_)),
          state_(libration::start_state(model_, *system_)) {}
    double error(std::int64_t steps) { return run(steps) ? largest_error(run_->state(0).q) : HUGE_VAL; }
    bool run(std::int64_t steps) {
        run_->start({state_}, duration / static_cast<double>(steps));
        return run_->run(steps);
    }
    [[nodiscard]] double passes(std::int64_t steps) const { return run_->passes() / static_cast<double>(steps); }
    [[nodiscard]] double energy_error() {
        const auto state = run_->state(0);
        return std::abs(system_->energy(duration, state.q, state.p) - first_energy);
    }
    // From q + q_low, but in double.
    [[nodiscard]] double largest_gap() {
        const auto state = run_->state(0);
        std::vector<double> g(system_->constraints());
        system_->constraint(duration, state.q, state.q_low, g);
        double worst = 0;
        for (const double one : g) {
            worst = std::max(worst, std::abs(one));
        }
        return worst;
    }
    [[nodiscard]] std::string backend() const { return run_->backend(); }

  private:
    libration::Model model_;
    libration::Method method_;
    std::unique_ptr<LibraryRun> run_;
    std::unique_ptr<libration::System<double>> system_;
    libration::StartState<double> state_;
};

struct Candidate {
    const char* spec;
    std::int64_t first;
    int order;
};
constexpr Candidate candidates[] = {
    {"spark(3)", 950, 4}, {"spark(4)", 180, 6}, {"lobatto(4)", 180, 6}, {"lobatto(5)", 80, 8}, {"lobatto(6)", 50, 10},
};

struct ByHand {
    const char* name;
    AndrewsMatrix matrix;
    double tolerance;
};
constexpr ByHand by_hand[] = {
    {"by hand, stages", AndrewsMatrix::stages, 0},
    {"by hand, frozen", AndrewsMatrix::frozen, 0},
    {"by hand, stages, to 1e-11", AndrewsMatrix::stages, 1e-11},
    {"by hand, frozen, to 1e-11", AndrewsMatrix::frozen, 1e-11},
};

}  // namespace

int andrews_table(bool json) {
    std::vector<Contestant> all;
    std::vector<std::int64_t> steps;
    std::vector<std::unique_ptr<Library>> libraries;
    std::vector<std::unique_ptr<Andrews>> programs;
    std::vector<std::string> unreached;
    bool failed = false;
    for (const auto& candidate : candidates) {
        auto library = std::make_unique<Library>(candidate.spec);
        const auto found = find_steps(candidate.first, 1, candidate.order, wanted,
                                      [&](std::int64_t count) { return library->error(count); });
        if (found.steps == 0) {
            unreached.emplace_back(candidate.spec);
            continue;
        }
        library->run(found.steps);
        auto* running = library.get();
        const auto count = found.steps;
        all.push_back({.name = candidate.spec,
                       .block = [running, count, &failed] { failed = !running->run(count) || failed; },
                       .units = 1e3,  // us
                       .gap = running->largest_gap(),
                       .energy = running->energy_error(),
                       .passes = running->passes(count)});
        all.back().note = fmt::format("{} steps, angles {:.2e}, {}", count, found.error, running->backend());
        libraries.push_back(std::move(library));
    }
    for (const auto& one : by_hand) {
        const auto found = find_steps(180, 1, 6, wanted, [&](std::int64_t count) {
            Andrews program(one.matrix, duration / static_cast<double>(count), one.tolerance);
            program.run(count);
            return program.failed() ? HUGE_VAL : largest_error(program.angles());
        });
        programs.push_back(
            std::make_unique<Andrews>(one.matrix, duration / static_cast<double>(found.steps), one.tolerance));
        auto* program = programs.back().get();
        double gap = 0;
        for (std::int64_t n = 0; n < found.steps; ++n) {
            program->run(1);
            gap = std::max(gap, program->largest_gap());
        }
        constexpr int runs = 8;
        const auto count = found.steps;
        all.push_back({.name = one.name,
                       .block =
                           [program, count] {
                               for (int k = 0; k < runs; ++k) {
                                   program->start();
                                   program->run(count);
                               }
                           },
                       .units = 1e3 * runs,
                       .gap = gap,
                       .energy = std::abs(program->energy() - first_energy),
                       .passes = static_cast<double>(program->passes()) / static_cast<double>(count),
                       .note = fmt::format("{} steps, angles {:.2e}", count, found.error)});
    }
    take_turns(all);
    // The fastest of the library over each.
    const std::size_t methods = libraries.size();
    std::size_t fastest = 0;
    for (std::size_t k = 0; k < methods; ++k) {
        fastest = median(all[k].nanoseconds) < median(all[fastest].nanoseconds) ? k : fastest;
    }
    for (auto& one : all) {
        for (std::size_t n = 0; n < pairs; ++n) {
            one.ratios[n] = all[fastest].nanoseconds[n] / one.nanoseconds[n];
        }
    }
    for (const auto& program : programs) {
        failed = failed || program->failed();
    }
    print_table({"Andrews' mechanism, angles to 1e-8 at t = 0.03", "us, whole run", all[fastest].name + " / this"}, all,
                json);
    for (const auto& spec : unreached) {
        fmt::print(stderr, "yardsticks: {} did not reach the error\n", spec);
    }
    return failed ? 1 : 0;
}

// The same method with the same step: positions and momenta agree to round-off.
int check_andrews() {
    const auto model = libration::Model::load("andrews");
    const auto system = libration::make_system<double>(model);
    const auto run = library_lanes(model, libration::method("lobatto(4)"), 1);
    run->start({libration::start_state(model, *system)}, 1e-4);
    const bool converged = run->run(100);
    const auto state = run->state(0);
    int failures = 0;
    for (const auto& one : by_hand) {
        Andrews program(one.matrix, 1e-4, one.tolerance);
        program.run(100);
        const auto q = program.angles(), p = program.momenta();
        double difference = 0;
        for (std::size_t k = 0; k < 7; ++k) {
            const double off = std::max(std::abs(q[k] - state.q[k]), std::abs(p[k] - state.p[k]));
            difference = off <= difference ? difference : off;
            difference = std::isfinite(q[k] + p[k]) ? difference : HUGE_VAL;
        }
        const bool same = converged && !program.failed() && difference < (one.tolerance > 0 ? 1e-8 : 1e-10);
        fmt::print("Andrews {:<29} differs from lobatto(4) by {:.1e}{}\n", one.name, difference,
                   same ? "" : "  TOO MUCH");
        failures += same ? 0 : 1;
    }
    return failures;
}

}  // namespace bench
