// The triple pendulum over T = 1000 with an energy error of 1e-9: Runge-Kutta in angles beside methods of the library,
// each with the largest step that reaches the error.
#include <bench/library_side.hpp>
#include <bench/yardsticks/angles.hpp>
#include <bench/yardsticks/find_steps.hpp>
#include <bench/yardsticks/measure.hpp>
#include <bench/yardsticks/tables.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bench {

namespace {

constexpr double duration = 1000, wanted = 1e-9;
constexpr double pi = std::numbers::pi;
constexpr std::array<double, 3> start_angles{pi / 6, pi / 4, pi / 2};

double energy(const LibraryState& state) {
    double sum = 0;
    for (std::size_t j = 0; j < 6; ++j) {
        sum += state.p[j] * state.p[j] / 2 + (j % 2 == 1 ? state.q[j] : 0);
    }
    return sum;
}

class Library {
  public:
    explicit Library(const std::string& spec)
        : model_(libration::Model::load("triple-pendulum")), method_(libration::method(spec)),
          run_(library_lanes(model_, method_, 1)), system_(libration::make_system<double>(model_)),
          state_(libration::start_state(model_, *system_)) {}
    // The largest |H - H0|; infinite if a step fails.
    double error(std::int64_t steps) {
        start(steps);
        const double first = energy(run_->state(0));
        double worst = 0;
        for (std::int64_t n = 0; n < steps + method_.lag(); ++n) {
            if (!run_->run(1)) {
                return HUGE_VAL;
            }
            const double off = std::abs(energy(run_->state(0)) - first);
            if (!(off < 1)) {
                return HUGE_VAL;
            }
            worst = std::max(worst, off);
        }
        passes_ = run_->passes() / static_cast<double>(steps);
        return worst;
    }
    void start(std::int64_t steps) { run_->start({state_}, duration / static_cast<double>(steps)); }
    void run(std::int64_t steps) { run_->run(steps); }
    [[nodiscard]] double passes() const { return passes_; }
    [[nodiscard]] std::string backend() const { return run_->backend(); }

  private:
    libration::Model model_;
    libration::Method method_;
    std::unique_ptr<LibraryRun> run_;
    std::unique_ptr<libration::System<double>> system_;
    libration::StartState<double> state_;
    double passes_ = 0;
};

struct Candidate {
    const char* spec;
    std::int64_t first;  // steps to begin the search with
    int order;
};
constexpr Candidate candidates[] = {
    {"multistep(6)", 150'000, 6},
    {"multistep(8)", 90'000, 8},
    {"multistep(10)", 110'000, 10},
    {"compose(rattle, kahanli6)", 20'000, 6},
    {"compose(rattle, kahanli8)", 9'000, 8},
    {"compose(rattle, sofroniou10)", 6'000, 10},
    {"lobatto(4)", 20'000, 6},
    {"lobatto(5)", 10'000, 8},
    {"lobatto(6)", 7'000, 10},
};

struct ByHand {
    const char* name;
    Sines sines;
};
constexpr ByHand by_hand[] = {{"RK4 in angles, sincos", Sines::library},
                              {"RK4 in angles, sines in a vector", Sines::vector}};

}  // namespace

int angles_table(bool json) {
    std::vector<Contestant> all;
    std::vector<Found> found;
    const auto add = [&](const std::string& name, const Found& steps, std::function<void()> block) {
        found.push_back(steps);
        all.push_back({.name = name,
                       .block = std::move(block),
                       .units = 1e3,  // blocks in us
                       .energy = steps.error});
    };
    std::vector<std::unique_ptr<Library>> libraries;
    std::vector<std::string> unreached;
    for (const auto& candidate : candidates) {
        auto library = std::make_unique<Library>(candidate.spec);
        const auto steps = find_steps(candidate.first, pairs, candidate.order, wanted,
                                      [&](std::int64_t count) { return library->error(count); });
        if (steps.steps == 0) {
            unreached.emplace_back(candidate.spec);
            continue;
        }
        const double passes = library->passes();
        library->start(steps.steps);
        auto* running = library.get();
        libraries.push_back(std::move(library));
        const auto block = steps.steps / static_cast<std::int64_t>(pairs);
        add(candidate.spec, steps, [running, block] { running->run(block); });
        all.back().passes = passes;
    }
    std::vector<std::unique_ptr<TripleAngles>> pendulums;
    for (const auto& [name, sines] : by_hand) {
        const auto pendulum = [&, sines = sines](std::int64_t count) {
            auto one = std::make_unique<TripleAngles>(1, duration / static_cast<double>(count), sines);
            one->start(start_angles);
            return one;
        };
        const auto steps = find_steps(200'000, pairs, 5, wanted,
                                      [&](std::int64_t count) { return pendulum(count)->watched_run(count); });
        pendulums.push_back(pendulum(steps.steps));
        const auto block = steps.steps / static_cast<std::int64_t>(pairs);
        add(name, steps, [one = pendulums.back().get(), block] { one->run(block); });
    }
    take_turns(all);
    // The question is how far ahead the library is: of the faster one by hand, the last row, and in the notes of the
    // other.
    const auto reference = all.back().nanoseconds, plain = all[all.size() - 2].nanoseconds;
    for (std::size_t k = 0; k < all.size(); ++k) {
        double total = 0;
        std::vector<double> ahead;
        for (std::size_t n = 0; n < pairs; ++n) {
            all[k].ratios[n] = reference[n] / all[k].nanoseconds[n];
            ahead.push_back(plain[n] / all[k].nanoseconds[n]);
            total += all[k].nanoseconds[n] * all[k].units;
        }
        all[k].note = fmt::format("sincos / this {:.2f}; h = 1/{:.2f}, {} steps, {:.1f} ms", median(ahead),
                                  static_cast<double>(found[k].steps) / duration, found[k].steps, 1e-6 * total);
    }
    print_table({"triple pendulum, max |H - H0| = 1e-9 over T = 1000", "us per T/11", "RK4, vector / this"}, all, json);
    for (const auto& spec : unreached) {
        fmt::print(stderr, "yardsticks: {} did not reach the error\n", spec);
    }
    return std::isfinite(pendulums.back()->energy()) ? 0 : 1;
}

// Positions of RK4 in angles with a small step, against a method of the library that is as accurate.
int check_angles() {
    auto model = libration::Model::load("triple-pendulum");
    const auto run = library_lanes(model, libration::method("lobatto(6)"), 1);
    const auto system = libration::make_system<double>(model);
    run->start({libration::start_state(model, *system)}, 0.02);
    const bool converged = run->run(50);
    const auto state = run->state(0);
    int failures = 0;
    for (const auto& [name, sines] : by_hand) {
        TripleAngles pendulum(1, 1e-4, sines);
        pendulum.start(start_angles);
        pendulum.run(10'000);
        double x = 0, y = 0, difference = converged ? 0 : HUGE_VAL;
        for (std::size_t i = 0; i < 3; ++i) {
            x += std::sin(pendulum.angles()[i]);
            y -= std::cos(pendulum.angles()[i]);
            const double off = std::max(std::abs(x - state.q[2 * i]), std::abs(y - state.q[2 * i + 1]));
            difference = off <= difference ? difference : off;
            difference = std::isfinite(off) ? difference : HUGE_VAL;
        }
        const bool same = difference < 1e-10;
        fmt::print("{:<37} differs from lobatto(6) at t = 1 by {:.1e}{}\n", name, difference, same ? "" : "  TOO MUCH");
        failures += same ? 0 : 1;
    }
    return failures;
}

}  // namespace bench
