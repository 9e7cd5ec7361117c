// A model as the text of a model file.
#pragma once

#include <libration/model/model.hpp>

namespace [[gnu::visibility("default")]] libration {

// Reads back as the same model: same equations, same bits of every run. A model that was read from a text keeps it,
// with its overrides under [set]; of one that was built, it is text_from_data. Empty where functions that cannot be
// traced are part of it.
std::string to_text(const Model& model);

// Written from what the model holds, whatever text it came from. What differs from a text that somebody wrote:
//
//   - overrides have replaced what they override;
//   - tables of indices stand in the blocks that use them; several ranges of which one is a table become one table;
//   - sums with constant bounds, elements of lists with a constant index and parameters that are formulas of i are
//     written out;
//   - formulas that are long and used more than once are named under [definitions], as s1, s2, ...
//
// Families of points and terms stay families, with their ranges in parameters.
std::string text_from_data(const Model& model);

}  // namespace libration
