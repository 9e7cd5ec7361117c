// Entries by name.
#include <libration/result/record.hpp>

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

bool Record::empty() const { return entries.empty(); }

const ResultValue* Record::find(std::string_view name) const {
    const auto found = std::ranges::find(entries, name, &ResultEntry::name);
    return found == entries.end() ? nullptr : &found->value;
}

void Record::add(std::string_view name, ResultValue value, bool shown) {
    entries.push_back({std::string(name), std::move(value), shown});
}

void RecordReader::refuse(std::string_view name) {
    throw FileError(fmt::format(
        "the value '{}' of the result in the file has an unexpected type; the file is damaged: use an intact copy",
        name));
}

}  // namespace libration
