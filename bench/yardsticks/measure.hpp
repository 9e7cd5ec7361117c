// Programs that take turns, block by block, in one process: a change of the machine's pace meets all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

constexpr std::size_t pairs = 11;

struct Contestant {
    std::string name;
    std::function<void()> block;
    double units = 1;  // steps, or trajectory-steps, that a block makes
    double gap = 0;    // largest |g|, recomputed in extended precision
    double energy = 0;
    double passes = 0;
    std::string note;
    std::vector<double> nanoseconds{},
        ratios{};  // one a block; ratio: time of the first contestant over that of this one
};

// CPU time of the thread.
double thread_seconds();
double median(std::vector<double> values);
double smallest(const std::vector<double>& values);

// Fills in times and ratios.
void take_turns(std::vector<Contestant>& all);

// A table, or one JSON object a row.
struct Columns {
    std::string title, unit = "ns per step", ratio = "library / this";
};
void print_table(const Columns& columns, const std::vector<Contestant>& all, bool json);

}  // namespace bench
