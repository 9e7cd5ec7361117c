// Which parameters are taken, how they are written, and why others are refused.
#include "multistep_search.hpp"

#include "multistep_stability.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

std::vector<std::string> texts(const std::vector<double>& a) {
    std::vector<std::string> result;
    for (const double x : a) {
        result.push_back(fmt::format("{}", x));
    }
    return result;
}

}  // namespace

std::optional<std::vector<std::string>> default_parameter_texts(int k) {
    switch (k) {
        case 2: return std::vector<std::string>{};
        case 4: return std::vector<std::string>{"0.2"};
        case 6: return std::vector<std::string>{"-0.5", "0.8"};
        case 8: return std::vector<std::string>{"-0.8", "-0.4", "0.7"};
        case 10: return std::vector<std::string>{"-0.85", "-0.6", "-0.4", "0.85"};
        default: return std::nullopt;
    }
}

std::vector<Wide> default_parameters(int k) {
    const auto texts = default_parameter_texts(k);
    if (!texts) {
        throw InputError(fmt::format("multistep({}) has no default parameters (k = 2, 4, 6, 8, 10 have); give {} "
                                     "numbers a_j, e.g. from `libration multistep {} search`",
                                     k, k / 2 - 1, k));
    }
    std::vector<Wide> result;
    for (const auto& text : *texts) {
        result.push_back(wide_from_text(text));
    }
    return result;
}

std::string multistep_spec(int k, const std::vector<std::string>& a, const std::string& beta) {
    std::string result = fmt::format("multistep({}", k);
    for (const auto& text : a) {
        result += ", " + text;
    }
    return result + (beta.empty() ? "" : ", beta=" + beta) + ")";
}

namespace {

// "; the nearest good choice is ...", or what there is to say if none was found.
std::string way_out(const MultistepPair& pair) {
    std::vector<double> a;
    for (const Wide x : pair.a) {
        a.push_back(high(x));
    }
    const auto beta = pair.beta != 0 ? fmt::format("{}", high(pair.beta)) : "";
    if (const auto nearest = nearest_good_parameters(a, high(pair.beta))) {
        return fmt::format("; the nearest good choice is {}", multistep_spec(pair.k, texts(*nearest), beta));
    }
    return beta.empty() ? "" : "; no good choice with this beta was found, omit it";
}

}  // namespace

std::string multistep_refusal(const MultistepPair& pair, bool constrained) {
    const auto stability = multistep_stability(pair);
    // Without multipliers only the roots of rho count.
    if (stability.rho.holds && stability.irreducible.holds && (stability.sigma.holds || !constrained)) {
        return "";
    }
    const auto* fault = &stability.rho;
    std::string text = "condition (12) fails: ";
    if (fault->holds) {
        const bool of_sigma = constrained && !stability.sigma.holds;
        fault = of_sigma ? &stability.sigma : &stability.irreducible;
        text = of_sigma ? "condition (13) fails: " : "";
    }
    text += fault->fault;
    if (fault == &stability.sigma) {
        text += stability.largest_root > 1 + 1e-8 ? ", and the multipliers would grow without bound"
                                                  : ", and the multipliers would grow";
    }
    return text + way_out(pair);
}

std::string multistep_caution(const MultistepPair& pair) {
    const auto stability = multistep_stability(pair);
    if (!stability.holds() || stability.good()) {
        return "";
    }
    return fmt::format(
        "its roots are close to the stability boundary (margins {:.3g} of rho and {:.3g} of sigma, response"
        " of the multipliers {:.3g}): long runs may fail{}",
        stability.rho.margin, stability.sigma.margin, stability.sigma_response, way_out(pair));
}

}  // namespace libration
