// Rows of two numbers.
#include "table_file.hpp"

#include "text/shorten.hpp"
#include "text/trim.hpp"
#include <libration/expression/table.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace libration {

namespace {

// A field without the blanks and the quotes around it.
std::string_view bare_field(std::string_view text) {
    text = trimmed(text);
    return text.size() > 1 && text.front() == '"' && text.back() == '"' ? trimmed(text.substr(1, text.size() - 2))
                                                                        : text;
}

std::vector<std::string_view> fields_of(std::string_view line) {
    line = trimmed(line);
    const char mark = line.find(';') != std::string_view::npos   ? ';'
                      : line.find(',') != std::string_view::npos ? ','
                                                                 : ' ';
    std::vector<std::string_view> fields;
    while (mark != ' ' || !line.empty()) {
        const auto end = mark != ' ' ? line.find(mark) : line.find_first_of(" \t");
        fields.push_back(bare_field(line.substr(0, end)));
        if (end == std::string_view::npos) {
            break;
        }
        line = line.substr(end + 1);
        if (mark == ' ') {
            line = trimmed(line);
        }
    }
    return fields;
}

std::optional<Expression> number_in(std::string_view field) {
    if (field.starts_with('+')) {
        field.remove_prefix(1);
    }
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (field.empty() || error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return constant(field);
}

std::string text_of_file(const std::string& path, const Place& place) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw InputError(place, fmt::format("{} is a directory, not a file with a table", path));
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw InputError(place, fmt::format("cannot read the table {}: {}", path, std::strerror(errno)));
    }
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

class Rows {
  public:
    Rows(const std::string& path, const Place& place)
        : source_(std::make_shared<const Source>(Source{path, text_of_file(path, place)})) {}

    TableFile read() {
        std::string_view rest = source_->text;
        if (rest.starts_with("\xEF\xBB\xBF")) {  // a mark of byte order, as some programs write it
            rest.remove_prefix(3);
        }
        for (std::size_t line = 1; !rest.empty() && table_.x.size() <= Table::most_rows; ++line) {
            const auto end = rest.find('\n');
            const auto text = trimmed(rest.substr(0, end));
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
            if (!text.empty() && !text.starts_with('#')) {
                add(fields_of(text), {source_, line, 1, nullptr});
            }
        }
        return std::move(table_);
    }

  private:
    void add(const std::vector<std::string_view>& fields, const Place& place) {
        std::vector<Expression> numbers;
        for (const auto field : fields) {
            if (const auto number = number_in(field)) {
                numbers.push_back(*number);
            }
        }
        if (first_ && numbers.empty()) {
            first_ = false;
            return;
        }
        first_ = false;
        if (fields.size() != 2) {
            throw InputError(place, fmt::format("this row has {} column{}; a table has two, x and y", fields.size(),
                                                fields.size() == 1 ? "" : "s"));
        }
        for (const auto field : fields) {
            if (!number_in(field)) {
                const bool comma = field.find(',') != std::string_view::npos;
                throw InputError(place, fmt::format("'{}' is not a number{}", shortened(field),
                                                    comma ? "; decimals are written with a point" : ""));
            }
        }
        table_.x.push_back(numbers[0]);
        table_.y.push_back(numbers[1]);
        table_.places.push_back(place);
    }

    std::shared_ptr<const Source> source_;
    TableFile table_;
    bool first_ = true;
};

}  // namespace

TableFile read_table_file(const std::string& path, const Place& place) { return Rows(path, place).read(); }

}  // namespace libration
