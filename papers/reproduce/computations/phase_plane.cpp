#include "reproduce/computations/phase_plane.hpp"
#include "methods/good_step.hpp"

#include "integrate/start.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace libration {

PhasePlane::PhasePlane(const std::string& name) {
    const auto model = Model::load(name);
    system_ = make_system<double>(model);
    if (system_->dimension() != 1 || system_->constraints() != 0 || !system_->properties().partitioned) {
        throw InputError(fmt::format("a phase plane needs one coordinate with its momentum and no constraint; '{}' has "
                                     "{} coordinates and {} constraints",
                                     name, system_->dimension(), system_->constraints()));
    }
    const auto state = start_state<double>(model, *system_);
    start_ = {state.q[0], state.p[0]};
}

PlanePoint PhasePlane::field(PlanePoint at) {
    const std::array q{at.q}, p{at.p};
    std::array v{0.0}, gradient{0.0};
    system_->velocity(0, q, p, v);
    system_->force_gradient(0, q, p, gradient);
    return {v[0], -gradient[0]};
}

std::vector<PlanePoint> PhasePlane::orbit(const std::string& spec, double step, int n, PlanePoint from) {
    const auto stepper = make_stepper<double>(method(spec), *system_);
    const std::array q{from.q}, p{from.p};
    stepper->start(0, q, p, step);
    std::vector<PlanePoint> points{from};
    for (int k = 0; k < n; ++k) {
        const auto report = stepper->advance();
        if (!good_step(report)) {
            throw InputError(fmt::format("step {} of {} with {} fails; use a smaller step", k + 1, step, spec));
        }
        stepper->accept();
        const auto node = stepper->node();
        points.push_back({node.q[0], node.p[0]});
    }
    return points;
}

// Gauss with three stages, order 6: with steps of 1/50 its error is about 1e-12 where the field varies over lengths of
// order 1.
std::vector<PlanePoint> PhasePlane::flow(double duration, int n, PlanePoint from) {
    const int inside = std::max(1, static_cast<int>(std::ceil(std::abs(duration) / n * 50)));
    std::vector<PlanePoint> points{from};
    for (int k = 0; k < n; ++k) {
        points.push_back(orbit("gauss(3)", duration / n / inside, inside, points.back()).back());
    }
    return points;
}

plot::Series curve_of(const std::vector<PlanePoint>& points, plot::Style style) {
    plot::Series series;
    series.style = style;
    for (const auto& point : points) {
        series.x.push_back(point.q);
        series.y.push_back(point.p);
    }
    return series;
}

}  // namespace libration
