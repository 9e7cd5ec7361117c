// Models with redundant constraints of which only some rows are carried, so that all methods see independent ones.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

struct CarriedRows {
    Model whole;                    // with all rows
    std::vector<std::size_t> rows;  // of the whole model, ascending: those that are carried
};

// The same model with these rows of its constraints, ascending; all rows of bodies are among them. In forces the
// multipliers of the others are zero.
Model carry(const Model& whole, std::vector<std::size_t> rows);

// The number in the whole model of a row, holonomic or not, of a model that carries some.
std::size_t row_of_whole(const Model& model, std::size_t row);

// The rows of a model that hold its bodies together, ascending: their multipliers are internal stresses.
std::vector<std::size_t> rows_of_bodies(const Model& model);

// The rows, holonomic and not, that the model has: numbers of the whole model.
std::vector<std::size_t> carried_rows(const Model& model);

}  // namespace libration
