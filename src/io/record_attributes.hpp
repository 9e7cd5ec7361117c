// Records as attributes of an HDF5 object: numbers as numbers, texts as texts, those of an inner record as
// "energy.initial". Lists of numbers and of records have no place there.
#pragma once

#include "io/hdf5_handle.hpp"

#include <libration/result/record.hpp>

namespace libration {

void write_attribute(hid_t object, const std::string& name, const ResultValue& value, const std::string& path);

void create_attributes(hid_t object, const Record& record, const std::string& path);
// Those that are there, since nothing can be created in SWMR mode; what the record does not have becomes 0, "" or not a
// number.
void update_attributes(hid_t object, const Record& record, const std::string& path);
// All of them, one level of inner records.
Record read_attributes(hid_t object, const std::string& path);

}  // namespace libration
