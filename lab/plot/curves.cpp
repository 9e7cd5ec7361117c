// Lines, markers and areas.
#include "plot/curves.hpp"

#include "plot/arrows.hpp"
#include "plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace libration::plot {

namespace {

// Okabe and Ito (2008), distinguishable with any colour vision; without their yellow, which is pale on white.
constexpr std::array<std::string_view, 7> palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#000000", "#e69f00", "#56b4e9"};
// Path data from the centre on. One more than there are colours, so that a pair returns only after 56 series.
constexpr std::string_view plus = "m-4.5 0h9m-4.5-4.5v9", cross = "m-3.5-3.5l7 7m0-7l-7 7";
constexpr std::array<std::string_view, 8> markers = {"m-3.7 0a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0-7.4 0z",
                                                     "m-3.4-3.4h6.8v6.8h-6.8z",
                                                     "m0-4.6l4.4 7.6h-8.8z",
                                                     "m0-5l5 5l-5 5l-5-5z",
                                                     cross,
                                                     "m0 4.6l4.4-7.6h-8.8z",
                                                     plus,
                                                     "m-4.4 0l7.6-4.4v8.8z"};
constexpr std::array<std::string_view, 5> dashes = {"", "8 3", "2 3", "9 3 2 3", "14 4"};
constexpr std::string_view guide_colour = "#808080", guide_dash = "5 4", chosen_dash = "7 4";

std::string line_element(std::string_view data, const Look& look, double width) {
    const std::string dash =
        look.dash.empty() ? " stroke-linecap=\"round\"" : fmt::format(" stroke-dasharray=\"{}\"", look.dash);
    return fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{} d=\"{}\"/>\n",
                       look.colour, number(width), dash, data);
}

std::string ink_element(const Ink& ink, const Look& look, double least_width) {
    const double width = std::max(ink.cell, least_width);
    return fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" d=\"{}\"/>\n", look.colour, number(width),
                       ink_path(ink, width));
}

std::string marker_elements(const Polyline& points, const Look& look) {
    std::string data;
    for (const auto& point : points) {
        data += fmt::format("M{} {}{}", number(point.x), number(point.y), look.marker);
    }
    const bool stroked = look.marker == plus || look.marker == cross;
    // The white rim keeps neighbours apart.
    return stroked ? fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" d=\"{}\"/>\n", look.colour, data)
                   : fmt::format("<path fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.6\" d=\"{}\"/>\n", look.colour,
                                 data);
}

std::string area_element(std::string_view data, const Look& look) {
    // A colour of choice is to be seen as it is; what lies under it still shows.
    return fmt::format("<path fill=\"{}\" fill-opacity=\"{}\" fill-rule=\"evenodd\" stroke=\"none\" d=\"{}\"/>\n",
                       look.colour,
                       look.solid       ? "1"
                       : look.of_choice ? "0.6"
                                        : "0.25",
                       data);
}

// Of an area with a colour of choice: thin and dark, as books have it.
Look outline_of(Look look) {
    look.colour = look.of_choice ? ink_colour : look.colour;
    return look;
}

double width_of_line(const Look& look) {
    return look.style == Style::guide                      ? 1.1
           : look.solid                                    ? 0.3
           : look.style == Style::region && look.of_choice ? 0.8
                                                           : 1.7;
}

// The points that have a place on the axes, in pixels, apart where a point between them has none.
Pieces placed(const Series& series, const Frame& frame) {
    Pieces pieces;
    bool open = false;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        const bool drawable = frame.x.accepts(series.x[i]) && frame.y.accepts(series.y[i]);
        if (drawable && !open) {
            pieces.emplace_back();
        }
        if (drawable) {
            pieces.back().push_back(frame.place(series.x[i], series.y[i]));
        }
        open = drawable;
    }
    return pieces;
}

Pieces cut_lines(const Pieces& pieces, const Box& box) {
    Pieces inside;
    for (const auto& piece : pieces) {
        std::ranges::move(cut_line(piece, box), std::back_inserter(inside));
    }
    return inside;
}

Polyline points_inside(const Pieces& pieces, const Box& box) {
    Polyline inside;
    for (const auto& piece : pieces) {
        std::ranges::copy_if(piece, std::back_inserter(inside), [&](const Point& p) { return box.contains(p); });
    }
    return inside;
}

Pieces thinned(const Pieces& pieces, const Box& box, double column_width) {
    Pieces result;
    for (const auto& piece : pieces) {
        result.push_back(thin_by_columns(piece, box, column_width));
    }
    return result;
}

bool goes_right(const Pieces& pieces) {
    return std::ranges::all_of(pieces, [](const Polyline& piece) {
        return std::ranges::is_sorted(piece, {}, [](const Point& p) { return p.x; });
    });
}

std::string path_of(const Pieces& pieces) {
    std::string data;
    for (const auto& piece : pieces) {
        data += line_path(piece);
    }
    return data;
}

