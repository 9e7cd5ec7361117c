// What holds over all parameters of symmetric multistep methods: the region of condition (13) for six steps, and the
// interval of periodicity.
#include "reproduce/computations/exact_number.hpp"
#include "reproduce/computations/list.hpp"

#include "coefficients/multistep_search.hpp"
#include "coefficients/multistep_stability.hpp"
#include "plot/multistep_region.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace libration {

namespace {

bool holds(double a1, double a2) {
    const std::array a{a1, a2};
    return sigma_on_circle(a);
}

// The end of the lowest interval of a_2, which begins at -1.
double upper_end(double a1) {
    constexpr double step = 1e-3;
    double inside = -1 + step / 2;
    if (!holds(a1, inside)) {
        return -1;
    }
    while (inside < 1 && holds(a1, inside + step)) {
        inside += step;
    }
    double outside = inside + step;
    for (int i = 0; i < 40; ++i) {
        const double mid = (inside + outside) / 2;
        (holds(a1, mid) ? inside : outside) = mid;
    }
    return inside;
}

double omega(double a1, double a2) {
    if (std::max(std::abs(a1), std::abs(a2)) >= 1) {
        return 0;
    }
    const std::array a{a1, a2};
    const auto rating = multistep_rating(a);
    return rating ? rating->periodicity : 0;
}

struct RegionPoint {
    double a1, a2, omega;
};

// Uphill from the best of a grid, in 32 directions, with steps that become shorter: the largest value lies on the edge
// of the region, where few directions lead inside.
RegionPoint highest(int cells) {
    RegionPoint best{0, 0, 0};
    const auto try_at = [&](double a1, double a2) {
        const double value = omega(a1, a2);
        if (value > best.omega) {
            best = {a1, a2, value};
            return true;
        }
        return false;
    };
    for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < i; ++j) {  // a_1 > a_2: the rest is the mirror image
            try_at(-1 + 2 * (i + 0.5) / cells, -1 + 2 * (j + 0.5) / cells);
        }
    }
    for (double step = 2.0 / cells; step > 1e-5;) {
        bool moved = false;
        const auto from = best;
        for (int direction = 0; direction < 32; ++direction) {
            const double angle = 2 * std::numbers::pi * direction / 32;
            moved = try_at(from.a1 + step * std::cos(angle), from.a2 + step * std::sin(angle)) || moved;
        }
        step = moved ? step : step / 2;
    }
    return best;
}

}  // namespace

// `a1`: where the intervals of a_2 are wanted; `cells`: of the grid, on each side. Numbers: share (of the square (-1,
// 1)^2), upper (ends of the intervals (-1, upper) of a_2 for each a1), mirrored (1 if exchanging a_1 and a_2 changes
// nothing on the grid), share_of_cube (the same for eight steps, by `points` pseudo-random points; only if given).
// Curve: region.
Computed multistep_region(const ComputationArguments& arguments) {
    const int cells = arguments.integer("cells");
    const auto at = [&](int i) { return -1 + 2 * (i + 0.5) / cells; };
    double inside = 0;
    bool mirrored = true;
    for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
            const bool here = holds(at(i), at(j));
            inside += here ? 1 : 0;
            mirrored = mirrored && here == holds(at(j), at(i));
        }
    }
    Computed result;
    result.numbers["share"] = {inside / cells / cells};
    result.numbers["mirrored"] = {mirrored ? 1.0 : 0.0};
    for (const double a1 : arguments.numbers("a1")) {
        result.numbers["upper"].push_back(upper_end(a1));
    }
    if (arguments.has("points")) {
        std::mt19937_64 random(8);  // the same numbers on every machine
        const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-52 - 1; };
        const int points = arguments.integer("points");
        int good = 0;
        for (int n = 0; n < points; ++n) {
            const double a1 = uniform(), a2 = uniform(), a3 = uniform();
            good += sigma_on_circle(std::array{a1, a2, a3}) ? 1 : 0;
        }
        result.numbers["share_of_cube"] = {static_cast<double>(good) / points};
    }
    result.curves["region"] = plot::multistep_region_figure({0, 0}).series.front();
    return result;
}

// The end Omega of the interval of periodicity for each place of the lists `a1`, `a2`, `a3` (as many as there are
// parameters). Numbers: omega, and `formula`, the values of the argument `formula` in a1, a2, a3. With `cells`:
// largest, largest_a1, largest_a2 of six steps where (13) holds, from a grid with this many cells per side. Curve:
// omega against a1.
Computed multistep_periodicity(const ComputationArguments& arguments) {
    std::vector<std::vector<double>> a;
    for (const char* name : {"a1", "a2", "a3"}) {
        if (arguments.has(name)) {
            a.push_back(arguments.numbers(name));
        }
    }
    if (a.empty() || std::ranges::any_of(a, [&](const auto& list) { return list.size() != a[0].size(); })) {
        throw InputError("multistep-periodicity wants lists a1, a2, ... of the same length");
    }
    Computed result;
    auto& found = result.numbers["omega"];
    for (std::size_t n = 0; n < a[0].size(); ++n) {
        std::vector<Wide> place;
        std::map<std::string, Wide> names;
        for (std::size_t j = 0; j < a.size(); ++j) {
            place.push_back(static_cast<Wide>(a[j][n]));
            names[fmt::format("a{}", j + 1)] = place.back();
        }
        found.push_back(multistep_stability(multistep_pair(place)).periodicity);
        if (arguments.has("formula")) {
            result.numbers["formula"].push_back(high(exact_number(arguments.text("formula"), names)));
        }
    }
    result.curves["omega"] = {"Omega", a[0], found, plot::Style::line};
    if (arguments.has("cells")) {
        const auto best = highest(arguments.integer("cells"));
        result.numbers["largest"] = {best.omega};
        result.numbers["largest_a1"] = {best.a1};
        result.numbers["largest_a2"] = {best.a2};
    }
    return result;
}

}  // namespace libration
