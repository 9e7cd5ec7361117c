// Shafts are one path, heads another: a head is a filled triangle whose tip is the end of the arrow.
#include "plot/arrows.hpp"

#include "plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration::plot {

namespace {

constexpr double longest_head = 7, shortest_arrow = 1.5;  // pixels

std::string head_path(const Point& base, const Point& tip, double half_width, double length) {
    const double across_x = -(tip.y - base.y) / length * half_width, across_y = (tip.x - base.x) / length * half_width;
    return fmt::format("M{} {}L{} {} {} {}z", number(tip.x), number(tip.y), number(base.x + across_x),
                       number(base.y + across_y), number(base.x - across_x), number(base.y - across_y));
}

}  // namespace

std::string arrow_element(const std::vector<Arrow>& arrows, const Look& look, const Box& box) {
    std::string shafts, heads;
    for (const auto& [from, to] : arrows) {
        const double dx = to.x - from.x, dy = to.y - from.y;
        const double length = std::sqrt(dx * dx + dy * dy);
        if (length < shortest_arrow) {
            shafts += box.contains(from) ? line_path({from}) : "";
            continue;
        }
        const double head = std::min(longest_head, length / 2);
        const Point base{to.x - dx / length * head, to.y - dy / length * head};
        for (const auto& piece : cut_line({from, base}, box)) {
            shafts += line_path(piece);
        }
        if (box.contains(to)) {
            heads += head_path(base, to, 0.38 * head, head);
        }
    }
    std::string markup;
    if (!shafts.empty()) {
        const std::string dash = look.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", look.dash);
        markup += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\" stroke-linecap=\"round\"{} "
                              "d=\"{}\"/>\n",
                              look.colour, dash, shafts);
    }
    if (!heads.empty()) {
        markup += fmt::format("<path fill=\"{}\" d=\"{}\"/>\n", look.colour, heads);
    }
    return markup;
}

std::string arrow_elements(const Series& series, const Look& look, const Frame& frame, std::size_t budget) {
    constexpr std::size_t arrow_cost = 5;  // an arrow counts as this many points of a line
    std::vector<Arrow> arrows;
    const auto drawable = [&](std::size_t i) { return frame.x.accepts(series.x[i]) && frame.y.accepts(series.y[i]); };
    for (std::size_t i = 0; i + 1 < series.x.size(); i += 2) {
        if (drawable(i) && drawable(i + 1)) {
            arrows.push_back({frame.place(series.x[i], series.y[i]), frame.place(series.x[i + 1], series.y[i + 1])});
        }
    }
    std::erase_if(arrows, [&](const Arrow& arrow) { return cut_line({arrow.from, arrow.to}, frame.box).empty(); });
    const std::size_t most = std::max<std::size_t>(1, budget / arrow_cost);
    const std::size_t every = (arrows.size() + most - 1) / most;
    std::vector<Arrow> chosen;
    for (std::size_t i = 0; i < arrows.size(); i += every) {
        chosen.push_back(arrows[i]);
    }
    return arrow_element(chosen, look, frame.box);
}

}  // namespace libration::plot
