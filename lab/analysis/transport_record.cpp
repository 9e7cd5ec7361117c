// A set about a state of a recorded run, carried by the method of the run.
#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"
#include "integrate/extremes.hpp"

#include "integrate/output_times.hpp"
#include "transport_figure.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace libration {

namespace {

constexpr std::int64_t most_default_steps = 1000;  // unless times are given
constexpr double most_steps_of_times = 1e8;
constexpr std::size_t most_times = 1000;
constexpr double most_work = 1e8;  // steps of all points: minutes, at a microsecond each
constexpr std::array colours{"#9a9a9a", "#4477aa", "#228833", "#cc6677", "#aa7744", "#66ccee"};

// 0 and the steps nearest to the times.
std::vector<std::int64_t> steps_of(const Trajectory& trajectory, double start, const std::string& times) {
    const double h = trajectory.options.step;
    std::vector<std::int64_t> steps{0};
    if (times.empty()) {
        const double left = std::round((trajectory.t.back() - start) / h);
        const auto all = static_cast<std::int64_t>(std::min(left, static_cast<double>(most_default_steps)));
        for (const auto third : {1, 2, 3}) {
            steps.push_back(all * third / 3);
        }
    } else {
        const auto wanted = read_times(times, "option times=" + times);
        if (wanted.size() > most_times) {
            throw InputError(fmt::format("option times={}: these are {} times, and at most {} are drawn", times,
                                         wanted.size(), most_times));
        }
        for (const double t : wanted) {
            const double count = std::round((t - start) / h);
            if (!(count <= most_steps_of_times)) {
                throw InputError(fmt::format("option times={}: t = {:.6g} is more than {:.0e} steps of {:.6g} away",
                                             times, t, most_steps_of_times, h));
            }
            steps.push_back(static_cast<std::int64_t>(std::max(count, -1.0)));  // -1: before the start
        }
    }
    for (std::size_t k = 1; k < steps.size(); ++k) {
        if (steps[k] <= steps[k - 1]) {
            throw InputError(
                times.empty()
                    ? "too little of the run remains after that row: give times=..., or another row"
                    : fmt::format(
                          "option times={}: they must increase, at least one step apart, after the start at t = {:.6g}",
                          times, start));
        }
    }
    return steps;
}

// Whether constraints leave a disc there an area: where the coordinate cannot move, they do not.
bool has_area(const Model& model, const Ellipse& set, double t) {
    const bool in_q = model.field && model.field->v.empty();
    const auto curve = ellipse_curve(model, set, t);
    std::vector<PhasePoint> outline;
    for (int i = 0; i < 64; ++i) {
        outline.push_back(curve(i / 64.0));
    }
    const double area = enclosed_area(outline, in_q ? Planes::q_alone : Planes::q_and_p);
    return std::abs(area) > 1e-3 * std::numbers::pi * set.a * set.b;
}

// In the plane that is named, or in the first one where it has an area.
Ellipse disc(const Model& model, const AnalysisOptions& given, const PhasePoint& centre, double radius, double t) {
    const auto numbers = coordinates_option(model, given, "plane");
    const bool named = !text_option(given, "plane").empty();
    if (named && numbers.size() > 1) {
        throw InputError(fmt::format("option plane={}: give one coordinate, whose plane contains the set",
                                     text_option(given, "plane")));
    }
    for (const auto k : numbers) {
        Ellipse set{centre, k, radius, radius};
        if (has_area(model, set, t)) {
            return set;
        }
    }
    throw InputError(fmt::format("a disc in the plane of {} has no area at t = {:.6g}, where the constraints fix that "
                                 "coordinate: choose another plane, or another row",
                                 named ? text_option(given, "plane") : "any coordinate", t));
}

struct Sizes {
    const char* what;  // area or volume
    std::span<const double> t, size, error;
    bool refined;
    std::size_t points;
    std::size_t most_points;
    std::int64_t steps;  // that were made
};

AnalysisResult report(const Sizes& sizes) {
    AnalysisResult result{.what = "transport"};
    double change = 0, error = 0;
    result.numbers.push_back({fmt::format("{}_start", sizes.what), sizes.size[0], "size of the set at the start"});
    for (std::size_t k = 1; k < sizes.size.size(); ++k) {
        const double relative = sizes.size[k] / sizes.size[0] - 1;
        const auto when = fmt::format("at t = {:.6g}", sizes.t[k]);
        result.numbers.push_back({fmt::format("{}_{}", sizes.what, k), sizes.size[k], when});
        result.numbers.push_back({fmt::format("change_{}", k), relative, "relative change since the start, " + when});
        change = std::abs(relative) > std::abs(change) || std::isnan(relative) ? relative : change;
        error = std::max(error, finite_or_infinite(sizes.error[k] / std::abs(sizes.size[0])));
    }
    result.numbers.push_back({"change", change, "the maximum of these"});
    result.numbers.push_back({"error", error, "relative change by the last refinement of the outline"});
    result.numbers.push_back({"points", static_cast<double>(sizes.points), "number of points of the outline"});
    // Carried points are rounded, too: each step by a few units of the last place, which add up at worst. The sums over
    // thousands of points round like some 500 steps.
    const double rounding =
        8 * std::numeric_limits<double>::epsilon() * static_cast<double>(std::max<std::int64_t>(sizes.steps, 500));
    const bool kept = std::abs(change) <= error + rounding;
    // A change is one where it is ten times what the outline leaves open; a size is kept where it is known to a
    // millionth.
    if (kept && error <= 1e-6) {
        result.verdict = fmt::format("the {} is preserved: maximum relative change {:.1e}, accurate to {:.1e}",
                                     sizes.what, std::abs(change), error);
    } else if (std::abs(change) > 10 * error + rounding) {
        result.verdict =
            fmt::format("the {} is not preserved: its maximum relative change is {:.3g}", sizes.what, change);
    } else {
        result.verdict = fmt::format(
            "undetermined whether the {} is preserved: maximum relative change {:.1e}, accurate only to {:.1e}",
            sizes.what, std::abs(change), error);
    }
    if (!sizes.refined) {
        result.warnings.push_back(
            fmt::format("the outline is stretched so much that {} points give the {} only to {:.1e}; {}choose earlier "
                        "times or a smaller radius",
                        sizes.points, sizes.what, error,
                        2 * sizes.points > sizes.most_points ? "allow more by points=..., or " : ""));
    }
    return result;
}

AnalysisResult carry_area_of(const Trajectory& trajectory, const Method& method, const Ellipse& ellipse,
                             const TransportOptions& options) {
    const auto& model = trajectory.model;
    const auto found = carry_area(model, method, ellipse_curve(model, ellipse, options.start_time), options);
    auto result = report({"area", found.t, found.area, found.error, found.refined, found.outline[0].size(),
                          options.most_points, options.steps.back()});
    const auto k = ellipse.coordinate;
    const bool in_q = model.field && model.field->v.empty();
    const auto name = model.coordinate_name(k);
    plot::Figure figure{.title = fmt::format("A set propagated by {}, h = {:.6g}", method.name(), options.step),
                        .x = {.label = name},
                        .y = {.label = in_q ? model.coordinate_name(k + 1) : "p_" + name}};
    const OutlinePlane plane{in_q ? Planes::q_alone : Planes::q_and_p, k};
    for (std::size_t i = 0; i < found.t.size(); ++i) {
        figure.series.push_back(
            filled(found.outline[i], plane, fmt::format("t = {:.6g}", found.t[i]), colours[i % colours.size()]));
    }
    result.figures.push_back(std::move(figure));
    return result;
}

AnalysisResult carry_ball_of(const Trajectory& trajectory, const Method& method, const Ellipse& ball,
                             const TransportOptions& options) {
    const auto found = carry_ball(trajectory.model, method, ball.centre.q, ball.a, options);
    auto result = report({"volume", found.t, found.volume, found.error, found.refined, found.surface[0].points.size(),
                          options.most_points, options.steps.back()});
    auto drawn = sphere(ball.centre.q, ball.a, 16);
    auto carried = carry_points(trajectory.model, method, drawn.points, options);
    drawn.points = std::move(carried.back());
    auto figure = view_figure(
        fmt::format("A ball propagated by {}, h = {:.6g}, to t = {:.6g}", method.name(), options.step, found.t.back()));
    figure.series = shaded(drawn);
    result.figures.push_back(std::move(figure));
    return result;
}

AnalysisResult run_transport(const Trajectory& trajectory, const AnalysisOptions& given) {
    const auto& model = trajectory.model;
    if (trajectory.options.adaptive) {
        throw InputError(
            "sets are propagated with a constant step size, the same for all points; run it without `adaptive`");
    }
    const auto at = row_of(trajectory, given);
    const double radius = number_option(given, "radius");
    const auto points = integer_option(given, "points");
    if (!(radius > 0) || points < 64) {
        throw InputError("option radius must be positive, and points at least 64");
    }
    const auto start = trajectory.t[at];
    const TransportOptions options{.step = trajectory.options.step,
                                   .steps = steps_of(trajectory, start, text_option(given, "times")),
                                   .start_time = start,
                                   .most_points = static_cast<std::size_t>(points),
                                   .tolerance = 1e-10};
    // Each point of the outline is carried all the way.
    if (const auto work = static_cast<double>(options.steps.back()) * static_cast<double>(points); work > most_work) {
        throw InputError(fmt::format("{} points and {} steps are up to {:.1e} steps in all, the limit is {:.0e}: "
                                     "choose earlier times, or fewer points",
                                     points, options.steps.back(), work, most_work));
    }
    const PhasePoint centre{trajectory.q[at], trajectory.p[at]};
    const auto carrier = method(trajectory.method, Doubts::accept);
    const bool in_space = model.field && model.field->v.empty() && model.dimension == 3;
    return in_space ? carry_ball_of(trajectory, carrier, {centre, 0, radius, radius}, options)
                    : carry_area_of(trajectory, carrier, disc(model, given, centre, radius, start), options);
}

}  // namespace

AnalysisRecord transport_analysis() {
    return {
        "transport",
        "Area (or volume) of a set of initial values propagated by the method: symplecticity, volume preservation.",
        {{"plane", "", "the coordinate q of the plane (q, p_q) in which the set is a disc; default: the first"},
         {"radius", "0.1", "radius of the disc, in q and in p; of the ball, for a vector field in three coordinates"},
         {"points", "4096", "maximum number of points of the outline, which is refined until the area converges"},
         {"times", "",
          "times at which the set is measured, such as 1,2,5; default: three times of the run, at most 1000 steps"},
         row_option("the recorded state at the center of the set")},
        run_transport};
}

}  // namespace libration
