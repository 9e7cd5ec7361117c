// The modified equation of Störmer-Verlet for q'' = f(t), as far as it goes: q'' = sum b_2k h^2k f^(2k)(t), where
//     (1 + b_2 h^2 + b_4 h^4 + ...) (e^h - 2 + e^-h) = h^2.   [Hairer, Lubich, Wanner 2003, (4.12), (4.13)]
// With f = 1/(1 - t) (pole at distance R = 1 from t = 0) the series diverges for every h; we look for the best
// truncation.
#include "reproduce/computations/list.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

// b_0, b_2, ..., by division of power series: (e^h - 2 + e^-h)/h^2 = sum 2 h^2l/(2l+2)!.
std::vector<long double> series_coefficients(int count) {
    std::vector<long double> b{1}, c{1};
    for (int k = 1; k < count; ++k) {
        c.push_back(c.back() / static_cast<long double>((2 * k + 1) * (2 * k + 2)));
        long double sum = 0;
        for (int l = 1; l <= k; ++l) {
            sum += c[static_cast<std::size_t>(l)] * b[static_cast<std::size_t>(k - l)];
        }
        b.push_back(-sum);
    }
    return b;
}

// What is left when the solution of the equation, truncated after b_2N, is put into the method (1.2) at t = 0. Its
// terms are F_0 = (1 - t) log(1 - t) and F_k = f^(2k-2) = (2k-2)!/(1 - t)^(2k-1), whose second derivatives are f and
// f^(2k).
std::vector<double> residuals(const std::vector<long double>& b, long double h) {
    const auto second_difference = [h](const auto& f) { return (f(h) - 2 * f(0.0L) + f(-h)) / (h * h); };
    long double sum = second_difference([](long double t) { return (1 - t) * std::log(1 - t); });
    std::vector<double> found{static_cast<double>(std::abs(sum - 1))};
    long double factor = 1;  // h^2k (2k-2)!
    for (std::size_t k = 1; k < b.size(); ++k) {
        const auto n = static_cast<long double>(2 * k);
        factor *= h * h * (k == 1 ? 1 : (n - 2) * (n - 3));
        sum += b[k] * factor * second_difference([n](long double t) { return std::pow(1 - t, 1 - n); });
        found.push_back(static_cast<double>(std::abs(sum - 1)));
    }
    return found;
}

}  // namespace

// terms: how many b_2k; step = [...].
Computed modified_series(const ComputationArguments& arguments) {
    const int count = arguments.integer("terms");
    if (count < 8 || count > 60) {
        throw InputError("terms must be 8 to 60");
    }
    const auto b = series_coefficients(count);
    Computed result;
    const long double turn = 4 * std::pow(std::acos(-1.0L), 2.0L);  // (2 pi)^2
    Computed::Table table{
        "Coefficients of the modified equation", {"2k", "b_2k", "b_2k/b_2k-2 · (2π)²", "b_2k (2π)^2k"}, {}};
    for (std::size_t k = 1; k < b.size(); ++k) {
        const auto ratio = b[k] / b[k - 1] * turn, scaled = b[k] * std::pow(turn, static_cast<long double>(k));
        result.numbers["b"].push_back(static_cast<double>(b[k]));
        result.numbers["ratio"].push_back(static_cast<double>(ratio));
        // The pole at 2 pi i is double, which gives b_2k (2 pi)^2k -> (-1)^k 2 (2k - 1).
        result.numbers["constant"].push_back(
            static_cast<double>(std::abs(scaled) / static_cast<long double>(2 * k - 1)));
        result.curves["b"].x.push_back(static_cast<double>(2 * k));
        result.curves["b"].y.push_back(static_cast<double>(std::abs(b[k])));
        if (k <= 8) {
            table.rows.push_back({fmt::format("{}", 2 * k), fmt::format("{:.10g}", static_cast<double>(b[k])),
                                  fmt::format("{:.6f}", static_cast<double>(ratio)),
                                  fmt::format("{:.6f}", static_cast<double>(scaled))});
        }
    }
    int number = 0;
    for (const double h : arguments.numbers("step")) {
        const auto left = residuals(b, static_cast<long double>(h));
        const auto name = fmt::format("_{}", ++number);
        auto &terms = result.curves["terms" + name], &rest = result.curves["residual" + name];
        long double factor = 1;
        for (std::size_t k = 0; k < b.size(); ++k) {
            factor *= k == 0 ? 1
                             : static_cast<long double>(h) * static_cast<long double>(h) *
                                   static_cast<long double>(2 * k * (2 * k - 1));
            terms.x.push_back(static_cast<double>(2 * k));
            terms.y.push_back(static_cast<double>(std::abs(b[k] * factor)));
            rest.x.push_back(static_cast<double>(2 * k));
            rest.y.push_back(left[k]);
        }
        const auto least = [](const plot::Series& series) {
            std::size_t best = 0;
            for (std::size_t k = 1; k < series.y.size(); ++k) {
                best = series.y[k] < series.y[best] ? k : best;
            }
            return best;
        };
        result.numbers["smallest_term_at"].push_back(terms.x[least(terms)]);
        result.numbers["smallest_term"].push_back(terms.y[least(terms)]);
        result.numbers["best_truncation"].push_back(rest.x[least(rest)]);
        result.numbers["best_residual"].push_back(rest.y[least(rest)]);
        result.numbers["predicted"].push_back(2 * std::acos(-1.0) / h);
        result.numbers["last_term"].push_back(terms.y.back());
    }
    result.tables.push_back(std::move(table));
    return result;
}

}  // namespace libration
