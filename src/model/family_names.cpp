// Names with an index.
#include "family_names.hpp"

#include "dynamics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration {

namespace {

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           static_cast<unsigned char>(c) >= 128;
}

// Of the bracket that closes the one at `open`; npos: none does.
std::size_t closing_bracket(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t k = open; k < text.size(); ++k) {
        depth += text[k] == '[' || text[k] == '(' ? 1 : 0;
        depth -= text[k] == ']' || text[k] == ')' ? 1 : 0;
        if (depth == 0) {
            return k;
        }
    }
    return std::string_view::npos;
}

std::vector<std::string> parts_between_commas(std::string_view text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' || c == '(' ? 1 : 0;
        depth -= c == ']' || c == ')' ? 1 : 0;
        if (c == ',' && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

bool text_names_members(std::string_view text, const Model& model) {
    for (auto open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
        auto first = open;
        while (first > 0 && is_name_character(text[first - 1])) {
            --first;
        }
        if (family_of(model, text.substr(first, open - first)) != nullptr) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<IndexedName> indexed_name(std::string_view text) {
    const auto open = text.find('[');
    const auto close = open == std::string_view::npos ? open : closing_bracket(text, open);
    if (close == std::string_view::npos) {
        return std::nullopt;
    }
    return IndexedName{std::string(text.substr(0, open)), parts_between_commas(text.substr(open + 1, close - open - 1)),
                       std::string(text.substr(close + 1))};
}

std::string_view name_before(std::string_view text, std::size_t end) {
    auto first = end;
    if (first > 0 && text[first - 1] == ']') {
        int depth = 0;
        do {
            --first;
            depth += text[first] == ']' || text[first] == ')' ? 1 : 0;
            depth -= text[first] == '[' || text[first] == '(' ? 1 : 0;
        } while (first > 0 && depth > 0);
    }
    while (first > 0 && is_name_character(text[first - 1])) {
        --first;
    }
    return text.substr(first, end - first);
}

std::string member_name(std::string_view base, std::span<const std::int64_t> indices) {
    return fmt::format("{}[{}]", base, fmt::join(indices, ","));
}

std::string member_name(std::string_view base, const Instances& all, std::size_t k) {
    std::vector<std::int64_t> indices;
    for (const auto& column : all.columns) {
        indices.push_back(column[k]);
    }
    return indices.empty() ? std::string(base) : member_name(base, indices);
}

const MemberFamily* family_of(const Model& model, std::string_view name) {
    if (model.families.empty()) {
        return nullptr;
    }
    for (const std::string_view prefix : {"", "p_", "v_", "lambda_"}) {
        if (!name.starts_with(prefix)) {
            continue;
        }
        const auto found = model.families.find(std::string(name.substr(prefix.size())));
        if (found != model.families.end()) {
            return &found->second;
        }
    }
    return nullptr;
}

std::string no_such_member(const MemberFamily& family, std::string_view member) {
    const auto* what = family.joints ? "joints" : "bodies";
    return family.members == 0 ? fmt::format("{} does not exist; the family of {} has no members", member, what)
                               : fmt::format("{} does not exist; the {} {} are {} to {}", member, family.members,
                                             family.members == 1 ? (family.joints ? "joint" : "body") : what,
                                             family.first, family.last);
}

std::string with_numbers(const std::string& text, ModelScope& scope, const Place& place, const std::string& what) {
    const auto name = indexed_name(text);
    if (!name) {
        return text;
    }
    std::vector<std::int64_t> indices;
    for (const auto& index : name->indices) {
        const auto value = parse(index, scope, place, fmt::format("the index of {}", what));
        try {
            indices.push_back(scope.integer(value));
        } catch (const InputError& error) {
            refuse(place, error.what());
        }
    }
    return member_name(name->base, indices) + name->rest;
}

bool names_members(const Document& value, const Model& model) {
    if (model.families.empty()) {
        return false;
    }
    if (value.kind == Document::Kind::text) {
        return text_names_members(value.text, model);
    }
    if (value.kind == Document::Kind::expression) {
        return std::ranges::any_of(symbols_of(std::array{value.expression}),
                                   [&](const Expression& s) { return text_names_members(s.text(), model); });
    }
    return std::ranges::any_of(value.items, [&](const Document& item) { return names_members(item, model); }) ||
           std::ranges::any_of(value.entries, [&](const auto& entry) {
               return text_names_members(entry.first, model) || names_members(entry.second, model);
           });
}

}  // namespace libration
