// Time per link and step of the library's `rattle` and of programs written for the same chain alone, side by side.
//
//     chain_bench [LINKS [STEP]]     default 1000 links; the step resolves the fastest bending mode
//     chain_bench --table            100 to 1,000,000 links, one line a length
//     chain_bench --check            do all make the same motion? Exit status 1 if not
//
// They take turns, block by block, so that a change of the machine's pace meets all of them; times are CPU times of the
// thread, and what is reported is the median of the blocks.
#include "codegen/tape_code.hpp"
#include "integrate/start.hpp"
#include "system/term_system.hpp"
#include <bench/hand_written_chain.hpp>
#include <bench/plain_chain.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <limits>
#include <memory>
#include <string>

namespace {

using bench::ChainParameters;
using bench::ForAnyMachine;
using bench::ForThisMachine;
using bench::HandWrittenChain;
using bench::PlainChain;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct State {
    std::vector<double> q, q_low, p;
    double held = epsilon;  // the last digit of what is held of q, low part included
};

// One of the programs, as the measurement sees it.
class Contestant {
  public:
    explicit Contestant(std::string name) : name_(std::move(name)) {}
    virtual ~Contestant() = default;
    virtual void make_steps(std::int64_t steps) = 0;
    [[nodiscard]] virtual State state() = 0;
    [[nodiscard]] virtual double passes() const = 0;
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] double residual() const { return residual_; }

  protected:
    bool failed_ = false;
    double residual_ = 0;  // largest at the end of an iteration, in floors

  private:
    std::string name_;
};

// A program for this chain alone. `held` as in State.
template <class Chain>
class ByHand final : public Contestant {
  public:
    ByHand(std::string name, const ChainParameters& parameters, double held = epsilon)
        : Contestant(std::move(name)), chain_(parameters), held_(held) {}
    void make_steps(std::int64_t steps) override {
        for (std::int64_t k = 0; k < steps; ++k) {
            failed_ |= !chain_.step();
        }
        residual_ = chain_.residual();
    }
    State state() override { return {chain_.positions(), chain_.positions_low(), chain_.momenta(), held_}; }
    [[nodiscard]] double passes() const override { return static_cast<double>(chain_.passes()); }

  private:
    Chain chain_;
    double held_;
};

class Library final : public Contestant {
  public:
    explicit Library(const ChainParameters& parameters)
        : Contestant("libration rattle"), model_(load(parameters)), system_(model_),
          stepper_(make_stepper<double>(libration::method("rattle"), system_)) {
        // As long runs do it; without the module the kernels are interpreted.
        libration::TapeCode kernels;
        std::string why_not;
        system_.visit_tapes(kernels);
        kernels.generate(why_not);
        const auto start = libration::start_state(model_, system_);
        stepper_->start(0, start.q, start.p, parameters.step);
    }
    void make_steps(std::int64_t steps) override {
        for (std::int64_t k = 0; k < steps; ++k) {
            const auto report = stepper_->advance();
            stepper_->accept();
            failed_ |= report.converged != 1;
            residual_ = std::max(residual_, report.residual);
        }
    }
    State state() override {
        const auto node = stepper_->node();
        return {.q = {node.q.begin(), node.q.end()},
                .q_low = {node.q_low.begin(), node.q_low.end()},
                .p = {node.p.begin(), node.p.end()}};
    }
    [[nodiscard]] double passes() const override {
        return stepper_->evaluations().count[libration::Evaluations<double>::newton_iterations];
    }

  private:
    static libration::Model load(const ChainParameters& parameters) {
        return libration::Model::load("chain", {{"n", std::to_string(parameters.links)},
                                                {"g", fmt::format("{}", parameters.gravity)},
                                                {"l", fmt::format("{}", parameters.rod)},
                                                {"m", fmt::format("{}", parameters.mass)}});
    }
    libration::Model model_;
    libration::TermSystem<double> system_;
    std::unique_ptr<libration::Stepper<double>> stepper_;
};

long double energy(const State& state, const ChainParameters& given) {
    long double sum = 0;
    for (std::size_t j = 0; j < state.q.size(); j += 2) {
        const long double px = state.p[j], py = state.p[j + 1];
        sum += (px * px + py * py) / (2 * given.mass) + given.mass * given.gravity * state.q[j + 1];
    }
    return sum;
}

