// A slot holds header, the number of events (format 2), memory and summary, one after the other; its dataset only
// grows, the header says what is in use.
#include "io/checkpoint_slots.hpp"

#include "result/checksum.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace libration {

namespace {

using hdf5::checked;
using hdf5::Handle;

struct SlotHeader {
    std::uint64_t magic = 0x504b48435242494cULL;  // "LIBRCHKP"
    std::uint64_t format = 1;                     // 2: eight bytes before the memory are the number of events
    std::uint64_t sequence = 0;
    std::uint64_t rows = 0;
    std::uint64_t size = 0;
    std::uint64_t file_size = 0;
    std::uint64_t summary = 0;   // of these bytes, the last ones that are the summary; 0 in files of earlier versions
    std::uint64_t checksum = 0;  // of the header with this field 0, and of the memory
};
static_assert(sizeof(SlotHeader) == 64);

constexpr std::array<const char*, 2> slot_names{"/checkpoint/a", "/checkpoint/b"};

hsize_t extent(hid_t dataset, const std::string& path) {
    const auto space = checked(H5Dget_space(dataset), H5Sclose, path, "read a checkpoint");
    hsize_t size = 0;
    checked(H5Sget_simple_extent_dims(space.id(), &size, nullptr), path, "read a checkpoint");
    return size;
}

struct Selection {
    Handle file;
    Handle memory;
};

Selection select_bytes(hid_t dataset, hsize_t begin, hsize_t count, const std::string& path) {
    constexpr std::string_view action = "address a checkpoint";
    Selection selection{checked(H5Dget_space(dataset), H5Sclose, path, action),
                        checked(H5Screate_simple(1, &count, nullptr), H5Sclose, path, action)};
    checked(H5Sselect_hyperslab(selection.file.id(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr), path, action);
    return selection;
}

void write_bytes(hid_t dataset, hsize_t begin, std::span<const std::byte> bytes, const std::string& path) {
    if (bytes.empty()) {
        return;
    }
    const auto selection = select_bytes(dataset, begin, bytes.size(), path);
    checked(H5Dwrite(dataset, H5T_NATIVE_UCHAR, selection.memory.id(), selection.file.id(), H5P_DEFAULT, bytes.data()),
            path, "write a checkpoint");
}

bool read_bytes(hid_t dataset, hsize_t begin, std::span<std::byte> bytes, const std::string& path) {
    if (bytes.empty()) {
        return true;
    }
    const auto selection = select_bytes(dataset, begin, bytes.size(), path);
    return H5Dread(dataset, H5T_NATIVE_UCHAR, selection.memory.id(), selection.file.id(), H5P_DEFAULT, bytes.data()) >=
           0;
}

}  // namespace

void CheckpointSlots::create(hid_t file, std::size_t memory_guess, const std::string& path) {
    const hsize_t none = 0;
    const hsize_t unlimited = H5S_UNLIMITED;
    const hsize_t chunk = std::clamp<std::size_t>(std::bit_ceil(memory_guess), 4096, 1 << 20);
    const auto space = checked(H5Screate_simple(1, &none, &unlimited), H5Sclose, path, "create /checkpoint");
    const auto properties = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path, "create /checkpoint");
    checked(H5Pset_chunk(properties.id(), 1, &chunk), path, "create /checkpoint");
    const auto group = checked(H5Gcreate2(file, "/checkpoint", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, path,
                               "create /checkpoint");
    for (const char* name : slot_names) {
        checked(H5Dcreate2(file, name, H5T_STD_U8LE, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose,
                path, "create /checkpoint");
    }
}

CheckpointSlots::CheckpointSlots(hid_t file, const std::string& path) : path_(path) {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        slots_[slot] = checked(H5Dopen2(file, slot_names[slot], H5P_DEFAULT), H5Dclose, path_, "open /checkpoint");
    }
}

std::optional<Checkpoint> CheckpointSlots::load(std::size_t slot) const {
    const hid_t dataset = slots_[slot].id();
    const auto size = extent(dataset, path_);
    SlotHeader header;
    const SlotHeader expected;
    if (size < sizeof header || !read_bytes(dataset, 0, std::as_writable_bytes(std::span(&header, 1)), path_) ||
        header.magic != expected.magic || header.format < 1 || header.format > 2 ||
        header.size > size - sizeof header || header.summary > header.size) {
        return std::nullopt;
    }
    const std::size_t prefix = header.format == 2 ? sizeof(std::uint64_t) : 0;
    if (header.size - header.summary < prefix) {
        return std::nullopt;
    }
    Checkpoint checkpoint{header.sequence, header.rows, header.file_size, std::vector<std::byte>(header.size), {}};
    if (!read_bytes(dataset, sizeof header, checkpoint.memory, path_) ||
        checksum_with_header(header, checkpoint.memory) != header.checksum) {
        return std::nullopt;
    }
    const auto begins = checkpoint.memory.end() - static_cast<std::ptrdiff_t>(header.summary);
    checkpoint.summary.assign(begins, checkpoint.memory.end());
    checkpoint.memory.erase(begins, checkpoint.memory.end());
    if (prefix > 0) {
        std::memcpy(&checkpoint.events.emplace(), checkpoint.memory.data(), prefix);
        checkpoint.memory.erase(checkpoint.memory.begin(), checkpoint.memory.begin() + prefix);
    }
    return checkpoint;
}

std::optional<Checkpoint> CheckpointSlots::newest(const FoundInFile& found) {
    std::optional<Checkpoint> best;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        auto candidate = load(slot);
        if (!candidate) {
            continue;
        }
        if (candidate->file_size > found.file_size) {
            throw FileError(fmt::format("{}: only {} of at least {} bytes are present", path_, found.file_size,
                                        candidate->file_size));
        }
        // Also past a checkpoint that is not taken: it must not look like the newest one later.
        sequence_ = std::max(sequence_, candidate->sequence);
        if (candidate->rows <= found.rows && candidate->events.value_or(0) <= found.events &&
            (!best || candidate->sequence > best->sequence)) {
            next_ = 1 - slot;
            best = std::move(candidate);
        }
    }
    return best;
}

void CheckpointSlots::write(const Checkpoint& checkpoint) {
    const hid_t dataset = slots_[next_].id();
    std::vector<std::byte> content;
    if (checkpoint.events) {
        const auto number = std::as_bytes(std::span(&*checkpoint.events, 1));
        content.assign(number.begin(), number.end());
    }
    content.insert(content.end(), checkpoint.memory.begin(), checkpoint.memory.end());
    content.insert(content.end(), checkpoint.summary.begin(), checkpoint.summary.end());
    SlotHeader header{.format = checkpoint.events ? 2U : 1U,
                      .sequence = sequence_ + 1,
                      .rows = checkpoint.rows,
                      .size = content.size(),
                      .file_size = checkpoint.file_size,
                      .summary = checkpoint.summary.size()};
    header.checksum = checksum_with_header(header, content);
    const hsize_t size = sizeof header + content.size();
    if (extent(dataset, path_) < size) {
        checked(H5Dset_extent(dataset, &size), path_, "extend a checkpoint");
    }
    write_bytes(dataset, sizeof header, content, path_);
    write_bytes(dataset, 0, std::as_bytes(std::span(&header, 1)), path_);
    checked(H5Dflush(dataset), path_, "write a checkpoint");
    ++sequence_;
    next_ = 1 - next_;
}

}  // namespace libration
