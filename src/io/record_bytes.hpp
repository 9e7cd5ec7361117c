// Lossless conversion between records and bytes: how checkpoints keep the summary of a run.
#pragma once

#include <libration/result/record.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace libration {

std::vector<std::byte> bytes_of(const Record& record);
// FileError if the bytes are not those of a record.
Record record_of_bytes(std::span<const std::byte> bytes);

}  // namespace libration
