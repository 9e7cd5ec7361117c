// Recipes from their files. Unknown keys are rejected: a check with a misspelled key would check nothing.
#include "reproduce/recipe_runs.hpp"
#include "reproduce/recipe_values.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace libration {

namespace {

using Kind = Document::Kind;

CheckKind read_kind(const Document& value) {
    // Of another type it has no text, and is refused below.
    for (const auto& [name, kind] :
         {std::pair{"reproduced", CheckKind::reproduced}, std::pair{"corrected", CheckKind::corrected},
          std::pair{"statistical", CheckKind::statistical}, std::pair{"not-reproduced", CheckKind::not_reproduced}}) {
        if (value.text == name) {
            return kind;
        }
    }
    value.fail("expected reproduced, corrected, statistical or not-reproduced");
}

// Numbers that every run has; a measure of the same name would be mixed with them.
void refuse_reserved(const std::string& name, const Document& where) {
    const auto reserved = names_of_run_numbers();
    if (std::ranges::find(reserved, name) != reserved.end() || name.starts_with("invariant_")) {
        where.fail(fmt::format("a measure cannot be named '{}': every run already has that number", name));
    }
}

Measure read_measure(const std::string& name, const Document& table) {
    allow(table, "a measure", {"take", "of", "from", "to", "at", "reference"});
    Measure measure;
    measure.name = name;
    measure.take = text_of(table, "take");
    measure.of = text_of(table, "of");
    measure.from = optional_number(table, "from");
    measure.to = optional_number(table, "to");
    measure.at = optional_number(table, "at");
    measure.reference = texts_of(table, "reference");
    check_take(measure.take, table);
    return measure;
}

RunAnalysis read_analysis(const std::string& name, const Document& table) {
    RunAnalysis analysis{.name = name, .what = text_of(table, "what"), .options = {}};
    for (const auto& [key, value] : table.entries) {
        if (key != "what") {
            analysis.options[key] = as_text(value);
        }
    }
    return analysis;
}

void read_adaptive(const Document& table, RecipeRun& run) {
    allow(table, "adaptive", {"kind", "tolerance", "estimator"});
    run.adaptive = text_of(table, "kind");
    run.estimator = optional_text(table, "estimator");
    run.tolerance = optional_number(table, "tolerance").value_or(0);
}

// Lists go side by side: the first run takes the first of each.
void require_equal_lists(const RecipeRun& run, const Document& table) {
    const auto fits = [&](std::size_t length) { return length <= 1 || length == run.count(); };
    bool fit = fits(run.step.size()) && fits(run.duration.size()) && fits(run.steps.size());
    for (const auto& [name, values] : run.set) {
        fit = fit && !values.empty() && fits(values.size());
    }
    if (!fit) {
        table.fail(
            fmt::format("run '{}' has lists of different lengths: step, duration, steps and the values of set must be "
                        "single or equally long",
                        run.name));
    }
}

RecipeRun read_run(const Document& table) {
    allow(table, "a run",
          {"name", "model", "method", "step", "duration", "steps", "set", "edit", "every", "keep", "force", "may_fail",
           "adaptive", "events", "measure", "analyse", "quick"});
    RecipeRun run;
    run.name = identifier_of(table, "name");
    run.model = text_of(table, "model");
    run.method = text_of(table, "method");
    run.step = texts_of(table, "step");
    run.duration = texts_of(table, "duration");
    run.steps = texts_of(table, "steps");
    if (run.step.empty() || run.duration.empty() == run.steps.empty()) {
        table.fail(fmt::format("run '{}' needs a step and either a duration or a number of steps", run.name));
    }
    if (const auto* set = part_of(table, "set", Kind::table)) {
        for (const auto& entry : set->entries) {
            const auto& key = entry.first;
            run.set.emplace_back(key, texts_of(*set, key));
        }
    }
    if (const auto* edit = part_of(table, "edit", Kind::list)) {
        for (const auto& pair : edit->items) {
            if (pair.items.size() != 2 || pair.items[0].kind != Kind::text || pair.items[1].kind != Kind::text) {
                pair.fail("expected [\"text in the model file\", \"what replaces it\"]");
            }
            run.edit.emplace_back(pair.items[0].text, pair.items[1].text);
        }
    }
    require_equal_lists(run, table);
    run.every = counting_number(table, "every", 1);
    run.keep = counting_number(table, "keep", 1);
    run.force = flag(table, "force");
    run.may_fail = flag(table, "may_fail");
    run.events = texts_of(table, "events");
    if (const auto* adaptive = part_of(table, "adaptive", Kind::table)) {
        read_adaptive(*adaptive, run);
    }
    if (const auto* measures = part_of(table, "measure", Kind::table)) {
        for (const auto& [name, value] : measures->entries) {
            refuse_reserved(name, value);
            run.measures.push_back(read_measure(name, value));
        }
    }
    if (const auto* analyses = part_of(table, "analyse", Kind::table)) {
        for (const auto& [name, value] : analyses->entries) {
            run.analyses.push_back(read_analysis(name, value));
        }
    }
    return run;
}

RecipeComputation read_computation(const Document& table) {
    RecipeComputation computation{
        .name = identifier_of(table, "name"), .what = text_of(table, "what"), .arguments = {}};
    for (const auto& [key, value] : table.entries) {
        if (key != "name" && key != "what" && key != "quick") {
            computation.arguments[key] = texts_of(table, key);
        }
    }
    return computation;
}

// A tolerance that nothing can miss, or a number that nothing can reach or miss, would compare nothing.
void require_a_real_comparison(const Check& check, const Document& table) {
    const auto finite = [](const RecipeNumbers& numbers) {
        return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
    };
    if (!finite(check.expected) || !finite(check.printed) || !std::isfinite(check.below.value_or(0)) ||
        !std::isfinite(check.above.value_or(0))) {
        table.fail("printed, expected, below and above must be finite numbers");
    }
    if (!(check.relative >= 0 && check.relative <= 1) || !(check.absolute >= 0 && std::isfinite(check.absolute))) {
        table.fail("relative must be between 0 and 1, absolute not negative and finite");
    }
    double largest = 0;
    for (const double x : check.expected) {
        largest = std::max(largest, std::abs(x));
    }
    if (largest > 0 && check.absolute > largest) {
        table.fail("absolute is larger than the expected value: zero would pass, too");
    }
    if (check.why.empty()) {
        table.fail("a check must justify its tolerance or bound: write why = \"...\"");
    }
}

Check read_check(const Document& table) {
    allow(table, "a check",
          {"what", "value", "labels", "printed", "expected", "below", "above", "relative", "absolute", "why", "kind",
           "remark", "quick"});
    Check check;
    check.what = text_of(table, "what");
    check.values = texts_of(table, "value");
    check.labels = texts_of(table, "labels");
    if (const auto* printed = table.find("printed")) {
        if (printed->kind == Kind::text) {
            check.printed_text = printed->text;
        } else {
            check.printed = numbers_of(*printed);
            check.printed_units = units_of(*printed);
        }
    }
    if (const auto* expected = table.find("expected")) {
        check.expected = numbers_of(*expected);
        if (check.expected.empty()) {
            expected->fail("an empty list of expected values checks nothing");
        }
    }
    check.below = optional_number(table, "below");
    check.above = optional_number(table, "above");
    check.relative = optional_number(table, "relative").value_or(0);
    check.absolute = optional_number(table, "absolute").value_or(0);
    check.why = optional_text(table, "why");
    check.remark = optional_text(table, "remark");
    if (const auto* kind = table.find("kind")) {
        check.kind = read_kind(*kind);
    }
    if (check.expected.empty() && !check.below && !check.above) {
        check.expected = check.printed;
    }
    if (check.values.empty()) {
        table.fail("a check needs a value");
    }
    if (check.expected.empty() && !check.below && !check.above) {
        table.fail("a check needs numbers to compare with: printed, expected, below or above");
    }
    require_a_real_comparison(check, table);
    return check;
}

// The tables of one kind, with the keys of --quick; `quick = false` leaves one out. What is written for --quick is read
// in any case: an error in it must not go unnoticed.
template <class Part>
std::vector<Part> read_all(const Document& document, const std::string& key, bool quick,
                           Part (*read)(const Document&)) {
    std::vector<Part> parts;
    const auto* list = document.find(key);
    if (list == nullptr) {
        return parts;
    }
    if (list->kind != Kind::list) {
        list->fail(fmt::format("write [[{}]]", key));
    }
    for (const auto& item : list->items) {
        const auto* change = item.find("quick");
        const bool left_out = change != nullptr && change->kind == Kind::boolean && !change->boolean;
        auto full = read(item);
        if (change == nullptr || left_out) {
            if (!(quick && left_out)) {
                parts.push_back(std::move(full));
            }
            continue;
        }
        auto shorter = read(with_changes(item, *change));
        parts.push_back(quick ? std::move(shorter) : std::move(full));
    }
    return parts;
}

void require_names_once(const Recipe& recipe, const Document& document) {
    std::vector<std::string> names;
    for (const auto& run : recipe.runs) {
        names.push_back(run.name);
    }
    for (const auto& computation : recipe.computations) {
        names.push_back(computation.name);
    }
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
        document.fail(fmt::format("two runs or computations are named '{}'", *twice));
    }
}

}  // namespace

