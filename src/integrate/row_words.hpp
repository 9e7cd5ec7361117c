// Rows of constraints in words.
#pragma once

#include <libration/model/model.hpp>

#include <span>
#include <string>
#include <vector>

namespace libration {

// "a.x, a.y, b.x", cut after a dozen.
std::string names_of_rows(const Model& model, std::span<const std::size_t> rows);
// Many rows of joints by the names of these, each once: "rows of the joints a, b, c".
std::string names_of_set(const Model& model, std::span<const std::size_t> rows);
// One line for each set that reads differently: "  a.x, b.x are linearly dependent".
std::string lines_of_sets(const Model& model, std::span<const std::vector<std::size_t>> sets);
// The joints and bodies that the rows belong to, each once; empty where none has one.
std::vector<std::string> joints_of_rows(const Model& model, std::span<const std::size_t> rows);

}  // namespace libration
