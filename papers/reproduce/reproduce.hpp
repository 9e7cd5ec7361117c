// Runs recipes and checks the results.
//
//     auto item = reproduce(built_in_recipe("000-fig2"));
//     item.verdict;       // reproduced
#pragma once

#include "recipe.hpp"
#include "reproduce/computation.hpp"

#include <optional>

namespace libration {

enum class ItemVerdict { reproduced, corrected, statistical, not_reproduced, failed };
// reproduced, corrected, statistical, "not-reproduced (known)", FAILED
std::string to_string(ItemVerdict verdict);

// One row of a check.
struct CheckRow {
    std::string label;
    std::optional<double> printed, expected;
    double measured = 0;
    double tolerance = 0;  // absolute, of this row
    bool passed = false;
};

struct CheckResult {
    std::string what, printed_text, why, remark;
    CheckKind kind = CheckKind::reproduced;
    std::optional<double> below, above;
    std::vector<CheckRow> rows;
    bool passed = false;
    std::string
        fault;  // why there is nothing to compare (a run failed, a number is missing), or what is wrong with `printed`
};

// A command and, where the model is not one of the catalogue as it is, the model file that it needs.
struct ItemCommand {
    std::string command;
    std::string model_name, model_text;
};

struct ItemResult {
    std::string id, paper, title, place, setting, remark;
    ItemVerdict verdict = ItemVerdict::failed;
    std::vector<CheckResult> checks;
    struct Picture {
        plot::Figure figure;
        std::string caption;
        std::string svg;  // the figure, drawn
    };
    std::vector<Picture> pictures;
    std::vector<Computed::Table> tables;
    std::vector<ItemCommand> commands;
    std::string recipe_text, fingerprint;
    bool quick = false;
    double seconds = 0;
    std::string fault;  // why it could not be done at all; empty: it was
};

// The check that represents an item in tables: the first that failed, or the first of the kind that the item is called.
// Nothing: it has none.
const CheckResult* headline(const ItemResult& item);

// Unknown item: InputError with suggestions. A name is an item (000-fig2), a paper (000) or a file of one's own
// (*.toml).
std::vector<Recipe> recipes_named(const std::vector<std::string>& names, bool quick);  // no names: all, in order
Recipe built_in_recipe(const std::string& id, bool quick = false);

// Of all that decides a result: recipe, --quick, problems of the catalogue, version of the program. A changed program
// of the same version has the same.
std::string fingerprint(const Recipe& recipe);

// Throws Interrupted where it is Interruptible; anything else that goes wrong is in the result.
ItemResult reproduce(const Recipe& recipe);

}  // namespace libration
