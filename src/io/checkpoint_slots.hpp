// Two generations of checkpoints, /checkpoint/a and /checkpoint/b, written in turn: while one is being overwritten the
// other is whole.
#pragma once

#include "io/hdf5_handle.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace libration {

struct Checkpoint {
    std::uint64_t sequence = 0;   // counts the checkpoints of a file; the larger one is the newer
    std::uint64_t rows = 0;       // rows of the run that belong to it
    std::uint64_t file_size = 0;  // bytes of the file when those rows had been written; a shorter file was cut
    std::vector<std::byte> memory;
    std::vector<std::byte> summary;                      // of the run so far; nothing in files of earlier versions
    std::optional<std::uint64_t> events = std::nullopt;  // that belong to it, where the file keeps events
};

// What is in a file, for the checkpoints that count on it.
struct FoundInFile {
    std::uint64_t file_size = 0, rows = 0, events = 0;
};

class CheckpointSlots {
  public:
    // `memory_guess`: bytes that a checkpoint may have; decides the sizes of chunks, limits nothing.
    static void create(hid_t file, std::size_t memory_guess, const std::string& path);

    CheckpointSlots(hid_t file, const std::string& path);

    // The newest checkpoint with a right checksum, and from now on the slot to spare. FileError if the file is shorter
    // than a checkpoint says.
    std::optional<Checkpoint> newest(const FoundInFile& found);

    // Into the older slot, with a sequence number of its own. The caller has written the rows before; the checkpoint is
    // in the file on return.
    void write(const Checkpoint& checkpoint);

  private:
    std::optional<Checkpoint> load(std::size_t slot) const;

    std::string path_;
    std::array<hdf5::Handle, 2> slots_;
    std::size_t next_ = 0;
    std::uint64_t sequence_ = 0;
};

}  // namespace libration
