// A file as the operating system sees it: held against a second run, measured, and forced to the disk.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace libration {

// HDF5 gives up its own lock once it writes in SWMR mode, and clearing the flags of a killed run would also clear those
// of a living one. The lock here lives on one byte far behind any data, does not hinder readers, and dies with the
// process. Where the file system has no such locks, there is none. Move-only.
class ExclusiveFile {
  public:
    // Makes the file if it is not there. InputError if it is there and `overwrite` is not set.
    static ExclusiveFile create(const std::string& path, bool overwrite);
    static ExclusiveFile open(const std::string& path);
    // Throws what `create` would throw because of a file that is there, and leaves it alone.
    static void require_replaceable(const std::string& path, bool overwrite);

    ExclusiveFile() = default;
    ExclusiveFile(ExclusiveFile&& other) noexcept
        : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
    ExclusiveFile& operator=(ExclusiveFile&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~ExclusiveFile();

    // Whether a process, perhaps this one, holds the file that is also open here.
    static bool is_held(int descriptor);

    // Completes the write in which the former holder was killed, if there was one.
    void mend() const;

    // Returns once all that was written to the file, by whatever handle of this machine, is on the disk.
    void sync() const;
    std::uint64_t size() const;

  private:
    static void remove_old(const std::string& path);
    ExclusiveFile(std::string path, int descriptor);
    std::string path_;
    int descriptor_ = -1;
};

// FileError if the file cannot be read, is empty, or does not begin as an HDF5 file does; HDF5's own words for these
// are of no use to a reader.
void require_hdf5_signature(const std::string& path);

}  // namespace libration
