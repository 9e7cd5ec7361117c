// The first bytes of an HDF5 file, as far as they say whether and how far it may be read.
//
// While HDF5 writes, its superblock carries marks that make others refuse the file, and an end of the file from some
// former moment. A file that HDF5's SWMR mode and our driver keep whole at any moment deserves neither.
//
//   [0] signature  [8] version 3  [9] sizes of addresses and lengths  [11] marks  [12] base  [20] extension
//   [28] end of the file  [36] root  [44] checksum of all before
// HDF5 File Format Specification 3.0, II.A.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace libration::hdf5 {

class Superblock {
  public:
    static constexpr std::size_t size = 48;

    // If `bytes` begin with the superblock of a file that is being written in SWMR mode.
    static std::optional<Superblock> marked(std::span<const std::byte> bytes);

    // The same one, without marks, of a file that ends at `end`.
    std::array<std::byte, size> clean(std::uint64_t end) const;

  private:
    std::array<std::byte, size> bytes_{};
};

// The checksum of HDF5's metadata: hashlittle of lookup3, started with 0. Bob Jenkins, "lookup3.c", May 2006, public
// domain, burtleburtle.net/bob/c/lookup3.c
std::uint32_t metadata_checksum(std::span<const std::byte> bytes);

}  // namespace libration::hdf5
