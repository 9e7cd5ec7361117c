// Items as they might come out of a recipe.
#pragma once

#include "reproduce/reproduce.hpp"

#include <string>

namespace libration {

inline Recipe a_recipe(const std::string& id, const std::string& paper) {
    Recipe recipe;
    recipe.id = id;
    recipe.paper = paper;
    recipe.title = "Title of " + id;
    recipe.place = "Fig. 2";
    recipe.text = "title = \"<" + id + "> & more\"\n";
    return recipe;
}

// With a figure, a command that needs a file, a check against the print and one against a bound.
inline ItemResult an_item(const Recipe& recipe, ItemVerdict verdict = ItemVerdict::reproduced) {
    ItemResult item;
    item.id = recipe.id;
    item.paper = recipe.paper;
    item.title = recipe.title;
    item.place = recipe.place;
    item.setting = "First, `a < b`.\n\nSecond & last.\n";
    item.remark = "The print says <2>.";
    item.verdict = verdict;
    item.recipe_text = recipe.text;
    item.fingerprint = fingerprint(recipe);
    item.quick = recipe.quick;
    item.seconds = 0.125;
    CheckResult check{
        .what = "size of the error", .printed_text = "", .why = "three digits are printed", .remark = "one of many"};
    check.kind = CheckKind::corrected;
    check.rows = {{"h = 0.1", 2.5e-4, 2.56e-4, 2.5612e-4, 1.5e-6, true},
                  {"h = 0.05", 1.3e-6, 1.34e-6, 1.3409e-6, 8e-9, true}};
    check.passed = true;
    item.checks.push_back(check);
    CheckResult bound{.what = "drift", .printed_text = "no drift"};
    bound.below = 1e-10;
    bound.rows = {{"", std::nullopt, std::nullopt, 1.0 / 3e11, 0, true}};
    bound.passed = true;
    item.checks.push_back(bound);
    ItemResult::Picture picture;
    picture.figure = {.title = "A <line>", .x = {"t"}, .y = {"x"}, .series = {{"one", {0, 1}, {0, 1}}}};
    picture.caption = "It goes up & away.";
    picture.svg = plot::to_svg(picture.figure);
    item.pictures.push_back(picture);
    item.tables.push_back({"Coefficients", {"k", "value"}, {{"1", "-1/2"}}});
    item.commands = {{"libration run kepler --method \"verlet\" --step 0.1 --steps 10", "kepler", ""},
                     {"libration run changed.toml --steps 10", "changed", "name = \"changed\"\n"}};
    return item;
}

}  // namespace libration
