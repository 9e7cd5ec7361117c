// The whole figure: checks, layout, axes.
#include <libration/plot/figure.hpp>

#include "plot/curves.hpp"
#include "plot/legend.hpp"
#include "plot/svg.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::plot {

namespace {

constexpr double side = 16;  // free at the edges of the figure
constexpr double tick_length = 5;
constexpr double title_size = 16, title_height = 21;
constexpr std::string_view ink_colour = "#333333", grid_colour = "#e4e4e4";
constexpr std::size_t points_in_all = 16000;  // of all series together, about 13 bytes each

void check(const Figure& figure) {
    for (const auto& [name, size] : {std::pair{"width", figure.width}, std::pair{"height", figure.height}}) {
        if (!(size >= 200 && size <= 10000)) {
            throw InputError(fmt::format("a figure cannot have the {} {}: give 200 to 10000 pixels", name, size));
        }
    }
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        const auto& series = figure.series[i];
        if (series.x.size() != series.y.size()) {
            throw InputError(fmt::format("series {} ('{}') has {} values of x and {} of y: give one y for each x",
                                         i + 1, series.name, series.x.size(), series.y.size()));
        }
    }
}

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

// As many as fit side by side.
Ticks horizontal_ticks(const Scale& scale, double length) {
    for (int wanted = std::max(2, static_cast<int>(length / 70));; --wanted) {
        Ticks ticks = ticks_for(scale, wanted);
        if (wanted <= 2 || (widest_label(ticks) + 14) * static_cast<double>(ticks.major.size()) <= length + 30) {
            return ticks;
        }
    }
}

std::string label_markup(const TickLabel& label) {
    return label.power.empty() ? label.text : power_of_ten(label.text, label.power);
}

std::string common_factor(const Ticks& ticks) { return power_of_ten("\u00D710", ticks.common_power); }

struct Layout {
    Frame frame;
    Ticks x, y;
    Legend legend;
    std::vector<std::string> title, x_label, y_label;
    double height = 0;  // of the whole figure
};

