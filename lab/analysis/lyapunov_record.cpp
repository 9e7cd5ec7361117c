// Lyapunov exponents of a recorded run.
#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"

#include "lyapunov.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace libration {

namespace {

LyapunovOptions read_options(const Trajectory& trajectory, const AnalysisOptions& given) {
    if (trajectory.options.adaptive) {
        throw InputError("Lyapunov exponents need a constant step size: with step-size control the tangent map is a "
                         "different one; run it without `adaptive`");
    }
    const auto at = row_of(trajectory, given);
    LyapunovOptions options{.step = trajectory.options.step};
    options.start = StartState<double>{trajectory.q[at], trajectory.p[at]};
    options.start_time = trajectory.t[at];
    const bool as_long_as_the_run = text_option(given, "duration").empty();
    options.duration = as_long_as_the_run ? trajectory.t.back() - trajectory.t[at] : number_option(given, "duration");
    if (!as_long_as_the_run && !(options.duration > 0)) {
        throw InputError(
            fmt::format("option duration={}: the duration must be positive", text_option(given, "duration")));
    }
    constexpr double most_steps = 1e8;  // minutes, at some microseconds each
    if (const double steps = std::abs(options.duration / options.step); !(steps <= most_steps)) {
        throw InputError(
            fmt::format("Lyapunov exponents over {:.3g} steps would take hours, the limit is {:.0e}: give a shorter "
                        "duration",
                        steps, most_steps));
    }
    options.renormalise = integer_option(given, "renormalise");
    const bool all = text_option(given, "count") == "all";
    const auto count = all ? 0 : integer_option(given, "count");
    if (!all && count < 1) {
        throw InputError(fmt::format("option count={}: expected a number of at least 1, or all", count));
    }
    options.count = static_cast<std::size_t>(count);
    return options;
}

plot::Figure running_figure(const LyapunovExponents& found) {
    plot::Figure figure{.title = "Lyapunov exponents from the tangent map of the method",
                        .x = {.label = "t", .logarithmic = true},
                        .y = {.label = "mean growth rate up to t"}};
    constexpr std::size_t named = 8;
    for (std::size_t k = 0; k < found.running.size(); ++k) {
        figure.series.push_back(
            {k < named ? fmt::format("exponent {}", k + 1) : std::string{}, found.t, found.running[k]});
    }
    figure.series.push_back({"", {found.t.front(), found.t.back()}, {0, 0}, plot::Style::guide});
    return figure;
}

AnalysisResult run_lyapunov(const Trajectory& trajectory, const AnalysisOptions& given) {
    const auto found = lyapunov_exponents(trajectory.model, method(trajectory.method, Doubts::accept),
                                          read_options(trajectory, given));
    AnalysisResult result{.what = "lyapunov"};
    for (std::size_t k = 0; k < found.exponents.size(); ++k) {
        result.numbers.push_back({fmt::format("exponent_{}", k + 1), found.exponents[k], "per unit of time"});
        result.numbers.push_back({fmt::format("error_{}", k + 1), found.errors[k], "its estimated error"});
    }
    if (found.exponents.size() == found.tangent_dimension) {
        double pairs = 0;
        for (std::size_t k = 0; k < found.exponents.size(); ++k) {
            pairs = std::max(pairs, std::abs(found.exponents[k] + found.exponents[found.exponents.size() - 1 - k]));
        }
        const double sum = std::accumulate(found.exponents.begin(), found.exponents.end(), 0.0);
        result.numbers.push_back({"sum", sum, "sum of all exponents; 0 for volume-preserving flows"});
        result.numbers.push_back(
            {"pairing", pairs, "maximum of |first + last|, |second + second to last|, ...; 0 for symplectic flows"});
    }
    result.numbers.push_back(
        {"dimension", static_cast<double>(found.tangent_dimension), "dimension of the tangent space, 2(n - m)"});
    result.numbers.push_back(
        {"tangent_residual", found.tangent_residual, "maximum |G dq| of the tangent vectors at the end"});
    result.numbers.push_back({"time", found.time, "averaging time, without the first tenth"});
    const double first = found.exponents[0], error = found.errors[0];
    result.verdict =
        first > 3 * error
            ? fmt::format("neighboring trajectories separate exponentially: largest exponent {:.4g} +- {:.2g}", first,
                          error)
            : fmt::format("no exponential separation detected over t = {:.6g}: largest exponent {:.3g} +- {:.2g}",
                          found.time, first, error);
    result.figures.push_back(running_figure(found));
    return result;
}

}  // namespace

AnalysisRecord lyapunov_analysis() {
    return {"lyapunov",
            "Lyapunov exponents from the tangent map of the method, on the constraint manifold.",
            {{"count", "1", "number of exponents, the largest first; or all"},
             {"renormalise", "10", "number of steps between renormalizations of the basis"},
             {"duration", "", "duration; default: to the end of the run"},
             row_option("the recorded state to start from")},
            run_lyapunov};
}

}  // namespace libration
