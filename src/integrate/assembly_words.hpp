// What is said of an assembly.
#pragma once

#include "assembly.hpp"
#include <libration/integrate/run.hpp>

#include <span>

namespace libration {

// "theta by 0.12, rod by 0.03 and 2.1 degrees, ..."
std::string moved_text(const std::vector<MovedPart>& parts);
// "rod.x (0.03), rod.y (0.01), ...": the rows that remain open, the largest gap first.
std::string open_rows_text(const Model& model, std::span<const double> rows);
// What distinguishes the ways: the coordinates that differ most, "theta = 0.3".
std::vector<std::string> way_texts(const Model& model, const Assembly& assembly);

// What moved between two poses, the largest first; bodies as a whole.
std::vector<MovedPart> moved_parts(const Model& model, std::span<const double> from, std::span<const double> to);

// The change of a start, and as one sentence.
StartChange start_change(const Model& model, const std::string& how, std::span<const double> q_change,
                         std::span<const double> p_change);
std::string to_text(const StartChange& change);

}  // namespace libration
