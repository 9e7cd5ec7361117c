// Orders of q, p, lambda and of the residuals, over runs with more and more steps.
#include "reference_solution.hpp"

#include <array>

namespace libration {

namespace {

struct Ladder {
    std::vector<double> h, q, p, lambda, position, hidden;
    double floor = 0;
    std::size_t lever = 1;  // rungs between the errors that are compared
    bool kinks = false;
    double q_extent = 1, p_extent = 1;  // see Subject
};

constexpr int most_failures = 10;           // halvings of a step that fails
constexpr std::int64_t most_samples = 100;  // of the residuals on the way

// Orders are whole numbers: two quotients that agree beside one are still on their way.
bool near_whole(double rate) { return std::abs(rate - std::round(rate)) < 0.25; }

// Residuals are zero but for round-off where even the coarsest step leaves less than a thousand units.
bool at_round_off(const std::vector<double>& residuals) {
    return std::ranges::all_of(residuals, [](double r) { return r < 1e3; });
}

std::vector<double> times(std::vector<double> values, double factor) {
    for (auto& value : values) {
        value *= factor;
    }
    return values;
}

// Errors are small if they are small against the extent of the motion, however far it is from the origin.
MeasuredOrder read_order(const Ladder& ladder, const std::vector<double>& errors, double extent) {
    const auto small = times(errors, 1 / extent);
    return ladder.kinks ? fitted_order(ladder.h, small, ladder.floor / extent)
                        : order_of(ladder.h, small, ladder.floor / extent, ladder.lever);
}

void read_orders(const Ladder& ladder, Measurement& result) {
    const double unit = 16 * to_double(epsilon<Fine>());
    result.q = read_order(ladder, ladder.q, ladder.q_extent);
    result.p = read_order(ladder, ladder.p, ladder.p_extent);
    result.lambda = read_order(ladder, ladder.lambda, 1);
    result.position = order_of(ladder.h, times(ladder.position, unit), unit, ladder.lever);
    result.hidden = order_of(ladder.h, times(ladder.hidden, unit), unit, ladder.lever);
}

bool all_settled(const Ladder& ladder, const Measurement& result) {
    const auto settled = [&](const MeasuredOrder& order) {
        return order.value && order.settled && (ladder.kinks || near_whole(*order.value));
    };
    return settled(result.q) && (!result.partitioned || settled(result.p)) &&
           (!result.constrained ||
            (settled(result.lambda) && (at_round_off(ladder.position) || settled(result.position)) &&
             (at_round_off(ladder.hidden) || settled(result.hidden))));
}

// The last two runs show nothing but round-off, and so would all that follow.
bool on_the_plateau(const Ladder& ladder) {
    const std::size_t n = ladder.h.size();
    const auto below = [&](std::size_t k) {
        return std::max({ladder.q[k], ladder.p[k], ladder.lambda[k]}) < 1e3 * ladder.floor;
    };
    return n >= 2 && below(n - 1) && below(n - 2);
}

// Methods of high order need coarse steps to show an error at all, and close ones, because the whole range from 1e-1
// down to round-off is few doublings wide.
std::int64_t steps_of_rung(std::int64_t first, int rung, bool close) {
    const int doublings = close ? rung / 2 : rung;
    const std::int64_t steps = first << doublings;
    return close && rung % 2 == 1 ? steps + steps / 2 : steps;
}

void collect(const std::vector<Rung>& rungs, Ladder& ladder) {
    for (auto* column : {&ladder.h, &ladder.q, &ladder.p, &ladder.lambda, &ladder.position, &ladder.hidden}) {
        column->clear();
    }
    for (const auto& rung : rungs) {
        if (!rung.failed) {
            ladder.h.push_back(rung.h);
            ladder.q.push_back(rung.q);
            ladder.p.push_back(rung.p);
            ladder.lambda.push_back(rung.lambda);
            ladder.position.push_back(rung.position);
            ladder.hidden.push_back(rung.hidden);
        }
    }
}

void keep_largest(Defect& defect, const std::vector<double>& units, const std::vector<double>& h) {
    defect.measured = !units.empty();
    defect.tolerance = 1;
    for (std::size_t k = 0; k < units.size(); ++k) {
        if (!(units[k] <= defect.size)) {
            defect.size = units[k];
            defect.h = h[k];
        }
    }
}

}  // namespace

namespace {

std::vector<std::size_t> between_plateau_and_saturation(const std::vector<double>& errors, double floor) {
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < errors.size(); ++k) {
        const double error = errors[k];
        // Near the plateau, an error that does not decrease belongs to it.
        const bool stuck = !kept.empty() && error >= errors[kept.back()] && error < 1e6 * floor;
        if (std::isfinite(error) && error <= 0.1 && error >= 1e3 * floor && !stuck) {
            kept.push_back(k);
        }
    }
    return kept;
}

}  // namespace

