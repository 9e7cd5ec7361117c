// Symmetry, by integrating forward and back; symplecticity, by the tangent map.
//
// Round-off of n steps: each makes some ten roundings of the size of the state, and what follows enlarges them at most
// by the growth k of a disturbance, which is measured. So 20 n k eps is to be expected, relative to the size of q and
// of p. Stiff terms and nearly dependent constraints enlarge roundings inside a step, too: what a run in double shows
// besides is round-off if it shrinks with the precision, and this share of it is expected of a run in quadruple
// precision.
#include "largest_step.hpp"

#include <array>
#include <limits>

namespace libration {

namespace {

// Of a defect in double, what quadruple precision may show if it is round-off; a hundred times more, because both are
// chance.
double share_of_double(double defect) {
    return sizeof(Fine) > sizeof(double) ? 100 * defect * to_double(epsilon<Fine>()) / epsilon<double>() : 0;
}

template <class S>
double relative_distance(std::span<const S> a, std::span<const S> b, double size) {
    return distance<S>(a, b) / (size > 0 ? size : 1);
}

template <class S>
using Nodes = std::vector<StartState<S>>;

// The nodes of the next steps, as far as they can be made.
template <class S>
void walk_nodes(Walk<S>& walk, std::int64_t steps, Nodes<S>& nodes) {
    for (std::int64_t n = 0; n < steps && walk.go(1); ++n) {
        const auto node = walk.node();
        nodes.push_back({{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}});
    }
}

// Nodes 0..steps there, and the same on the way back, last first. A method with a memory of positions goes back through
// that memory, which leads to its own nodes only: those of a starter are not among them.
template <class S>
struct ThereAndBack {
    Nodes<S> there, back;
    std::string failure;
};

template <class S>
ThereAndBack<S> walk_there_and_back(const Subject& subject, System<S>& system, const StartState<S>& start, const S& h,
                                    std::int64_t steps) {
    ThereAndBack<S> way;
    Walk<S> walk(*subject.method, *subject.model, system);
    way.there.push_back(start);
    if (walk.begin(lit<S>(0), start.q, start.p, h)) {
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
        const auto node = walk.node();
        const std::vector<S> turns(node.turns.begin(), node.turns.end());
        if (walk.begin(lit<S>(steps) * h, last.q, last.p, -h, turns)) {
            walk_nodes(walk, steps, way.back);
        }
    }
    way.failure = walk.failure();
    return way;
}

// The difference of n steps of h and 2n of h/2, relative to the largest q and p: how much the method errs, nearly.
template <class S>
double short_error(const Subject& subject, double h, std::int64_t steps) {
    const auto system = make_system<S>(*subject.model);
    const auto start = kicked_start<S>(*subject.model, *system, subject.kick);
    Walk<S> coarse(*subject.method, *subject.model, *system);
    const S step = from_double<S>(h);
    if (!coarse.begin(lit<S>(0), start.q, start.p, step) || !coarse.go(steps)) {
        return 0;
    }
    const auto node = coarse.node();
    const std::vector<S> q(node.q.begin(), node.q.end()), p(node.p.begin(), node.p.end());
    Walk<S> fine(*subject.method, *subject.model, *system);
    if (!fine.begin(lit<S>(0), start.q, start.p, step / lit<S>(2)) || !fine.go(2 * steps)) {
        return 0;
    }
    const auto better = fine.node();
    const double error = std::max(relative_distance<S>(q, better.q, largest_of<S>(q)),
                                  relative_distance<S>(p, better.p, largest_of<S>(p)));
    return std::isfinite(error) ? error : 0;
}

// n steps enlarge a disturbance by so much, on the way or at the end.
template <class T>
std::optional<TangentGrowth> growth_of(const Subject& subject, double h, std::int64_t steps, std::string& failure) {
    using S = Dual<T>;
    const auto system = make_system<S>(*subject.model);
    auto start = kicked_start<S>(*subject.model, *system, subject.kick);
    const std::size_t d = system->dimension();
    const auto size_or_one = [](double size) { return size > 0 ? size : 1; };  // a start at the origin
    const double q_size = size_or_one(largest_of<S>(start.q));
    const double p_size = size_or_one(largest_of<S>(start.p));
    for (int k = 0; k < dual_width; ++k) {
        for (std::size_t j = 0; j < d; ++j) {
            start.q[j].tangent[k] = from_double<T>(q_size * std::sin(1.0 + static_cast<double>(j * 3) + k));
            start.p[j].tangent[k] = from_double<T>(
                subject.properties.partitioned ? p_size * std::cos(2.0 + static_cast<double>(j) + 5 * k) : 0);
        }
    }
    // The projection of a point is the identity on the manifold, and its derivative projects tangents.
    Manifold<S> manifold(*system);
    manifold.project_position(lit<S>(0), start.q, start.p);
    manifold.project_momentum(lit<S>(0), start.q, start.p);
    const auto size = [&](std::span<const S> x, int k) {
        double most = 0;
        for (const auto& value : x) {
            most = std::max(most, std::abs(to_double(value.tangent[k])));
        }
        return most;
    };
    const auto omega = [&](std::span<const S> q, std::span<const S> p, int a, int b) {
        T sum = lit<T>(0);
        for (std::size_t j = 0; j < d; ++j) {
            sum = sum + (q[j].tangent[a] * p[j].tangent[b] - p[j].tangent[a] * q[j].tangent[b]);
        }
        return sum;
    };
    Walk<S> walk(*subject.method, *subject.model, *system);
    bool alive = walk.begin(lit<S>(0), start.q, start.p, from_double<S>(h));
    TangentGrowth growth;
    for (std::int64_t n = 0; alive && n < steps; ++n) {
        alive = walk.go(1);
        const auto node = walk.node();
        for (int a = 0; alive && a < dual_width; ++a) {
            growth.q = std::max(growth.q, size(node.q, a) / q_size);
            growth.p = std::max(growth.p, size(node.p, a) / p_size);
        }
    }
    if (!alive) {
        failure = walk.failure();
        return std::nullopt;
    }
    const auto node = walk.node();
    for (int a = 0; a < dual_width; ++a) {
        for (int b = 0; b < a; ++b) {
            const T now = omega(node.q, node.p, a, b), before = omega(start.q, start.p, a, b);
            const double change = std::abs(to_double(T(now - before)));
            growth.defect = std::isnan(change) ? change : std::max(growth.defect, change / (q_size * p_size));
        }
    }
    if (!std::isfinite(growth.q + growth.p + growth.defect)) {
        failure = fmt::format("steps of size {:.3g} have no finite derivative", h);
        return std::nullopt;
    }
    return growth;
}

// The largest distance of the nodes on the way back from those on the way there, relative. Methods with late momenta
// define p_n by its neighbours, so the given p_0 is not one of theirs: they are compared from p_1 on.
template <class S>
double there_and_back(const Subject& subject, double h, std::int64_t steps, std::string& failure) {
    const auto system = make_system<S>(*subject.model);
    const auto start = kicked_start<S>(*subject.model, *system, subject.kick);
    const auto way = walk_there_and_back<S>(subject, *system, start, from_double<S>(h), steps);
    failure = way.failure;
    if (!failure.empty()) {
        return 0;
    }
    double q_size = 0, p_size = 0, worst = 0;
    for (const auto& node : way.there) {
        q_size = std::max(q_size, largest_of<S>(node.q));
        p_size = std::max(p_size, largest_of<S>(node.p));
    }
    for (std::size_t i = 0; i < way.back.size(); ++i) {
        const auto& there = way.there[static_cast<std::size_t>(steps) - i];
        worst = std::max(worst, relative_distance<S>(there.q, way.back[i].q, q_size));
        if (subject.method->lag() == 0 || i < static_cast<std::size_t>(steps)) {
            worst = std::max(worst, relative_distance<S>(there.p, way.back[i].p, p_size));
        }
    }
    return worst;
}

}  // namespace

std::optional<TangentGrowth> tangent_growth(const Subject& subject, double h, std::int64_t steps,
                                            std::string& failure) {
    return growth_of<double>(subject, h, steps, failure);
}

double visible_error(const Subject& subject, double h, std::int64_t steps) {
    return short_error<Fine>(subject, h, steps);
}

void measure_symmetry(const Subject& subject, Measurement& result) {
    constexpr std::int64_t steps = 16;
    result.symmetry = with_largest_step(subject, subject.options.step / 4, [&](double h) {
        Defect defect;
        // Where derivatives cannot be had, a generous guess.
        const auto growth = tangent_growth(subject, h, steps, defect.failure).value_or(TangentGrowth{100, 100, 0});
        double enlarged = std::max(growth.q, growth.p);
        if (subject.properties.forced) {  // what is damped forward grows backward
            const auto back = tangent_growth(subject, -h, steps, defect.failure);
            enlarged *= back ? std::max({back->q, back->p, 1.0}) : std::numeric_limits<double>::infinity();
        }
        if (!(enlarged < 1e12)) {
            defect.failure = fmt::format("integrating forward and back amplifies perturbations by {:.1e}", enlarged);
            defect.undecidable = true;
            return defect;
        }
        const double worst = there_and_back<Fine>(subject, h, steps, defect.failure);
        if (!defect.failure.empty()) {
            return defect;
        }
        defect = {true, worst, roundings_a_step * 2 * steps * enlarged * to_double(epsilon<Fine>()), h, steps, {}};
        if (!defect.is_round_off()) {
            std::string failure;
            defect.tolerance =
                std::max(defect.tolerance, share_of_double(there_and_back<double>(subject, h, steps, failure)));
        }
        if (defect.is_round_off()) {
            defect.visible = short_error<Fine>(subject, h, steps);
        }
        return defect;
    });
}

// Each of n steps changes the form of two tangents by some roundings of the product of their sizes; stiff terms, in
// double, by more.
void measure_symplecticity(const Subject& subject, Measurement& result) {
    constexpr std::int64_t steps = 8;
    const double roundings = roundings_a_step * steps * static_cast<double>(subject.model->dimension);
    result.symplecticity = with_largest_step(subject, 2 * subject.options.step, [&](double h) {
        Defect defect;
        const auto growth = growth_of<double>(subject, h, steps, defect.failure);
        if (!growth) {
            return defect;
        }
        const double enlarged = growth->q * growth->p;
        if (enlarged > 1e4) {
            defect.failure = fmt::format("steps of size {:.3g} amplify perturbations too much", h);
            defect.undecidable = true;
            return defect;
        }
        defect = {true, growth->defect, roundings * enlarged * epsilon<double>(), h, steps, {}};
        defect.visible = short_error<double>(subject, h, steps);
        if (sizeof(Fine) == sizeof(double) || !can_be_made<Dual<Fine>>(*subject.method) ||
            (defect.is_round_off() && defect.would_show())) {
            return defect;
        }
        std::string failure;
        if (const auto fine = growth_of<Fine>(subject, h, steps, failure)) {
            const double tolerance =
                std::max(roundings * enlarged * to_double(epsilon<Fine>()), share_of_double(growth->defect));
            defect = {true, fine->defect, tolerance, h, steps, {}};
            defect.visible = short_error<Fine>(subject, h, steps);
        }
        return defect;
    });
}

}  // namespace libration
