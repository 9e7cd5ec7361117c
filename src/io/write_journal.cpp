// The journal in the file, see the header for its layout.
#include "io/write_journal.hpp"

#include "result/checksum.hpp"

#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

namespace libration {

namespace {

struct JournalHeader {
    std::uint64_t magic = 0x4c4e524a5242494cULL;  // "LIBRJRNL"
    std::uint64_t address = 0;
    std::uint64_t target = 0;
    std::uint64_t size = 0;
    std::uint64_t checksum = 0;  // of the header with this field 0, and of the bytes
    std::array<std::uint64_t, 3> reserved{};
};
static_assert(sizeof(JournalHeader) == 64);

}  // namespace

int write_all(int descriptor, std::uint64_t address, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto count = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(address));
        if (count < 0 && errno != EINTR) {
            return errno;
        }
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
            address += static_cast<std::uint64_t>(count);
        }
    }
    return 0;
}

int read_all(int descriptor, std::uint64_t address, std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        const auto count = pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(address));
        if (count < 0 && errno != EINTR) {
            return errno;
        }
        if (count == 0) {
            std::memset(bytes.data(), 0, bytes.size());
            return 0;
        }
        if (count > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(count));
            address += static_cast<std::uint64_t>(count);
        }
    }
    return 0;
}

std::vector<std::byte> WriteJournal::empty(std::uint64_t address) {
    std::vector<std::byte> bytes(size);
    const JournalHeader header{.address = address};
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes;
}

std::optional<WriteJournal> WriteJournal::find(int descriptor) {
    constexpr std::uint64_t far = std::uint64_t{1} << 20;
    for (std::uint64_t address = page; address < far; address += page) {
        JournalHeader header{.magic = 0};
        const auto count = pread(descriptor, &header, sizeof header, static_cast<off_t>(address));
        if (count < static_cast<ssize_t>(sizeof header)) {
            return std::nullopt;
        }
        if (header.magic == JournalHeader{}.magic && header.address == address) {
            return WriteJournal(address);
        }
    }
    return std::nullopt;
}

bool WriteJournal::wanted(std::uint64_t target, std::size_t count) {
    return count > 0 && target / page != (target + count - 1) / page && count <= size - sizeof(JournalHeader);
}

int WriteJournal::write(int descriptor, std::uint64_t target, std::span<const std::byte> bytes) {
    JournalHeader header{.address = address_, .target = target, .size = bytes.size()};
    header.checksum = checksum_with_header(header, bytes);
    buffer_.resize(sizeof header + bytes.size());
    std::memcpy(buffer_.data(), &header, sizeof header);
    std::memcpy(buffer_.data() + sizeof header, bytes.data(), bytes.size());
    if (const int error = write_all(descriptor, address_, buffer_); error != 0) {
        return error;
    }
    if (const int error = write_all(descriptor, target, bytes); error != 0) {
        return error;
    }
    return cross_out(descriptor);
}

int WriteJournal::cross_out(int descriptor) const {
    constexpr std::uint64_t nothing = 0;
    return write_all(descriptor, address_ + offsetof(JournalHeader, size), std::as_bytes(std::span(&nothing, 1)));
}

std::optional<WriteJournal::Pending> WriteJournal::pending(int descriptor) const {
    JournalHeader header;
    if (read_all(descriptor, address_, std::as_writable_bytes(std::span(&header, 1))) != 0 || header.size == 0 ||
        header.size > size - sizeof header) {
        return std::nullopt;
    }
    Pending result{header.target, std::vector<std::byte>(header.size)};
    if (read_all(descriptor, address_ + sizeof header, result.bytes) != 0 ||
        checksum_with_header(header, result.bytes) != header.checksum) {
        return std::nullopt;
    }
    return result;
}

int WriteJournal::mend(int descriptor) const {
    const auto left = pending(descriptor);
    if (!left) {
        return 0;
    }
    const int error = write_all(descriptor, left->target, left->bytes);
    return error != 0 ? error : cross_out(descriptor);
}

}  // namespace libration
