// What monitors keep, and how a node changes it: written once for runs and for recorded steps, so that both keep the
// same bits.
#pragma once

#include <libration/kit/reduce.hpp>
#include <libration/kit/stepper.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace libration {

// The larger and the smaller of two numbers. What is not a number stays: a monitor must not hide it. A recorded step
// refuses nodes where the second number is none, see MonitorInStep.
template <class S>
LIBRATION_INLINE S larger_or_nan(const S& a, const S& b) {
    if constexpr (records_operations<S>) {
        return maxv(a, b);
    } else {
        return b != b || b > a ? b : a;
    }
}
template <class S>
LIBRATION_INLINE S smaller_or_nan(const S& a, const S& b) {
    if constexpr (records_operations<S>) {
        return minv(a, b);
    } else {
        return b != b || b < a ? b : a;
    }
}

template <class S>
S largest_or_nan(std::span<const S> values) {
    S most = values.empty() ? lit<S>(0) : absv(values[0]);
    for (const auto& value : values.subspan(values.empty() ? 0 : 1)) {
        most = larger_or_nan(most, absv(value));
    }
    return most;
}

// As sum_of, without its detour where few numbers make it dear; the same sum.
template <class S, class Value>
S sum_over(std::size_t size, Value value) {
    if (std::is_same_v<S, double> && size > 0 && size <= partial_results) {
        S sum = value(0);
        for (std::size_t i = 1; i < size; ++i) {
            sum = sum + value(i);
        }
        return sum;
    }
    S sum = lit<S>(0);
    tuned<S>([&]() LIBRATION_TUNED { sum = sum_of<S>(size, value); });
    return sum;
}

template <class S>
S inner_product(std::span<const S> p, std::span<const S> v) {
    return sum_over<S>(p.size(), [&](std::size_t i) LIBRATION_TUNED { return S(p[i] * v[i]); });
}

// Momenta and velocities of a node, without those that an augmented system adds.
template <class S>
struct Motion {
    std::span<const S> p, v;
};

// (p - p_before) (v - v_before)
template <class S>
S product_of_changes(const Motion<S>& before, const Motion<S>& after) {
    return sum_over<S>(after.p.size(), [&](std::size_t i) LIBRATION_TUNED {
        return S((after.p[i] - before.p[i]) * (after.v[i] - before.v[i]));
    });
}

// What is measured at a node.
template <class S>
struct Measured {
    S t, energy, constraint, hidden;
    Motion<S> motion;
    std::span<const S> invariants;
};

template <class S>
struct MonitorTotals {
    enum Total : std::size_t { initial_energy, energy_error, constraint, hidden, floors, totals };
    enum Scale : std::size_t { action, change, potential_low, potential_high, scales };

    MonitorTotals(double share, std::size_t invariants)
        : kinetic_share(share), invariants_initial(invariants, lit<S>(0)), invariants_max(invariants_initial) {
        total.fill(lit<S>(0));
        scale.fill(lit<S>(0));
        node.fill(lit<S>(0));
    }

    [[nodiscard]] bool has_energy() const { return !std::isnan(kinetic_share); }

    // The start.
    void begin(const Measured<S>& at) {
        const S error_floors = total[floors], none = from_double<S>(std::numeric_limits<double>::quiet_NaN());
        total.fill(lit<S>(0));
        total[initial_energy] = at.energy;
        total[floors] = error_floors;
        scale.fill(has_energy() ? lit<S>(0) : none);
        if (has_energy()) {
            scale[potential_low] = scale[potential_high] = potential(at, inner_product(at.motion.p, at.motion.v));
        }
        std::ranges::copy(at.invariants, invariants_initial.begin());
        std::ranges::fill(invariants_max, lit<S>(0));
        update(at);
    }

    // Of a node in its turn; then update().
    void follow(const Motion<S>& before, const Measured<S>& at) {
        if (has_energy()) {
            scale[change] = larger_or_nan(scale[change], absv(product_of_changes(before, at.motion)));
        }
    }

    // Of any node.
    void update(const Measured<S>& at) {
        node = {at.t, at.energy};
        total[energy_error] = larger_or_nan(total[energy_error], absv(S(at.energy - total[initial_energy])));
        total[constraint] = larger_or_nan(total[constraint], at.constraint);
        total[hidden] = larger_or_nan(total[hidden], at.hidden);
        if (has_energy()) {
            const S pv = inner_product(at.motion.p, at.motion.v), rest = potential(at, pv);
            scale[action] = larger_or_nan(scale[action], absv(pv));
            scale[potential_low] = smaller_or_nan(scale[potential_low], rest);
            scale[potential_high] = larger_or_nan(scale[potential_high], rest);
        }
        for (std::size_t k = 0; k < invariants_max.size(); ++k) {
            invariants_max[k] = larger_or_nan(invariants_max[k], absv(S(at.invariants[k] - invariants_initial[k])));
        }
    }

    // All but the share, for recorded steps.
    void visit(MemoryVisitor<S>& visitor) {
        visitor.array("total", total);
        visitor.array("scale", scale);
        visitor.array("node", node);
        visitor.array("invariants_initial", invariants_initial);
        visitor.array("invariants_max", invariants_max);
    }

    [[nodiscard]] S potential(const Measured<S>& at, const S& pv) const {
        return at.energy - from_double<S>(kinetic_share) * pv;
    }

    double kinetic_share;         // T / (p v); NaN: there is no H
    std::array<S, totals> total;  // errors, |g|, |G v|, |g| in floors: largest ones
    std::array<S, scales> scale;  // largest |p v| and |dp dv|, extremes of H - T
    std::array<S, 2> node;        // t and energy of the newest one
    std::vector<S> invariants_initial, invariants_max;
};

}  // namespace libration
