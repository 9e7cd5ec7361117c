// Symmetric multistep methods: coefficients and printed formulas, roots, and the interval of periodicity.
#include "reproduce/computations/exact_number.hpp"
#include "reproduce/computations/list.hpp"

#include "reports/multistep_report.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace libration {

namespace {

// s_1, s_2, ...: the elementary symmetric functions of a, the coefficients of prod (1 + a_j x).
std::map<std::string, Wide> symmetric_functions(const std::vector<Wide>& a) {
    std::vector<Wide> s(a.size() + 1, 0);
    s[0] = 1;
    for (const Wide x : a) {
        for (std::size_t i = a.size(); i > 0; --i) {
            s[i] += x * s[i - 1];
        }
    }
    std::map<std::string, Wide> names;
    for (std::size_t i = 1; i < s.size(); ++i) {
        names[fmt::format("s{}", i)] = s[i];
    }
    return names;
}

double largest_printed_error(const std::vector<std::string>& printed, const std::vector<Wide>& ours, const char* what,
                             const std::map<std::string, Wide>& names) {
    if (printed.size() != ours.size()) {
        throw InputError(fmt::format("{} has {} coefficients, and {} are given", what, ours.size(), printed.size()));
    }
    Wide largest = 0;
    for (std::size_t j = 0; j < ours.size(); ++j) {
        largest = std::max(largest, wide_abs(exact_number(printed[j], names) - ours[j]));
    }
    return high(largest);
}

std::vector<Wide> wide(const std::vector<std::string>& texts) {
    std::vector<Wide> values;
    for (const auto& text : texts) {
        values.push_back(exact_number(text));
    }
    return values;
}

// Nothing if one of the parameters is not a decimal or fraction.
std::optional<ExactMultistep> exact_coefficients(const std::vector<std::string>& a) {
    std::vector<Rational> rational;
    for (const auto& text : a) {
        const auto value = read_rational(text);
        if (!value) {
            return std::nullopt;
        }
        rational.push_back(*value);
    }
    return exact_multistep(rational);
}

// Fractions where they are known, decimals otherwise.
Computed::Table coefficient_table(const std::vector<std::string>& a, const MultistepPair& pair) {
    const auto exact = exact_coefficients(a);
    const auto cell = [&](std::vector<std::optional<Rational>> ExactMultistep::*fractions, std::size_t j, Wide value) {
        return exact && ((*exact).*fractions)[j] ? to_string(*((*exact).*fractions)[j]) : wide_to_text(value);
    };
    Computed::Table table{a.empty() ? fmt::format("{} steps", pair.k)
                                    : fmt::format("{} steps, a = ({})", pair.k, fmt::join(a, ", ")),
                          {"j", "rho_j", "sigma_j", "delta-hat_j-k/2"},
                          {}};
    for (std::size_t j = 0; j < pair.rho.size(); ++j) {
        table.rows.push_back({fmt::format("{}", j), cell(&ExactMultistep::rho, j, pair.rho[j]),
                              cell(&ExactMultistep::sigma, j, pair.sigma[j]),
                              j < pair.momentum.size() ? cell(&ExactMultistep::momentum, j, pair.momentum[j]) : ""});
    }
    return table;
}

plot::Series unit_circle() {
    plot::Series circle{"", {}, {}, plot::Style::guide};
    for (int i = 0; i <= 180; ++i) {
        circle.x.push_back(std::cos(i * std::numbers::pi / 90));
        circle.y.push_back(std::sin(i * std::numbers::pi / 90));
    }
    return circle;
}

}  // namespace

// k; `sigma`: formulas of sigma_0, ..., sigma_k in s1, s2, ..., the elementary symmetric functions of the a_j;
// `momentum`: the delta-hat_j of (11). sigma is of first degree in each a_j, and so are s1, s2, ...: agreement at the
// 2^n corners of the cube {0, 1/2}^n is agreement everywhere. Numbers: sigma_difference (largest at the corners),
// momentum_difference, corners.
Computed multistep_coefficients(const ComputationArguments& arguments) {
    const int k = arguments.integer("k");
    check_multistep_steps(k);
    const auto parameters = static_cast<std::size_t>(k / 2 - 1);
    Computed result;
    double sigma = 0, momentum = 0;
    const std::size_t corners = std::size_t{1} << parameters;
    for (std::size_t corner = 0; corner < corners; ++corner) {
        std::vector<Wide> a;
        for (std::size_t j = 0; j < parameters; ++j) {
            a.push_back(((corner >> j) & 1U) == 1U ? Wide{0.5} : Wide{0});
        }
        const auto pair = multistep_pair(a);
        sigma = std::max(sigma,
                         largest_printed_error(arguments.texts("sigma"), pair.sigma, "sigma", symmetric_functions(a)));
        momentum =
            std::max(momentum, largest_printed_error(arguments.texts("momentum"), pair.momentum, "delta-hat", {}));
    }
    result.numbers["sigma_difference"] = {sigma};
    result.numbers["momentum_difference"] = {momentum};
    result.numbers["corners"] = {static_cast<double>(corners)};
    if (arguments.has("a")) {
        const auto a = arguments.texts("a");
        result.tables.push_back(coefficient_table(a, multistep_pair(wide(a))));
    }
    return result;
}

// `a`, or all of `rho`. Numbers: rho_holds and sigma_holds (1 where (12) and (13) hold), moduli (of the roots of sigma
// but 0, the larger of each pair zeta, 1/zeta), largest_root, omega (end of the interval of periodicity), rho, sigma,
// momentum. Curves, in the plane of complex numbers: sigma_roots, unit_circle.
Computed multistep_roots(const ComputationArguments& arguments) {
    const bool by_rho = arguments.has("rho");
    const auto given = wide(arguments.texts(by_rho ? "rho" : "a"));
    const auto pair = by_rho ? multistep_pair_of_rho(given) : multistep_pair(given);
    const auto stability = multistep_stability(pair);
    Computed result;
    result.numbers["rho_holds"] = {stability.rho.holds ? 1.0 : 0.0};
    result.numbers["sigma_holds"] = {stability.sigma.holds ? 1.0 : 0.0};
    result.numbers["largest_root"] = {stability.largest_root};
    result.numbers["omega"] = {stability.periodicity};
    plot::Series roots{"roots of sigma", {}, {}, plot::Style::points};
    for (const auto& root : stability.sigma_roots) {
        result.numbers["moduli"].push_back(root.modulus);
        for (const double modulus : {root.modulus, 1 / root.modulus}) {
            for (const double sign : {1.0, -1.0}) {
                roots.x.push_back(modulus * std::cos(root.angle));
                roots.y.push_back(sign * modulus * std::sin(root.angle));
            }
        }
    }
    result.curves["sigma_roots"] = std::move(roots);
    result.curves["unit_circle"] = unit_circle();
    const auto take = [&](const char* name, const std::vector<Wide>& values) {
        std::ranges::transform(values, std::back_inserter(result.numbers[name]), high);
    };
    take("rho", pair.rho);
    take("sigma", pair.sigma);
    take("momentum", pair.momentum);
    if (!by_rho) {
        result.tables.push_back(coefficient_table(arguments.texts("a"), pair));
    }
    return result;
}

}  // namespace libration
