// Clock, turns and tables.
#include <bench/yardsticks/measure.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <ctime>

namespace bench {

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double smallest(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

void take_turns(std::vector<Contestant>& all) {
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        for (auto& one : all) {
            const double began = thread_seconds();
            one.block();
            one.nanoseconds.push_back(1e9 * (thread_seconds() - began) / one.units);
        }
        for (auto& one : all) {
            one.ratios.push_back(all[0].nanoseconds.back() / one.nanoseconds.back());
        }
    }
}

void print_table(const Columns& columns, const std::vector<Contestant>& all, bool json) {
    if (json) {
        for (const auto& one : all) {
            fmt::print(
                R"({{"table": "{}", "unit": "{}", "ratio_of": "{}", "name": "{}", "smallest": {:.6g}, "median": {:.6g}, )",
                columns.title, columns.unit, columns.ratio, one.name, smallest(one.nanoseconds),
                median(one.nanoseconds));
            fmt::print(R"("ratio": {:.6g}, "largest_g": {:.3g}, "energy_error": {:.4g}, )", median(one.ratios), one.gap,
                       one.energy);
            fmt::print(R"("passes": {:.4g}, "note": "{}"}})"
                       "\n",
                       one.passes, one.note);
        }
        return;
    }
    fmt::print("{}\n{:<34} {:^19}   {:^22}  {:>8} {:>8} {:>7}\n", columns.title, "", columns.unit, columns.ratio,
               "largest", "energy", "passes");
    fmt::print("{:<34} {:>9} {:>9}   {:>7} {:>6} {:>7}  {:>8} {:>8} {:>7}\n", "", "min", "median", "min", "median",
               "max", "|g|", "error", "a step");
    for (const auto& one : all) {
        fmt::print("{:<34} {:>9.2f} {:>9.2f}   {:>7.2f} {:>6.2f} {:>7.2f}  {:>8.1e} {:>8.1e} {:>7.3f}  {}\n", one.name,
                   smallest(one.nanoseconds), median(one.nanoseconds), smallest(one.ratios), median(one.ratios),
                   *std::max_element(one.ratios.begin(), one.ratios.end()), one.gap, one.energy, one.passes, one.note);
    }
    fmt::print("\n");
}

}  // namespace bench
