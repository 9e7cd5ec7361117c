// Reading TOML. The only file that includes toml++.
#include "document.hpp"

#include "unquoted.hpp"

#include "expression/functions.hpp"
#include "expression/table_handle.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>

namespace libration {

namespace {

Place place_of(const std::shared_ptr<const Source>& source, const toml::source_region& region) {
    return {source, region.begin.line, region.begin.column, nullptr};
}

std::size_t byte_of(const Source& source, const Place& place) {
    std::size_t at = 0;
    for (std::size_t line = 1; line < place.line; ++line) {
        at = std::min(source.text.find('\n', at) + 1, source.text.size());
    }
    for (std::size_t column = 1; column < place.column && at < source.text.size(); ++column) {
        ++at;
        while (at < source.text.size() && (static_cast<unsigned char>(source.text[at]) & 0xC0U) == 0x80U) {
            ++at;
        }
    }
    return at;
}

std::size_t utf8_length(unsigned long code) { return code < 0x80 ? 1 : (code < 0x800 ? 2 : (code < 0x10000 ? 3 : 4)); }

// Where the bytes of a quoted text stand in the source, by reading it once more as TOML does.
std::vector<std::size_t> bytes_of_quoted(std::string_view source, std::size_t at, std::size_t length) {
    const bool escapes = source[at] == '"';
    const bool triple = source.substr(at, 3) == "\"\"\"" || source.substr(at, 3) == "'''";
    at += triple ? 3 : 1;
    if (triple && source.substr(at).starts_with('\n')) {
        ++at;
    }
    std::vector<std::size_t> bytes;
    while (bytes.size() < length && at < source.size()) {
        if (!escapes || source[at] != '\\') {
            bytes.push_back(at++);
            continue;
        }
        const char kind = at + 1 < source.size() ? source[at + 1] : ' ';
        if (kind == 'u' || kind == 'U') {
            const std::size_t digits = kind == 'u' ? 4 : 8;
            const auto code = std::strtoul(std::string(source.substr(at + 2, digits)).c_str(), nullptr, 16);
            bytes.insert(bytes.end(), utf8_length(code), at);
            at += 2 + digits;
        } else if (kind == '\n' || kind == '\r' || kind == ' ' ||
                   kind == '\t') {  // a line that goes on: blanks are dropped
            at = std::min(source.find_first_not_of(" \t\r\n", at + 1), source.size());
        } else {
            bytes.push_back(at);
            at += 2;
        }
    }
    return bytes;
}

// The place of the first character inside the quotes, so that faults in a formula are shown where they are.
Place inside_quotes(const std::shared_ptr<const Source>& source, Place place, std::size_t length) {
    auto bytes = bytes_of_quoted(source->text, byte_of(*source, place), length);
    if (bytes.empty()) {
        place.column += 1;
    } else {
        const auto first = std::string_view(source->text).substr(0, bytes.front());
        const auto newline = first.rfind('\n');
        place.line = 1 + static_cast<std::size_t>(std::ranges::count(first, '\n'));
        place.column = 1 + characters(newline == std::string_view::npos ? first : first.substr(newline + 1));
    }
    place.bytes = std::make_shared<const std::vector<std::size_t>>(std::move(bytes));
    return place;
}

Document convert(const toml::node& node, const std::shared_ptr<const Source>& source, const CutText& cut) {
    Document result;
    result.place = place_of(source, node.source());
    switch (node.type()) {
        case toml::node_type::string:
            result.kind = Document::Kind::text;
            result.text = node.as_string()->get();
            result.place = inside_quotes(source, result.place, result.text.size());
            break;
        case toml::node_type::integer:
            result.kind = Document::Kind::integer;
            result.integer = node.as_integer()->get();
            break;
        case toml::node_type::floating_point:
            result.kind = Document::Kind::number;
            result.number = node.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            result.kind = Document::Kind::boolean;
            result.boolean = node.as_boolean()->get();
            break;
        case toml::node_type::array:
            result.kind = Document::Kind::list;
            result.items.reserve(node.as_array()->size());
            for (const auto& item : *node.as_array()) {
                result.items.push_back(convert(item, source, cut));
            }
            if (const auto table = cut.tables.find({result.place.line, result.place.column});
                table != cut.tables.end()) {
                result.indices = table->second;
            }
            break;
        case toml::node_type::table:
            result.kind = Document::Kind::table;
            for (const auto& [key, value] : *node.as_table()) {
                result.entries.emplace_back(std::string(key.str()), convert(value, source, cut));
                result.entries.back().second.key_place = place_of(source, key.source());
            }
            std::stable_sort(result.entries.begin(), result.entries.end(), [](const auto& a, const auto& b) {
                const auto& p = a.second.key_place;
                const auto& q = b.second.key_place;
                return std::pair(p.line, p.column) < std::pair(q.line, q.column);
            });
            break;
        default: throw InputError(result.place, "dates and times have no meaning in a model");
    }
    return result;
}

}  // namespace

const Document* Document::find(std::string_view key) const {
    const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return entry.first == key; });
    return found == entries.end() ? nullptr : &found->second;
}

