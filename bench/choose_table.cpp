// The tables of decision 55: choices on built-in problems against an exhaustive search, and counted work against time.
//
//     choose_table PROBLEM...          errors of 1e-3, 1e-6 and 1e-9 each
//     choose_table --error E PROBLEM...
//     choose_table --work PROBLEM...   nanoseconds per counted operation of every candidate
#include "choose_table.hpp"

#include <fmt/format.h>

namespace {

using namespace libration;

void print_work(const std::string& name) {
    const auto model = Model::load(name);
    const ChooseOptions options;
    PilotRuns runs(model, options);
    const double step = model.run.step.value_or(1e-2);
    for (const auto& one : candidate_methods(runs.properties(), runs.constraints())) {
        const double own = step * relative_step(one);
        const auto pilot = runs.run(one, 200, 200 * own);
        if (pilot.completed()) {
            fmt::print("| {} | {} | {:.0f} | {:.1f} | {:.1f} |\n", name, one.name(), pilot.work / 200,
                       1e6 * pilot.seconds / 200, 1e9 * pilot.seconds / pilot.work);
        }
    }
}

void print_choice(const std::string& name, double error) {
    const auto model = Model::load(name);
    try {
        ChooseOptions options;
        options.error = error;
        const auto row = bench::choose_case(model, options);
        fmt::print("| {} | {:.0e} | {} {:.2e} | {:.2g} | {:.1e} | {} | {} | {:.2f} | {:.2g} |\n", name, error,
                   row.choice.criterion, row.goal, row.reached / row.goal, row.work, row.choice.method, row.best_method,
                   row.ratio(), row.choice.pilot_work / row.work);
    } catch (const InputError& refused) {
        fmt::print("| {} | {:.0e} | {} |\n", name, error, refused.what());
    }
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    std::vector<std::string> names(arguments + 1, arguments + count);
    if (!names.empty() && names.front() == "--work") {
        std::for_each(names.begin() + 1, names.end(), print_work);
        return 0;
    }
    std::vector<double> errors{1e-3, 1e-6, 1e-9};
    if (names.size() > 1 && names.front() == "--error") {
        errors = {std::stod(names[1])};
        names.erase(names.begin(), names.begin() + 2);
    }
    for (const double error : errors) {
        for (const auto& name : names) {
            print_choice(name, error);
        }
    }
    return 0;
}
