// Orders of q, p, lambda and of the residuals, over runs with more and more steps.
#include "reference_solution.hpp"

#include <array>

namespace libration {

namespace {

struct Ladder {
    std::vector<double> h, q, p, lambda, position, hidden;
    double floor = 0;
    std::size_t lever = 1;  // rungs between the errors that are compared
};

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

void read_orders(const Ladder& ladder, Measurement& result) {
    const double unit = 16 * to_double(epsilon<Fine>());
    result.q = order_of(ladder.h, ladder.q, ladder.floor, ladder.lever);
    result.p = order_of(ladder.h, ladder.p, ladder.floor, ladder.lever);
    result.lambda = order_of(ladder.h, ladder.lambda, ladder.floor, ladder.lever);
    result.position = order_of(ladder.h, times(ladder.position, unit), unit, ladder.lever);
    result.hidden = order_of(ladder.h, times(ladder.hidden, unit), unit, ladder.lever);
}

bool all_settled(const Ladder& ladder, const Measurement& result) {
    const auto settled = [](const MeasuredOrder& order) {
        return order.value && order.settled && near_whole(*order.value);
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

// Methods of high order need coarse steps to show an error at all, and close ones, because the whole range from 1e-1 down to
// round-off is few doublings wide.
std::int64_t steps_of_rung(std::int64_t first, int rung, bool close) {
    const int doublings = close ? rung / 2 : rung;
    const std::int64_t steps = first << doublings;
    return close && rung % 2 == 1 ? steps + steps / 2 : steps;
}

void collect(const std::vector<Rung>& rungs, Ladder& ladder) {
    ladder = {{}, {}, {}, {}, {}, {}, ladder.floor, ladder.lever};
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

MeasuredOrder order_of(const std::vector<double>& steps, const std::vector<double>& errors, double floor,
                       std::size_t lever) {
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < errors.size(); ++k) {
        const double error = errors[k];
        // Near the plateau, an error that does not decrease belongs to it.
        const bool stuck = !kept.empty() && error >= errors[kept.back()] && error < 1e6 * floor;
        if (std::isfinite(error) && error <= 0.1 && error >= 1e3 * floor && !stuck) {
            kept.push_back(k);
        }
    }
    std::vector<double> rates;
    for (std::size_t k = lever; k < kept.size(); ++k) {
        const std::size_t a = kept[k - lever], b = kept[k];
        rates.push_back(std::log(errors[a] / errors[b]) / std::log(steps[a] / steps[b]));
    }
    MeasuredOrder order;
    if (rates.size() >= 2) {
        order.value = rates.back();
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
    const auto reference = reference_solution(subject, *system, start);
    const int claimed = subject.method->claims(subject.model->constraint_rows > 0).order;
    const auto coarsest = std::max<std::int64_t>(2, std::llround(subject.options.duration / subject.options.step));
    // The first steps of methods with late nodes are those of a starter: they shall not be half of a run.
    const auto first = std::max<std::int64_t>(
        {2, 4 * subject.method->lag(), claimed >= 6 ? coarsest / 4 : (claimed >= 4 ? coarsest / 2 : coarsest)});
    const bool close = claimed >= 8 && reference;
    Ladder ladder;
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
    for (int k = 0; k < 40 && spent + 2 * last <= subject.options.work; ++k) {
        const auto run = run_ladder(*subject.method, *system, start, subject.options.duration,
                                    steps_of_rung(first, k, close), coarsest);
        spent += run.work;
        last = run.work;
        auto rung = run.rung;
        if (!run.end) {
            result.ladder_failure = run.failure;
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
        if (all_settled(ladder, result) || on_the_plateau(ladder)) {
            break;
        }
    }
    if (!reference && !result.ladder.empty()) {
        result.ladder.pop_back();
    }
    if (!ladder.h.empty()) {
        result.ladder_failure.clear();
    }
    keep_largest(result.position_defect, ladder.position, ladder.h);
    keep_largest(result.hidden_defect, ladder.hidden, ladder.h);
}

}  // namespace libration
