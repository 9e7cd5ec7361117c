// A model as the text of a model file, and as mathematics.
#pragma once

#include <libration/model/model.hpp>

namespace [[gnu::visibility("default")]] libration {

// Reads back as the same model: same equations, bitwise identical runs. A model that was read from text keeps it, with
// its overrides under [set]; for one that was built, it is text_from_data. Empty if it contains functions that cannot
// be traced.
std::string to_text(const Model& model);

// Generated from the data of the model, regardless of its original text. Differences from a hand-written text:
//
//   - overrides have replaced what they override;
//   - tables of indices stand in the blocks that use them; several ranges of which one is a table become one table;
//   - sums with constant bounds, elements of lists with a constant index and parameters that are formulas of i are
//     written out;
//   - formulas that are long and used more than once are named under [definitions], as s1, s2, ...
//
// Families of points and terms stay families, with their ranges in parameters.
std::string text_from_data(const Model& model);

// The energy, constraints and forces in LaTeX, then the equations of motion: the lines of an aligned environment, each
// with a & before its relation, none ending in \\. Small models show their equations of motion with explicit
// derivatives, others the general form; families of terms are sums over their indices.
std::vector<std::string> latex_equations(const Model& model);

}  // namespace libration
