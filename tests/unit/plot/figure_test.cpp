// Figures: what stands where, what is left out, what is refused. Positions are read from the text and compared with
// ones computed here from the ends of the axes alone.
#include "svg_text.hpp"

#include <libration/plot/figure.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

namespace libration::plot {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t occurrences(const std::string& text, const std::string& word) {
    std::size_t n = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size())) {
        ++n;
    }
    return n;
}

// What stands between `before` and the next quote, from `start` on.
std::string value_after(const std::string& text, const std::string& before, std::size_t start = 0) {
    const auto at = text.find(before, start);
    EXPECT_NE(at, std::string::npos) << before;
    const auto first = at + before.size();
    return at == std::string::npos ? "" : text.substr(first, text.find('"', first) - first);
}

// Path data of the first path of series number `index`.
std::string series_path(const std::string& svg, std::size_t index = 0) {
    std::size_t at = 0;
    for (std::size_t i = 0; i <= index; ++i) {
        at = svg.find("<g class=\"series\">", at + 1);
    }
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? "" : value_after(svg, " d=\"", at);
}

TEST(Figure, points_stand_where_a_linear_axis_puts_them) {
    Figure figure = figure_of({"", {-1, 0, 3}, {10, 25, 20}, Style::line});
    figure.x.low = -1;
    figure.x.high = 3;
    figure.y.low = 10;
    figure.y.high = 30;
    const auto svg = to_svg(figure);
    const auto [left, top, bottom, right] = corners(svg);
    const auto path = numbers_in(series_path(svg));
    ASSERT_EQ(path.size(), 6u);
    EXPECT_NEAR(path[0], left, rounding);
    EXPECT_NEAR(path[1], bottom, rounding);
    EXPECT_NEAR(path[2], left + 0.25 * (right - left), rounding);
    EXPECT_NEAR(path[3], bottom - 0.75 * (bottom - top), rounding);
    EXPECT_NEAR(path[4], right, rounding);
    EXPECT_NEAR(path[5], bottom - 0.5 * (bottom - top), rounding);
}

TEST(Figure, points_stand_where_a_logarithmic_axis_puts_them) {
    Figure figure = figure_of({"", {1, 100, 1000}, {1e-8, 1e-2, 2e-4}, Style::line});
    figure.x = {.label = "", .logarithmic = true, .low = 1, .high = 1e4};
    figure.y = {.label = "", .logarithmic = true, .low = 1e-8, .high = 1};
    const auto svg = to_svg(figure);
    const auto [left, top, bottom, right] = corners(svg);
    const auto path = numbers_in(series_path(svg));
    ASSERT_EQ(path.size(), 6u);
    EXPECT_NEAR(path[0], left, rounding);
    EXPECT_NEAR(path[1], bottom, rounding);
    EXPECT_NEAR(path[2], left + 0.5 * (right - left), rounding);
    EXPECT_NEAR(path[3], bottom - 0.75 * (bottom - top), rounding);
    EXPECT_NEAR(path[4], left + 0.75 * (right - left), rounding);
    EXPECT_NEAR(path[5], bottom - (4 + std::log10(2.0)) / 8 * (bottom - top), rounding);
}

TEST(Figure, a_line_is_broken_where_a_value_has_no_place) {
    const auto linear =
        to_svg(figure_of({"", {0, 1, 2, 3, 4, 5, 6}, {1, 2, not_a_number, 2, infinity, -3, 1}, Style::line}));
    EXPECT_EQ(occurrences(series_path(linear), "M"), 3u);
    Figure figure = figure_of({"", {1, 2, 3, 4, 5, 6}, {1, 2, 0, 3, 4, -1}, Style::line});
    figure.y.logarithmic = true;
    const auto path = series_path(to_svg(figure));
    EXPECT_EQ(occurrences(path, "M"), 2u);
    EXPECT_EQ(numbers_in(path).size(), 8u) << "four of six points are drawn";
}

TEST(Figure, a_point_that_is_left_out_does_not_stretch_the_other_axis) {
    const auto svg = to_svg(figure_of({"", {0, 1, 1e6}, {0, 1, not_a_number}, Style::line}));
    EXPECT_NEAR(numbers_in(series_path(svg)).at(2), corners(svg).right, rounding);
}

TEST(Figure, lines_end_at_the_frame_and_points_outside_are_not_drawn) {
    Figure figure = figure_of({"", {0, 4}, {0, 8}, Style::line});
    figure.x.low = 1;
    figure.x.high = 2;
    figure.y.low = 0;
    figure.y.high = 8;
    auto svg = to_svg(figure);
    const auto [left, top, bottom, right] = corners(svg);
    const auto path = numbers_in(series_path(svg));
    ASSERT_EQ(path.size(), 4u);
    EXPECT_NEAR(path[0], left, rounding);
    EXPECT_NEAR(path[1], bottom - 0.25 * (bottom - top), rounding);
    EXPECT_NEAR(path[2], right, rounding);
    EXPECT_NEAR(path[3], bottom - 0.5 * (bottom - top), rounding);
    figure.series[0].style = Style::points;
    svg = to_svg(figure);
    EXPECT_FALSE(contains(svg, "class=\"series\""));
    EXPECT_TRUE(contains(svg, ">no data<"));
}

