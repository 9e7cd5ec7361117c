// Written to a temporary file, then renamed.
#include <libration/io/part_file.hpp>

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace libration {

PartFile::PartFile(const std::string& path, bool overwrite) : path_(path), part_path_(path + ".part") {
    std::error_code ignored;
    if (!overwrite && std::filesystem::exists(path, ignored)) {
        throw InputError(fmt::format("{} exists; `overwrite` replaces it", path));
    }
    if (std::filesystem::is_directory(path, ignored)) {
        throw FileError(fmt::format("cannot write {}: it is a directory", path));
    }
    file_ = std::fopen(part_path_.c_str(), "w");
    if (file_ == nullptr) {
        throw FileError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    }
}

PartFile::~PartFile() {
    if (file_ != nullptr) {
        std::fclose(file_);
        std::error_code ignored;
        std::filesystem::remove(part_path_, ignored);
    }
}

void PartFile::write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
        throw FileError(fmt::format("cannot write {}: {}", part_path_, std::strerror(errno)));
    }
}

void PartFile::finish() {
    std::FILE* const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0 || std::rename(part_path_.c_str(), path_.c_str()) != 0) {
        const int reason = errno;
        std::error_code ignored;
        std::filesystem::remove(part_path_, ignored);
        throw FileError(fmt::format("cannot write {}: {}", path_, std::strerror(reason)));
    }
}

}  // namespace libration
