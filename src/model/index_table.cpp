// Finding long tables of integers in a TOML text.
#include "index_table.hpp"

#include <libration/text/source.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace libration {

namespace {

constexpr std::size_t fewest_rows = 64;  // shorter tables are left to TOML

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Past blanks, ends of lines and comments, all of which TOML allows between the elements of a list.
std::size_t past_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_blank(text[at]) || text[at] == '#')) {
        at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
    }
    return at;
}

// Past a text in quotes, which starts at `at`; to the end of the whole if it is not closed.
std::size_t past_quotes(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view single = text.substr(at, 1);
    const std::string_view triple = text.substr(at, 3);
    const bool many_lines = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
    const auto closing = many_lines ? triple : single;
    for (at += closing.size(); at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"') {
            ++at;
        } else if (text.substr(at).starts_with(closing)) {
            return at + closing.size();
        } else if (text[at] == '\n' && !many_lines) {
            return at;
        }
    }
    return text.size();
}

class TableReader {
  public:
    TableReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

    // The table whose opening bracket stands at the place given, if it is one without faults.
    std::optional<TupleTable> read() {
        TupleTable table;
        if (!list([&] {
                const auto before = table.values.size();
                const bool good = list([&] { return integer(table.values); });
                end_of_first_row = end_of_first_row == 0 ? at_ : end_of_first_row;
                ++table.rows;
                table.width = table.width == 0 ? table.values.size() : table.width;
                return good && table.width > 0 && table.values.size() - before == table.width;
            })) {
            return std::nullopt;
        }
        return table;
    }
    [[nodiscard]] std::size_t end() const { return at_; }
    std::size_t end_of_first_row = 0;

  private:
    // '[' element ',' element ',' ... ']', where a comma may stand before the bracket that closes.
    template <class Element>
    bool list(const Element& element) {
        if (!skip('[')) {
            return false;
        }
        while (!skip(']')) {
            if (!element() || (!skip(',') && !(at_ < text_.size() && text_[at_] == ']'))) {
                return false;
            }
        }
        return true;
    }

    bool skip(char wanted) {
        at_ = past_blanks(text_, at_);
        if (at_ >= text_.size() || text_[at_] != wanted) {
            return false;
        }
        ++at_;
        return true;
    }

    bool integer(std::vector<std::int64_t>& values) {
        at_ = past_blanks(text_, at_);
        const bool negative = at_ < text_.size() && text_[at_] == '-';
        const auto digits = at_ + (negative ? 1 : 0);
        const bool zeros = text_.substr(digits).size() > 1 && text_[digits] == '0' && text_[digits + 1] >= '0' &&
                           text_[digits + 1] <= '9';  // TOML refuses 007
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc{} || zeros) {
            return false;
        }
        at_ = static_cast<std::size_t>(end - text_.data());
        values.push_back(value);
        return true;
    }

    std::string_view text_;
    std::size_t at_;
};

std::pair<std::size_t, std::size_t> line_and_column(std::string_view text, std::size_t at) {
    const auto before = text.substr(0, at);
    const auto newline = before.rfind('\n');
    return {1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
            1 + characters(newline == std::string_view::npos ? before : before.substr(newline + 1))};
}

// Whether lists of lists are tables of indices under this header, and nothing else.
bool has_index_tables(std::string_view header) {
    header = header.substr(0, header.find('#'));
    while (!header.empty() && is_blank(header.back())) {
        header.remove_suffix(1);
    }
    return header == "[parameters]" || header == "[[energy]]" || header == "[[constraint]]";
}

}  // namespace

CutText cut_index_tables(std::string_view text) {
    CutText cut{std::string(text), {}};
    bool here = false;        // under a header that has index tables
    bool line_start = true;   // nothing but blanks since the last end of line
    std::size_t nesting = 0;  // of brackets and braces in values
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            at = past_quotes(text, at);
            line_start = false;
            continue;
        }
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        if (c == '[' && nesting == 0 && line_start) {
            const auto end = std::min(text.find('\n', at), text.size());
            here = has_index_tables(text.substr(at, end - at));
            at = end;
            continue;
        }
        if (c == '=' && nesting == 0 && here) {
            const auto start = past_blanks(text, at + 1);
            TableReader reader(text, start);
            if (auto table = reader.read(); table && table->rows >= fewest_rows) {
                for (auto k = reader.end_of_first_row; k < reader.end() - 1; ++k) {
                    cut.text[k] = is_blank(text[k]) ? text[k] : ' ';
                }
                table->values.shrink_to_fit();
                cut.tables.emplace(line_and_column(text, start), std::make_shared<const TupleTable>(std::move(*table)));
                at = reader.end();
                continue;
            }
        }
        nesting += c == '[' || c == '{' ? 1 : 0;
        nesting -= (c == ']' || c == '}') && nesting > 0 ? 1 : 0;
        line_start = c == '\n' || (line_start && is_blank(c));
        ++at;
    }
    return cut;
}

}  // namespace libration
