// Superblocks of version 3 with addresses of eight bytes, the only ones that libration writes.
#include "io/superblock.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace libration::hdf5 {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in memory");

constexpr std::array<unsigned char, 11> signature_and_sizes{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n', 3, 8, 8};
constexpr std::size_t marks_at = 11;
constexpr std::size_t end_at = 28;
constexpr std::size_t checksum_at = 44;

// Bit 0: open for writing; bit 2: in SWMR mode.
constexpr std::byte swmr_writing{0b101};

}  // namespace

std::uint32_t metadata_checksum(std::span<const std::byte> bytes) {
    // a, b, c in lookup3.c. Both rounds there are sums, differences and rotations that run through the three in a ring.
    std::array<std::uint32_t, 3> x;
    x.fill(0xdeadbeef + static_cast<std::uint32_t>(bytes.size()));
    const auto add = [&](std::size_t count) {
        std::array<std::uint32_t, 3> words{};
        std::memcpy(words.data(), bytes.data(), count);
        bytes = bytes.subspan(count);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += words[i];
        }
    };
    while (bytes.size() > sizeof x) {
        add(sizeof x);
        std::size_t i = 0;
        for (const int rotation : {4, 6, 8, 16, 19, 4}) {
            auto& last = x[(i + 2) % 3];
            x[i] = (x[i] - last) ^ std::rotl(last, rotation);
            last += x[(i + 1) % 3];
            i = (i + 1) % 3;
        }
    }
    if (!bytes.empty()) {
        add(bytes.size());
        std::size_t i = 2;
        for (const int rotation : {14, 11, 25, 16, 4, 14, 24}) {
            const auto last = x[(i + 2) % 3];
            x[i] = (x[i] ^ last) - std::rotl(last, rotation);
            i = (i + 1) % 3;
        }
    }
    return x[2];
}

std::optional<Superblock> Superblock::marked(std::span<const std::byte> bytes) {
    Superblock result;
    if (bytes.size() < size || std::memcmp(bytes.data(), signature_and_sizes.data(), signature_and_sizes.size()) != 0 ||
        bytes[marks_at] != swmr_writing) {
        return std::nullopt;
    }
    std::copy_n(bytes.begin(), size, result.bytes_.begin());
    return result;
}

std::array<std::byte, Superblock::size> Superblock::clean(std::uint64_t end) const {
    auto result = bytes_;
    result[marks_at] = std::byte{0};
    std::memcpy(result.data() + end_at, &end, sizeof end);
    const auto checksum = metadata_checksum(std::span(result).first(checksum_at));
    std::memcpy(result.data() + checksum_at, &checksum, sizeof checksum);
    return result;
}

}  // namespace libration::hdf5
