// [definitions]: formulas with names, for use in other formulas. They belong to the text of a model: once it is read,
// the formulas that used them hold the same nodes as if they had been written out.
#pragma once

#include "document.hpp"
#include "scope.hpp"

namespace libration {

// Those of angles that count turns: the angle, v_ its rate, and NAME_at_node.
Definitions angle_definitions(const Model& model, const Winding& winding);

// All definitions of a document; they may use each other in any order. As long as the constraints of the model are not
// known, multipliers are taken on trust: no formula that is read before the constraints may contain them.
Definitions definitions_of(const Document& document, const Model& model, const NumberMap& numbers,
                           bool constraints_known);

// Those of a finished model, for a formula with that text.
Definitions definitions_of(const Model& model, std::string_view formula);
// With the kinds of names that the value contains.
KnownDefinition known_definition(const Model& model, std::vector<Expression> value);

// Throws std::invalid_argument if the definition contains what cannot be used where `visible` holds.
void require_visible(std::string_view name, const KnownDefinition& definition, const Visible& visible);

}  // namespace libration
