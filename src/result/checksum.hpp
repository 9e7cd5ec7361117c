// A 64-bit checksum of bytes that this program wrote itself: it finds accidents, not attacks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace libration {

// FNV-1a over words of eight bytes (bytewise, a memory of some 100 MB would take a second). The shift brings high bits
// down, where the product alone never moves them. Each step is one-to-one in its word, so one changed word is always
// seen. `hash` continues an earlier sum.
inline std::uint64_t checksum(std::span<const std::byte> bytes, std::uint64_t hash = 0xcbf29ce484222325ULL) {
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const auto count = std::min(bytes.size(), sizeof word);
        std::memcpy(&word, bytes.data(), count);
        hash = (hash ^ word) * 0x100000001b3ULL;
        hash ^= hash >> 32;
        bytes = bytes.subspan(count);
    }
    return hash;
}

// Of a header whose own field `checksum` counts as 0, and of the bytes behind it.
template <class Header>
std::uint64_t checksum_with_header(Header header, std::span<const std::byte> bytes) {
    static_assert(std::endian::native == std::endian::little, "headers are written as they lie in memory");
    header.checksum = 0;
    return checksum(bytes, checksum(std::as_bytes(std::span(&header, 1))));
}

}  // namespace libration
