// The pages of a gallery as texts.
#pragma once

#include "html.hpp"

#include "gallery.hpp"

#include <span>

namespace libration::html {

using Entry = Gallery::Entry;

// The name of a paper: its key, or "Your own" for recipes of a user; and the file of its page.
std::string paper_name(const std::string& number);
std::string paper_file(const std::string& number);
const Paper* paper_of(const std::string& number);

std::string index_page(std::span<const Entry> entries);
// All of `entries` belong to this paper.
std::string paper_page(const std::string& number, std::span<const Entry> entries);
// `item` has everything. Links to neighbours are in <nav class="steps">, see neighbours.
std::string item_page(const Entry& entry, const ItemResult& item);
std::string waiting_page(const Entry& entry);

inline constexpr std::string_view neighbours_begin = "<nav class=\"steps\">", neighbours_end = "</nav>";
// From begin to end; null: there is none.
std::string neighbours(const Entry* before, const Entry* after);

// The table of checks of an item.
std::string check_table(const ItemResult& item);

// The models of an item as mathematics; empty if there is none.
std::string model_section(const ItemResult& item);

// How the model of a command is called on the disk.
std::string model_file(const ItemCommand& command);

}  // namespace libration::html
