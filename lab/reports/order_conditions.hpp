// All order conditions of a composition, evaluated as numbers.
//
// A base of order nu is written Phi_h = exp(h Y1 + h^(nu+1) Y_(nu+1) + ...) with operators Y_k that do not commute and
// obey no other relation; its adjoint has the terms (-1)^(k+1) h^k Y_k, and a symmetric base only odd k. Composition
// multiplies such series. The result is a sum over words in the Y_k, and order p says that up to degree p it is exp(h
// Y1). [Hairer, Lubich, Wanner, Geometric Numerical Integration, III.3]
#pragma once

#include "coefficients/composition.hpp"

namespace libration {

struct CompositionBase {
    int order = 2;
    bool with_adjoint = false;  // factors alternate between adjoint and base; otherwise the base is symmetric
};

// Entry d-1: the largest |coefficient - wanted coefficient| over all words of degree d = 1..highest_degree.
std::vector<Wide> order_condition_residuals(std::span<const Wide> gamma, const CompositionBase& base,
                                            int highest_degree);
// Of a scheme over the base that it is made for, up to its order.
std::vector<Wide> order_condition_residuals(const CompositionScheme& scheme);
// The same, up to highest_degree.
std::vector<Wide> order_condition_residuals(const CompositionScheme& scheme, int highest_degree);

}  // namespace libration
