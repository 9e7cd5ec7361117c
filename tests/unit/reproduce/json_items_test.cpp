#include "unit/gallery/items.hpp"

#include "reproduce/json.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace libration {
namespace {

TEST(JsonOfItems, IsTheContractOfTheCommandLine) {
    const auto json =
        nlohmann::json::parse(json_of(std::vector{an_item(a_recipe("000-fig2", "000"), ItemVerdict::corrected)}));
    const auto& item = json.at("items").at(0);
    EXPECT_EQ(item.at("id"), "000-fig2");
    EXPECT_EQ(item.at("paper"), "000");
    EXPECT_EQ(item.at("printed"), (std::vector{2.5e-4, 1.3e-6}));
    EXPECT_EQ(item.at("measured"), (std::vector{2.5612e-4, 1.3409e-6}));
    EXPECT_EQ(item.at("tolerance"), (std::vector{1.5e-6, 8e-9}));
    EXPECT_EQ(item.at("verdict"), "corrected");
    EXPECT_EQ(item.at("seconds"), 0.125);
    EXPECT_EQ(item.at("checks").at(1).at("below"), 1e-10);
}

TEST(JsonOfItems, HasAScalarForOneRowATextForWordsAndNullForNothing) {
    auto item = an_item(a_recipe("000-fig2", "000"));
    item.checks.erase(item.checks.begin());
    auto json = nlohmann::json::parse(json_of(std::vector{item})).at("items").at(0);
    EXPECT_EQ(json.at("printed"), "no drift");
    EXPECT_TRUE(json.at("measured").is_number());
    item.checks.clear();
    json = nlohmann::json::parse(json_of(std::vector{item})).at("items").at(0);
    EXPECT_TRUE(json.at("printed").is_null() && json.at("measured").is_null());
}

TEST(ItemOfJson, GivesBackWhatASummaryNeeds) {
    auto item = an_item(a_recipe("000-fig2", "000"), ItemVerdict::not_reproduced);
    item.checks[0].rows[0].measured = std::numeric_limits<double>::quiet_NaN();
    item.fault = "it broke";
    const auto [back, print] = item_of_json(stored_json_of(item));
    EXPECT_EQ(print, item.fingerprint);
    EXPECT_EQ(print.size(), 16U);
    EXPECT_EQ(back.recipe_text, item.recipe_text);
    EXPECT_EQ(back.verdict, ItemVerdict::not_reproduced);
    EXPECT_EQ(back.fault, "it broke");
    ASSERT_EQ(back.checks.size(), 2U);
    EXPECT_EQ(back.checks[0].kind, CheckKind::corrected);
    EXPECT_TRUE(std::isnan(back.checks[0].rows[0].measured));
    EXPECT_EQ(back.checks[0].rows[1].expected, 1.34e-6);
    EXPECT_EQ(back.checks[1].below, 1e-10);
    EXPECT_FALSE(back.checks[1].rows[0].printed);
    EXPECT_EQ(back.pictures.at(0).caption, "It goes up & away.");
    item.checks[0].rows[0].measured = 1;  // NaN is null and back
    auto twice = item_of_json(stored_json_of(item));
    twice.item.fingerprint = twice.fingerprint;
    const auto again = stored_json_of(twice.item);
    EXPECT_EQ(again, stored_json_of(item));
}

TEST(ItemOfJson, RefusesWhatIsDamaged) {
    const auto text = stored_json_of(an_item(a_recipe("000-fig2", "000")));
    EXPECT_THROW(item_of_json(text.substr(0, text.size() - 5)), InputError);
    EXPECT_THROW(item_of_json("{}"), InputError);
    EXPECT_THROW(item_of_json(""), InputError);
    auto other = text;
    other.replace(other.find("\"reproduced\""), 12, "\"wonderful \"");
    EXPECT_THROW(item_of_json(other), InputError);
}

}  // namespace
}  // namespace libration
