// From values to positions along an axis, and the ticks.
#pragma once

#include <libration/plot/figure.hpp>

#include <span>
#include <string>
#include <vector>

namespace libration::plot {

// Values are carried to a straight coordinate u (the value itself, or its decimal logarithm), which runs from u_low to
// u_high along the axis.
struct Scale {
    bool logarithmic = false;
    double u_low = 0, u_high = 1;

    // Whether the value has a place on such an axis, be it inside or outside of the ends.
    bool accepts(double value) const;
    // 0 at the low end, 1 at the high end; not clipped. Only for values that are accepted.
    double fraction(double value) const { return fraction_of_u(straight(value)); }
    double fraction_of_u(double u) const { return (u - u_low) / (u_high - u_low); }
    double straight(double value) const;
};

// A number in a label: `text`, and where `power` is not empty times ten to that power.
struct TickLabel {
    std::string text, power;
};

struct Tick {
    double fraction;
    TickLabel label;
};

struct Ticks {
    std::vector<Tick> major;
    std::vector<double> minor;  // fractions
    std::string common_power;   // if not empty, all labels are to be multiplied by ten to this power
};

// The ends of the axis: those given, or from the values, widened by the fraction `margin` of the span on both sides.
// Values that are equal, or equal but for round-off, and no values at all get a span that can be labelled.
// `axis_name` is for messages. Throws InputError if the given ends do not fit.
Scale scale_for(const Axis& axis, std::span<const double> smallest_and_largest, double margin, const char* axis_name);

// About `wanted` major ticks: steps of 1, 2 or 5 times a power of ten, or powers of ten.
Ticks ticks_for(const Scale& scale, int wanted);

double log10_of(double value);

}  // namespace libration::plot
