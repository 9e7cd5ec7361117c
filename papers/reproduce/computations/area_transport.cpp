// Sets of the phase plane, carried by methods, and what becomes of their areas. [Hairer, Lubich, Wanner 2003, Fig. 2.2]
// Arguments:
//   model     with one coordinate, its momentum and no constraint
//   centre    q and p of the middle of each set: q1, p1, q2, p2, ...
//   radius    half axes of each ellipse, in the same way: a1, b1, ...; a single pair serves for all
//   methods   specifications; step: their steps, one each or one for all
//   steps     after how many steps the sets are measured
//   flow, flow_step   a method and a step that represent the exact flow (default: none); it is measured at the times
//   of the first method
//   splitting the method number (from 1) whose step is also drawn as kick, drift and kick, for H = T(p) + U(q)
//   (default: none)
//   orbits    q1, p1, ...: points through which solutions are drawn in the background, for orbit_time (default 10) both
//   ways
//   q_range, p_range   two numbers each: what the figures show (default: everything)
// Numbers, for method k = 1, 2, ... and k = flow: relative_k (areas after and before, set after set, time after time),
// change_k (the largest |relative - 1|); split (area after kick, drift and kick, relative, set after set); error
// (numerical, of all areas).
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/transport_methods.hpp"

#include "analysis/transport_figure.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace libration {

namespace {

constexpr std::array colours{"#4477aa", "#cc6677", "#228833", "#aa7744"};
constexpr auto start_colour = "#9a9a9a";

class AreaPictures {
  public:
    explicit AreaPictures(const ComputationArguments& arguments)
        : arguments_(&arguments), model_(Model::load(arguments.text("model"))), steps_{0} {
        if (model_.dimension != 1 || model_.constraint_rows != 0 || (model_.field && model_.field->v.empty())) {
            throw InputError(fmt::format("areas in the phase plane need a model with one coordinate, its momentum and "
                                         "no constraint; '{}' is not one",
                                         model_.name));
        }
        const auto centres = arguments.numbers("centre"), radii = arguments.numbers("radius");
        if (centres.empty() || centres.size() % 2 != 0 || (radii.size() != 2 && radii.size() != centres.size())) {
            throw InputError("'centre' needs pairs q, p, and 'radius' one pair, or one pair for each center");
        }
        for (std::size_t i = 0; i < centres.size(); i += 2) {
            const auto r = radii.size() == 2 ? 0 : i;
            sets_.push_back({{{centres[i]}, {centres[i + 1]}}, 0, radii[r], radii[r + 1]});
        }
        for (const double n : arguments.numbers("steps")) {
            steps_.push_back(std::llround(n));
        }
    }

    void carry(const std::string& key, const std::string& spec, double step, const std::vector<std::int64_t>& steps) {
        const auto carrier = method(spec, Doubts::accept);
        const TransportOptions options{.step = step, .steps = steps};
        auto& relative = result_.numbers["relative_" + key];
        double change = 0;
        auto figure = framed(key == "flow" ? std::string("Exact flow") : fmt::format("{}, h = {:.3g}", spec, step));
        for (std::size_t s = 0; s < sets_.size(); ++s) {
            const auto found = carry_area(model_, carrier, ellipse_curve(model_, sets_[s]), options);
            for (std::size_t k = 0; k < steps.size(); ++k) {
                error_ = std::max(error_, found.error[k] / std::abs(found.area[0]));
                const auto name = s > 0 ? std::string{} : fmt::format("t = {:.4g}", found.t[k]);
                figure.series.push_back(
                    filled(found.outline[k], {}, name, k == 0 ? start_colour : colours[(k - 1) % colours.size()]));
                if (k > 0) {
                    relative.push_back(found.area[k] / found.area[0]);
                    change = std::max(change, std::abs(relative.back() - 1));
                }
            }
        }
        result_.numbers["change_" + key] = {change};
        result_.figures.push_back(std::move(figure));
    }

