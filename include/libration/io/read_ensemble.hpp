// An ensemble that `libration ensemble --out FILE.h5` completed, whole and in memory.
#pragma once

#include <libration/io/ensemble_file.hpp>

namespace [[gnu::visibility("default")]] libration {

struct StoredEnsemble {
    EnsembleSettings settings;
    EnsembleResult
        // of a file of an earlier version without what belongs to the call: warnings, seconds, threads, backend
        result;
};
// FileError if the file cannot be read or is no ensemble.
StoredEnsemble read_ensemble(const std::string& path);

// Recorded trajectories: times of the nodes, and [trajectory][node][coordinate], not a number after a trajectory has
// ended. All empty where none were recorded.
struct StoredFrames {
    std::vector<double> times, q, p;
};
StoredFrames read_ensemble_frames(const std::string& path);

// Whether the file is one of ours and holds an ensemble, not a run. False for what is no HDF5 file.
bool is_ensemble_file(const std::string& path);

}  // namespace libration
