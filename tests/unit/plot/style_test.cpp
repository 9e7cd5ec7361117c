// Colours of choice, dashes, arrows, units of equal length, and pages of several figures.
#include "svg_text.hpp"

#include <libration/plot/figure.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace libration::plot {
namespace {

// The value of each `attribute` inside of the series, in their order.
std::vector<std::string> values_of(const std::string& svg, const std::string& attribute) {
    std::vector<std::string> values;
    const std::string before = " " + attribute + "=\"";
    for (auto at = svg.find("<g class=\"series\">"); at != std::string::npos;
         at = svg.find("<g class=\"series\">", at + 1)) {
        const auto group = svg.substr(at, svg.find("</g>", at) - at);
        for (auto i = group.find(before); i != std::string::npos; i = group.find(before, i + 1)) {
            const auto first = i + before.size();
            values.push_back(group.substr(first, group.find('"', first) - first));
        }
    }
    return values;
}

TEST(Colour, of_choice_is_used_and_leaves_the_palette_to_the_others) {
    Figure figure;
    figure.series = {{"", {0, 1}, {0, 1}}, {"", {0, 1}, {0, 2}}};
    const auto plain = values_of(to_svg(figure), "stroke");
    figure.series.insert(figure.series.begin() + 1, {"", {0, 1}, {0, 3}, Style::line, "#Ab12cd"});
    figure.series.insert(figure.series.begin(), {"", {0, 1}, {0, 3}, Style::line, "black"});
    const auto mixed = values_of(to_svg(figure), "stroke");
    EXPECT_EQ(mixed, (std::vector<std::string>{"black", plain.at(0), "#Ab12cd", plain.at(1)}));
}

TEST(Colour, is_checked_so_that_no_markup_slips_in) {
    for (const char* good : {"black", "cornflowerblue", "#333", "#12abEF"}) {
        EXPECT_EQ(message_of(figure_of({"", {0}, {0}, Style::line, good})), "no error") << good;
    }
    for (const char* bad :
         {"Black", "#12", "#12345g", "##1234", "red\"/><script>", "url(#a)", " red", "rgb(1,2,3)", "#", "red;"}) {
        const auto message = message_of(figure_of({"f", {0}, {0}, Style::line, bad}));
        EXPECT_TRUE(
            contains(message, "series 1 ('f') has the color '" + std::string(bad) + "': give a lower-case name"))
            << bad;
    }
}

TEST(Colour, of_choice_fills_a_region_more_strongly_inside_a_thin_outline) {
    const Series square{"", {0, 1, 1, 0}, {0, 0, 1, 1}, Style::region};
    auto chosen = square;
    chosen.colour = "orange";
    const auto plain = to_svg(figure_of(square)), coloured = to_svg(figure_of(chosen));
    EXPECT_GT(std::stod(values_of(coloured, "fill-opacity").at(0)), std::stod(values_of(plain, "fill-opacity").at(0)));
    EXPECT_LT(std::stod(values_of(coloured, "stroke-width").at(0)), std::stod(values_of(plain, "stroke-width").at(0)));
    EXPECT_EQ(values_of(coloured, "fill").at(0), "orange");
}

TEST(Dashes, are_drawn_on_request_and_only_then_in_a_colour_of_choice) {
    Figure figure;
    for (int i = 0; i < 3; ++i) {
        figure.series.push_back({"", {0, 1}, {0, 1.0 * i}, Style::line, "black", false});
    }
    EXPECT_TRUE(values_of(to_svg(figure), "stroke-dasharray").empty());
    figure.series[1].dashed = true;
    EXPECT_EQ(values_of(to_svg(figure), "stroke-dasharray").size(), 1u);
    figure.series[2].style = Style::line_and_points;
    figure.series[2].dashed = true;
    EXPECT_EQ(values_of(to_svg(figure), "stroke-dasharray").size(), 2u);
}

TEST(Arrows, run_from_point_to_point_with_the_tip_at_the_end) {
    Figure figure = figure_of({"field", {0, 4, 1, 1}, {0, 0, 1, 3}, Style::arrows});
    figure.x = {.label = "", .low = -1, .high = 5};
    figure.y = {.label = "", .low = -1, .high = 4};
    const auto svg = to_svg(figure);
    const auto paths = values_of(svg, "d");
    ASSERT_EQ(paths.size(), 2u) << "shafts and heads";
    const auto c = corners(svg);
    const auto x = [&](double value) { return c.left + (value + 1) / 6 * (c.right - c.left); };
    const auto y = [&](double value) { return c.bottom - (value + 1) / 5 * (c.bottom - c.top); };
    const auto shafts = numbers_in(paths[0]);
    ASSERT_EQ(shafts.size(), 8u);
    EXPECT_NEAR(shafts[0], x(0), rounding);
    EXPECT_NEAR(shafts[1], y(0), rounding);
    EXPECT_LT(shafts[2], x(4)) << "the shaft ends under the head";
    EXPECT_NEAR(shafts[4], x(1), rounding);
    EXPECT_NEAR(shafts[5], y(1), rounding);
    const auto heads = numbers_in(paths[1]);
    ASSERT_EQ(heads.size(), 12u) << "two triangles";
    EXPECT_NEAR(heads[0], x(4), rounding);
    EXPECT_NEAR(heads[1], y(0), rounding);
    EXPECT_NEAR((heads[2] + heads[4]) / 2, shafts[2], rounding) << "the base is centred at the end of the shaft";
    EXPECT_NEAR((heads[3] + heads[5]) / 2, shafts[3], rounding);
    EXPECT_NEAR(heads[6], x(1), rounding);
    EXPECT_NEAR(heads[7], y(3), rounding);
    EXPECT_LT(std::fabs(heads[3] - heads[5]), 8) << "a small head";
}

TEST(Arrows, are_cut_at_the_frame_and_have_no_head_outside) {
    Figure figure = figure_of({"", {0, 9, 8, 9}, {1, 1, 2, 2}, Style::arrows});
    figure.x.high = 2;
    figure.y = {.label = "", .low = 0, .high = 3};
    figure.x.low = -1;
    const auto svg = to_svg(figure);
    const auto paths = values_of(svg, "d");
    ASSERT_EQ(paths.size(), 1u) << "no head";
    const auto shaft = numbers_in(paths[0]);
    ASSERT_EQ(shaft.size(), 4u) << "the second arrow lies outside";
    EXPECT_NEAR(shaft[2], corners(svg).right, rounding);
}

TEST(Arrows, need_two_points_each_and_leave_out_what_is_not_finite) {
    EXPECT_TRUE(contains(message_of(figure_of({"f", {0, 1, 2}, {0, 1, 2}, Style::arrows})), "two for each arrow"));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto svg = to_svg(figure_of({"", {0, nan, 0, 1, 5, 5}, {0, 1, 0, 1, 1, 1}, Style::arrows}));
    EXPECT_EQ(numbers_in(values_of(svg, "d").at(1)).size(), 6u) << "one head; an arrow of no length is a dot";
    EXPECT_FALSE(contains(svg, "nan"));
}

TEST(Arrows, in_great_number_stay_below_300_kB) {
    Series field{"", {}, {}, Style::arrows};
    for (int i = 0; i < 200000; ++i) {
        field.x.push_back(i % 400 + 0.5 * (i % 2));
        field.y.push_back(i / 400);
    }
    const auto size = to_svg(figure_of(field)).size();
    EXPECT_LT(size, 300000u);
    EXPECT_GT(size, 30000u);
}

// Pixels per unit of both axes, from the places of two points.
std::pair<double, double> units_of(const std::string& svg, double dx, double dy) {
    const auto path = numbers_in(values_of(svg, "d").at(0));
    return {(path.at(2) - path.at(0)) / dx, -(path.at(3) - path.at(1)) / dy};
}

TEST(EqualUnits, are_equally_long_whatever_the_data_and_the_size) {
    for (const double dx : {1e-9, 0.3, 7.0, 2e6}) {
        for (const double dy : {1e-9, 0.5, 40.0}) {
            for (const double width : {200.0, 720.0, 3000.0}) {
                Figure figure = figure_of({"a name", {1, 1 + dx}, {-2, dy - 2}});
                figure.equal = true;
                figure.width = width;
                const auto svg = to_svg(figure);
                const auto [left, top, bottom, right] = corners(svg);
                const auto path = numbers_in(values_of(svg, "d").at(0));
                const double right_by = path.at(2) - path.at(0), up_by = path.at(1) - path.at(3);
                EXPECT_NEAR(right_by * dy, up_by * dx, rounding * (dx + dy)) << dx << ' ' << dy;
                EXPECT_GT(std::max(right_by, up_by), 50) << "the data fill the box one way";
                EXPECT_GE(std::min(path[0], path[2]), left - rounding);
                EXPECT_LE(std::max(path[0], path[2]), right + rounding);
                EXPECT_GE(std::min(path[1], path[3]), top - rounding);
                EXPECT_LE(std::max(path[1], path[3]), bottom + rounding);
            }
        }
    }
}

TEST(EqualUnits, widen_the_axis_with_more_room_around_its_middle) {
    Figure figure = figure_of({"", {0, 1}, {0, 1}});
    figure.equal = true;
    const auto svg = to_svg(figure);
    const auto [left, top, bottom, right] = corners(svg);
    const auto path = numbers_in(values_of(svg, "d").at(0));
    EXPECT_GT(right - left, 1.3 * (bottom - top)) << "the box keeps its shape";
    EXPECT_NEAR((path[0] + path[2]) / 2, (left + right) / 2, 0.02);
}

TEST(EqualUnits, keep_ends_that_are_given) {
    Figure figure = figure_of({"", {0, 1}, {0, 1}});
    figure.equal = true;
    figure.x.low = 0;
    auto svg = to_svg(figure);
    EXPECT_NEAR(numbers_in(values_of(svg, "d").at(0)).at(0), corners(svg).left, rounding);
    auto [ux, uy] = units_of(svg, 1, 1);
    EXPECT_NEAR(ux, uy, 2 * rounding);
    // All ends given: the box becomes a square.
    figure.x.high = 1;
    figure.y = {.label = "", .low = 0, .high = 1};
    svg = to_svg(figure);
    const auto [left, top, bottom, right] = corners(svg);
    EXPECT_NEAR(right - left, bottom - top, 2 * rounding);
    figure.x.high = 1e4;
    EXPECT_TRUE(contains(message_of(figure), "the y axis would be shorter than 30 pixels"));
}

TEST(EqualUnits, are_refused_on_logarithmic_axes) {
    for (const bool of_x : {true, false}) {
        Figure figure = figure_of({"", {1, 2}, {1, 2}});
        figure.equal = true;
        (of_x ? figure.x : figure.y).logarithmic = true;
        EXPECT_TRUE(contains(message_of(figure), "equal units need linear axes"));
    }
}

TEST(Ticks, of_a_small_figure_still_tell_the_scale) {
    // From -1.04e-6 to 1.04e-6 steps of 2e-6 would leave the zero alone.
    Figure figure = figure_of({"", {0, 1}, {-1e-6, 1e-6}});
    figure.width = 260;
    figure.height = 200;
    const auto svg = to_svg(figure);
    EXPECT_TRUE(contains(svg, "\u00D710"));
    EXPECT_TRUE(contains(svg, ">1<") || contains(svg, ">1.0<"));
}

TEST(Page, holds_every_panel_once_row_by_row) {
    std::vector<Figure> figures(3);
    for (std::size_t i = 0; i < 3; ++i) {
        figures[i].title = "panel " + std::to_string(i);
        figures[i].width = 300 + 50.0 * static_cast<double>(i);
        figures[i].height = 250 + 20.0 * static_cast<double>(i);
    }
    const auto svg = to_svg(figures, 2);
    // The columns are 400 and 350 wide, the rows 270 and 290 high; the first panel is narrower than its column.
    EXPECT_TRUE(contains(svg, "width=\"750\" height=\"560\" viewBox=\"0 0 750 560\""));
    EXPECT_TRUE(contains(svg, "translate(50 0)"));
    EXPECT_TRUE(contains(svg, "translate(400 0)"));
    EXPECT_TRUE(contains(svg, "translate(0 270)"));
    EXPECT_TRUE(contains(svg, "<title>panel 0; panel 1; panel 2</title>"));
    for (const char* title : {">panel 0<", ">panel 1<", ">panel 2<"}) {
        EXPECT_TRUE(contains(svg, title));
    }
    EXPECT_TRUE(contains(to_svg(figures, 9), "width=\"1050\" height=\"290\"")) << "no empty columns";
}

TEST(Page, of_one_figure_shows_what_the_figure_shows) {
    const std::vector<Figure> figures = {figure_of({"", {0, 1}, {0, 1}})};
    EXPECT_EQ(values_of(to_svg(figures, 1), "d"), values_of(to_svg(figures[0]), "d"));
}

TEST(Page, of_many_long_series_stays_below_100_kB_a_panel) {
    std::vector<Figure> figures;
    for (int f = 0; f < 6; ++f) {
        Series series{"", {}, {}, Style::points};
        for (int i = 0; i < 20000; ++i) {
            series.x.push_back(std::sin(i * 1.7 + f));
            series.y.push_back(std::cos(i * 0.61 * f));
        }
        figures.push_back(figure_of(series));
    }
    EXPECT_LT(to_svg(figures, 3).size(), 600000u);
}

TEST(Figure, a_short_series_does_not_take_the_room_of_a_long_one) {
    Series curve{"", {}, {}};
    for (int i = 0; i < 12000; ++i) {
        curve.x.push_back(std::sin(i * 0.01));
        curve.y.push_back(std::cos(i * 0.0101));
    }
    Figure figure = figure_of(curve);
    const auto alone = values_of(to_svg(figure), "d").at(0);
    figure.series.push_back({"", {0}, {0}, Style::points});
    figure.x = {.label = "", .low = -1, .high = 1};  // points would add a margin
    const auto together = values_of(to_svg(figure), "d").at(0);
    EXPECT_GT(together.size(), alone.size() * 9 / 10);
}

TEST(Page, needs_a_figure_and_a_column) {
    EXPECT_THROW(to_svg(std::vector<Figure>{}, 1), InputError);
    EXPECT_THROW(to_svg(std::vector<Figure>(2), 0), InputError);
}

}  // namespace
}  // namespace libration::plot
