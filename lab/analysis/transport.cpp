// Points in packs; outlines refined until areas and volumes stand.
#include "transport.hpp"
#include "methods/good_step.hpp"
#include <libration/kit/method_record.hpp>

#include "integrate/extremes.hpp"
#include "integrate/redundancy.hpp"
#include "integrate/row_exchange.hpp"

#include "manifold/manifold.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace libration {

namespace {

template <class S>
constexpr std::size_t lanes_of() {
    return std::is_same_v<S, Pack> ? static_cast<std::size_t>(pack_width) : 1;
}
double& part(double& x, std::size_t) { return x; }
double& part(Pack& x, std::size_t lane) { return x.lane[lane]; }
double part(const double& x, std::size_t) { return x; }
double part(const Pack& x, std::size_t lane) { return x.lane[lane]; }

template <class S>
void step(Stepper<S>& stepper, const Method& method, double t) {
    const auto report = stepper.advance();
    for (std::size_t lane = 0; lane < lanes_of<S>(); ++lane) {
        if (!good_step(part(report.converged, lane), part(report.pivot, lane), part(report.size, lane))) {
            throw InputError(fmt::format(
                "{} cannot propagate a point of the set beyond t = {:.6g}: use a smaller set or a smaller step",
                method.name(), t));
        }
    }
    stepper.accept();
}

// Lanes carry the same rows of constraints all the way.
template <class S>
std::unique_ptr<Stepper<S>> carrier_of(const Model& model, const Method& method, System<S>& system) {
    if constexpr (OneTrajectory<S>) {
        return std::make_unique<RowExchange<S>>(model, method, system);
    } else {
        return make_stepper<S>(method, system);
    }
}

template <class S>
void carry_all(const Model& model, System<S>& system, const Method& method, std::span<const PhasePoint> points,
               const TransportOptions& options, std::vector<std::vector<PhasePoint>>& found) {
    constexpr std::size_t lanes = lanes_of<S>();
    const std::size_t d = system.dimension();
    const auto stepper = carrier_of<S>(model, method, system);
    std::vector<S> q(d), p(d);
    for (std::size_t first = 0; first < points.size(); first += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const auto& point = points[std::min(first + lane, points.size() - 1)];  // spare lanes repeat the last one
            for (std::size_t j = 0; j < d; ++j) {
                part(q[j], lane) = j < point.q.size() ? point.q[j] : 0;
                part(p[j], lane) = j < point.p.size() ? point.p[j] : 0;
            }
        }
        stepper->start(from_double<S>(options.start_time), q, p, from_double<S>(options.step));
        std::int64_t made = -method.lag();
        for (std::size_t k = 0; k < options.steps.size(); ++k) {
            for (; made < options.steps[k]; ++made) {
                step(*stepper, method, options.start_time + static_cast<double>(made) * options.step);
            }
            const auto node = stepper->node();
            for (std::size_t lane = 0; lane < std::min(lanes, points.size() - first); ++lane) {
                auto& point = found[k].emplace_back(PhasePoint{std::vector<double>(d), std::vector<double>(d)});
                for (std::size_t j = 0; j < d; ++j) {
                    point.q[j] = part(node.q[j], lane);
                    point.p[j] = part(node.p[j], lane);
                }
            }
        }
    }
}

void check_transport(const Method& method, System<double>& system, const TransportOptions& options) {
    if (const auto missing = unmet_needs(method, system.properties(), system.constraints()); !missing.empty()) {
        throw InputError(missing);
    }
    if (!(options.step != 0 && std::isfinite(options.step)) || options.steps.empty() || options.steps.front() < 0 ||
        !std::ranges::is_sorted(options.steps)) {
        throw InputError(
            "sets are propagated with a nonzero step size, and measured after 0 or more steps, in increasing order");
    }
}

// Whether the sizes stand; notes what the last refinement changed.
bool stands(const std::vector<double>& before, const std::vector<double>& now, double tolerance,
            std::vector<double>& error) {
    error.assign(now.size(), 0);
    bool small = !before.empty();
    for (std::size_t k = 0; k < before.size(); ++k) {
        error[k] = std::abs(now[k] - before[k]);
        small = small && error[k] <= tolerance * std::abs(now[0]);
    }
    return small;
}

// The largest of them, of the first size; infinite where it is not a number.
double largest_part(const std::vector<double>& error, const std::vector<double>& size) {
    double most = 0;
    for (const double one : error) {
        most = std::max(most, finite_or_infinite(one / std::abs(size[0])));
    }
    return most;
}

// Refinements that leave more than a hundredth open and do not halve it, twice in a row: more points will not help.
class Hopelessness {
  public:
    bool note(double error) {
        in_vain_ = error > 0.01 && error > before_ / 2 ? in_vain_ + 1 : 0;
        before_ = error;
        return in_vain_ >= 2;
    }

  private:
    double before_ = std::numeric_limits<double>::infinity();
    int in_vain_ = 0;
};

std::vector<double> times_of(const TransportOptions& options) {
    std::vector<double> t;
    for (const auto n : options.steps) {
        t.push_back(options.start_time + static_cast<double>(n) * options.step);
    }
    return t;
}

}  // namespace

PointCarrier::PointCarrier(const Model& model, const Method& method, const TransportOptions& options)
    : model_(carrying(model, options.start_time)), method_(&method), options_(&options),
      single_(make_system<double>(model_)) {
    check_transport(method, *single_, options);
    if (method.lanes() && !model_.singular_mass && !model_.carried) {
        lanes_ = make_system<Pack>(model_);
    }
}

