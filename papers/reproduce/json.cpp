// Items of papers as JSON, and items of a gallery back.
#include "json_items.hpp"

#include "json.hpp"

#include "io/json_parts.hpp"

#include <libration/version.hpp>

#include <nlohmann/json.hpp>

namespace libration {

namespace {

using Json = nlohmann::ordered_json;
using ItemParts = JsonParts<Json>;

}  // namespace

std::string json_of(const std::vector<ItemResult>& items) { return ItemParts::text(ItemJson<Json>::all(items)); }
std::string json_of(const std::vector<Recipe>& recipes) { return ItemParts::text(ItemJson<Json>::all(recipes)); }

std::string stored_json_of(const ItemResult& item) {
    auto json = ItemJson<Json>::of(item);
    json["version"] = version;
    json["fingerprint"] = item.fingerprint;
    json["recipe"] = item.recipe_text;
    return ItemParts::text(json);
}

StoredItem item_of_json(const std::string& text) {
    try {
        const auto json = Json::parse(text);
        StoredItem stored{ItemJson<Json>::read(json), json.at("fingerprint").get<std::string>()};
        stored.item.recipe_text = json.at("recipe").get<std::string>();
        return stored;
    } catch (const std::exception& error) {
        throw InputError(std::string("this is not a gallery item: ") + error.what());
    }
}

}  // namespace libration
