// The whole figure: checks, axes, words.
#include <libration/plot/figure.hpp>

#include "plot/curves.hpp"
#include "plot/drawing.hpp"
#include "plot/layout.hpp"
#include "plot/svg.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::plot {

namespace {

constexpr std::string_view grid_colour = "#e4e4e4";

// A name or a hexadecimal number, so that nothing else can slip into the markup.
bool is_colour(const std::string& text) {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto is_hexadecimal = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    };
    if (text.front() == '#') {
        return (text.size() == 4 || text.size() == 7) && std::all_of(text.begin() + 1, text.end(), is_hexadecimal);
    }
    return text.size() <= 30 && std::ranges::all_of(text, is_letter);
}

void check(const Series& series, std::size_t number) {
    const std::string which = fmt::format("series {} ('{}')", number, series.name);
    if (series.x.size() != series.y.size()) {
        throw InputError(fmt::format("{} has {} values of x and {} of y: give one y for each x", which, series.x.size(),
                                     series.y.size()));
    }
    if (series.style == Style::arrows && series.x.size() % 2 != 0) {
        throw InputError(fmt::format("{} of arrows has {} points: give two for each arrow, its start and its end",
                                     which, series.x.size()));
    }
    if (!series.colour.empty() && !is_colour(series.colour)) {
        throw InputError(fmt::format("{} has the color '{}': give a lower-case name, such as black, or "
                                     "#rrggbb",
                                     which, series.colour));
    }
}

void check(const Figure& figure) {
    for (const auto& [name, size] : {std::pair{"width", figure.width}, std::pair{"height", figure.height}}) {
        if (!(size >= 200 && size <= 10000)) {
            throw InputError(fmt::format("a figure cannot have the {} {}: give 200 to 10000 pixels", name, size));
        }
    }
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        check(figure.series[i], i + 1);
    }
}

std::string label_markup(const TickLabel& label) {
    return label.power.empty() ? label.text : power_of_ten(label.text, label.power);
}

std::string common_factor(const Ticks& ticks) { return power_of_ten("\u00D710", ticks.common_power); }

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
    double x = layout.y_label_x;
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

// As many points for each series that no more than `most` are drawn; what short ones leave over goes to the long ones.
std::size_t fair_share(const std::vector<Series>& all, std::size_t most) {
    std::vector<std::size_t> sizes;
    for (const auto& series : all) {
        sizes.push_back(5 * series.x.size());  // a marker counts as this many points of a line
    }
    std::ranges::sort(sizes);
    std::size_t left = most;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t share = left / (sizes.size() - i);
        if (sizes[i] > share) {
            return share;
        }
        left -= sizes[i];
    }
    return most;
}

std::string curves(const Figure& figure, const Layout& layout, std::size_t most_points, std::vector<Look>& looks) {
    std::string markup;
    const std::size_t share = fair_share(figure.series, most_points);
    std::size_t from_palette = 0, marked = 0;
    for (const auto& series : figure.series) {
        Curve curve = draw(series, look_of(series, from_palette, marked), layout.frame, share);
        from_palette += series.style == Style::guide || !series.colour.empty() ? 0 : 1;
        marked += series.style == Style::line_and_points ? 1 : 0;
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

Drawing drawing_of(const Figure& figure, std::size_t most_points) {
    check(figure);
    const Layout layout = layout_of(figure);
    const Box& box = layout.frame.box;
    std::vector<Look> looks;
    const std::string drawn = curves(figure, layout, most_points, looks);
    const Point corner = layout.legend.below ? Point{(figure.width - layout.legend.width) / 2, figure.height + side / 2}
                                             : Point{box.right + side, box.top};
    return {.markup = axes(layout) + drawn + legend_markup(layout.legend, looks, corner) + words(layout, figure.width),
            .width = figure.width,
            .height = layout.height};
}

std::string document_of(const Drawing& drawing, const std::string& title) {
    const std::string size = fmt::format("width=\"{}\" height=\"{}\"", number(drawing.width), number(drawing.height));
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" {} viewBox=\"0 0 {} {}\" "
                       "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"{}\" fill=\"{}\">\n"
                       "<title>{}</title>\n",
                       size, number(drawing.width), number(drawing.height), font_size, ink_colour, escaped(title)) +
           // Painted, or a dark viewer would show dark words on a dark page.
           fmt::format("<rect {} fill=\"#ffffff\"/>\n", size) + drawing.markup + "</svg>\n";
}

std::string to_svg(const Figure& figure) { return document_of(drawing_of(figure, points_in_all), figure.title); }

}  // namespace libration::plot
