// Symmetry, there and back; symplecticity, by the tangent map.
//
// Round-off of n steps: each makes some ten roundings of the size of the state, and what follows enlarges them at most by the
// growth k of a disturbance, which is measured. So 20 n k eps is to be expected, relative to the size of q and of p.
#include "measuring.hpp"

#include <array>
#include <limits>

namespace libration {

namespace {

constexpr double roundings_a_step = 20;

double relative_distance(std::span<const Fine> a, std::span<const Fine> b, double size) {
    return distance<Fine>(a, b) / (size > 0 ? size : 1);
}

using Nodes = std::vector<StartState<Fine>>;

// The nodes of the next steps, as far as they can be made.
void walk_nodes(Walk<Fine>& walk, std::int64_t steps, Nodes& nodes) {
    for (std::int64_t n = 0; n < steps && walk.go(1); ++n) {
        const auto node = walk.node();
        nodes.push_back({{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}});
    }
}

// Nodes 0..steps there, and the same on the way back, last first. A method with a memory of positions goes back through that
// memory, which leads to its own nodes only: those of a starter are not among them.
struct ThereAndBack {
    Nodes there, back;
    std::string failure;
};

ThereAndBack walk_there_and_back(const Subject& subject, System<Fine>& system, const StartState<Fine>& start,
                                 const Fine& h, std::int64_t steps) {
    ThereAndBack way;
    Walk<Fine> walk(*subject.method, system);
    way.there.push_back(start);
    if (walk.begin(lit<Fine>(0), start.q, start.p, h)) {
        walk_nodes(walk, steps, way.there);
    }
    way.failure = walk.failure();
    if (!way.failure.empty()) {
        return way;
    }
    if (walk.turn_round()) {
        walk_nodes(walk, steps - subject.method->lag(), way.back);
    } else {
        const auto& last = way.there.back();
        way.back.push_back(last);
        if (walk.begin(lit<Fine>(steps) * h, last.q, last.p, -h)) {
            walk_nodes(walk, steps, way.back);
        }
    }
    way.failure = walk.failure();
    return way;
}

// Steps 2 H, H, H/2, ... down to H/2048: the largest that works shows most.
template <class Attempt>
void with_largest_step(double largest, Defect& defect, Attempt attempt) {
    for (int halvings = 0; halvings < 12 && !defect.measured; ++halvings) {
        attempt(std::ldexp(largest, -halvings));
    }
}

}  // namespace

std::optional<TangentGrowth> tangent_growth(const Subject& subject, double h, std::int64_t steps,
                                            std::string& failure) {
    using S = Dual<double>;
    const auto system = make_system<S>(*subject.model);
    auto start = kicked_start<S>(*subject.model, *system, subject.kick);
    const std::size_t d = system->dimension();
    const auto size_or_one = [](double size) { return size > 0 ? size : 1; };  // a start at the origin
    const double q_size = size_or_one(largest_of<S>(start.q));
    const double p_size = size_or_one(largest_of<S>(start.p));
    for (int k = 0; k < dual_width; ++k) {
        for (std::size_t j = 0; j < d; ++j) {
            start.q[j].tangent[k] = q_size * std::sin(1.0 + static_cast<double>(j * 3) + k);
            start.p[j].tangent[k] =
                subject.properties.partitioned ? p_size * std::cos(2.0 + static_cast<double>(j) + 5 * k) : 0;
        }
    }
    // The projection of a point is the identity on the manifold, and its derivative projects tangents.
    Manifold<S> manifold(*system);
    manifold.project_position(lit<S>(0), start.q, start.p);
    manifold.project_momentum(lit<S>(0), start.q, start.p);
    const auto size = [&](std::span<const S> x, int k) {
        double most = 0;
        for (const auto& value : x) {
            most = std::max(most, std::abs(value.tangent[k]));
        }
        return most;
    };
    const auto omega = [&](std::span<const S> q, std::span<const S> p, int a, int b) {
        double sum = 0;
        for (std::size_t j = 0; j < d; ++j) {
            sum += q[j].tangent[a] * p[j].tangent[b] - p[j].tangent[a] * q[j].tangent[b];
        }
        return sum;
    };
    Walk<S> walk(*subject.method, *system);
    if (!walk.begin(lit<S>(0), start.q, start.p, from_double<S>(h)) || !walk.go(steps)) {
        failure = walk.failure();
        return std::nullopt;
    }
    const auto node = walk.node();
    TangentGrowth growth;
    for (int a = 0; a < dual_width; ++a) {
        growth.q = std::max(growth.q, size(node.q, a) / q_size);
        growth.p = std::max(growth.p, size(node.p, a) / p_size);
        for (int b = 0; b < a; ++b) {
            const double change = std::abs(omega(node.q, node.p, a, b) - omega(start.q, start.p, a, b));
            growth.defect = std::isnan(change) ? change : std::max(growth.defect, change / (q_size * p_size));
        }
    }
    if (!std::isfinite(growth.q + growth.p + growth.defect)) {
        failure = fmt::format("steps of size {:.3g} have no finite derivative", h);
        return std::nullopt;
    }
    return growth;
}

// The nodes on the way back against those on the way there. Methods with late momenta define p_n by its neighbours, so the
// given p_0 is not one of theirs: they are compared from p_1 on.
void measure_symmetry(const Subject& subject, Measurement& result) {
    constexpr std::int64_t steps = 16;
    auto& defect = result.symmetry;
    const auto system = make_system<Fine>(*subject.model);
    const auto start = kicked_start<Fine>(*subject.model, *system, subject.kick);
    const int lag = subject.method->lag();
    with_largest_step(subject.options.step / 4, defect, [&](double h) {
        // Where derivatives cannot be had, a generous guess.
        const auto growth = tangent_growth(subject, h, steps, defect.failure).value_or(TangentGrowth{100, 100, 0});
        double enlarged = std::max(growth.q, growth.p);
        if (subject.properties.forced) {  // what is damped on the way there grows on the way back
            const auto back = tangent_growth(subject, -h, steps, defect.failure);
            enlarged *= back ? std::max({back->q, back->p, 1.0}) : std::numeric_limits<double>::infinity();
        }
        if (!(enlarged < 1e12)) {
            defect.failure = fmt::format("the way there and back enlarges disturbances by {:.1e}", enlarged);
            defect.undecidable = true;
            return;
        }
        const Fine step = from_double<Fine>(h);
        const auto way = walk_there_and_back(subject, *system, start, step, steps);
        if (!way.failure.empty()) {
            defect.failure = way.failure;
            return;
        }
        double q_size = 0, p_size = 0;
        for (const auto& node : way.there) {
            q_size = std::max(q_size, largest_of<Fine>(node.q));
            p_size = std::max(p_size, largest_of<Fine>(node.p));
        }
        double worst = 0;
        for (std::size_t i = 0; i < way.back.size(); ++i) {
            const auto& there = way.there[static_cast<std::size_t>(steps) - i];
            worst = std::max(worst, relative_distance(there.q, way.back[i].q, q_size));
            if (lag == 0 || i < static_cast<std::size_t>(steps)) {
                worst = std::max(worst, relative_distance(there.p, way.back[i].p, p_size));
            }
        }
        const double tolerance = roundings_a_step * 2 * steps * enlarged * to_double(epsilon<Fine>());
        defect = {true, worst, tolerance, h, steps, {}};
    });
}

// Each of n steps changes the form of two tangents by some roundings of the product of their sizes.
void measure_symplecticity(const Subject& subject, Measurement& result) {
    constexpr std::int64_t steps = 8;
    auto& defect = result.symplecticity;
    with_largest_step(2 * subject.options.step, defect, [&](double h) {
        const auto growth = tangent_growth(subject, h, steps, defect.failure);
        if (!growth) {
            return;
        }
        if (growth->q * growth->p > 1e4) {
            defect.failure = fmt::format("steps of size {:.3g} enlarge disturbances too much", h);
            return;
        }
        const auto d = static_cast<double>(subject.model->dimension);
        const double tolerance = roundings_a_step * steps * growth->q * growth->p * d * epsilon<double>();
        defect = {true, growth->defect, tolerance, h, steps, {}};
    });
}

}  // namespace libration
