// Items of papers as JSON.
#pragma once

#include "reproduce.hpp"

#include <string>

namespace libration {

// Items of papers, {items: [...]}.
std::string json_of(const std::vector<ItemResult>& items);
// The same of recipes that were not run: id, paper, title, place.
std::string json_of(const std::vector<Recipe>& recipes);
// One item with its recipe and the version of the program, as a gallery keeps it; and back, pictures with their words
// only, without setting, tables and commands. InputError if the text is damaged.
struct StoredItem {
    ItemResult item;
    std::string fingerprint;
};
std::string stored_json_of(const ItemResult& item);
StoredItem item_of_json(const std::string& text);

}  // namespace libration
