// Rational numbers by continued fractions, roots of them, and pairs of conjugate numbers.
#include "closed_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace libration {

namespace {

constexpr std::int64_t largest_denominator = std::int64_t{1} << 20;

// Entries of tableaux are good to some ten roundings of numbers below 1, sums and products of a few of them to some
// more.
Wide round_off(Wide x) { return 64 * wide_epsilon * std::max(Wide{1}, wide_abs(x)); }

Wide wide_ratio(const Rational& x) { return static_cast<Wide>(x.numerator) / static_cast<Wide>(x.denominator); }

std::int64_t whole_part(Wide x) {
    const auto cut = static_cast<std::int64_t>(x);
    return static_cast<Wide>(cut) > x ? cut - 1 : cut;
}

// n = square^2 * free
struct SquareFactor {
    std::int64_t square = 1, free = 1;
};

SquareFactor square_factor(std::int64_t n) {
    SquareFactor result{1, n};
    for (std::int64_t k = 2; k * k <= result.free; ++k) {
        while (result.free % (k * k) == 0) {
            result.free /= k * k;
            result.square *= k;
        }
    }
    return result;
}

// The root of a positive rational number; nothing if its parts are large, which would take long to factor.
std::optional<ClosedForm> root(const Rational& x) {
    if (x.numerator <= 0 || x.numerator > largest_denominator || x.denominator > largest_denominator) {
        return std::nullopt;
    }
    const auto above = square_factor(x.numerator);
    const auto below = square_factor(x.denominator);
    const auto factor = make_rational(above.square, below.square * below.free);
    return factor ? std::optional(ClosedForm{{}, *factor, above.free * below.free}) : std::nullopt;
}

std::optional<ClosedForm> rational_form(Wide x) {
    const auto found = recognised_rational(x);
    return found ? std::optional(ClosedForm{*found, {0, 1}, 1}) : std::nullopt;
}

// The two irrational nodes, and the root that both contain.
struct Conjugates {
    std::size_t first, second;
    std::int64_t radicand;
    Wide root;

    [[nodiscard]] std::size_t partner(std::size_t i) const { return i == first ? second : (i == second ? first : i); }

    [[nodiscard]] std::optional<ClosedForm> form(Wide x, Wide conjugate) const {
        const auto part = recognised_rational((x + conjugate) / 2);
        const auto factor = recognised_rational((x - conjugate) / (2 * root));
        if (!part || !factor) {
            return std::nullopt;
        }
        return ClosedForm{*part, *factor, factor->numerator == 0 ? 1 : radicand};
    }
};

std::optional<Conjugates> conjugates(const std::vector<Wide>& c) {
    std::vector<std::size_t> irrational;
    for (std::size_t i = 0; i < c.size(); ++i) {
        if (!recognised_rational(c[i])) {
            irrational.push_back(i);
        }
    }
    if (irrational.size() != 2) {
        return std::nullopt;
    }
    const Wide gap = c[irrational[1]] - c[irrational[0]];
    const auto square = recognised_rational(gap * gap);  // the discriminant of their quadratic equation
    const auto form = square ? root(*square) : std::nullopt;
    if (!form) {
        return std::nullopt;
    }
    return Conjugates{irrational[0], irrational[1], form->radicand, wide_sqrt(static_cast<Wide>(form->radicand))};
}

}  // namespace

std::optional<Rational> recognised_rational(Wide x) {
    if (wide_abs(x) > static_cast<Wide>(largest_denominator)) {
        return std::nullopt;
    }
    std::int64_t p = 1, p_before = 0, q = 0, q_before = 1;
    Wide rest = x;
    for (int step = 0; step < 40; ++step) {
        const auto whole = whole_part(rest);
        p_before = std::exchange(p, whole * p + p_before);
        q_before = std::exchange(q, whole * q + q_before);
        if (q > largest_denominator) {
            return std::nullopt;
        }
        if (wide_abs(static_cast<Wide>(p) / static_cast<Wide>(q) - x) <= round_off(x)) {
            return make_rational(p, q);
        }
        rest -= static_cast<Wide>(whole);
        if (rest * static_cast<Wide>(largest_denominator) < 1) {  // the next denominator is too large
            return std::nullopt;
        }
        rest = 1 / rest;
    }
    return std::nullopt;
}

std::optional<ClosedForm> recognised(Wide x) {
    if (auto form = rational_form(x)) {
        return form;
    }
    const auto square = recognised_rational(x * x);
    auto form = square ? root(*square) : std::nullopt;
    if (form && x < 0) {
        form->factor.numerator = -form->factor.numerator;
    }
    return form;
}

Wide value(const ClosedForm& form) {
    return wide_ratio(form.part) + wide_ratio(form.factor) * wide_sqrt(static_cast<Wide>(form.radicand));
}

std::string to_string(const ClosedForm& form) {
    if (form.factor.numerator == 0) {
        return to_string(form.part);
    }
    const auto denominator = std::lcm(form.part.denominator, form.factor.denominator);
    const auto p = form.part.numerator * (denominator / form.part.denominator);
    const auto q = form.factor.numerator * (denominator / form.factor.denominator);
    const auto size = q < 0 ? -q : q;
    const auto irrational = fmt::format("{}sqrt({})", size == 1 ? "" : fmt::format("{} ", size), form.radicand);
    const auto above =
        p == 0 ? (q < 0 ? "-" : "") + irrational : fmt::format("{} {} {}", p, q < 0 ? '-' : '+', irrational);
    if (denominator == 1) {
        return above;
    }
    return p == 0 ? fmt::format("{}/{}", above, denominator) : fmt::format("({})/{}", above, denominator);
}

bool ExactTableau::complete() const {
    const auto known = [](const auto& entry) { return entry.has_value(); };
    return std::all_of(c.begin(), c.end(), known) && std::all_of(b.begin(), b.end(), known) &&
           std::all_of(A.begin(), A.end(), known);
}

ExactTableau exact_tableau(const Tableau& tableau) {
    const auto pair = conjugates(tableau.c);
    const auto form = [&](Wide x, Wide conjugate) { return pair ? pair->form(x, conjugate) : rational_form(x); };
    const auto partner = [&](std::size_t i) { return pair ? pair->partner(i) : i; };
    ExactTableau exact;
    for (std::size_t i = 0; i < tableau.stages; ++i) {
        exact.c.push_back(form(tableau.c[i], tableau.c[partner(i)]));
        exact.b.push_back(form(tableau.b[i], tableau.b[partner(i)]));
        for (std::size_t j = 0; j < tableau.stages; ++j) {
            exact.A.push_back(form(tableau.a(i, j), tableau.a(partner(i), partner(j))));
        }
    }
    return exact;
}

}  // namespace libration