// The largest |g_i| on q + q_low, in floors eps (4 l^2 + sum_j |G_ij| (|h v_j| + held |q_j|)).
double largest_gap(const State& state, const ChainParameters& given) {
    long double worst = 0;
    const auto size = [&](std::size_t k) {
        return std::abs(given.step / given.mass * state.p[k]) + state.held * std::abs(state.q[k]);
    };
    for (std::size_t j = 0; j < state.q.size(); j += 2) {
        long double square = 0, sizes = 4 * given.rod * given.rod;
        for (std::size_t k = j; k < j + 2; ++k) {
            // Differences first: a million rods and the low part together are too long even for extended precision.
            const bool hinged = k < 2;
            const long double high = static_cast<long double>(state.q[k]) - (hinged ? 0 : state.q[k - 2]);
            const long double rod =
                high + (static_cast<long double>(state.q_low[k]) - (hinged ? 0 : state.q_low[k - 2]));
            square += rod * rod;
            sizes += 2 * std::abs(rod) * (size(k) + (hinged ? 0 : size(k - 2)));
        }
        const long double gap = std::abs(square - given.rod * given.rod);
        worst = std::max(worst, gap / (epsilon * sizes));
    }
    return static_cast<double>(worst);
}

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::string range(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return fmt::format("{:8.2f} {:8.2f} {:8.2f}", *low, median(values), *high);
}

std::vector<std::unique_ptr<Contestant>> contestants(const ChainParameters& parameters) {
    std::vector<std::unique_ptr<Contestant>> all;
    all.push_back(std::make_unique<Library>(parameters));
    all.push_back(std::make_unique<ByHand<PlainChain<ForAnyMachine>>>("plain, -O3", parameters));
    all.push_back(std::make_unique<ByHand<PlainChain<ForThisMachine>>>("plain, -march=native", parameters));
    all.push_back(std::make_unique<ByHand<HandWrittenChain<true>>>("vectors by hand", parameters));
    all.push_back(std::make_unique<ByHand<HandWrittenChain<false>>>("same, no low parts", parameters, 1));
    return all;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double difference = std::abs(a[k] - b[k]);
        largest = std::max(largest, std::isfinite(difference) ? difference : HUGE_VAL);
    }
    return largest;
}

// Round-off of 1000 steps of 100 links stays far below 1e-10; an error in a formula does not. Momenta are compared too:
// positions do not feel a wrong projection, the next step's multipliers make up for it. No parameter is 1, so that one
// that a formula forgets shows; the rod is a power of two because positions counted in rods must convert without
// rounding.
int check() {
    const ChainParameters parameters{.links = 100, .gravity = 1.25, .rod = 0.5, .mass = 1.5, .step = 0.0125};
    const auto all = contestants(parameters);
    bool same = true;
    for (const auto& one : all) {
        const double before = static_cast<double>(energy(one->state(), parameters));
        one->make_steps(1000);
        const State state = one->state();
        const State first = all[0]->state();
        const double difference = std::max(largest_difference(state.q, first.q), largest_difference(state.p, first.p));
        const double gap = largest_gap(state, parameters);
        const double drift = static_cast<double>(energy(state, parameters)) / before - 1;
        fmt::print("{:<21} differs from '{}' by {:.1e}; |g| {:.2f} floors; energy error {:.1e}\n", one->name(),
                   all[0]->name(), difference, gap, drift);
        same = same && difference < 1e-10 && gap <= 4 && !one->failed();
    }
    fmt::print("{}\n", same ? "the same motion" : "NOT the same motion");
    return same ? 0 : 1;
}

constexpr std::size_t pairs = 11;

struct Measurement {
    std::vector<std::unique_ptr<Contestant>> all;
    std::int64_t steps = 0;  // a block
    std::vector<std::vector<double>> times, ratios;
    std::vector<double> passes, error;  // passes a step
    [[nodiscard]] bool failed() const {
        return std::any_of(all.begin(), all.end(), [](const auto& one) { return one->failed(); });
    }
};

