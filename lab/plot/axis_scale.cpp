// The ends of an axis.
#include "plot/axis_scale.hpp"

#include <libration/kit/elementary.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace libration::plot {

namespace {

constexpr double largest_value = 1e300;  // on a linear axis, so that no difference of two values overflows
// The shortest span of a linear axis, relative to its values: with 12 digits neighbouring labels still differ.
constexpr double shortest = 1e-11;

void check_ends(const Axis& axis, const char* name) {
    for (const auto& end : {axis.low, axis.high}) {
        if (end && !(std::fabs(*end) <= largest_value)) {
            throw InputError(fmt::format("the {} axis cannot end at {}: give a finite number, or omit it", name, *end));
        }
        if (end && axis.logarithmic && *end <= 0) {
            throw InputError(fmt::format(
                "the {} axis is logarithmic and cannot reach {}: give an end above 0, or make the axis linear", name,
                *end));
        }
    }
    if (axis.low && axis.high && *axis.low >= *axis.high) {
        throw InputError(fmt::format("the {} axis runs from {} to {}: give a low end that is below the high end", name,
                                     *axis.low, *axis.high));
    }
}

}  // namespace

// Not std::log10: its last bit depends on the machine, and figures are compared byte by byte.
double log10_of(double value) { return libration::log(value) / std::numbers::ln10; }

bool Scale::accepts(double value) const {
    return logarithmic ? value > 0 && std::isfinite(value) : std::fabs(value) <= largest_value;
}

double Scale::straight(double value) const { return logarithmic ? log10_of(value) : value; }

Scale scale_for(const Axis& axis, std::span<const double> smallest_and_largest, double margin, const char* axis_name) {
    check_ends(axis, axis_name);
    Scale scale{.logarithmic = axis.logarithmic};
    if (!smallest_and_largest.empty()) {
        scale.u_low = scale.straight(smallest_and_largest.front());
        scale.u_high = scale.straight(smallest_and_largest.back());
        const double pad = margin * (scale.u_high - scale.u_low);
        scale.u_low -= pad;
        scale.u_high += pad;
    }
    if (axis.low) {
        scale.u_low = scale.straight(*axis.low);
    }
    if (axis.high) {
        scale.u_high = scale.straight(*axis.high);
    }
    const double size = std::max(std::fabs(scale.u_low), std::fabs(scale.u_high));
    const double least = axis.logarithmic ? 1e-9 : std::max(shortest * size, 1e-290);
    if (scale.u_high - scale.u_low >= least) {
        return scale;
    }
    if (axis.low && axis.high) {
        throw InputError(fmt::format("the {} axis from {} to {} is too short to be labelled: move its ends apart",
                                     axis_name, *axis.low, *axis.high));
    }
    // A decade; or half of the value, and for zero one half. Data may also lie wholly beyond the one end that is given.
    const double widening = axis.logarithmic ? 1 : (size > 0 ? std::max(size / 2, least) : 0.5);
    if (axis.low) {
        scale.u_high = scale.u_low + widening;
    } else if (axis.high) {
        scale.u_low = scale.u_high - widening;
    } else {
        scale.u_low -= widening;
        scale.u_high += widening;
    }
    return scale;
}

}  // namespace libration::plot
