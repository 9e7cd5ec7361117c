// One pending overwrite, kept in a fixed place of the file, so that a kill in the middle of it can be repaired.
//
// A kill ends a write between two pages of memory: what HDF5 overwrites in place across such a boundary may be half old
// and half new, and a torn index block would make the rows behind it unreadable. Such a write is first put here, then
// to its place, then crossed out here. Each of the three is either done or can be told not to be.
//
//   [0] magic  [8] address of the journal  [16] target  [24] size, 0 if nothing is pending  [32] checksum  [64] bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace libration {

class WriteJournal {
  public:
    static constexpr std::size_t page = 4096;
    static constexpr std::size_t size = std::size_t{32} << 10;

    struct Pending {
        std::uint64_t target = 0;
        std::vector<std::byte> bytes;
    };

    // The bytes of an empty journal at `address`, which must be a multiple of `page` and below 1 MiB.
    static std::vector<std::byte> empty(std::uint64_t address);

    // Looks for the journal of an opened file.
    static std::optional<WriteJournal> find(int descriptor);

    // Whether a write can be torn in a way that matters and has room here: index blocks and chunks of many rows have;
    // large pieces of checkpoints have not, and need none, because there is a second checkpoint.
    static bool wanted(std::uint64_t target, std::size_t count);

    // Write `bytes` to `target` through the journal. Errno, or 0.
    int write(int descriptor, std::uint64_t target, std::span<const std::byte> bytes);

    // What a killed writer left, if it is whole; then it is put to its place and crossed out.
    std::optional<Pending> pending(int descriptor) const;
    int mend(int descriptor) const;

  private:
    explicit WriteJournal(std::uint64_t address) : address_(address) {}
    int cross_out(int descriptor) const;

    std::uint64_t address_;
    std::vector<std::byte> buffer_;
};

// pwrite and pread of everything. Errno, or 0; beyond the end of the file there are zeros.
int write_all(int descriptor, std::uint64_t address, std::span<const std::byte> bytes);
int read_all(int descriptor, std::uint64_t address, std::span<std::byte> bytes);

}  // namespace libration
