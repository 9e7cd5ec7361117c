// The HDF5 C interface in C++: handles that close themselves, failing calls that become FileError.
#pragma once

#include <hdf5.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace libration::hdf5 {

// HDF5 prints its errors by default, and a program around us may want just that for its own calls: silence lasts as
// long as one of these, then the former setting is back, unless a call has failed: HDF5 cannot clear up after all of
// its failures, and would complain at the exit of the program. Only HDF5 handles in use bring the library to life, so a
// program that opens no file does not pay for its initialization.
class Silence {
  public:
    Silence();
    ~Silence();
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

  private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

// Owns one identifier and closes it with the function that belongs to its kind; move-only.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);

    Handle() = default;
    Handle(hid_t id, Close closer) : id_(id), close_(closer) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (id_ >= 0) {
            const Silence silence;
            close();
        }
    }

    hid_t id() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }

    // Negative if closing failed (an H5Fclose that could not write); the identifier is gone in any case. Not silent by
    // itself: the end of a Silence would wipe out the reason.
    herr_t close() noexcept { return id_ < 0 ? 0 : close_(std::exchange(id_, H5I_INVALID_HID)); }

  private:
    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

// Why the last HDF5 call failed, in the words of the operating system if it was the cause.
std::string reason();

[[noreturn]] void fail(const std::string& path, std::string_view action, const std::string& why);

// `result` if it is not negative, otherwise FileError "PATH: cannot ACTION: REASON".
template <class Result>
Result checked(Result result, const std::string& path, std::string_view action) {
    if (result < 0) {
        fail(path, action, reason());
    }
    return result;
}

inline Handle checked(hid_t id, Handle::Close close, const std::string& path, std::string_view action) {
    return {checked(id, path, action), close};
}

// Properties under which all our files are opened: a format that HDF5 1.10 reads and SWMR demands, and no failure where
// the file system knows no locks.
Handle file_access(const std::string& path);

// Variable-length UTF-8, which h5py shows as `str`.
Handle text_type(const std::string& path);

void write_attribute(hid_t object, const char* name, std::string_view text, const std::string& path);
void write_attribute(hid_t object, const char* name, double value, const std::string& path);

// A scalar attribute as text. FileError if it is not a string or a number.
std::string read_attribute(hid_t object, const std::string& name, const std::string& path);

// A whole dataset of numbers, row after row, but not more than `most` rows of it.
std::vector<double> read_numbers(hid_t file, const std::string& name, hsize_t most, const std::string& path);

}  // namespace libration::hdf5
