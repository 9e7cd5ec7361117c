// Products of exponentials in the free associative algebra, truncated by degree.
//
// exp(sum_k s_k f^k Y_k) has at the word k1 k2 .. km the coefficient s_k1 .. s_km f^(k1+..+km) / m!, with signs s_k = 1
// or, for an adjoint step, (-1)^(k+1), together (-1)^(degree + length). So a product needs of each end of a word only
// its degree and length, and words need only know their beginnings.
#include "order_conditions.hpp"

#include <algorithm>
#include <cstddef>

namespace libration {

namespace {

struct Word {
    std::size_t beginning;  // the word without its last letter; the empty word is its own
    std::size_t degree, length;
};

// The empty word first, every word after its beginnings.
std::vector<Word> words_up_to(std::size_t degree, const std::vector<std::size_t>& letters) {
    std::vector<Word> words{{0, 0, 0}};
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (const std::size_t letter : letters) {
            if (words[i].degree + letter <= degree) {
                words.push_back({i, words[i].degree + letter, words[i].length + 1});
            }
        }
    }
    return words;
}

std::vector<std::size_t> letters_of(const CompositionBase& base, std::size_t degree) {
    std::vector<std::size_t> letters{1};
    for (auto k = static_cast<std::size_t>(base.order) + 1; k <= degree; k += base.with_adjoint ? 1 : 2) {
        letters.push_back(k);
    }
    return letters;
}

}  // namespace

std::vector<Wide> order_condition_residuals(std::span<const Wide> gamma, const CompositionBase& base,
                                            int highest_degree) {
    const auto highest = static_cast<std::size_t>(highest_degree);
    const auto words = words_up_to(highest, letters_of(base, highest));
    std::vector<Wide> one_over_factorial{Wide{1}};
    for (std::size_t m = 1; m <= highest; ++m) {
        one_over_factorial.push_back(one_over_factorial.back() / static_cast<Wide>(m));
    }
    std::vector<Wide> product(words.size(), Wide{0});
    product[0] = 1;
    for (std::size_t step = 0; step < gamma.size(); ++step) {
        std::vector<Wide> power{Wide{1}};
        for (std::size_t d = 1; d <= highest; ++d) {
            power.push_back(power.back() * gamma[step]);
        }
        const bool adjoint = base.with_adjoint && step % 2 == 0;
        // Longest words first: their beginnings still hold the product without this step.
        for (std::size_t i = words.size(); i-- > 1;) {
            std::size_t cut = i;
            do {
                cut = words[cut].beginning;
                const std::size_t degree = words[i].degree - words[cut].degree;
                const std::size_t length = words[i].length - words[cut].length;
                const Wide term = product[cut] * power[degree] * one_over_factorial[length];
                product[i] += adjoint && (degree + length) % 2 == 1 ? -term : term;
            } while (cut != 0);
        }
    }
    std::vector<Wide> residuals(highest, Wide{0});
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool power_of_y1 = words[i].degree == words[i].length;
        const Wide wanted = power_of_y1 ? one_over_factorial[words[i].length] : Wide{0};
        auto& worst = residuals[words[i].degree - 1];
        worst = std::max(worst, wide_abs(product[i] - wanted));
    }
    return residuals;
}

std::vector<Wide> order_condition_residuals(const CompositionScheme& scheme) {
    return order_condition_residuals(scheme, scheme.order);
}

std::vector<Wide> order_condition_residuals(const CompositionScheme& scheme, int highest_degree) {
    const CompositionBase base{.order = scheme.needs_adjoint ? 1 : 2, .with_adjoint = scheme.needs_adjoint};
    return order_condition_residuals(scheme.gamma, base, highest_degree);
}

}  // namespace libration
