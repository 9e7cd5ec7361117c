// Written to a temporary file, then renamed.
#include "text_file.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace libration {

void refuse_existing(const std::string& path, bool overwrite) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw FileError(fmt::format("cannot write {}: it is a directory", path));
    }
    if (!overwrite && std::filesystem::exists(path, ignored)) {
        throw InputError(fmt::format("{} exists; `overwrite` replaces it", path));
    }
}

void write_text_file(const std::string& path, std::string_view text) {
    const auto part = path + ".part";
    std::FILE* const file = std::fopen(part.c_str(), "w");
    if (file == nullptr) {
        throw FileError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = std::fclose(file) == 0;
    if (!written || !closed || std::rename(part.c_str(), path.c_str()) != 0) {
        const int reason = errno;
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
        throw FileError(fmt::format("cannot write {}: {}", path, std::strerror(reason)));
    }
}

}  // namespace libration