Recipe parse_recipe(const std::string& text, const std::string& id, bool quick) {
    const auto document = read_document(std::make_shared<Source>(Source{id, text}));
    allow(document, "a recipe",
          {"title", "place", "setting", "verdict", "remark", "run", "compute", "check", "figure"});
    Recipe recipe;
    recipe.id = id;
    recipe.text = text;
    recipe.quick = quick;
    recipe.title = text_of(document, "title");
    recipe.place = optional_text(document, "place");
    recipe.setting = optional_text(document, "setting");
    recipe.remark = optional_text(document, "remark");
    if (const auto* verdict = document.find("verdict")) {
        recipe.verdict = read_kind(*verdict);
    }
    recipe.runs = read_all(document, "run", quick, read_run);
    recipe.computations = read_all(document, "compute", quick, read_computation);
    recipe.checks = read_all(document, "check", quick, read_check);
    recipe.figures = read_all(document, "figure", quick, read_figure);
    require_names_once(recipe, document);
    if (recipe.checks.empty()) {
        document.fail(fmt::format("recipe {} checks nothing{}", id, quick ? " with `quick`" : ""));
    }
    if (recipe.verdict != CheckKind::reproduced && recipe.remark.empty()) {
        document.fail("a verdict other than reproduced needs a remark that says why");
    }
    const auto kinds = std::views::transform(recipe.checks, &Check::kind);
    if (std::ranges::max(kinds) != recipe.verdict) {
        document.fail(
            fmt::format("the verdict must be the most severe kind of its checks{}", quick ? " with `quick`, too" : ""));
    }
    return recipe;
}

}  // namespace libration
