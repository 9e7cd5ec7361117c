// An ensemble that `libration ensemble --out FILE.h5` completed, whole and in memory.
#pragma once

#include <libration/io/ensemble_file.hpp>

namespace [[gnu::visibility("default")]] libration {

struct StoredEnsemble {
    EnsembleSettings settings;
    EnsembleResult
        // from an earlier version without data of the call: warnings, seconds, threads, backend
        result;
};
// FileError if the file cannot be read or is not an ensemble.
StoredEnsemble read_ensemble(const std::string& path);

// Recorded trajectories: times of the nodes, and [trajectory][node][coordinate], NaN after a trajectory has ended. All
// empty if none were recorded.
struct StoredFrames {
    std::vector<double> times, q, p;
};
StoredFrames read_ensemble_frames(const std::string& path);

// Whether the file was written by libration and contains an ensemble, not a run. False if it is not an HDF5 file.
bool is_ensemble_file(const std::string& path);

}  // namespace libration
