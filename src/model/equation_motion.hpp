// Equations of motion as mathematics.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

// One line per coordinate and momentum with all derivatives; nothing where that would be longer than it helps.
std::optional<std::vector<std::string>> worked_out_motion(const Model& model);
// q' = M^-1 p, p' = -U_q - G^T lambda and the like.
void append_general_motion(std::vector<std::string>& lines, const Model& model);
void append_forces(std::vector<std::string>& lines, const Model& model);
void append_field(std::vector<std::string>& lines, const Model& model);

}  // namespace libration