std::vector<std::vector<PhasePoint>> PointCarrier::carry(std::span<const PhasePoint> points) {
    std::vector<std::vector<PhasePoint>> found(options_->steps.size());
    if (lanes_) {
        carry_all<Pack>(model_, *lanes_, *method_, points, *options_, found);
    } else {
        carry_all<double>(model_, *single_, *method_, points, *options_, found);
    }
    return found;
}

std::vector<std::vector<PhasePoint>> carry_points(const Model& model, const Method& method,
                                                  std::span<const PhasePoint> points, const TransportOptions& options) {
    return PointCarrier(model, method, options).carry(points);
}

ClosedCurve ellipse_curve(const Model& model, const Ellipse& ellipse, double t) {
    const std::shared_ptr<System<double>> system = make_system<double>(carrying(model, t));
    const bool partitioned = system->properties().partitioned;
    const std::size_t k = ellipse.coordinate;
    if (k >= model.dimension || (!partitioned && (k != 0 || model.dimension != 2))) {
        throw InputError(
            partitioned ? fmt::format("the model has no coordinate number {}", k)
                        : "areas under a vector field in q alone need two coordinates; in three, propagate a ball");
    }
    if (!(ellipse.a > 0 && ellipse.b > 0)) {
        throw InputError("the semi-axes of an ellipse must be positive");
    }
    const auto manifold = std::make_shared<Manifold<double>>(*system);
    return [=](double turn) {
        auto point = ellipse.centre;
        point.q.resize(system->dimension(), 0);
        point.p.resize(system->dimension(), 0);
        const double angle = 2 * std::numbers::pi * turn;
        point.q[k] += ellipse.a * std::cos(angle);
        (partitioned ? point.p[k] : point.q[k + 1]) += ellipse.b * std::sin(angle);
        if (manifold->project_position(t, point.q, point.p) != 1) {
            throw InputError("the outline is too far from the constraints: use a smaller radius");
        }
        manifold->project_momentum(t, point.q, point.p);
        if (!std::ranges::all_of(point.p, [](double value) { return std::isfinite(value); })) {
            throw InputError(
                "the momenta of the outline cannot be projected onto the constraints: are these redundant there?");
        }
        return point;
    };
}

AreaTransport carry_area(const Model& model, const Method& method, const ClosedCurve& curve,
                         const TransportOptions& options) {
    PointCarrier carrier(model, method, options);
    AreaTransport found;
    found.t = times_of(options);
    const auto planes = carrier.properties().partitioned ? Planes::q_and_p : Planes::q_alone;
    Hopelessness hopelessness;
    const std::size_t fewest = 16;  // the differences of order 8 need 9 of them
    std::size_t n = std::max(options.points, fewest);
    for (bool first = true;; first = false, n *= 2) {
        // Of a doubled outline every other point is there already.
        std::vector<PhasePoint> fresh;
        for (std::size_t i = first ? 0 : 1; i < n; i += first ? 1 : 2) {
            fresh.push_back(curve(static_cast<double>(i) / static_cast<double>(n)));
        }
        auto carried = carrier.carry(fresh);
        std::vector<double> areas;
        found.by_plane.assign(options.steps.size(), {});
        found.outline.resize(options.steps.size());
        for (std::size_t k = 0; k < carried.size(); ++k) {
            if (!first) {
                std::vector<PhasePoint> merged;
                for (std::size_t i = 0; i < carried[k].size(); ++i) {
                    merged.push_back(std::move(found.outline[k][i]));
                    merged.push_back(std::move(carried[k][i]));
                }
                carried[k] = std::move(merged);
            }
            found.outline[k] = std::move(carried[k]);
            areas.push_back(enclosed_area(found.outline[k], planes, &found.by_plane[k]));
        }
        found.refined = stands(found.area, areas, options.tolerance, found.error);
        found.area = std::move(areas);
        const bool in_vain = !first && hopelessness.note(largest_part(found.error, found.area));
        if (found.refined || in_vain || 2 * n > options.most_points) {
            return found;
        }
    }
}

VolumeTransport carry_ball(const Model& model, const Method& method, std::span<const double> centre, double radius,
                           const TransportOptions& options) {
    if (!model.field || !model.field->v.empty() || model.dimension != 3 || centre.size() != 3 || !(radius > 0)) {
        throw InputError("a ball needs a vector field in three coordinates, such as abc-flow, and a radius > 0; for "
                         "other models propagate an area");
    }
    PointCarrier carrier(model, method, options);
    VolumeTransport found;
    found.t = times_of(options);
    for (std::size_t rows =
             std::max<std::size_t>(8, static_cast<std::size_t>(std::sqrt(static_cast<double>(options.points) / 2)));
         ; rows *= 2) {
        auto carried = carrier.carry(sphere(centre, radius, rows).points);
        std::vector<double> volumes;
        found.surface.assign(options.steps.size(), {rows, {}});
        for (std::size_t k = 0; k < carried.size(); ++k) {
            found.surface[k].points = std::move(carried[k]);
            volumes.push_back(enclosed_volume(found.surface[k]));
        }
        found.refined = stands(found.volume, volumes, options.tolerance, found.error);
        found.volume = std::move(volumes);
        if (found.refined || 8 * rows * rows > options.most_points) {
            return found;
        }
    }
}

}  // namespace libration
