// The picture of condition (13).
#include "coefficients/multistep_search.hpp"
#include "plot/multistep_region.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace libration::plot {
namespace {

const Series& region_of(const Figure& figure) { return figure.series.front(); }

// Twice the area inside of all outlines, which are apart by points that are not finite. All run the same way round.
double area_of(const Series& region) {
    double sum = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < region.x.size(); ++i) {
        if (std::isnan(region.x[i])) {
            first = i + 1;
            continue;
        }
        const std::size_t next = i + 1 < region.x.size() && !std::isnan(region.x[i + 1]) ? i + 1 : first;
        sum += (region.x[i] * region.y[next] - region.x[next] * region.y[i]) / 2;
    }
    return sum;
}

TEST(MultistepRegion, of_six_steps_has_the_measured_area_and_the_curve_of_double_roots) {
    const auto figure = multistep_region_figure({-0.5, 0.8});
    const auto& region = region_of(figure);
    EXPECT_EQ(region.style, Style::region);
    EXPECT_NEAR(area_of(region) / 4, 0.4886, 3e-4);  // by the formulas of the paper on 800 x 800 cells
    int on_curve = 0;
    for (std::size_t i = 0; i < region.x.size(); ++i) {
        const double a1 = region.x[i], a2 = region.y[i];
        if (std::abs(a1) < 1 && std::abs(a2) < 1) {
            const double alpha = (79 + 9 * (a1 + a2) - a1 * a2) / 60;
            const double beta = (-14 + 26 * (a1 + a2) + 6 * a1 * a2) / 15;
            const double gamma = (97 + 7 * (a1 + a2) + 97 * a1 * a2) / 30;
            EXPECT_NEAR(beta * beta, 4 * alpha * (gamma - 2 * alpha), 1e-8) << a1;
            ++on_curve;
        }
    }
    EXPECT_GT(on_curve, 400);
}

TEST(MultistepRegion, marks_the_default_the_paper_and_what_was_given_once) {
    const auto marks = [](const std::vector<double>& a) {
        const auto figure = multistep_region_figure(a);
        return std::count_if(figure.series.begin(), figure.series.end(),
                             [](const Series& series) { return series.style == Style::points; });
    };
    EXPECT_EQ(marks({-0.5, 0.8}), 4);  // default, (A), (B), largest Omega
    EXPECT_EQ(marks({-0.3, 0.4}), 5);
    EXPECT_EQ(marks({-0.8, -0.4, 0.6}), 1);
}

TEST(MultistepRegion, of_eight_steps_is_a_slice) {
    const auto figure = multistep_region_figure({-0.8, -0.4, 0.7});
    EXPECT_NE(figure.title.find("a3 = 0.7"), std::string::npos);
    const double area = area_of(region_of(figure));
    int inside = 0;
    constexpr int cells = 200;
    for (int i = 0; i < cells * cells; ++i) {
        inside += sigma_on_circle(std::vector<double>{(2 * (i % cells) + 1.0) / cells - 1,
                                                      (2 * (i / cells) + 1.0) / cells - 1, 0.7})
                      ? 1
                      : 0;
    }
    EXPECT_NEAR(area / 4, inside / double(cells * cells), 2e-3);
    EXPECT_GT(inside, 1000);
}

TEST(MultistepRegion, needs_two_parameters) {
    EXPECT_THROW(multistep_region_figure({0.2}), InputError);
    EXPECT_THROW(multistep_region_figure({}), InputError);
}

}  // namespace
}  // namespace libration::plot
