// Distributions: reading them, and numbers from a generator that counts.
#include <libration/ensemble/variation.hpp>

#include "expression/program.hpp"
#include "expression/tape.hpp"
#include "text/suggest.hpp"
#include "text/trim.hpp"
#include <libration/expression/parse.hpp>
#include <libration/kit/elementary.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace libration {

namespace {

using DistributionKind = Distribution::Kind;

struct KindName {
    DistributionKind kind;
    std::string_view name, form;
};
constexpr std::array<KindName, 4> kinds{{
    {DistributionKind::uniform, "uniform", "uniform(a, b)"},
    {DistributionKind::normal, "normal", "normal(mean, sd)"},
    {DistributionKind::log_uniform, "log_uniform", "log_uniform(a, b)"},
    {DistributionKind::linspace, "linspace", "linspace(a, b)"},
}};

const KindName& entry(DistributionKind kind) { return *std::ranges::find(kinds, kind, &KindName::kind); }

// Commas inside brackets belong to expressions.
std::vector<std::string> arguments_of(std::string_view text) {
    std::vector<std::string> parts{""};
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
        if (c == ',' && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

double constant_argument(const std::string& text, const std::string& whole) {
    if (trimmed(text).empty()) {
        throw InputError(fmt::format("`vary = {}`: an argument is missing", whole));
    }
    const auto expression = parse(text);
    if (const auto names = symbols_of(std::array{expression}); !names.empty()) {
        throw InputError(fmt::format("`vary = {}`: '{}' is not a constant; arguments are numbers such as 0.5, 2*pi",
                                     whole, names[0].text()));
    }
    const double value = Tape<double>(compile(std::array{expression}, {}, {}), {}).output(0);
    if (!std::isfinite(value)) {
        throw InputError(fmt::format("`vary = {}`: {} is not a finite number", whole, trimmed(text)));
    }
    return value;
}

void check(const Distribution& d, const std::string& text) {
    const auto fail = [&](const std::string& why) { throw InputError(fmt::format("`vary = {}`: {}", text, why)); };
    if (d.kind == DistributionKind::normal) {
        if (d.second < 0) {
            fail(fmt::format("the standard deviation {} is negative", d.second));
        }
        return;
    }
    if (d.kind != DistributionKind::linspace && d.second < d.first) {
        fail(fmt::format("the interval ends at {}, before its start {}; give the smaller number first", d.second,
                         d.first));
    }
    if (!std::isfinite(d.second - d.first)) {
        fail("the length of the interval exceeds the range of double precision");
    }
    if (d.kind == DistributionKind::log_uniform && !(d.first > 0)) {
        fail("log_uniform needs a positive interval");
    }
}

// SplitMix64: a bijection that changes half of all bits when one changes. [Steele, Lea, Flood 2014]
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31U);
}

// Bits of (seed, trajectory, name, number); no state, so that any trajectory can be drawn alone.
std::uint64_t bits(const std::string& name, const Draw& which, std::uint64_t number) {
    std::uint64_t h = mixed(which.seed);
    for (const char c : name) {
        h = mixed(h ^ static_cast<unsigned char>(c));
    }
    return mixed(mixed(h ^ mixed(which.trajectory)) ^ number);
}

// In [0, 1), a multiple of 2^-53.
double unit(const std::string& name, const Draw& which, std::uint64_t number) {
    return static_cast<double>(bits(name, which, number) >> 11U) * 0x1p-53;
}

// Box and Muller; 1 - u is never 0.
double standard_normal(const std::string& name, const Draw& which) {
    const double radius = libration::sqrt(-2 * libration::log(1 - unit(name, which, 0)));
    return radius * libration::cos(2 * std::numbers::pi * unit(name, which, 1));
}

}  // namespace

Variation read_variation(const std::string& text) {
    const auto equals = text.find('=');
    const auto name = trimmed(std::string_view(text).substr(0, equals));
    const std::string example = "write it as \"name = uniform(a, b)\"";
    if (equals == std::string::npos || name.empty()) {
        throw InputError(fmt::format("`vary = {}`: {}", text, example));
    }
    const auto call = trimmed(std::string_view(text).substr(equals + 1));
    const auto open = call.find('(');
    if (open == std::string_view::npos || call.back() != ')') {
        throw InputError(fmt::format("`vary = {}`: expected a distribution after '='; {}", text, example));
    }
    const auto word = trimmed(call.substr(0, open));
    const auto found = std::ranges::find(kinds, word, &KindName::name);
    if (found == kinds.end()) {
        std::vector<std::string> known;
        for (const auto& kind : kinds) {
            known.emplace_back(kind.name);
        }
        throw InputError(fmt::format("`vary = {}`: unknown distribution '{}'{}", text, word, suggestion(word, known)));
    }
    const auto arguments = arguments_of(call.substr(open + 1, call.size() - open - 2));
    if (arguments.size() != 2) {
        throw InputError(fmt::format("`vary = {}`: {} needs two arguments: {}", text, word, found->form));
    }
    Variation variation{std::string(name),
                        {found->kind, constant_argument(arguments[0], text), constant_argument(arguments[1], text)}};
    check(variation.distribution, text);
    return variation;
}

std::string to_string(const Variation& variation) {
    const auto& d = variation.distribution;
    return fmt::format("{} = {}({}, {})", variation.name, entry(d.kind).name, d.first, d.second);
}

double draw(const Variation& variation, const Draw& which) {
    const auto& [name, d] = variation;
    const double length = d.second - d.first;
    switch (d.kind) {
        case DistributionKind::uniform: return std::min(d.first + length * unit(name, which, 0), d.second);
        case DistributionKind::normal: return d.first + d.second * standard_normal(name, which);
        case DistributionKind::log_uniform: {
            const double low = libration::log(d.first), high = libration::log(d.second);
            return std::clamp(libration::exp(low + (high - low) * unit(name, which, 0)), d.first, d.second);
        }
        default:
            if (which.trajectory + 1 >= which.count) {  // and not what rounding makes of the end
                return which.count > 1 ? d.second : d.first;
            }
            return d.first + length * (static_cast<double>(which.trajectory) / static_cast<double>(which.count - 1));
    }
}

VariedValues draw_all(const std::vector<Variation>& variations, std::uint64_t seed, std::size_t count) {
    VariedValues result;
    for (const auto& variation : variations) {
        result.names.push_back(variation.name);
    }
    result.values.reserve(count * variations.size());
    for (std::size_t k = 0; k < count; ++k) {
        for (const auto& variation : variations) {
            result.values.push_back(draw(variation, {.seed = seed, .trajectory = k, .count = count}));
        }
    }
    return result;
}

}  // namespace libration
