// Errors, properties and attributes of HDF5.
#include "io/hdf5_handle.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace libration::hdf5 {

namespace {

bool has_failed = false;

// The innermost record of the error stack is the cause; those above it only say who called.
herr_t take_innermost(unsigned position, const H5E_error2_t* error, void* text) {
    if (position == 0 && error->desc != nullptr) {
        *static_cast<std::string*>(text) = error->desc;
    }
    return 0;
}

// HDF5 puts strerror(errno) between other things: "... errno = 28, error message = 'No space left on device', buf =
// ..."
std::string system_message(const std::string& text) {
    constexpr std::string_view before = "error message = '";
    const auto begin = text.find(before);
    if (begin == std::string::npos) {
        return {};
    }
    const auto rest = text.substr(begin + before.size());
    return rest.substr(0, rest.find('\''));
}

}  // namespace

Silence::Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() {
    if (!has_failed) {
        H5Eset_auto2(H5E_DEFAULT, function_, data_);
    }
}

std::string reason() {
    has_failed = true;
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, &text);
    const auto message = system_message(text);
    if (text.find("unable to lock") != std::string::npos || text.find("lock request failed") != std::string::npos) {
        return fmt::format("it cannot be locked ({}): either another program has it open, or its file system does not "
                           "support locks; then set the environment variable HDF5_USE_FILE_LOCKING=FALSE",
                           message.empty() ? text : message);
    }
    if (!message.empty()) {
        return message;
    }
    return text.empty() ? "HDF5 gives no reason" : text;
}

void fail(const std::string& path, std::string_view action, const std::string& why) {
    throw FileError(fmt::format("{}: cannot {}: {}", path, action, why));
}

Handle file_access(const std::string& path) {
    auto access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path, "prepare HDF5");
    checked(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110), path, "choose the format");
    // A leaked identifier must not keep the file open unnoticed.
    checked(H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG), path, "prepare HDF5");
    // Only SWMR readers try again. The pause doubles each time: 20 times are some milliseconds, enough for a writer in
    // the middle of a change, while the default of 100 would never end on a damaged file.
    checked(H5Pset_metadata_read_attempts(access.id(), 20), path, "prepare HDF5");
#if H5_VERSION_GE(1, 10, 7)
    checked(H5Pset_file_locking(access.id(), true, true), path, "prepare file locks");
#endif
    return access;
}

Handle text_type(const std::string& path) {
    auto type = checked(H5Tcopy(H5T_C_S1), H5Tclose, path, "prepare a string type");
    checked(H5Tset_size(type.id(), H5T_VARIABLE), path, "prepare a string type");
    checked(H5Tset_cset(type.id(), H5T_CSET_UTF8), path, "prepare a string type");
    return type;
}

void write_attribute(hid_t object, const char* name, std::string_view text, const std::string& path) {
    const auto action = fmt::format("write the attribute '{}'", name);
    const auto type = text_type(path);
    Handle attribute;
    if (checked(H5Aexists(object, name), path, action) > 0) {
        attribute = checked(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, path, action);
    } else {
        const auto scalar = checked(H5Screate(H5S_SCALAR), H5Sclose, path, action);
        attribute =
            checked(H5Acreate2(object, name, type.id(), scalar.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, path, action);
    }
    const std::string copy(text);
    const char* begin = copy.c_str();
    checked(H5Awrite(attribute.id(), type.id(), &begin), path, action);
}

void write_attribute(hid_t object, const char* name, double value, const std::string& path) {
    const auto action = fmt::format("write the attribute '{}'", name);
    const auto scalar = checked(H5Screate(H5S_SCALAR), H5Sclose, path, action);
    const auto attribute = checked(H5Acreate2(object, name, H5T_IEEE_F64LE, scalar.id(), H5P_DEFAULT, H5P_DEFAULT),
                                   H5Aclose, path, action);
    checked(H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &value), path, action);
}

std::string read_attribute(hid_t object, const std::string& name, const std::string& path) {
    const auto action = fmt::format("read the attribute '{}'", name);
    const auto attribute = checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, path, action);
    const auto type = checked(H5Aget_type(attribute.id()), H5Tclose, path, action);
    const auto space = checked(H5Aget_space(attribute.id()), H5Sclose, path, action);
    const auto kind = H5Tget_class(type.id());
    if (H5Sget_simple_extent_npoints(space.id()) != 1) {
        fail(path, action, "it is not a single value");
    }
    if (kind == H5T_INTEGER) {
        long long value = 0;
        checked(H5Aread(attribute.id(), H5T_NATIVE_LLONG, &value), path, action);
        return fmt::format("{}", value);
    }
    if (kind == H5T_FLOAT) {
        double value = 0;
        checked(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value), path, action);
        return fmt::format("{}", value);
    }
    if (kind != H5T_STRING) {
        fail(path, action, "it is neither a string nor a number");
    }
    if (H5Tis_variable_str(type.id()) > 0) {
        char* text = nullptr;
        checked(H5Aread(attribute.id(), text_type(path).id(), &text), path, action);
        const std::string result = text == nullptr ? "" : text;
        H5free_memory(text);
        return result;
    }
    std::vector<char> text(H5Tget_size(type.id()) + 1, '\0');
    checked(H5Aread(attribute.id(), type.id(), text.data()), path, action);
    return text.data();
}

std::vector<double> read_numbers(hid_t file, const std::string& name, hsize_t most, const std::string& path) {
    const auto action = "read " + name;
    if (H5Lexists(file, name.c_str(), H5P_DEFAULT) <= 0) {
        fail(path, action, "there is no such dataset");
    }
    const auto dataset = checked(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, path, action);
    const auto space = checked(H5Dget_space(dataset.id()), H5Sclose, path, action);
    const int rank = checked(H5Sget_simple_extent_ndims(space.id()), path, action);
    if (rank == 0) {
        double value = 0;
        checked(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), path, action);
        return {value};
    }
    std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
    checked(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), path, action);
    extent[0] = std::min(extent[0], most);
    std::size_t count = 1;
    for (const auto size : extent) {
        count *= size;
    }
    std::vector<double> values(count);
    if (count > 0) {
        const std::vector<hsize_t> begin(extent.size(), 0);
        checked(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(), nullptr, extent.data(), nullptr), path,
                action);
        const auto memory = checked(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose, path, action);
        checked(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, values.data()), path,
                action);
    }
    return values;
}

}  // namespace libration::hdf5