Measurement measured(const ChainParameters& parameters) {
    const auto links = static_cast<double>(parameters.links);
    const auto steps = std::max<std::int64_t>(2, std::llround(1e6 / links));
    auto all = contestants(parameters);
    std::vector<std::vector<double>> times(all.size()), ratios(all.size());
    std::vector<double> passes(all.size()), error(all.size());
    std::vector<long double> start;
    for (std::size_t k = 0; k < all.size(); ++k) {
        start.push_back(energy(all[k]->state(), parameters));
        all[k]->make_steps(8);  // fills the history of multipliers and the caches
        passes[k] = all[k]->passes();
    }
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            const double began = thread_seconds();
            all[k]->make_steps(steps);
            times[k].push_back(1e9 * (thread_seconds() - began) / (links * static_cast<double>(steps)));
            const double off = static_cast<double>(energy(all[k]->state(), parameters) / start[k] - 1);
            error[k] = std::max(error[k], std::abs(off));
        }
        for (std::size_t k = 0; k < all.size(); ++k) {
            ratios[k].push_back(times[0].back() / times[k].back());
        }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        passes[k] = (all[k]->passes() - passes[k]) / (static_cast<double>(pairs) * static_cast<double>(steps));
    }
    return {std::move(all), steps, times, ratios, passes, error};
}

double usual_step(std::size_t links) { return 0.2 / std::sqrt(static_cast<double>(links)); }

// One line a length.
int table() {
    bool heading = true, failed = false;
    for (const std::size_t links : {100, 1'000, 10'000, 100'000, 1'000'000}) {
        ChainParameters parameters;
        parameters.links = links;
        parameters.step = usual_step(links);
        const auto result = measured(parameters);
        if (heading) {
            fmt::print("ns per link and step, median of {} blocks; in brackets: library / this, median of pairs\n{:>8}",
                       pairs, "links");
            for (const auto& one : result.all) {
                fmt::print("  {:>21}", one->name());
            }
            fmt::print("\n");
            heading = false;
        }
        fmt::print("{:>8}", links);
        for (std::size_t k = 0; k < result.all.size(); ++k) {
            fmt::print("  {:>12.2f} ({:>6.2f})", median(result.times[k]), median(result.ratios[k]));
        }
        fmt::print("{}\n", result.failed() ? "  NOT CONVERGED" : "");
        failed = failed || result.failed();
    }
    return failed ? 1 : 0;
}

int measure(const ChainParameters& parameters) {
    const auto [all, steps, times, ratios, passes, error] = measured(parameters);
    fmt::print("chain of {} links, step {:.4g}, {} blocks of {} steps\n", parameters.links, parameters.step, pairs,
               steps);
    fmt::print("{:<21} {:^26}   {:^26}  {:>6} {:>9} {:>8} {:>8}\n", "", "ns per link and step", "library / this",
               "passes", "residual", "|g|", "energy");
    fmt::print("{:<21} {:>8} {:>8} {:>8}   {:>8} {:>8} {:>8}  {:>6} {:>9} {:>8} {:>8}\n", "", "min", "median", "max",
               "min", "median", "max", "a step", "floors", "floors", "error");
    bool failed = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
        fmt::print("{:<21} {}   {}  {:>6.2f} {:>9.2f} {:>8.2f} {:>8.1e}{}\n", all[k]->name(), range(times[k]),
                   range(ratios[k]), passes[k], all[k]->residual(), largest_gap(all[k]->state(), parameters), error[k],
                   all[k]->failed() ? "  NOT CONVERGED" : "");
        failed = failed || all[k]->failed();
    }
    return failed ? 1 : 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        if (count > 1 && std::string(words[1]) == "--check") {
            return check();
        }
        if (count > 1 && std::string(words[1]) == "--table") {
            return table();
        }
        ChainParameters parameters;
        parameters.links = count > 1 ? std::stoul(words[1]) : 1000;
        if (parameters.links < 1) {
            throw libration::InputError("a chain has at least one link");
        }
        parameters.step = count > 2 ? std::stod(words[2]) : usual_step(parameters.links);
        return measure(parameters);
    } catch (const std::exception& fault) {
        fmt::print(stderr,
                   "chain_bench: {}\nusage: chain_bench [LINKS [STEP]], chain_bench --table or chain_bench --check\n",
                   fault.what());
        return 2;
    }
}
