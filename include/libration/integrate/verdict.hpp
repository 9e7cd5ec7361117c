// How good a run is: a word, with the reasons behind it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// The error of a run as a companion with half the step size shows it over the first part of the run. Errors are those
// of q and p, the larger of the two, each relative to the largest |q| or |p| so far, as `compare` has them.
struct ErrorEstimate {
    std::int64_t steps = 0;                                     // of the run, that the companion repeated
    double duration = 0;                                        // of these steps
    double error = 0;                                           // the largest in that time
    double early_error = 0;                                     // the largest of the first ten steps
    bool chaotic = false;                                       // it grows exponentially
    double horizon = std::numeric_limits<double>::quiet_NaN();  // when it reaches a tenth, after the start; NaN: later
    double exponent = 1;                                        // otherwise it grows like t^exponent, from 1 to 2
    double at_end = 0;  // what it will have become by the end of the run; NaN beyond the horizon
};

enum class VerdictWord { good, rough, meaningless };
std::string to_string(VerdictWord word);
VerdictWord verdict_word_named(std::string_view name);

struct RunVerdict {
    VerdictWord word = VerdictWord::good;
    std::vector<std::string> reasons;  // what decided first; what to do at the end
};

struct Run;

// From the numbers of a run alone. `doubts`: warnings that call its result into question. Nothing where nothing was
// monitored, and where no step was made.
[[nodiscard]] bool can_be_judged(const Run& run);
RunVerdict judge(const Run& run, const std::vector<std::string>& doubts);

}  // namespace libration
