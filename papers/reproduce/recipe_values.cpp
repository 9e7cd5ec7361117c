// Values of a recipe file.
#include "reproduce/recipe_values.hpp"

#include "reproduce/measures.hpp"

#include "expression/tape.hpp"
#include "text/suggest.hpp"
#include <libration/expression/parse.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace libration {

using Kind = Document::Kind;

void allow(const Document& table, std::string_view where, std::initializer_list<const char*> known) {
    if (table.kind != Kind::table) {
        table.fail(fmt::format("expected {} as a table", where));
    }
    table.allow_only(std::vector<std::string>(known.begin(), known.end()), where);
}

std::string as_text(const Document& value) {
    switch (value.kind) {
        case Kind::text: return value.text;
        case Kind::integer: return fmt::format("{}", value.integer);
        case Kind::number: return fmt::format("{}", value.number);
        case Kind::boolean: return value.boolean ? "true" : "false";
        default: value.fail("expected one value");
    }
}

std::string text_of(const Document& table, const std::string& key) {
    const auto* value = table.find(key);
    if (value == nullptr) {
        table.fail(fmt::format("'{}' is missing", key));
    }
    return as_text(*value);
}

std::string optional_text(const Document& table, const std::string& key) {
    const auto* value = table.find(key);
    return value == nullptr ? std::string{} : as_text(*value);
}

std::vector<std::string> texts_of(const Document& table, const std::string& key) {
    const auto* value = table.find(key);
    if (value == nullptr) {
        return {};
    }
    if (value->kind != Kind::list) {
        return {as_text(*value)};
    }
    std::vector<std::string> texts;
    for (const auto& item : value->items) {
        texts.push_back(as_text(item));
    }
    return texts;
}

std::string identifier_of(const Document& table, const std::string& key) {
    auto text = text_of(table, key);
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    if (text.empty() || !letter(text[0]) || !std::ranges::all_of(text, fits)) {
        table.fail(
            fmt::format("'{}' is not an identifier: use letters, digits and _, not starting with a digit", text));
    }
    return text;
}

double constant_value(const std::string& text, const std::string& what) {
    const auto expression = parse(text);
    if (const auto symbols = symbols_of(std::array{expression}); !symbols.empty()) {
        throw InputError(fmt::format("{}: '{}' is not a number ('{}' is unknown)", what, text, symbols[0].text()));
    }
    Tape<double> tape(compile(std::array{expression}, {}, {}), {});
    tape.run();
    return tape.output(0);
}

namespace {

double number_from(const Document& value) {
    switch (value.kind) {
        case Kind::integer: return static_cast<double>(value.integer);
        case Kind::number: return value.number;
        case Kind::text: return constant_value(value.text, "a number of the recipe");
        default: value.fail("expected a number");
    }
}

double unit_of(std::string text) {
    std::erase(text, '_');
    const auto end = std::min(text.find_first_of("eE"), text.size());
    const auto mantissa = text.substr(0, end);
    const bool plain = mantissa.find_first_not_of("0123456789.", mantissa.find_first_not_of("+-")) == std::string::npos;
    if (!plain || mantissa.find_first_of("123456789") == std::string::npos) {
        return 0;
    }
    int exponent = 0;
    if (end < text.size()) {
        const auto* const last = text.data() + text.size();
        const auto* const first = text.data() + end + (text[end + 1] == '+' ? 2 : 1);
        if (std::from_chars(first, last, exponent).ptr != last) {
            return 0;
        }
    }
    const auto point = mantissa.find('.');
    const auto decimals = point == std::string::npos ? 0 : mantissa.size() - point - 1;
    return std::pow(10.0, exponent - static_cast<int>(decimals));
}

}  // namespace

RecipeNumbers numbers_of(const Document& value) {
    if (value.kind != Kind::list) {
        return {number_from(value)};
    }
    RecipeNumbers numbers;
    for (const auto& item : value.items) {
        numbers.push_back(number_from(item));
    }
    return numbers;
}

RecipeNumbers units_of(const Document& value) {
    if (value.kind != Kind::list) {
        return {unit_of(value.kind == Kind::text ? value.text : value.literal())};
    }
    RecipeNumbers units;
    for (const auto& item : value.items) {
        units.push_back(unit_of(item.kind == Kind::text ? item.text : item.literal()));
    }
    return units;
}

std::optional<double> optional_number(const Document& table, const std::string& key) {
    const auto* value = table.find(key);
    return value == nullptr ? std::nullopt : std::optional(number_from(*value));
}

std::int64_t whole_number(const Document& table, const std::string& key, std::int64_t fallback) {
    const auto* value = table.find(key);
    if (value == nullptr) {
        return fallback;
    }
    if (value->kind != Kind::integer || value->integer < 0) {
        value->fail("expected a whole number");
    }
    return value->integer;
}

std::int64_t counting_number(const Document& table, const std::string& key, std::int64_t fallback) {
    const auto number = whole_number(table, key, fallback);
    if (number < 1) {
        table.fail(fmt::format("{} = {}: it must be at least 1 (it counts nodes)", key, number));
    }
    return number;
}

const Document* part_of(const Document& table, const std::string& key, Kind kind) {
    const auto* value = table.find(key);
    if (value != nullptr && value->kind != kind) {
        value->fail(fmt::format("{} is {} here, but must be {}", key, name(value->kind), name(kind)));
    }
    return value;
}

bool flag(const Document& table, const std::string& key) {
    const auto* value = table.find(key);
    if (value != nullptr && value->kind != Kind::boolean) {
        value->fail("expected true or false");
    }
    return value != nullptr && value->boolean;
}

Document with_changes(const Document& table, const Document& changes) {
    if (changes.kind != Kind::table) {
        changes.fail("expected a table of keys that replace others, or false");
    }
    Document result = table;
    for (const auto& [key, value] : changes.entries) {
        const auto found = std::ranges::find(result.entries, key, [](const auto& entry) { return entry.first; });
        if (found == result.entries.end()) {
            result.entries.emplace_back(key, value);
        } else if (found->second.kind == Kind::table && value.kind == Kind::table) {
            found->second = with_changes(found->second, value);
        } else {
            found->second = value;
        }
    }
    // Two ways to say how long: the change decides.
    for (const auto& [given, other] : {std::pair{"steps", "duration"}, std::pair{"duration", "steps"}}) {
        if (changes.find(given) != nullptr && changes.find(other) == nullptr) {
            std::erase_if(result.entries, [&](const auto& entry) { return entry.first == other; });
        }
    }
    return result;
}

void check_take(const std::string& take, const Document& where) {
    const auto known = known_takes();
    if (std::ranges::find(known, take) == known.end()) {
        where.fail(fmt::format("take = '{}' is unknown{}", take, suggestion(take, known)));
    }
}

}  // namespace libration
