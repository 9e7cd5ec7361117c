// A driver under HDF5 that hides failing writes from it and guards it against torn ones.
//
// HDF5 1.10 cannot bear a failing write: on a full disk H5Dflush ends in a segmentation fault, and a close marks the
// file as whole although it is not. This driver writes as HDF5's own does until a write fails; from then on it drops
// all writes and reports success. The file stays as a kill at that moment would leave it, HDF5 can be closed in peace,
// and the writer asks for the failure after each of its actions. A file in SWMR mode is whole at any moment, so that it
// opens with any reader, while it is written and after a kill: the superblock in the file has no marks of writing, and
// all that can be reached from it lies before the end that it states. What is overwritten in place goes through the
// file's WriteJournal; a reader sees the write that a killed writer left there as if it were done. It also takes a file
// system without locks as it is.
#pragma once

#include "io/hdf5_handle.hpp"

#include <cstdint>
#include <string>

namespace libration::hdf5 {

// Files opened with these properties use the driver.
void use_own_driver(const Handle& access, const std::string& path);

// The errno of the first failed write to a file that was opened with this driver; 0 if there is none.
int failed_write(const Handle& file);

// Where the last byte that was written ends; the file itself may be longer.
std::uint64_t end_of_file(const Handle& file);

// From now on writes are dropped, as after a failed one.
void drop_writes(const Handle& file) noexcept;

}  // namespace libration::hdf5