    // The three flows of one step: with U for h/2, with T for h, with U for h/2. [(2.14)]
    void split(double step) {
        const auto system = make_system<double>(model_);
        if (!system->properties().separable || !system->properties().hamiltonian) {
            throw InputError("'splitting' draws the parts of H = T(p) + U(q), and this model is not of this form");
        }
        const auto kick = [&](std::vector<PhasePoint>& points) {
            std::vector<double> force(1);
            for (auto& point : points) {
                system->force_gradient(0, point.q, point.p, force);
                point.p[0] -= step / 2 * force[0];
            }
        };
        const auto drift = [&](std::vector<PhasePoint>& points) {
            std::vector<double> v(1);
            for (auto& point : points) {
                system->velocity(0, point.q, point.p, v);
                point.q[0] += step * v[0];
            }
        };
        auto figure = framed(fmt::format("One step of Verlet's method as three flows, h = {:.3g}", step));
        constexpr std::array names{"start", "after h/2 with U", "after h with T", "after h/2 with U again"};
        for (std::size_t s = 0; s < sets_.size(); ++s) {
            const auto curve = ellipse_curve(model_, sets_[s]);
            std::vector<PhasePoint> outline;
            constexpr int points = 256;
            for (int i = 0; i < points; ++i) {
                outline.push_back(curve(static_cast<double>(i) / points));
            }
            const double area = enclosed_area(outline);
            for (std::size_t stage = 0; stage < 4; ++stage) {
                if (stage > 0) {
                    stage == 2 ? drift(outline) : kick(outline);
                    result_.numbers["split"].push_back(enclosed_area(outline) / area);
                }
                figure.series.push_back(filled(outline, {}, s > 0 ? "" : names[stage],
                                               stage == 0 ? start_colour : colours[(stage - 1) % colours.size()]));
            }
        }
        result_.figures.push_back(std::move(figure));
    }

    // Solutions drawn behind the sets, by a method that is accurate enough for a figure.
    void draw_orbits() {
        const auto through = arguments_->numbers("orbits");
        const auto carrier = method("gauss(3)");
        TransportOptions options{.step = 0.05};
        const auto last = std::llround(arguments_->number("orbit_time", 10) / options.step);
        for (std::int64_t n = 0; n <= last; ++n) {
            options.steps.push_back(n);
        }
        std::vector<PhasePoint> starts;
        for (std::size_t i = 0; i + 1 < through.size(); i += 2) {
            starts.push_back({{through[i]}, {through[i + 1]}});
        }
        orbits_.resize(starts.size(), {.style = plot::Style::line, .colour = "#d0d0d0"});
        for (const double step : {-options.step, options.step}) {
            options.step = step;
            for (const auto& states : carry_points(model_, carrier, starts, options)) {
                for (std::size_t i = 0; i < states.size(); ++i) {
                    orbits_[i].x.push_back(states[i].q[0]);
                    orbits_[i].y.push_back(states[i].p[0]);
                }
            }
            for (auto& orbit : orbits_) {  // what was before the start is turned round, to go on from it
                std::ranges::reverse(orbit.x);
                std::ranges::reverse(orbit.y);
            }
        }
    }

    Computed take() {
        result_.numbers["error"] = {error_};
        return std::move(result_);
    }
    [[nodiscard]] const std::vector<std::int64_t>& steps() const { return steps_; }

  private:
    [[nodiscard]] plot::Figure framed(const std::string& title) const {
        const auto name = model_.coordinate_name(0);
        plot::Figure figure{
            .title = title, .x = {.label = name}, .y = {.label = "p_" + name}, .series = orbits_, .equal = true};
        for (const auto& [key, axis] : {std::pair("q_range", &figure.x), std::pair("p_range", &figure.y)}) {
            if (const auto ends = arguments_->numbers(key); ends.size() == 2) {
                axis->low = ends[0];
                axis->high = ends[1];
            }
        }
        return figure;
    }

    const ComputationArguments* arguments_;
    Model model_;
    std::vector<std::int64_t> steps_;
    std::vector<Ellipse> sets_;
    std::vector<plot::Series> orbits_;
    double error_ = 0;
    Computed result_;
};

}  // namespace

Computed area_transport(const ComputationArguments& arguments) {
    AreaPictures pictures(arguments);
    pictures.draw_orbits();
    const auto lengths = carry_by_all_methods(arguments, "area-transport", pictures);
    if (arguments.has("splitting")) {
        const int k = arguments.integer("splitting");
        if (k < 1 || k > static_cast<int>(lengths.size())) {
            throw InputError("'splitting' is the number of a method, from 1");
        }
        pictures.split(lengths[static_cast<std::size_t>(k - 1)]);
    }
    return pictures.take();
}

}  // namespace libration
