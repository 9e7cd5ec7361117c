// Weights of symmetric error estimates.
#include "error_weights.hpp"

#include "tableau.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

// w_i = product over j != i of 1/(c_i - c_j)
std::vector<Wide> divided_difference(std::span<const double> nodes) {
    std::vector<Wide> weights(nodes.size(), Wide{1});
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t j = 0; j < nodes.size(); ++j) {
            if (j != i) {
                weights[i] /= static_cast<Wide>(nodes[i]) - static_cast<Wide>(nodes[j]);
            }
        }
    }
    return weights;
}

// The weight of the first node in the quadrature formula through all nodes: the integral of its Lagrange polynomial
// over [0, 1], which Gauss' formula of as many nodes finds exactly.
Wide first_quadrature_weight(std::span<const double> nodes) {
    const auto gauss = tableau(Family::gauss, nodes.size());
    Wide integral{0};
    for (std::size_t k = 0; k < gauss.stages; ++k) {
        Wide value = gauss.b[k];
        for (const double node : nodes.subspan(1)) {
            value *= (gauss.c[k] - static_cast<Wide>(node)) / (static_cast<Wide>(nodes[0]) - static_cast<Wide>(node));
        }
        integral += value;
    }
    return integral;
}

}  // namespace

Parity natural_parity(std::size_t nodes) { return nodes % 2 == 1 ? Parity::symmetric : Parity::antisymmetric; }

ErrorWeights error_weights(std::span<const double> nodes, Parity parity) {
    const std::size_t s = nodes.size();
    const bool natural = parity == natural_parity(s);
    if (s < 2 || (s == 2 && !natural)) {
        throw InputError(
            fmt::format("{} stages have no symmetric error estimate; use the antisymmetric one, or more stages", s));
    }
    ErrorWeights result{divided_difference(nodes), static_cast<int>(s) - 1};
    auto& e = result.weights;
    if (!natural) {
        const auto first = divided_difference(nodes.first(s - 1)), last = divided_difference(nodes.last(s - 1));
        for (std::size_t i = 0; i < s; ++i) {
            e[i] = (i + 1 < s ? first[i] : Wide{0}) + (i > 0 ? last[i - 1] : Wide{0});
        }
        --result.order;
    }
    const Wide sign = parity == Parity::symmetric ? Wide{1} : Wide{-1};
    for (std::size_t i = 0; i < (s + 1) / 2; ++i) {  // exactly, whatever was rounded in the nodes
        const Wide mean = (e[i] + sign * e[s - 1 - i]) / Wide{2};
        e[i] = mean;
        e[s - 1 - i] = sign * mean;
    }
    const Wide scale = first_quadrature_weight(nodes) / e[0];
    for (auto& weight : e) {
        weight *= scale;
    }
    return result;
}

}  // namespace libration
