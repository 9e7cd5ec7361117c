// A run that `libration run --out FILE.h5` or `--out FILE.csv` recorded, whole and in memory, for analyses.
#pragma once

#include <libration/integrate/trajectory.hpp>

#include <string>

namespace [[gnu::visibility("default")]] libration {

// All rows in the file; the run may have stopped or failed, or may still be in progress. FileError if the file cannot
// be read or is not a trajectory, InputError if it has no rows, or a model that was built in C++ and has no text.
Trajectory read_trajectory(const std::string& path);

// A CSV file holds states and names, neither the model nor the method nor the numbers of steps: the model of the
// trajectory has the names alone, so that formulas can be evaluated, and its method is empty. FileError with the line
// if the file cannot be read or is damaged; InputError if the names need their model, as those of points and bodies do.
Trajectory read_csv(const std::string& path);

// The same with the model that was run; InputError if its names are not those of the columns.
Trajectory read_csv(const std::string& path, const Model& model);

}  // namespace libration
