// Attributes of one object, by their full names.
#include "io/record_attributes.hpp"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <map>

namespace libration {

namespace {

using hdf5::checked;
using hdf5::Handle;

Handle attribute_of(hid_t object, const std::string& name, hid_t type, hid_t space, const std::string& path) {
    const auto action = fmt::format("write the attribute '{}'", name);
    if (checked(H5Aexists(object, name.c_str()), path, action) > 0) {
        return checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, path, action);
    }
    return checked(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, path, action);
}

template <class Number>
void write_number(hid_t object, const std::string& name, Number value, const std::string& path) {
    constexpr bool whole = std::is_integral_v<Number>;
    const auto scalar = checked(H5Screate(H5S_SCALAR), H5Sclose, path, "write an attribute");
    const auto attribute = attribute_of(object, name, whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, scalar.id(), path);
    checked(H5Awrite(attribute.id(), whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, &value), path,
            fmt::format("write the attribute '{}'", name));
}

void write_list(hid_t object, const std::string& name, const std::vector<ResultValue>& list, const std::string& path) {
    std::vector<const char*> pointers;
    for (const auto& value : list) {
        const auto* text = value.as<std::string>();
        if (text == nullptr) {
            return;
        }
        pointers.push_back(text->c_str());
    }
    const hsize_t count = pointers.size();
    const auto type = hdf5::text_type(path);
    const auto space = checked(H5Screate_simple(1, &count, nullptr), H5Sclose, path, "write an attribute");
    const auto attribute = attribute_of(object, name, type.id(), space.id(), path);
    if (count > 0) {
        checked(H5Awrite(attribute.id(), type.id(), pointers.data()), path,
                fmt::format("write the attribute '{}'", name));
    }
}

using Use = std::function<void(const std::string&, const ResultValue&)>;

void for_each(const Record& record, const std::string& prefix, const Use& use) {
    for (const auto& [name, value, shown] : record.entries) {
        if (const auto* inner = value.as<Record>()) {
            for_each(*inner, prefix + name + ".", use);
        } else {
            use(prefix + name, value);
        }
    }
}

std::vector<ResultValue> read_list(hid_t attribute, std::size_t count, const std::string& path) {
    std::vector<char*> pointers(count, nullptr);
    if (count > 0) {
        checked(H5Aread(attribute, hdf5::text_type(path).id(), pointers.data()), path, "read a list of strings");
    }
    std::vector<ResultValue> list;
    for (char* const pointer : pointers) {
        list.emplace_back(pointer == nullptr ? "" : pointer);
        H5free_memory(pointer);
    }
    return list;
}

ResultValue read_value(hid_t object, const std::string& name, const std::string& path) {
    const auto action = fmt::format("read the attribute '{}'", name);
    const auto attribute = checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, path, action);
    const auto type = checked(H5Aget_type(attribute.id()), H5Tclose, path, action);
    const auto space = checked(H5Aget_space(attribute.id()), H5Sclose, path, action);
    const auto kind = H5Tget_class(type.id());
    if (kind == H5T_STRING && H5Tis_variable_str(type.id()) > 0 && H5Sget_simple_extent_ndims(space.id()) == 1) {
        return read_list(attribute.id(), static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())), path);
    }
    if (kind == H5T_STRING) {
        return hdf5::read_attribute(object, name, path);
    }
    if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || H5Sget_simple_extent_npoints(space.id()) != 1) {
        hdf5::fail(path, action, "it is neither a string nor a single number");
    }
    if (kind == H5T_INTEGER) {
        std::int64_t value = 0;
        checked(H5Aread(attribute.id(), H5T_NATIVE_INT64, &value), path, action);
        return value;
    }
    double value = 0;
    checked(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value), path, action);
    return value;
}

std::vector<std::string> attribute_names(hid_t object, const std::string& path) {
    std::vector<std::string> names;
    const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
        static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
    };
    checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &names), path, "read attributes");
    return names;
}

// Of the same kind.
ResultValue blank(const ResultValue& value) {
    if (value.as<std::string>() != nullptr) {
        return "";
    }
    return value.as<std::int64_t>() != nullptr ? ResultValue(0) : ResultValue();
}

Record& inner_record(Record& record, const std::string& name) {
    for (auto& entry : record.entries) {
        if (auto* inner = std::get_if<Record>(&entry.value.content); inner != nullptr && entry.name == name) {
            return *inner;
        }
    }
    record.add(name, Record());
    return std::get<Record>(record.entries.back().value.content);
}

}  // namespace

void write_attribute(hid_t object, const std::string& name, const ResultValue& value, const std::string& path) {
    std::visit(
        [&](const auto& content) {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, std::monostate>) {
                write_number(object, name, std::numeric_limits<double>::quiet_NaN(), path);
            } else if constexpr (std::is_same_v<Content, bool>) {
                write_number(object, name, std::int64_t{content}, path);
            } else if constexpr (std::is_arithmetic_v<Content>) {
                write_number(object, name, content, path);
            } else if constexpr (std::is_same_v<Content, std::string>) {
                hdf5::write_attribute(object, name.c_str(), content, path);
            } else if constexpr (std::is_same_v<Content, std::vector<ResultValue>>) {
                write_list(object, name, content, path);
            }
        },
        value.content);
}

void create_attributes(hid_t object, const Record& record, const std::string& path) {
    for_each(record, "",
             [&](const std::string& name, const ResultValue& value) { write_attribute(object, name, value, path); });
}

void update_attributes(hid_t object, const Record& record, const std::string& path) {
    std::map<std::string, ResultValue> values;
    for_each(record, "", [&](const std::string& name, const ResultValue& value) { values.emplace(name, value); });
    for (const auto& name : attribute_names(object, path)) {
        const auto found = values.find(name);
        write_attribute(object, name, found != values.end() ? found->second : blank(read_value(object, name, path)),
                        path);
    }
}

Record read_attributes(hid_t object, const std::string& path) {
    Record record;
    for (const auto& name : attribute_names(object, path)) {
        const auto point = name.find('.');
        auto& to = point == std::string::npos ? record : inner_record(record, name.substr(0, point));
        to.add(name.substr(point == std::string::npos ? 0 : point + 1), read_value(object, name, path));
    }
    return record;
}

}  // namespace libration
