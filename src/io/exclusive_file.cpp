// Open file description locks, fsync, and the first bytes of a file.
#include "io/exclusive_file.hpp"

#include "io/write_journal.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

namespace libration {

namespace {

constexpr off_t lock_byte = off_t{1} << 62;

struct flock lock_of_writer() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = lock_byte;
    lock.l_len = 1;
    return lock;
}

[[noreturn]] void fail_with_error(const std::string& path, std::string_view action, int error) {
    throw FileError(fmt::format("{}: cannot {}: {}", path, action, std::generic_category().message(error)));
}

[[noreturn]] void refuse_existing_file(const std::string& path) {
    throw InputError(fmt::format("{}: the file exists; `overwrite` replaces it, `resume` continues it", path));
}

}  // namespace

ExclusiveFile::ExclusiveFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {
    auto lock = lock_of_writer();
    if (fcntl(descriptor_, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
        close(std::exchange(descriptor_, -1));
        throw FileError(
            fmt::format("{}: another run is writing to this file; wait for it to finish, or stop it", path_));
    }
}

ExclusiveFile::~ExclusiveFile() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

void ExclusiveFile::require_replaceable(const std::string& path, bool overwrite) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
        return;
    }
    if (!overwrite) {
        refuse_existing_file(path);
    }
    if (!S_ISREG(status.st_mode)) {
        throw FileError(fmt::format("{}: not a regular file, so `overwrite` does not replace it", path));
    }
    const ExclusiveFile old = open(path);
}

// Removed, not truncated: who has the old file open keeps a whole one.
void ExclusiveFile::remove_old(const std::string& path) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
        return;
    }
    require_replaceable(path, true);
    const ExclusiveFile old = open(path);
    if (unlink(path.c_str()) != 0) {
        fail_with_error(path, "remove the old file", errno);
    }
}

ExclusiveFile ExclusiveFile::create(const std::string& path, bool overwrite) {
    if (overwrite) {
        remove_old(path);
    }
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) {
        refuse_existing_file(path);
    }
    if (descriptor < 0) {
        fail_with_error(path, "create the file", errno);
    }
    return {path, descriptor};
}

ExclusiveFile ExclusiveFile::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        fail_with_error(path, "open the file for writing", errno);
    }
    return {path, descriptor};
}

bool ExclusiveFile::is_held(int descriptor) {
    auto lock = lock_of_writer();
    return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

void ExclusiveFile::mend() const {
    if (const auto journal = WriteJournal::find(descriptor_); journal) {
        if (const int error = journal->mend(descriptor_); error != 0) {
            fail_with_error(path_, "complete the last write of a killed run", error);
        }
    }
}

void ExclusiveFile::sync() const {
    // EINVAL and EROFS: what lies there cannot be forced to a disk, which is not the fault of the run.
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
        fail_with_error(path_, "flush the file to disk", errno);
    }
}

std::uint64_t ExclusiveFile::size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) {
        fail_with_error(path_, "determine the size of the file", errno);
    }
    return static_cast<std::uint64_t>(status.st_size);
}

void require_hdf5_signature(const std::string& path) {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        fail_with_error(path, "open the file", errno);
    }
    std::array<char, signature.size()> begin{};
    const auto count = ::read(descriptor, begin.data(), begin.size());
    const int error = errno;
    close(descriptor);
    if (count < 0) {
        fail_with_error(path, "read the file", error);
    }
    if (count == 0) {
        throw FileError(fmt::format("{}: the file is empty; rerun with `overwrite`", path));
    }
    if (std::string_view(begin.data(), static_cast<std::size_t>(count)) != signature) {
        throw FileError(fmt::format("{}: not an HDF5 file; give a file written by `libration run out=FILE.h5`", path));
    }
}

}  // namespace libration
