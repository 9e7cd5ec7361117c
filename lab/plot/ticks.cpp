// Ticks that people would choose: 1, 2 or 5 times a power of ten; on logarithmic axes powers of ten.
#include "plot/axis_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace libration::plot {

namespace {

constexpr double slack = 1e-9;  // in steps: a tick at the very end of an axis is not lost to round-off
// log10(1), ..., log10(9)
constexpr std::array<double, 9> log10_digit = {0,
                                               0.30102999566398119521,
                                               0.47712125471966243730,
                                               0.60205999132796239043,
                                               0.69897000433601880479,
                                               0.77815125038364363251,
                                               0.84509804001425683071,
                                               0.90308998699194358564,
                                               0.95424250943932487459};

// Numbers in labels have the typographic minus, as wide as a plus.
std::string with_minus(std::string number) {
    if (number.starts_with('-')) {
        number.replace(0, 1, "\u2212");
    }
    return number;
}

std::string integer_text(long long n) { return with_minus(fmt::to_string(n)); }

double ten_to(int exponent) { return std::strtod(fmt::format("1e{}", exponent).c_str(), nullptr); }

struct Step {
    int digit, exponent;  // digit * 10^exponent
    double value() const { return digit * ten_to(exponent); }
};

// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
Step step_at_least(double least) {
    const int exponent = static_cast<int>(std::floor(log10_of(least) + slack));
    for (const int digit : {1, 2, 5}) {
        if (const Step step{digit, exponent}; step.value() >= least * (1 - slack)) {
            return step;
        }
    }
    return {1, exponent + 1};
}

struct Counts {
    std::int64_t first, last;
};

Counts multiples(double low, double high, double step) {
    return {static_cast<std::int64_t>(std::ceil(low / step - slack)),
            static_cast<std::int64_t>(std::floor(high / step + slack))};
}

// `low` and `high` are values; `place` gives the fraction of a value.
template <class Place>
Ticks linear_ticks(double low, double high, int wanted, Place place) {
    const Step step = step_at_least((high - low) / wanted);
    const auto [first, last] = multiples(low, high, step.value());
    const double largest = static_cast<double>(std::max(std::llabs(first), std::llabs(last))) * step.value();
    const int leading = largest > 0 ? static_cast<int>(std::floor(log10_of(largest) + slack)) : 0;
    // Numbers from 0.001 to 99999 are written out, others share a power of ten.
    const int common = leading < -3 || leading > 4 ? leading : 0;
    const int decimals = std::max(0, common - step.exponent);
    const double unit = step.digit * ten_to(step.exponent - common);
    Ticks ticks;
    ticks.common_power = common == 0 ? "" : integer_text(common);
    for (std::int64_t k = first; k <= last; ++k) {
        const auto count = static_cast<double>(k);
        ticks.major.push_back({place(count * step.value()),
                               {with_minus(fmt::format("{:.{}f}", count * unit, k == 0 ? 0 : decimals)), ""}});
    }
    return ticks;
}

bool written_out(double decade) { return decade >= -3 && decade <= 4; }

// Digits times powers of ten inside the axis. `digits` are those that get a label.
std::vector<Tick> labelled_digits(const Scale& scale, std::span<const int> digits) {
    std::vector<Tick> ticks;
    const auto [first, last] = multiples(scale.u_low - 1, scale.u_high, 1);
    const bool plain = written_out(scale.u_low) && written_out(scale.u_high);
    for (std::int64_t decade = first; decade <= last; ++decade) {
        for (const int digit : digits) {
            const double at = scale.fraction_of_u(static_cast<double>(decade) + log10_digit[digit - 1]);
            if (at < -slack || at > 1 + slack) {
                continue;
            }
            if (plain) {
                const auto exponent = static_cast<int>(decade);
                ticks.push_back({at, {fmt::format("{:.{}f}", digit * ten_to(exponent), std::max(0, -exponent)), ""}});
            } else {
                ticks.push_back({at, {digit == 1 ? "10" : fmt::format("{}\u00B710", digit), integer_text(decade)}});
            }
        }
    }
    return ticks;
}

// Between labels one decade apart all digits, else decades.
void add_minor_ticks(Ticks& ticks, const Scale& scale, const Step& stride) {
    const auto labelled = static_cast<std::int64_t>(stride.value());
    const std::int64_t apart = labelled < 10 ? 1 : labelled / (stride.digit == 2 ? 4 : 5);
    const auto [first, last] = multiples(scale.u_low - 1, scale.u_high, static_cast<double>(apart));
    for (std::int64_t k = first; k <= last; ++k) {
        for (int digit = 1; digit <= (labelled == 1 ? 9 : 1); ++digit) {
            const double at = scale.fraction_of_u(static_cast<double>(k * apart) + log10_digit[digit - 1]);
            const bool taken = std::ranges::any_of(
                ticks.major, [&](const Tick& tick) { return std::fabs(tick.fraction - at) < slack; });
            if (at >= -slack && at <= 1 + slack && !taken) {
                ticks.minor.push_back(at);
            }
        }
    }
}

Ticks logarithmic_ticks(const Scale& scale, int wanted) {
    Ticks ticks;
    // Steps of whole decades: 1, 2, 5, 10, 20, ...
    const Step stride = step_at_least(std::max(1.0, (scale.u_high - scale.u_low) / wanted));
    const auto [first, last] = multiples(scale.u_low, scale.u_high, stride.value());
    for (std::int64_t k = first; k <= last; ++k) {
        const std::int64_t decade = k * static_cast<std::int64_t>(stride.value());
        ticks.major.push_back({scale.fraction_of_u(static_cast<double>(decade)), {"10", integer_text(decade)}});
    }
    if (ticks.major.size() < 2) {
        constexpr std::array<int, 3> few = {1, 2, 5};
        constexpr std::array<int, 9> all = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        ticks.major = labelled_digits(scale, few);
        if (ticks.major.size() < 3) {
            ticks.major = labelled_digits(scale, all);
        }
    }
    if (ticks.major.size() < 2) {
        // Less than one digit wide: here the axis is nearly linear. Divided by a power of ten, nothing overflows.
        const double base = written_out(scale.u_low) ? 0 : std::floor(scale.u_low);
        const double low = std::pow(10.0, scale.u_low - base), high = std::pow(10.0, scale.u_high - base);
        ticks = linear_ticks(low, high, wanted, [&](double v) { return scale.fraction_of_u(base + log10_of(v)); });
        for (auto& tick : ticks.major) {
            tick.label.text += base == 0 ? "" : "\u00B710";
            tick.label.power = base == 0 ? "" : integer_text(static_cast<long long>(base));
        }
        return ticks;
    }
    add_minor_ticks(ticks, scale, stride);
    return ticks;
}

}  // namespace

Ticks ticks_for(const Scale& scale, int wanted) {
    return scale.logarithmic
               ? logarithmic_ticks(scale, wanted)
               : linear_ticks(scale.u_low, scale.u_high, wanted, [&](double v) { return scale.fraction_of_u(v); });
}

}  // namespace libration::plot
