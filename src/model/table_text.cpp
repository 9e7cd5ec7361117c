// `file = "..."` replaced by x and y.
#include "table_text.hpp"

#include "toml_text.hpp"

#include <algorithm>

namespace libration {

namespace {

struct Span {
    std::size_t first, end;  // bytes of key and value
    std::string prefix;      // of a dotted key: "profile."
    bool inline_table;
};

// Around a text in quotes whose first character stands at `inside`.
Span key_and_value(const std::string& text, std::size_t inside) {
    auto open = text.find_last_of("\"'", inside - 1);
    const char quote = text[open];
    const bool triple = open >= 2 && text[open - 1] == quote && text[open - 2] == quote;
    const std::string closing(triple ? 3 : 1, quote);
    auto end = inside;
    while (text.compare(end, closing.size(), closing) != 0) {
        end += quote == '"' && text[end] == '\\' ? 2 : 1;
    }
    open -= triple ? 2 : 0;
    const auto equals = text.rfind('=', open);
    const auto before = text.find_last_of("\n{,", equals);
    const auto first = text.find_first_not_of(" \t", before == std::string::npos ? 0 : before + 1);
    const auto key = text.substr(first, equals - first);
    const auto dot = key.rfind('.');
    return {first, end + closing.size(), dot == std::string::npos ? std::string() : key.substr(0, dot + 1),
            before != std::string::npos && text[before] != '\n'};
}

}  // namespace

std::string with_inline_tables(const std::string& text, const Document& document, const Model& model) {
    struct Replacement {
        Span span;
        std::string by;
    };
    std::vector<Replacement> replacements;
    const auto* const section = document.find("tables");
    for (std::size_t k = 0; section != nullptr && k < section->entries.size(); ++k) {
        const auto* const file = section->entries[k].second.find("file");
        if (file == nullptr) {
            continue;
        }
        const auto& table = model.tables[k];
        const auto span = key_and_value(text, file->place.bytes->front());
        replacements.push_back({span, span.prefix + "x = " + toml_numbers(table.x()) +
                                          (span.inline_table ? ", " : "\n") + span.prefix +
                                          "y = " + toml_numbers(table.y())});
    }
    std::ranges::sort(replacements, std::greater{}, [](const auto& one) { return one.span.first; });
    std::string result = text;
    for (const auto& [span, by] : replacements) {
        result.replace(span.first, span.end - span.first, by);
    }
    return result;
}

}  // namespace libration
