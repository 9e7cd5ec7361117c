// Tables of values for ensembles.
#include <libration/io/ensemble_file.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace libration {

namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos
               ? ""
               : std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

// Separated by commas; a field may stand in quotes, as names with commas must.
std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    for (auto& field : fields) {
        field = trimmed(field);
    }
    return fields;
}

}  // namespace

VariedValues read_varied_values(const std::string& path) {
    std::error_code ignored;
    std::ifstream file(path);
    if (!file || std::filesystem::is_directory(path, ignored)) {
        throw FileError(
            fmt::format("cannot read {}: {}", path,
                        std::filesystem::is_directory(path, ignored) ? "it is a directory" : std::strerror(errno)));
    }
    VariedValues result;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        const auto fail = [&](const std::string& why) {
            throw InputError(fmt::format("{}, line {}: {}", path, number, why));
        };
        if (number == 1 && line.starts_with("\xEF\xBB\xBF")) {  // the mark with which some programs begin a file
            line.erase(0, 3);
        }
        if (trimmed(line).empty()) {
            continue;
        }
        const auto fields = fields_of(line);
        if (result.names.empty()) {
            for (const auto& name : fields) {
                if (name.empty()) {
                    fail("a name is missing; the first line has the names, separated by commas");
                }
            }
            result.names = fields;
            continue;
        }
        if (fields.size() != result.names.size()) {
            fail(fmt::format("{} values, but the first line has {} names", fields.size(), result.names.size()));
        }
        for (const auto& field : fields) {
            double value = 0;
            const auto* first = field.data() + (field.starts_with('+') ? 1 : 0);
            const auto [end, error] = std::from_chars(first, field.data() + field.size(), value);
            if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) {
                fail(fmt::format("'{}' is not a finite number", field));
            }
            result.values.push_back(value);
        }
    }
    if (result.names.empty()) {
        throw InputError(
            fmt::format("{} is empty; write the names in the first line, then one trajectory per line", path));
    }
    if (result.values.empty()) {
        throw InputError(fmt::format("{} has names but no values; write one trajectory per line", path));
    }
    return result;
}

}  // namespace libration