MeasuredOrder fitted_order(const std::vector<double>& steps, const std::vector<double>& errors, double floor) {
    constexpr std::size_t fewest = 6;
    const auto kept = between_plateau_and_saturation(errors, floor);
    MeasuredOrder order;
    if (kept.size() < fewest) {
        return order;
    }
    const double n = fewest;
    double x_mean = 0, y_mean = 0, xx = 0, xy = 0, yy = 0;
    for (std::size_t k = kept.size() - fewest; k < kept.size(); ++k) {
        x_mean += std::log(steps[kept[k]]) / n;
        y_mean += std::log(errors[kept[k]]) / n;
    }
    for (std::size_t k = kept.size() - fewest; k < kept.size(); ++k) {
        const double x = std::log(steps[kept[k]]) - x_mean, y = std::log(errors[kept[k]]) - y_mean;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    order.value = order.before = xy / xx;
    order.scatter = std::sqrt(std::max(0.0, (yy - xy * xy / xx) / (n - 2) / xx));
    order.settled = *order.scatter < 0.08;
    return order;
}

MeasuredOrder order_of(const std::vector<double>& steps, const std::vector<double>& errors, double floor,
                       std::size_t lever) {
    const auto kept = between_plateau_and_saturation(errors, floor);
    std::vector<double> rates;
    for (std::size_t k = lever; k < kept.size(); ++k) {
        const std::size_t a = kept[k - lever], b = kept[k];
        rates.push_back(std::log(errors[a] / errors[b]) / std::log(steps[a] / steps[b]));
    }
    MeasuredOrder order;
    if (rates.size() >= 2) {
        order.value = rates.back();
        order.before = rates[rates.size() - 2];
        // Orders are whole numbers; one that is not is still on its way.
        const bool whole = lever > 1 || std::abs(rates.back() - std::round(rates.back())) < 0.12;
        order.settled = whole && std::abs(rates.back() - rates[rates.size() - 2]) < 0.15;
        order.rising = !order.settled && rates.back() > rates[rates.size() - 2];
    }
    return order;
}

void measure_orders(const Subject& subject, Measurement& result) {
    const auto system = make_system<Fine>(*subject.model);
    const auto start = kicked_start<Fine>(*subject.model, *system, subject.options.exact ? StartKick{} : subject.kick);
    // A kink spoils the reference as it does the method.
    const bool kinks = result.window.kinks && !subject.options.exact;
    const auto reference = kinks ? std::nullopt : reference_solution(subject, *system, start);
    const int claimed = subject.method->claims(subject.model->constraint_rows > 0).order;
    const auto coarsest = std::max<std::int64_t>(2, std::llround(subject.options.duration / subject.options.step));
    // The first steps of methods with late nodes are those of a starter: they must not make up half of a run.
    const auto first = std::max<std::int64_t>(
        {2, 4 * subject.method->lag(), claimed >= 6 ? coarsest / 4 : (claimed >= 4 ? coarsest / 2 : coarsest)});
    const bool close = claimed >= 8 && reference;
    Ladder ladder;
    ladder.kinks = kinks;
    ladder.q_extent = subject.options.exact ? 1 : subject.q_extent;
    ladder.p_extent = subject.options.exact ? 1 : subject.p_extent;
    // Few coarse steps round little, and the highest orders show in the last digits only.
    ladder.floor = (close ? 0.2 : 1e4) * to_double(epsilon<Fine>());
    ladder.lever = close ? 2 : 1;
    if (reference) {
        ladder.floor = std::max(ladder.floor, reference->accuracy / 10);
        result.reference = reference->source;
        result.reference_accuracy = reference->accuracy;
    } else {
        result.reference = "the method itself with twice as many steps";
    }
    std::optional<EndState> before;
    double spent = 0, last = 0;
    int failures = 0;
    for (int k = 0; k < 40 && spent + 2 * last <= subject.options.work; ++k) {
        const auto run = run_ladder(*subject.method, *subject.model, *system, start, subject.options.duration,
                                    steps_of_rung(first, k, close), std::min(coarsest, most_samples),
                                    subject.options.duration / static_cast<double>(first));
        spent += run.work;
        last = run.work;
        auto rung = run.rung;
        if (!run.end) {
            result.ladder_failure = run.failure;
            failures += 1;
        } else if (reference) {
            const auto error = difference(*run.end, reference->state);
            rung = {rung.steps, rung.h, error.q, error.p, error.lambda, rung.position, rung.hidden, false};
        } else if (before) {  // the difference is an error of the coarser run, up to a constant factor
            auto& coarser = result.ladder.back();
            const auto error = difference(*before, *run.end);
            coarser.q = error.q;
            coarser.p = error.p;
            coarser.lambda = error.lambda;
        }
        before = run.end;
        result.ladder.push_back(rung);
        auto rungs = result.ladder;
        if (!reference) {
            rungs.pop_back();  // not yet compared
        }
        collect(rungs, ladder);
        read_orders(ladder, result);
        const bool hopeless = ladder.h.empty() && failures >= most_failures && resolves(subject, rung.h);
        if (all_settled(ladder, result) || on_the_plateau(ladder) || hopeless || failures >= 2 * most_failures) {
            break;
        }
    }
    result.resolved = !result.ladder.empty() && resolves(subject, result.ladder.back().h);
    result.asymptotic = !ladder.h.empty() && follows(subject, 4 * ladder.h.back(), 2);
    if (!reference && !result.ladder.empty()) {
        result.ladder.pop_back();
    }
    if (!ladder.h.empty()) {
        result.ladder_failure.clear();
    }
    keep_largest(result.position_defect, ladder.position, ladder.h);
    keep_largest(result.hidden_defect, ladder.hidden, ladder.h);
    // In the same units.
    double largest = 0;
    for (std::size_t k = 0; k < ladder.h.size(); ++k) {
        largest = std::max({largest, ladder.q[k], ladder.p[k]});
    }
    result.position_defect.visible = result.hidden_defect.visible = largest / (16 * to_double(epsilon<Fine>()));
}

}  // namespace libration
