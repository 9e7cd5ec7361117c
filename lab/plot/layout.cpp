// Axes, words and legend each get their place.
#include "plot/layout.hpp"

#include "plot/svg.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::plot {

namespace {

// The smallest and the largest value of one axis, over the points that lie between the ends that are given.
class Range {
  public:
    void include(double value) {
        if (values_.empty()) {
            values_ = {value, value};
        }
        values_[0] = std::min(values_[0], value);
        values_[1] = std::max(values_[1], value);
    }
    const std::vector<double>& values() const { return values_; }

  private:
    std::vector<double> values_;  // none, or two
};

bool may_show(const Axis& axis, double value) {
    return Scale{.logarithmic = axis.logarithmic}.accepts(value) && !(axis.low && value < *axis.low) &&
           !(axis.high && value > *axis.high);
}

void find_scales(const Figure& figure, Frame& frame) {
    Range x, y;
    bool only_lines = true;
    for (const auto& series : figure.series) {
        only_lines = only_lines && (series.style == Style::line || series.style == Style::guide);
        for (std::size_t i = 0; i < series.x.size(); ++i) {
            if (may_show(figure.x, series.x[i]) && may_show(figure.y, series.y[i])) {
                x.include(series.x[i]);
                y.include(series.y[i]);
            }
        }
    }
    constexpr double margin = 0.04;  // a marker at the end of an axis stays clear of the frame
    frame.x = scale_for(figure.x, x.values(), only_lines ? 0 : margin, "x");
    frame.y = scale_for(figure.y, y.values(), margin, "y");
}

double width_of(const TickLabel& label) { return plot::width_of(label.text) + 0.8 * plot::width_of(label.power); }

double widest_label(const Ticks& ticks) {
    double widest = 0;
    for (const auto& tick : ticks.major) {
        widest = std::max(widest, width_of(tick.label));
    }
    return widest;
}

// One label alone tells no scale.
Ticks two_or_more(const Scale& scale, int wanted) {
    Ticks ticks = ticks_for(scale, wanted);
    for (int more = wanted + 1; ticks.major.size() < 2 && more < wanted + 4; ++more) {
        ticks = ticks_for(scale, more);
    }
    return ticks;
}

Ticks vertical_ticks(const Scale& scale, double length) {
    return two_or_more(scale, std::max(2, static_cast<int>(length / 45)));
}

// As many as fit side by side.
Ticks horizontal_ticks(const Scale& scale, double length) {
    for (int wanted = std::max(2, static_cast<int>(length / 70));; --wanted) {
        Ticks ticks = two_or_more(scale, wanted);
        if (wanted <= 2 || (widest_label(ticks) + 14) * static_cast<double>(ticks.major.size()) <= length + 30) {
            return ticks;
        }
    }
}

// Everything in its place around axes with these ends.
Layout arranged(const Figure& figure, const Scale& x, const Scale& y) {
    Layout layout;
    layout.frame.x = x;
    layout.frame.y = y;
    Box& box = layout.frame.box;
    layout.title = wrapped(figure.title, (figure.width - 2 * side) * font_size / title_size);
    box.top = side + title_height * static_cast<double>(layout.title.size());
    const double most_height = std::max(60.0, figure.height - box.top - 2 * side);
    layout.x_label = wrapped(figure.x.label, figure.width - 2 * side);
    box.bottom = box.top + std::max(60.0, figure.height - box.top - 10 - tick_length - line_height -
                                              (line_height + 2) * static_cast<double>(layout.x_label.size()));
    layout.y = vertical_ticks(layout.frame.y, box.bottom - box.top);
    box.top += layout.y.common_power.empty() ? 0 : line_height;
    layout.y_label = wrapped(figure.y.label, most_height);
    box.left = 10 + line_height * static_cast<double>(layout.y_label.size()) + widest_label(layout.y) + tick_length + 6;
    layout.legend = legend_of(figure.series, figure.width, box.bottom - box.top);
    const double beside = layout.legend.below || layout.legend.entries.empty() ? 0 : layout.legend.width + side;
    box.right = std::max(box.left + 60, figure.width - side - 6 - beside);
    layout.x = horizontal_ticks(layout.frame.x, box.right - box.left);
    layout.height = figure.height + (layout.legend.below ? layout.legend.height + side : 0);
    return layout;
}

// Two ends of an axis that is to be `wanted` long, which is more than it is: those that were given stay.
void widen(Scale& scale, const Axis& axis, double wanted) {
    const double more = wanted - (scale.u_high - scale.u_low);
    if (!(more > 0) || (axis.low && axis.high)) {
        return;
    }
    scale.u_low -= axis.low ? 0 : axis.high ? more : more / 2;
    scale.u_high += axis.high ? 0 : axis.low ? more : more / 2;
}

double width_of(const Box& box) { return box.right - box.left; }
double height_of(const Box& box) { return box.bottom - box.top; }
double span_of(const Scale& scale) { return scale.u_high - scale.u_low; }

// What one pixel is worth, so that both axes have room.
double unit_of(const Frame& frame) {
    return std::max(span_of(frame.x) / width_of(frame.box), span_of(frame.y) / height_of(frame.box));
}

// Makes the box smaller, in the middle of its room, until a unit of x is as long as a unit of y.
void shrink_box(Layout& layout) {
    Box& box = layout.frame.box;
    const double unit = unit_of(layout.frame);
    const double width = span_of(layout.frame.x) / unit, height = span_of(layout.frame.y) / unit;
    constexpr double least = 30;
    if (std::min(width, height) < least) {
        throw InputError(fmt::format(
            "with equal units the {} axis would be shorter than {} pixels: omit one of its ends, or equal units",
            width < height ? "x" : "y", least));
    }
    const double spare_x = width_of(box) - width, spare_y = height_of(box) - height;
    box = {box.left + spare_x / 2, box.top + spare_y / 2, box.right - spare_x / 2, box.bottom - spare_y / 2};
    layout.y_label_x += spare_x / 2;
    layout.x = horizontal_ticks(layout.frame.x, width);
    if (spare_y > 0.2 * height) {
        layout.y = vertical_ticks(layout.frame.y, height);
    }
}

}  // namespace

Layout layout_of(const Figure& figure) {
    Frame natural;
    find_scales(figure, natural);
    Layout layout = arranged(figure, natural.x, natural.y);
    if (!figure.equal) {
        return layout;
    }
    if (figure.x.logarithmic || figure.y.logarithmic) {
        throw InputError("equal units need linear axes: omit 'equal' or 'log'");
    }
    // Other ends have other labels, and these leave another room for the box; it settles at once or nearly so.
    for (int pass = 0; pass < 3; ++pass) {
        Scale x = natural.x, y = natural.y;
        const Box box = layout.frame.box;
        const double unit = unit_of({box, x, y});
        widen(x, figure.x, unit * width_of(box));
        widen(y, figure.y, unit * height_of(box));
        layout = arranged(figure, x, y);
    }
    shrink_box(layout);
    return layout;
}

}  // namespace libration::plot