TEST(Figure, a_region_is_filled_and_cut_at_the_frame) {
    Figure figure = figure_of({"disc", {-1, 1, 1, -1}, {-1, -1, 1, 1}, Style::region});
    figure.x.low = 0;
    figure.x.high = 2;
    const auto svg = to_svg(figure);
    EXPECT_TRUE(contains(svg, "fill-opacity"));
    const auto path = numbers_in(series_path(svg));
    ASSERT_EQ(path.size(), 8u);
    const auto c = corners(svg);
    for (std::size_t i = 0; i < 8; i += 2) {
        const double middle = (c.left + c.right) / 2;
        EXPECT_TRUE(std::fabs(path[i] - c.left) < rounding || std::fabs(path[i] - middle) < rounding) << path[i];
    }
}

TEST(Figure, no_data_is_said_in_words) {
    EXPECT_TRUE(contains(to_svg({}), ">no data<"));
    EXPECT_TRUE(contains(to_svg(figure_of({"nothing", {}, {}})), ">no data<"));
    EXPECT_TRUE(contains(to_svg(figure_of({"nothing", {not_a_number}, {1}})), ">no data<"));
    EXPECT_FALSE(contains(to_svg(figure_of({"one", {1}, {1}})), ">no data<"));
}

TEST(Figure, a_single_point_stands_in_the_middle) {
    for (const bool logarithmic : {false, true}) {
        for (const double value : {3.5, 1e-300, 1e290}) {
            Figure figure = figure_of({"", {value}, {value}, Style::points});
            figure.x.logarithmic = figure.y.logarithmic = logarithmic;
            const auto svg = to_svg(figure);
            const auto [left, top, bottom, right] = corners(svg);
            const auto path = numbers_in(series_path(svg));
            EXPECT_NEAR(path.at(0), (left + right) / 2, rounding);
            EXPECT_NEAR(path.at(1), (top + bottom) / 2, rounding);
            EXPECT_FALSE(contains(svg, "nan") || contains(svg, "inf"));
        }
    }
}

TEST(Figure, names_are_escaped_and_what_xml_cannot_hold_is_replaced) {
    Figure figure = figure_of({"a<b & \"c\"", {1}, {1}});
    figure.title = "x > y";
    figure.x.label = "bell \x07, half \xC3, long \xC0\x80, surrogate \xED\xA0\x80, fine \xC3\xA9";
    const auto svg = to_svg(figure);
    EXPECT_TRUE(contains(svg, "a&lt;b &amp; &quot;c&quot;"));
    EXPECT_TRUE(contains(svg, "x &gt; y"));
    const std::string bad = "\uFFFD";
    EXPECT_TRUE(contains(svg, "bell " + bad + ", half " + bad + ", long " + bad + bad + ", surrogate " + bad + bad +
                                  bad + ", fine \u00E9"));
}

TEST(Figure, the_same_figure_gives_the_same_bytes_and_a_white_ground) {
    const Figure figure = figure_of({"a", {1, 2, 3}, {1, 4, 9}, Style::line_and_points});
    const auto svg = to_svg(figure);
    EXPECT_EQ(svg, to_svg(figure));
    EXPECT_TRUE(contains(svg, "<rect width=\"720\" height=\"480\" fill=\"#ffffff\"/>"));
    EXPECT_TRUE(contains(svg, "version=\"1.1\""));
}

// Every tag is closed in its order, attributes are quoted, and no bare & or < is left in between.
void expect_well_formed(const std::string& svg) {
    const std::regex piece(
        R"re((<\?xml [^>]*\?>)|<(\w+)( [\w-]+="[^"<]*")*(\/?)>|<\/(\w+)>|([^<&]|&(amp|lt|gt|quot);)+)re");
    std::vector<std::string> open;
    auto at = svg.cbegin();
    for (std::smatch m; at != svg.cend(); at = m[0].second) {
        ASSERT_TRUE(std::regex_search(at, svg.cend(), m, piece, std::regex_constants::match_continuous))
            << std::string(at, svg.cend()).substr(0, 80);
        if (m[2].matched && m[4].length() == 0) {
            open.push_back(m[2]);
        } else if (m[5].matched) {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(m[5], open.back());
            open.pop_back();
        }
    }
    EXPECT_TRUE(open.empty());
}

TEST(Figure, is_well_formed_in_every_style) {
    expect_well_formed(to_svg({}));
    Figure figure;
    figure.title = "\"1 < 2\" & more";
    figure.x = {.label = "<x>", .logarithmic = true};
    figure.y.label = "&y;";
    for (const Style style :
         {Style::line, Style::points, Style::line_and_points, Style::region, Style::guide, Style::arrows}) {
        figure.series.push_back({"<&>", {1, 2, 3e4, 5}, {1e-9, 4e-9, 3e-9, 2e-9}, style});
    }
    expect_well_formed(to_svg(figure));
}

