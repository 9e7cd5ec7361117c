// A model as a LaTeX document of its own.
#pragma once

#include <libration/model/model.hpp>

namespace libration::app {

// Energy, constraints, forces, equations of motion, parameters, initial values and observables, for pdflatex with
// amsmath. Its length depends on the number of formulas, not on the number of coordinates: families stay families.
std::string latex_document(const Model& model);

}  // namespace libration::app
