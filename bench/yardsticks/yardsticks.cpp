// The library beside programs written for one problem alone.
//
//     yardsticks triple|lanes|rk4|andrews|costs|all [--json]
//     yardsticks --check                      do all make the same motion? Exit status 1 if not
//     yardsticks steps LANES STEPS [--hand]   counts the instructions of so many steps
#include <bench/yardsticks/tables.hpp>
#include <libration/text/error.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

namespace {

int run(const std::vector<std::string>& words) {
    const std::string what = words.empty() ? "all" : words[0];
    const bool json = words.size() > 1 && words.back() == "--json";
    if (what == "--check") {
        const int failures = bench::check_triple() + bench::check_angles() + bench::check_andrews();
        fmt::print("{}\n", failures == 0 ? "the same motion" : "NOT the same motion");
        return failures == 0 ? 0 : 1;
    }
    if (what == "steps" && words.size() >= 3) {
        return bench::make_steps(std::stoul(words[1]), std::stoll(words[2]), words.back() == "--hand");
    }
    int status = 0;
    bool known = false;
    const auto table = [&](const char* name, auto&& print) {
        if (what == name || what == "all") {
            known = true;
            status = std::max(status, print());
        }
    };
    table("triple", [&] { return bench::triple_table(1, json); });
    table("lanes", [&] {
        const int eight = bench::triple_table(8, json);
        return std::max(eight, bench::triple_table(16, json));
    });
    table("rk4", [&] { return bench::angles_table(json); });
    table("andrews", [&] { return bench::andrews_table(json); });
    table("costs", [&] { return bench::costs_table(json); });
    if (!known) {
        throw libration::InputError("no table '" + what + "'");
    }
    return status;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run({words + 1, words + count});
    } catch (const std::exception& fault) {
        fmt::print(stderr,
                   "yardsticks: {}\nusage: yardsticks triple|lanes|rk4|andrews|costs|all [--json], yardsticks --check, "
                   "yardsticks steps LANES STEPS [--hand]\n",
                   fault.what());
        return 2;
    }
}