Layout layout_of(const Figure& figure) {
    Layout layout;
    find_scales(figure, layout.frame);
    Box& box = layout.frame.box;
    layout.title = wrapped(figure.title, (figure.width - 2 * side) * font_size / title_size);
    box.top = side + title_height * static_cast<double>(layout.title.size());
    const double most_height = std::max(60.0, figure.height - box.top - 2 * side);
    layout.x_label = wrapped(figure.x.label, figure.width - 2 * side);
    box.bottom = box.top + std::max(60.0, figure.height - box.top - 10 - tick_length - line_height -
                                              (line_height + 2) * static_cast<double>(layout.x_label.size()));
    layout.y = ticks_for(layout.frame.y, std::max(2, static_cast<int>((box.bottom - box.top) / 45)));
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

std::string line_between(const Point& a, const Point& b) {
    return fmt::format("M{} {}L{} {}", number(a.x), number(a.y), number(b.x), number(b.y));
}

std::string axes(const Layout& layout) {
    const Box& box = layout.frame.box;
    std::string grid, marks, labels;
    const auto x_at = [&](double fraction) { return box.left + fraction * (box.right - box.left); };
    const auto y_at = [&](double fraction) { return box.bottom - fraction * (box.bottom - box.top); };
    for (const auto& tick : layout.x.major) {
        const double x = x_at(tick.fraction);
        grid += line_between({x, box.top}, {x, box.bottom});
        marks += line_between({x, box.bottom}, {x, box.bottom + tick_length});
        labels += text_element({x, box.bottom + tick_length + 15}, Anchor::middle, label_markup(tick.label));
    }
    for (const auto& tick : layout.y.major) {
        const double y = y_at(tick.fraction);
        grid += line_between({box.left, y}, {box.right, y});
        marks += line_between({box.left - tick_length, y}, {box.left, y});
        labels += text_element({box.left - tick_length - 4, y + 4.5}, Anchor::end, label_markup(tick.label));
    }
    for (const double fraction : layout.x.minor) {
        marks += line_between({x_at(fraction), box.bottom}, {x_at(fraction), box.bottom + tick_length / 2});
    }
    for (const double fraction : layout.y.minor) {
        marks += line_between({box.left - tick_length / 2, y_at(fraction)}, {box.left, y_at(fraction)});
    }
    const std::string frame =
        fmt::format("M{0} {1}V{3}H{2}", number(box.left), number(box.top), number(box.right), number(box.bottom));
    return fmt::format("<path class=\"grid\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\" d=\"{}\"/>\n", grid_colour,
                       grid) +
           fmt::format("<path class=\"axes\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\" d=\"{}{}\"/>\n", ink_colour,
                       frame, marks) +
           labels;
}

std::string words(const Layout& layout, double width) {
    const Box& box = layout.frame.box;
    std::string markup;
    const double middle_x = (box.left + box.right) / 2, middle_y = (box.top + box.bottom) / 2;
    double y = side + 6;
    for (const auto& line : layout.title) {
        markup += text_element({width / 2, y}, Anchor::middle, escaped(line),
                               fmt::format("font-size=\"{}\" font-weight=\"bold\"", title_size));
        y += title_height;
    }
    y = box.bottom + tick_length + line_height + 18;
    for (const auto& line : layout.x_label) {
        markup += text_element({middle_x, y}, Anchor::middle, escaped(line));
        y += line_height;
    }
    double x = 20;
    for (const auto& line : layout.y_label) {
        const auto turned = fmt::format("transform=\"rotate(-90 {} {})\"", number(x), number(middle_y));
        markup += text_element({x, middle_y}, Anchor::middle, escaped(line), turned);
        x += line_height;
    }
    if (!layout.y.common_power.empty()) {
        markup += text_element({box.left, box.top - 7}, Anchor::start, common_factor(layout.y));
    }
    if (!layout.x.common_power.empty()) {
        markup += text_element({box.right, box.bottom + tick_length + line_height + 18}, Anchor::end,
                               common_factor(layout.x));
    }
    return markup;
}

std::string curves(const Figure& figure, const Layout& layout, std::vector<Look>& looks) {
    std::string markup;
    const std::size_t budget = points_in_all / std::max<std::size_t>(1, figure.series.size());
    std::size_t coloured = 0;
    for (const auto& series : figure.series) {
        Curve curve = draw(series, look_of(series.style, coloured), layout.frame, budget);
        coloured += series.style == Style::guide ? 0 : 1;
        looks.push_back(curve.look);
        if (!curve.markup.empty()) {
            markup += fmt::format("<g class=\"series\">\n{}</g>\n", curve.markup);
        }
    }
    const Box& box = layout.frame.box;
    return !markup.empty() ? markup
                           : text_element({(box.left + box.right) / 2, (box.top + box.bottom) / 2}, Anchor::middle,
                                          "no data", "fill=\"#777777\"");
}

}  // namespace

std::string to_svg(const Figure& figure) {
    check(figure);
    const Layout layout = layout_of(figure);
    const Box& box = layout.frame.box;
    std::vector<Look> looks;
    const std::string drawn = curves(figure, layout, looks);
    const Point corner = layout.legend.below ? Point{(figure.width - layout.legend.width) / 2, figure.height + side / 2}
                                             : Point{box.right + side, box.top};
    const std::string size = fmt::format("width=\"{}\" height=\"{}\"", number(figure.width), number(layout.height));
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" {} viewBox=\"0 0 {} {}\" "
                       "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"{}\" fill=\"{}\">\n"
                       "<title>{}</title>\n",
                       size, number(figure.width), number(layout.height), font_size, ink_colour,
                       escaped(figure.title)) +
           // Painted, or a dark viewer would show dark words on a dark page.
           fmt::format("<rect {} fill=\"#ffffff\"/>\n", size) + axes(layout) + drawn +
           legend_markup(layout.legend, looks, corner) + words(layout, figure.width) + "</svg>\n";
}

}  // namespace libration::plot
