// What a model file says, as a tree of values instead of a text: how other languages build models.
#pragma once

#include <libration/model/model.hpp>

#include <variant>

namespace libration {

// Tables have the keys of a model file (docs/model-format.md): parameters, coordinates, points, body, definitions,
// dynamics, ...
struct ModelTree {
    using List = std::vector<ModelTree>;
    using Table = std::vector<std::pair<std::string, ModelTree>>;
    // A text is a formula or a word; a number is an expression, too. Symbols of expressions mean what their names mean
    // in a text at that place, r[i - 1].x, k[i] and top.Q[1,3] as well.
    std::variant<Table, List, std::string, Expression, bool> value;
    std::string argument = {};  // under which it was given: messages begin with it; empty: none
};

// The model of a tree. No text is read; its text is written once it is built, with the values of the overrides in their
// places.
Model build_model(const ModelTree& tree, const std::string& name,
                  const std::vector<std::pair<std::string, std::string>>& overrides = {},
                  std::shared_ptr<const ExternalFunctions> external = {});

}  // namespace libration
