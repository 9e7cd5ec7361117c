// Terms of a model as mathematics: families as sums over their indices, components of points as vectors.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// Where the indices of a family run.
struct FamilyRange {
    std::string sum;   // \sum_{i=1}^{9}
    std::string list;  // i = 1, \ldots, 9
};
FamilyRange family_range(const Instances& instances);
bool is_family(const Term& term);

// Sums of squares and products over all components of points and centres become norms and scalar products.
Expression with_vectors(const Expression& kernel, const Model& model);

// All terms of the given part of the potential; of all parts: 0.
std::string potential_latex(const Model& model, unsigned part);
// A term or, of a family, its kernel.
std::string kernel_latex(const Term& term, const Model& model);

// The text with parentheses if it is a sum.
std::string as_factor(const std::string& text);
// a + b - c
std::string joined_sum(const std::vector<std::string>& terms);
// About how many letters wide it is on paper.
std::size_t width_of(std::string_view latex);
// "lhs &= rhs", cut into several lines before signs where it is too wide.
void append_equation(std::vector<std::string>& lines, const std::string& left, const std::string& right,
                     const std::string& remark = {});

}  // namespace libration
