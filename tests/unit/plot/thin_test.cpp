// Long series: the picture stays, the text stays short.
#include "plot/thin.hpp"

#include <libration/plot/figure.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace libration::plot {
namespace {

constexpr Box box{.left = 0, .top = 0, .right = 100, .bottom = 50};

// Numbers that look random and are the same everywhere.
class Noise {
  public:
    double next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(state_ >> 11U) * 0x1p-53;
    }

  private:
    std::uint64_t state_ = 1;
};

Polyline noisy_line(std::size_t n) {
    Noise noise;
    Polyline line;
    for (std::size_t i = 0; i < n; ++i) {
        line.push_back({100.0 * static_cast<double>(i) / static_cast<double>(n), 50 * noise.next()});
    }
    return line;
}

TEST(Thinning, by_columns_keeps_the_extremes_of_every_column_and_the_ends) {
    auto line = noisy_line(100000);
    line[54321].y = -7;
    const auto thin = thin_by_columns(line, box, 1);
    EXPECT_LE(thin.size(), 400u);
    EXPECT_EQ(thin.front(), line.front());
    EXPECT_EQ(thin.back(), line.back());
    const auto extremes = [](const Polyline& all, int column) {
        std::pair result{1e9, -1e9};
        for (const auto& p : all) {
            if (static_cast<int>(p.x) == column) {
                result = {std::min(result.first, p.y), std::max(result.second, p.y)};
            }
        }
        return result;
    };
    for (int column = 0; column < 100; ++column) {
        EXPECT_EQ(extremes(thin, column), extremes(line, column)) << column;
    }
    EXPECT_TRUE(std::ranges::is_sorted(thin, {}, &Point::x)) << "in their order";
}

TEST(Thinning, by_columns_leaves_a_sparse_line_alone) {
    const Polyline line = {{0.5, 1}, {1.5, 7}, {3.5, 2}, {3.6, 9}};
    EXPECT_EQ(thin_by_columns(line, box, 1), line);
}

TEST(Thinning, ink_covers_just_the_cells_that_a_line_passes) {
    // From (0, 0) with slope 1/2: in column c the rows c/2 to (c + 1)/2, both ends included.
    const auto drawn = ink({{{0, 0.25}, {10, 5.25}}}, box, 1000);
    EXPECT_EQ(drawn.cell, 1);
    ASSERT_EQ(drawn.strokes.size(), 11u);
    for (std::size_t c = 0; c < 10; ++c) {
        const double first = std::floor(0.25 + 0.5 * static_cast<double>(c));
        const double last = std::floor(0.25 + 0.5 * static_cast<double>(c + 1));
        EXPECT_EQ(drawn.strokes[c].x, static_cast<double>(c) + 0.5);
        EXPECT_EQ(drawn.strokes[c].y, first + 0.5);
        EXPECT_EQ(drawn.strokes[c].length, static_cast<std::size_t>(last - first + 1));
    }
}

TEST(Thinning, ink_of_lone_points_is_one_cell_each_and_joins_neighbours) {
    const auto drawn = ink({{{3.2, 7.9}}, {{3.4, 8.1}}, {{3.3, 8.7}}, {{60, 50}}}, box, 1000);
    ASSERT_EQ(drawn.strokes.size(), 2u);
    EXPECT_EQ(drawn.strokes[0].length, 2u);
    EXPECT_EQ(drawn.strokes[1].length, 1u);
    EXPECT_EQ(drawn.strokes[1].y, 50.5);
}

TEST(Thinning, ink_grows_its_cells_until_there_is_little_of_it) {
    Noise noise;
    Pieces points;
    for (int i = 0; i < 2000; ++i) {
        points.push_back({{100 * noise.next(), 50 * noise.next()}});
    }
    EXPECT_GT(ink(points, box, 5000).strokes.size(), 500u);
    const auto coarse = ink(points, box, 500);
    EXPECT_LE(coarse.strokes.size(), 500u);
    EXPECT_GT(coarse.cell, 1);
}

TEST(Cutting, a_line_through_the_box_gives_the_parts_inside) {
    const auto pieces = cut_line({{-10, 10}, {50, 10}, {50, 90}, {70, 90}, {70, 10}}, box);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[0], (Polyline{{0, 10}, {50, 10}, {50, 50}}));
    EXPECT_EQ(pieces[1], (Polyline{{70, 50}, {70, 10}}));
    EXPECT_TRUE(cut_line({{-10, 10}, {-1, 90}}, box).empty());
    EXPECT_EQ(cut_line({{5, 5}}, box).size(), 1u);
    EXPECT_TRUE(cut_line({{5, 55}}, box).empty());
}

TEST(Cutting, an_area_around_the_box_becomes_the_box) {
    auto area = cut_area({{-1e6, -1e6}, {1e6, -1e6}, {1e6, 1e6}, {-1e6, 1e6}}, box);
    std::ranges::sort(area, [](const Point& a, const Point& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
    EXPECT_EQ(area, (Polyline{{0, 0}, {0, 50}, {100, 0}, {100, 50}}));
}

Series long_series(Style style, bool sweeping) {
    Noise noise;
    Series series{.name = "long", .style = style};
    // A wild line costs a hundred times more to draw than one that goes once from left to right.
    for (int i = 0; i < (sweeping ? 1000000 : 50000); ++i) {
        series.x.push_back(sweeping ? i : noise.next());
        series.y.push_back(i == 777777 ? 10 : noise.next());
    }
    return series;
}

constexpr std::size_t most_bytes = 300000;

TEST(Thinning, keeps_long_series_of_any_style_below_300_kB) {
    for (const Style style : {Style::line, Style::points, Style::line_and_points, Style::region, Style::guide}) {
        for (const bool sweeping : {false, true}) {
            Figure figure;
            figure.series = {long_series(style, sweeping)};
            const auto size = to_svg(figure).size();
            EXPECT_LT(size, most_bytes) << static_cast<int>(style) << sweeping;
            EXPECT_GT(size, 3000u) << static_cast<int>(style) << sweeping;
        }
    }
}

TEST(Thinning, keeps_many_long_series_together_below_300_kB) {
    Figure figure;
    Noise noise;
    for (int s = 0; s < 20; ++s) {
        Series series{.name = "s", .style = s % 2 == 0 ? Style::line : Style::points};
        for (int i = 0; i < 20000; ++i) {
            series.x.push_back(i);
            series.y.push_back(s + noise.next());
        }
        figure.series.push_back(series);
    }
    EXPECT_LT(to_svg(figure).size(), most_bytes);
}

TEST(Thinning, keeps_the_one_spike_in_a_million_points) {
    Figure figure;
    figure.series = {long_series(Style::line, true)};
    figure.y.low = 0;
    figure.y.high = 10;
    const auto svg = to_svg(figure);
    // The spike reaches the top of the frame, which the path of the axes begins with: M left top V ...
    const auto axes = svg.find(" d=\"M", svg.find("class=\"axes\"")) + 5;
    const auto top = svg.substr(svg.find(' ', axes), svg.find('V', axes) - svg.find(' ', axes));
    const auto series = svg.find("class=\"series\"");
    const auto path = svg.substr(series, svg.find("</g>", series) - series);
    EXPECT_NE(path.find(top + " "), std::string::npos) << top;
}

}  // namespace
}  // namespace libration::plot
