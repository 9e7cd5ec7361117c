// Checkpoints: name, count and raw little-endian values of every array.
#include "checkpoint.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace libration {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

void CheckpointWriter::put(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
}

void CheckpointWriter::header(std::string_view name, std::uint64_t count) {
    const auto length = static_cast<std::uint64_t>(name.size());
    put(&length, sizeof length);
    put(name.data(), name.size());
    put(&count, sizeof count);
}

void CheckpointWriter::array(std::string_view name, std::span<double> values) {
    header(name, values.size());
    put(values.data(), values.size_bytes());
}

void CheckpointWriter::integer(std::string_view name, std::int64_t& value) {
    header(name, 1);
    put(&value, sizeof value);
}

void CheckpointReader::take(void* data, std::size_t size) {
    if (bytes_.size() < size) {
        throw InputError("the checkpoint is truncated, or was written by another version of the program");
    }
    if (size > 0) {
        std::memcpy(data, bytes_.data(), size);
    }
    bytes_ = bytes_.subspan(size);
}

void CheckpointReader::header(std::string_view name, std::uint64_t count) {
    std::uint64_t length = 0;
    take(&length, sizeof length);
    std::string found(std::min<std::size_t>(length, bytes_.size()), '\0');
    take(found.data(), found.size());
    std::uint64_t found_count = 0;
    take(&found_count, sizeof found_count);
    if (found != name || found_count != count) {
        throw InputError(fmt::format("the checkpoint contains {} values of '{}' where {} values of '{}' are expected; "
                                     "it was written for another model, method or version",
                                     found_count, found, count, name));
    }
}

bool CheckpointReader::has(std::string_view name) {
    std::uint64_t length = 0;
    if (bytes_.size() < sizeof length) {
        return false;
    }
    std::memcpy(&length, bytes_.data(), sizeof length);
    const auto rest = bytes_.subspan(sizeof length);
    return length == name.size() && rest.size() >= length && std::memcmp(rest.data(), name.data(), length) == 0;
}

void CheckpointReader::array(std::string_view name, std::span<double> values) {
    header(name, values.size());
    take(values.data(), values.size_bytes());
}

void CheckpointReader::integer(std::string_view name, std::int64_t& value) {
    header(name, 1);
    take(&value, sizeof value);
}

}  // namespace libration
