// Reading TOML. The only file that includes toml++.
#include "document.hpp"

#include <libration/text/error.hpp>
#include <libration/text/suggest.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>

namespace libration {

namespace {

Place place_of(const std::shared_ptr<const Source>& source, const toml::source_region& region) {
    return {source, region.begin.line, region.begin.column};
}

// The place of the first character inside the quotes, so that faults in a formula are shown where they are.
Place inside_quotes(const std::shared_ptr<const Source>& source, Place place) {
    std::string_view text = source->text;
    for (std::size_t line = 1; line < place.line; ++line) {
        text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
    }
    text.remove_prefix(std::min(place.column - 1, text.size()));
    for (const std::string_view triple : {"\"\"\"", "'''"}) {
        if (text.starts_with(triple)) {
            if (text.substr(3).starts_with('\n')) {
                return {source, place.line + 1, 1};
            }
            place.column += 3;
            return place;
        }
    }
    place.column += 1;
    return place;
}

Document convert(const toml::node& node, const std::shared_ptr<const Source>& source) {
    Document result;
    result.place = place_of(source, node.source());
    switch (node.type()) {
        case toml::node_type::string:
            result.kind = Document::Kind::text;
            result.text = node.as_string()->get();
            result.place = inside_quotes(source, result.place);
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
            for (const auto& item : *node.as_array()) {
                result.items.push_back(convert(item, source));
            }
            break;
        case toml::node_type::table:
            result.kind = Document::Kind::table;
            for (const auto& [key, value] : *node.as_table()) {
                result.entries.emplace_back(std::string(key.str()), convert(value, source));
                result.entries.back().second.key_place = place_of(source, key.source());
            }
            std::stable_sort(result.entries.begin(), result.entries.end(), [](const auto& a, const auto& b) {
                const auto& p = a.second.key_place;
                const auto& q = b.second.key_place;
                return std::pair(p.line, p.column) < std::pair(q.line, q.column);
            });
            break;
        default: throw InputError(point_at(result.place, "dates and times have no meaning in a model"));
    }
    return result;
}

}  // namespace

const Document* Document::find(std::string_view key) const {
    const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return entry.first == key; });
    return found == entries.end() ? nullptr : &found->second;
}

void Document::allow_only(std::span<const std::string> known, std::string_view where) const {
    for (const auto& [key, value] : entries) {
        if (std::ranges::find(known, key) == known.end()) {
            throw InputError(point_at(value.key_place,
                                      fmt::format("unknown key '{}' in {}{}", key, where, suggestion(key, known)),
                                      key.size()));
        }
    }
}

void Document::fail(const std::string& message) const { throw InputError(point_at(place, message)); }

std::string_view name(Document::Kind kind) {
    switch (kind) {
        case Document::Kind::text: return "a text";
        case Document::Kind::integer:
        case Document::Kind::number: return "a number";
        case Document::Kind::boolean: return "true or false";
        case Document::Kind::list: return "a list";
        default: return "a table";
    }
}

Document read_document(const std::shared_ptr<const Source>& source) {
    try {
        const auto table = toml::parse(std::string_view(source->text), source->name);
        return convert(table, source);
    } catch (const toml::parse_error& error) {
        throw InputError(
            point_at(place_of(source, error.source()), fmt::format("this is not TOML: {}", error.description())));
    }
}

}  // namespace libration