std::string Document::literal() const {
    const std::string_view rest = std::string_view(place.source->text).substr(byte_of(*place.source, place));
    return std::string(rest.substr(0, rest.find_first_of(" \t\r\n,]}#")));
}

void Document::allow_only(std::span<const std::string> known, std::string_view where) const {
    for (const auto& [key, value] : entries) {
        if (std::ranges::find(known, key) == known.end()) {
            throw InputError(value.key_place,
                             fmt::format("unknown key '{}' in {}{}", key, where, suggestion(key, known)), key.size());
        }
    }
}

void Document::fail(const std::string& message) const { throw InputError(place, message); }

std::string_view name(Document::Kind kind) {
    switch (kind) {
        case Document::Kind::text: return "a string";
        case Document::Kind::integer:
        case Document::Kind::number: return "a number";
        case Document::Kind::boolean: return "true or false";
        case Document::Kind::list: return "a list";
        case Document::Kind::expression: return "an expression";
        default: return "a table";
    }
}

Place inside_key(Place key_place) {
    if (key_place.source && key_place.line > 0 && !key_place.source->text.empty()) {
        const char first = key_place.source->text[byte_of(*key_place.source, key_place)];
        key_place.column += first == '"' || first == '\'' ? 1 : 0;
    }
    return key_place;
}

Document read_document(const std::shared_ptr<const Source>& source) {
    try {
        const auto cut = cut_index_tables(source->text);
        const auto table = toml::parse(std::string_view(cut.text), source->name);
        return convert(table, source, cut);
    } catch (const toml::parse_error& error) {
        const auto place = place_of(source, error.source());
        refuse_unquoted(source, place.line);
        throw InputError(place, fmt::format("this is not TOML: {}", error.description()));
    }
}

Expression meaning(const Expression& symbol, Scope& scope, const Place& place, std::string_view what) {
    if (!is_table(symbol)) {
        return parse(symbol.text(), scope, place, what);
    }
    const auto table = scope.table(table_name(symbol));
    if (!table) {
        throw InputError(place, fmt::format("in {}: {}", what, no_such_table(table_name(symbol), scope.table_names())));
    }
    return *table;
}

Expression in_scope(const Expression& expression, Scope& scope, const Place& place, std::string_view what) {
    std::vector<Expression> symbols, meanings;
    for (const auto& s : symbols_of(std::array{expression})) {
        const auto found = meaning(s, scope, place, what);
        if (found != s) {
            symbols.push_back(s);
            meanings.push_back(found);
        }
    }
    return symbols.empty() ? expression : substitute(expression, symbols, meanings);
}

Expression formula_of(const Document& value, Scope& scope, std::string_view what) {
    switch (value.kind) {
        case Document::Kind::text: return parse(value.text, scope, value.place, what);
        case Document::Kind::expression: return in_scope(value.expression, scope, value.place, what);
        case Document::Kind::integer:
            if (std::abs(value.integer) < (std::int64_t{1} << 53)) {
                return ratio(value.integer, 1);
            }
            value.fail(fmt::format("in {}: this integer is too large; write it as a string", what));
        case Document::Kind::number:
            if (!std::isfinite(value.number)) {
                value.fail(fmt::format("in {}: {} is not a finite number", what, value.number));
            }
            return Expression(value.number);
        default:
            value.fail(
                fmt::format("in {}: expected a number or a formula in quotes, found {}", what, name(value.kind)));
    }
}

Value value_of(const Document& value, Scope& scope, std::string_view what) {
    if (value.kind == Document::Kind::text) {
        return parse_value(value.text, scope, value.place, what);
    }
    if (value.kind != Document::Kind::list || value.items.empty()) {
        return {{formula_of(value, scope, what)}};
    }
    Value components;
    for (const auto& item : value.items) {
        components.components.push_back(formula_of(item, scope, what));
    }
    return components;
}

}  // namespace libration