void draw_line(Curve& curve, const Pieces& pieces, const Box& box, std::size_t budget) {
    if (pieces.empty()) {
        return;
    }
    if (count(pieces) <= budget) {
        curve.markup += line_element(path_of(pieces), curve.look, width_of_line(curve.look));
        return;
    }
    curve.look.dash = "";  // dashes along a zigzag would be noise
    // A line that goes once or a few times from left to right is best kept a line; others fill areas.
    const auto columns = static_cast<std::size_t>(box.right - box.left);
    Pieces few = thinned(pieces, box, 1);
    if (count(few) <= 16 * columns) {
        // Where a line turns back, wide columns would cut its bends off.
        const double widest = goes_right(pieces) ? 16 : 2;
        for (double column_width = 2; count(few) > budget && column_width <= widest; column_width *= 2) {
            few = thinned(pieces, box, column_width);
        }
        if (count(few) <= budget) {
            curve.markup += line_element(path_of(few), curve.look, 1.2);
            return;
        }
    }
    curve.markup += ink_element(ink(pieces, box, budget), curve.look, 1.2);
}

void draw_points(Curve& curve, const Polyline& points, const Box& box, std::size_t budget) {
    constexpr std::size_t marker_cost = 5;  // a marker counts as this many points of a line
    if (points.size() * marker_cost <= budget) {
        curve.markup += points.empty() ? "" : marker_elements(points, curve.look);
        return;
    }
    Pieces dots;
    for (const auto& point : points) {
        dots.push_back({point});
    }
    curve.markup += ink_element(ink(dots, box, budget), curve.look, 2);
}

Polyline evenly_chosen(const Polyline& points) {
    constexpr std::size_t few = 200, wanted = 20;
    if (points.size() <= few) {
        return points;
    }
    Polyline chosen;
    for (std::size_t i = 0; i <= wanted; ++i) {
        chosen.push_back(points[i * (points.size() - 1) / wanted]);
    }
    return chosen;
}

void draw_region(Curve& curve, const Pieces& pieces, const Box& box, std::size_t budget) {
    Pieces areas, outlines;
    for (auto piece : pieces) {
        areas.push_back(cut_area(piece, box));
        piece.push_back(piece.front());
        outlines.push_back(std::move(piece));
    }
    std::erase_if(areas, [](const Polyline& area) { return area.empty(); });
    for (double column_width = 1; count(areas) > budget / 2 && column_width <= 4; column_width *= 2) {
        areas = thinned(areas, box, column_width);
    }
    // For an outline so irregular that even this does not help, the inside is invisible.
    if (!areas.empty() && count(areas) <= budget / 2) {
        curve.markup += area_element(path_of(areas), curve.look);
    }
    // The outline is cut as a line is, so that it does not run along the frame.
    Curve outline{.markup = "", .look = outline_of(curve.look)};
    draw_line(outline, cut_lines(outlines, box), box, budget / 2);
    curve.markup += outline.markup;
    curve.look.dash = outline.look.dash;
}

}  // namespace

Point Frame::place(double x_value, double y_value) const {
    // Far outside of the frame the exact place does not matter, but it must stay finite.
    const auto limited = [](double fraction) { return std::clamp(fraction, -1e9, 1e9); };
    return {box.left + limited(x.fraction(x_value)) * (box.right - box.left),
            box.bottom - limited(y.fraction(y_value)) * (box.bottom - box.top)};
}

Look look_of(const Series& series, std::size_t index, std::size_t marked) {
    const Style style = series.style;
    const bool of_choice = !series.colour.empty();
    const std::string_view dash = series.dashed                        ? chosen_dash
                                  : style == Style::guide              ? guide_dash
                                  : style == Style::line && !of_choice ? dashes[index % dashes.size()]
                                                                       : "";
    const std::string_view colour = of_choice               ? std::string_view(series.colour)
                                    : style == Style::guide ? guide_colour
                                                            : palette[index % palette.size()];
    // Lines of one chosen colour are told apart by their markers.
    const std::size_t shape = !of_choice ? index : style == Style::line_and_points ? marked : 0;
    return {style, colour, markers[shape % markers.size()], dash, of_choice, series.solid && of_choice};
}

Curve draw(const Series& series, const Look& look, const Frame& frame, std::size_t budget) {
    Curve curve{.markup = "", .look = look};
    const Pieces pieces = placed(series, frame);
    switch (look.style) {
        case Style::line:
        case Style::guide: draw_line(curve, cut_lines(pieces, frame.box), frame.box, budget); break;
        case Style::points: draw_points(curve, points_inside(pieces, frame.box), frame.box, budget); break;
        case Style::line_and_points:
            draw_line(curve, cut_lines(pieces, frame.box), frame.box, budget);
            curve.markup += marker_elements(evenly_chosen(points_inside(pieces, frame.box)), look);
            break;
        case Style::region: draw_region(curve, pieces, frame.box, budget); break;
        case Style::arrows: curve.markup = arrow_elements(series, look, frame, budget); break;
    }
    return curve;
}

std::string sample(const Look& look, const Point& left_middle) {
    const auto& [x, y] = left_middle;
    std::string markup;
    if (look.style == Style::region) {
        const auto data = fmt::format("M{} {}h24v12h-24z", number(x + 1), number(y - 6));
        return area_element(data, look) + line_element(data, outline_of(look), look.of_choice ? 0.8 : 1.2);
    }
    if (look.style == Style::arrows) {
        return arrow_element({{{x, y}, {x + 26, y}}}, look, {x, y - 10, x + 26, y + 10});
    }
    if (look.style != Style::points) {
        markup += line_element(fmt::format("M{} {}h26", number(x), number(y)), look, 1.7);
    }
    if (look.style == Style::points || look.style == Style::line_and_points) {
        markup += marker_elements({{x + 13, y}}, look);
    }
    return markup;
}

}  // namespace libration::plot
