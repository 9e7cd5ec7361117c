// One item: runs and computations, then checks, then pictures.
#include "reproduce.hpp"

#include "reproduce/judge_checks.hpp"

#include "analysis/interruption.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace libration {

std::string to_string(ItemVerdict verdict) {
    switch (verdict) {
        case ItemVerdict::reproduced: return "reproduced";
        case ItemVerdict::corrected: return "corrected";
        case ItemVerdict::statistical: return "statistical";
        case ItemVerdict::not_reproduced: return "not-reproduced (known)";
        case ItemVerdict::failed: break;
    }
    return "FAILED";
}

namespace {

ItemVerdict verdict_of(CheckKind kind) {
    switch (kind) {
        case CheckKind::reproduced: return ItemVerdict::reproduced;
        case CheckKind::corrected: return ItemVerdict::corrected;
        case CheckKind::statistical: return ItemVerdict::statistical;
        case CheckKind::not_reproduced: break;
    }
    return ItemVerdict::not_reproduced;
}

Computed compute(const RecipeComputation& wanted) {
    std::vector<std::string> known;
    for (const auto& record : computations()) {
        if (record.name == wanted.what) {
            const ComputationArguments arguments(wanted.what, wanted.arguments);
            auto computed = record.compute(arguments);
            if (const auto unread = arguments.unread(); !unread.empty()) {
                throw InputError(
                    fmt::format("computation '{}' ({}) has no argument '{}'", wanted.name, wanted.what, unread[0]));
            }
            return computed;
        }
        known.push_back(record.name);
    }
    throw InputError(fmt::format("there is no computation '{}'{}", wanted.what, suggestion(wanted.what, known)));
}

void carry_out(const Recipe& recipe, ItemResult& result) {
    Numbers numbers;
    std::map<std::string, RunOutcome> runs;
    std::map<std::string, Computed> computed;
    for (const auto& run : recipe.runs) {
        auto lines = commands_of(run, recipe.id);
        result.commands.insert(result.commands.end(), lines.begin(), lines.end());
        runs[run.name] = perform(run, columns_for(recipe, run.name), numbers);
    }
    for (const auto& computation : recipe.computations) {
        Interruptible::check();
        auto& found = computed[computation.name] = compute(computation);
        for (const auto& [name, values] : found.numbers) {
            numbers.set(computation.name, name, values);
        }
        result.tables.insert(result.tables.end(), found.tables.begin(), found.tables.end());
    }
    for (const auto& check : recipe.checks) {
        result.checks.push_back(judge(check, numbers));
    }
    for (const auto& figure : recipe.figures) {
        const auto drawn = draw(figure, numbers, runs, computed);
        result.pictures.insert(result.pictures.end(), drawn.begin(), drawn.end());
    }
    Interruptible::check();
}

}  // namespace

const CheckResult* headline(const ItemResult& item) {
    const auto stands_for_it = [&](const CheckResult& check) {
        return item.verdict == ItemVerdict::failed ? !check.passed : verdict_of(check.kind) == item.verdict;
    };
    const auto found = std::ranges::find_if(item.checks, stands_for_it);
    if (found != item.checks.end()) {
        return &*found;
    }
    return item.checks.empty() ? nullptr : &item.checks.front();
}

ItemResult reproduce(const Recipe& recipe) {
    const auto start = std::chrono::steady_clock::now();
    ItemResult result;
    result.id = recipe.id;
    result.paper = recipe.paper;
    result.title = recipe.title;
    result.place = recipe.place;
    result.setting = recipe.setting;
    result.remark = recipe.remark;
    result.recipe_text = recipe.text;
    result.fingerprint = fingerprint(recipe);
    result.quick = recipe.quick;
    try {
        carry_out(recipe, result);
    } catch (const Interrupted&) {
        throw;
    } catch (const std::exception& error) {
        result.fault = error.what();
    }
    const bool all_passed = std::ranges::all_of(result.checks, [](const CheckResult& check) { return check.passed; });
    result.verdict = result.fault.empty() && all_passed ? verdict_of(recipe.verdict) : ItemVerdict::failed;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace libration
