// Mechanisms that pass positions where their constraints become dependent, with random steps: how many runs are right,
// how many stop and say so, and how many are wrong without a word, which must be none.
//
//     bench/singular_positions [RUNS per mechanism and method = 42] [SEED = 1] [METHOD]...
#include "singular_mechanisms.hpp"

#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>

using namespace libration;

namespace {

struct Counts {
    int right = 0, stopped = 0, wrong = 0;
    double largest = 0;  // energy error of the runs that were completed, relative to the scale of the energies
};

// The energy of a right run is as good as the method is at this step; that of a wrong one is off by the kinetic energy
// that a velocity loses or gains as it changes its branch.
Counts random_runs(const singular::Mechanism& which, const Method& how, int runs, unsigned seed) {
    const double limit = how.claims().order <= 2 ? 0.06 : 1e-3;
    std::mt19937 random(seed);
    Counts counts;
    for (int k = 0; k < runs; ++k) {
        const double u = static_cast<double>(random()) / 4294967296.0;
        const auto steps = static_cast<std::int64_t>(which.duration / which.longest_step *
                                                     std::pow(which.longest_step / which.shortest_step, u));
        const auto run =
            integrate(which.model, how, {.step = which.duration / static_cast<double>(steps), .steps = steps});
        if (run.status == RunStatus::failed) {
            ++counts.stopped;
            continue;
        }
        const double error = run.energy.max_error / which.scale;
        counts.largest = std::max(counts.largest, error);
        const bool right = error < limit && (run.invariants.empty() || run.invariants[0].max_error < 1e-2);
        ++(right ? counts.right : counts.wrong);
    }
    return counts;
}

}  // namespace

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    const int runs = !arguments.empty() ? std::atoi(arguments[0].c_str()) : 42;
    const unsigned seed = arguments.size() > 1 ? static_cast<unsigned>(std::atoi(arguments[1].c_str())) : 1;
    std::vector<std::string> methods{
        "rattle",   "compose(rattle, suzuki)", "lobatto(3)", "lobatto(4)", "lobatto(5)", "spark(3)",
        "spark(4)", "dirac-gauss(2)"};
    if (arguments.size() > 2) {
        methods.assign(arguments.begin() + 2, arguments.end());
    }
    fmt::print("{:<22} {:<24} {:>6} {:>8} {:>6}   largest energy error\n", "mechanism", "method", "right", "stopped",
               "wrong");
    Counts total;
    auto mechanisms = singular::mechanisms();
    std::ranges::move(singular::short_linked_mechanisms(), std::back_inserter(mechanisms));
    for (const auto& which : mechanisms) {
        for (const auto& spec : methods) {
            const auto found = random_runs(which, method(spec), runs, seed);
            fmt::print("{:<22} {:<24} {:>6} {:>8} {:>6}   {:.1e}\n", which.name, spec, found.right, found.stopped,
                       found.wrong, found.largest);
            total.right += found.right;
            total.stopped += found.stopped;
            total.wrong += found.wrong;
        }
    }
    fmt::print("{:<22} {:<24} {:>6} {:>8} {:>6}\n", "all", "", total.right, total.stopped, total.wrong);
    return total.wrong == 0 ? 0 : 1;
}
