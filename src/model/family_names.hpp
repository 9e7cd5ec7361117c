// Names with an index, link[3] and hinge[i-1]: of bodies and joints, which are members of a family.
#pragma once

#include "document.hpp"
#include "scope.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace libration {

// link[i-1].tip: link, {"i-1"} and .tip
struct IndexedName {
    std::string base;
    std::vector<std::string> indices;
    std::string rest;
};
// Nothing if the text has no index.
std::optional<IndexedName> indexed_name(std::string_view text);

// The name, with its index if it has one, that ends before the character `end`.
std::string_view name_before(std::string_view text, std::size_t end);

// link[3], cell[1,2]
std::string member_name(std::string_view base, std::span<const std::int64_t> indices);
// Of instance k; the base alone where there are no indices.
std::string member_name(std::string_view base, const Instances& all, std::size_t k);
// The family of a name, which may have a prefix: v_link. Null: there is none.
const MemberFamily* family_of(const Model& model, std::string_view name);
// That the family has no member of this name, with those that it has.
std::string no_such_member(const MemberFamily& family, std::string_view member);

// The text with numbers in the place of the formulas in its brackets; other texts as they are. `what` names the text in
// messages.
std::string with_numbers(const std::string& text, ModelScope& scope, const Place& place, const std::string& what);

// Whether a formula, or one of a list or table, contains a member of a family.
bool names_members(const Document& value, const Model& model);

}  // namespace libration
