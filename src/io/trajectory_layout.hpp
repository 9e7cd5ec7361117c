// The content of a new trajectory file, and how an existing one is recognised.
#pragma once

#include "io/hdf5_handle.hpp"
#include "io/trajectory_column.hpp"

#include <libration/io/trajectory_file.hpp>

#include <string>
#include <vector>

namespace libration {

// InputError if names or points of the layout cannot be written.
void require_valid(const TrajectoryLayout& layout);

// All groups, datasets and attributes: nothing can be added once the file is written in SWMR mode.
void write_layout(hid_t file, const TrajectoryLayout& layout, const std::string& path);

// What a file says of its format, nothing if it is silent; FileError if that is not the one that this version reads.
std::string format_of(hid_t file, const std::string& path);
void require_format(const std::string& found, const std::string& path);

// The columns in the order t, q, p, v, lambda, energy, constraint, hidden, observables..., step. `step` comes last, so
// that a row that has its step has everything.
std::vector<TrajectoryColumn> open_columns(hid_t file, const std::string& path);
// Of events: event, rising, t, q, p, v, lambda, energy, constraint, hidden, step; none where the file keeps no events.
std::vector<TrajectoryColumn> open_event_columns(hid_t file, const std::string& path);

}  // namespace libration
