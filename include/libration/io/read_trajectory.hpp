// A run that `libration run --out FILE.h5` recorded, whole and in memory, for analyses.
#pragma once

#include <libration/integrate/trajectory.hpp>

#include <string>

namespace [[gnu::visibility("default")]] libration {

// All rows in the file; the run may have stopped or failed, or may still be in progress. FileError if the file cannot
// be read or is not a trajectory, InputError if it has no rows, or a model that was built in C++ and has no text.
Trajectory read_trajectory(const std::string& path);

}  // namespace libration
