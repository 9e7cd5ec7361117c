// From texts to a report.
#include "multistep_report.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace libration {

namespace {

std::vector<std::string> default_or_refusal(int k) {
    if (auto texts = default_parameter_texts(k)) {
        return *texts;
    }
    throw InputError(fmt::format("there are no default parameters for {0} steps; give {1} numbers, or find them with "
                                 "`libration multistep {0} search`",
                                 k, k / 2 - 1));
}

void check_count(int k, std::size_t given) {
    const auto wanted = static_cast<std::size_t>(k / 2 - 1);
    if (given != wanted) {
        throw InputError(fmt::format("{} steps take K/2 - 1 = {} parameter{} a_j, not {}", k, wanted,
                                     wanted == 1 ? "" : "s", given));
    }
}

// ".4" and "+0.4" as everybody writes them, so that a specification can be read back.
std::string plain(std::string text) {
    if (text.starts_with('+')) {
        text.erase(0, 1);
    }
    if (text.starts_with('.') || text.starts_with("-.")) {
        text.insert(text.find('.'), "0");
    }
    return text;
}

std::optional<ExactMultistep> exact_of(const std::vector<std::string>& texts, const std::string& beta) {
    std::vector<Rational> a;
    for (const auto& text : texts) {
        const auto value = read_rational(text);
        if (!value) {
            return std::nullopt;
        }
        a.push_back(*value);
    }
    const auto b = beta.empty() ? Rational{} : read_rational(beta);
    return b ? std::optional(exact_multistep(a, *b)) : std::nullopt;
}

}  // namespace

MultistepReport multistep_report(int k, const std::vector<std::string>& a, const std::string& beta) {
    check_multistep_steps(k);
    auto texts = a.empty() ? default_or_refusal(k) : a;
    check_count(k, texts.size());
    std::vector<Wide> values;
    std::vector<double> doubles;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        values.push_back(multistep_number(fmt::format("a_{}", i + 1), texts[i]));
        doubles.push_back(high(values.back()));
        texts[i] = plain(texts[i]);
    }
    const Wide b = beta.empty() ? Wide{0} : multistep_number("beta", beta);
    MultistepReport report{.spec = multistep_spec(k, texts, b == 0 ? "" : plain(beta)),
                           .pair = multistep_pair(values, b),
                           .exact = exact_of(texts, beta),
                           .stability = {},
                           .is_default = b == 0 && texts == default_parameter_texts(k),
                           .nearest = {}};
    report.stability = multistep_stability(report.pair);
    if (!report.stability.rho.holds) {
        throw InputError(multistep_refusal(report.pair));
    }
    if (!report.stability.good()) {
        report.nearest = nearest_good_parameters(doubles, high(b));
    }
    return report;
}

}  // namespace libration
