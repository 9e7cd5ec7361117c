// Whether a file is still the one that was written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <sys/stat.h>

namespace libration::python {

// What changes when a file is replaced or written to.
struct FileMark {
    std::uint64_t device, number, size;
    std::int64_t seconds, nanoseconds;
    bool operator==(const FileMark&) const = default;
};

// Nothing where there is no file.
inline std::optional<FileMark> mark_of(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) {
        return std::nullopt;
    }
    return FileMark{static_cast<std::uint64_t>(found.st_dev), static_cast<std::uint64_t>(found.st_ino),
                    static_cast<std::uint64_t>(found.st_size), static_cast<std::int64_t>(found.st_mtim.tv_sec),
                    static_cast<std::int64_t>(found.st_mtim.tv_nsec)};
}

// Also good after a change of the working directory.
inline std::string absolute_path(const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace libration::python
