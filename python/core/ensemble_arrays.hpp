// The numbers of an ensemble as numpy arrays: views of the result wherever it holds them in a regular pattern.
#pragma once

#include "file_mark.hpp"

#include <libration/io/read_ensemble.hpp>

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <string>

namespace libration::python {

struct Ensemble : std::enable_shared_from_this<Ensemble> {
    EnsembleSettings settings;
    EnsembleResult result;
    bool interrupted = false;      // Ctrl-C came, perhaps after the last trajectory
    std::string path;              // of the file, absolute; empty: there is none
    std::optional<FileMark> mark;  // of this file as it was left
    std::vector<double> q, p;      // [trajectory][coordinate]
    std::shared_ptr<const StoredFrames> frames;

    // Fills q and p, which the result holds one vector a trajectory.
    void gather();
    // From the file, if that was not done yet. FileError if it is not what was opened any more.
    void load_frames();
};

// Read-only arrays by name, which keep the ensemble alive.
pybind11::dict ensemble_columns(const std::shared_ptr<Ensemble>& ensemble);
// Times, q and p of recorded trajectories, read from the file when they are asked for first; None without them.
pybind11::object ensemble_frames(const std::shared_ptr<Ensemble>& ensemble);

}  // namespace libration::python
