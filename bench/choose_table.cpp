// The table of docs/step-size.md: choices on built-in problems against an exhaustive search.
//
//     choose_table [PROBLEM...]      errors of 1e-3, 1e-6 and 1e-9 each; all problems without names
#include "choose_table.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

int main(int count, char** arguments) {
    using namespace libration;
    std::vector<std::string> names(arguments + 1, arguments + count);
    for (const double error : {1e-3, 1e-6, 1e-9}) {
        for (const auto& name : names) {
            const auto model = Model::load(name);
            try {
                ChooseOptions options;
                options.error = error;
                const auto row = bench::choose_case(model, options);
                fmt::print("| {} | {:.0e} | {} {:.2e} | {:.2g} | {:.1e} | {} | {} | {:.2f} | {:.2g} |\n", name, error,
                           row.choice.criterion, row.goal, row.reached / row.goal, row.work, row.choice.method,
                           row.best_method, row.ratio(), row.choice.pilot_work / row.work);
            } catch (const InputError& refused) {
                fmt::print("| {} | {:.0e} | {} |\n", name, error, refused.what());
            }
            std::fflush(stdout);
        }
    }
    return 0;
}