TEST(Figure, lines_of_one_chosen_colour_differ_in_their_markers) {
    Figure figure;
    for (int i = 0; i < 2; ++i) {
        figure.series.push_back({"", {0, 1}, {1.0 * i, 2}, Style::line_and_points, "black"});
    }
    const auto svg = to_svg(figure);
    EXPECT_NE(svg.find("m-3.7 0a"), std::string::npos) << "a circle";
    EXPECT_NE(svg.find("m-3.4-3.4h6.8"), std::string::npos) << "a square";
}

TEST(Figure, series_differ_in_colour_and_marker) {
    Figure figure;
    std::vector<std::string> looks;
    for (int i = 0; i < 7; ++i) {
        figure.series.push_back({"", {1.0 * i}, {1}, Style::points});
    }
    const auto svg = to_svg(figure);
    std::size_t at = 0;
    std::vector<std::string> shapes;
    for (std::size_t i = 0; i < 7; ++i) {
        const auto path = series_path(svg, i);
        shapes.push_back(path.substr(path.find('m')));
        at = svg.find("class=\"series\"", at + 1);
        // Filled markers have a white rim, plus and cross are strokes.
        const auto fill = value_after(svg, "fill=\"", at);
        looks.push_back(fill == "none" ? value_after(svg, "stroke=\"", at) : fill);
    }
    for (auto* all : {&shapes, &looks}) {
        std::ranges::sort(*all);
        EXPECT_EQ(std::ranges::adjacent_find(*all), all->end());
    }
}

TEST(Figure, a_long_legend_goes_below_and_extends_the_height) {
    Figure figure;
    for (int i = 0; i < 40; ++i) {
        figure.series.push_back({"series number " + std::to_string(i), {0, 1}, {0, 1.0 * i}});
    }
    const auto svg = to_svg(figure);
    const double height = std::stod(value_after(svg, " height=\""));
    EXPECT_GT(height, 480);
    double lowest = 0;
    for (int i = 0; i < 40; ++i) {
        const auto at = svg.find(">series number " + std::to_string(i) + "<");
        ASSERT_NE(at, std::string::npos);
        const auto element = svg.substr(svg.rfind("<text", at), 60);
        EXPECT_GT(std::stod(value_after(element, " y=\"")), corners(svg).bottom) << "not over the data";
        lowest = std::max(lowest, std::stod(value_after(element, " y=\"")));
    }
    EXPECT_LT(lowest, height);
    figure.series.resize(3);
    const auto beside = to_svg(figure);
    EXPECT_EQ(std::stod(value_after(beside, " height=\"")), 480);
    const auto at = beside.find(">series number 2<");
    EXPECT_GT(std::stod(value_after(beside.substr(beside.rfind("<text", at), 60), " x=\"")), corners(beside).right);
}

TEST(Figure, bad_input_is_refused_with_a_remedy) {
    EXPECT_EQ(message_of(figure_of({"a", {1, 2}, {1}})),
              "series 1 ('a') has 2 values of x and 1 of y: give one y for each x");
    Figure figure;
    figure.x.low = figure.x.high = 2;
    EXPECT_EQ(message_of(figure), "the x axis runs from 2 to 2: give a low end that is below the high end");
    figure = {};
    figure.y = {.label = "", .logarithmic = true, .low = 0};
    EXPECT_TRUE(contains(message_of(figure), "the y axis is logarithmic and cannot reach 0: give an end above 0"));
    figure.y = {.label = "", .logarithmic = true, .high = -1};
    EXPECT_TRUE(contains(message_of(figure), "cannot reach -1"));
    figure.y = {.label = "", .low = not_a_number};
    EXPECT_TRUE(contains(message_of(figure), "the y axis cannot end at nan"));
    figure.y = {.label = "", .low = 1, .high = 1 + 1e-15};
    EXPECT_TRUE(contains(message_of(figure), "move its ends apart"));
    figure = {};
    figure.width = not_a_number;
    EXPECT_TRUE(contains(message_of(figure), "give 200 to 10000 pixels"));
}

TEST(Figure, data_beyond_the_one_end_that_is_given_still_make_an_axis) {
    for (const bool logarithmic : {false, true}) {
        Figure figure = figure_of({"", {1, 2}, {1, 2}});
        figure.y = {.label = "", .logarithmic = logarithmic, .low = 5};
        EXPECT_TRUE(contains(to_svg(figure), ">no data<"));
        figure.y = {.label = "", .logarithmic = logarithmic, .high = 0.5};
        EXPECT_TRUE(contains(to_svg(figure), ">no data<"));
    }
}

}  // namespace
}  // namespace libration::plot
