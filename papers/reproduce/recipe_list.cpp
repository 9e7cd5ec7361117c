// The recipes that are built in, and the papers that they belong to.
#include "reproduce.hpp"

#include "model/embedded.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>
#include <libration/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace libration {

std::span<const Paper> papers() {
    static const std::array<Paper, 5> all{{
        {"000", "ConsoleHairerLubich2013", "P. Console, E. Hairer, C. Lubich",
         "Symmetric multistep methods for constrained Hamiltonian systems", "Numerische Mathematik 124 (2013)"},
        {"001", "HairerLubichWanner2003", "E. Hairer, C. Lubich, G. Wanner",
         "Geometric numerical integration illustrated by the St\u00F6rmer\u2013Verlet method",
         "Acta Numerica 12 (2003)"},
        {"002", "Reich1996", "S. Reich",
         "Symplectic integration of constrained Hamiltonian systems by composition methods",
         "SIAM Journal on Numerical Analysis 33 (1996)"},
        {"003", "Jay1996", "L. Jay",
         "Symplectic partitioned Runge\u2013Kutta methods for constrained Hamiltonian systems",
         "SIAM Journal on Numerical Analysis 33 (1996)"},
        {"004", "Jay1998", "L. O. Jay",
         "Structure preservation for constrained dynamics with super partitioned additive Runge\u2013Kutta methods",
         "SIAM Journal on Scientific Computing 20 (1998)"},
    }};
    return all;
}

namespace {

Recipe built_in(const EmbeddedRecipe& embedded, bool quick) {
    auto recipe = parse_recipe(std::string(embedded.text), std::string(embedded.name), quick);
    recipe.paper = std::string(embedded.name.substr(0, 3));
    return recipe;
}

Recipe from_file(const std::string& path, bool quick) {
    if (std::error_code error; std::filesystem::is_directory(path, error)) {
        throw FileError(fmt::format("{} is a directory; a recipe is a file", path));
    }
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
        throw FileError(fmt::format("cannot read the recipe {}", path));
    }
    return parse_recipe(text.str(), std::filesystem::path(path).stem().string(), quick);
}

std::vector<Recipe> named(const std::string& name, bool quick) {
    if (name.ends_with(".toml") || name.find('/') != std::string::npos) {
        return {from_file(name, quick)};
    }
    std::vector<Recipe> found;
    std::vector<std::string> known;
    for (const auto& paper : papers()) {
        known.push_back(paper.number);
    }
    for (const auto& recipe : embedded_recipes()) {
        if (recipe.name == name || recipe.name.substr(0, 3) == name) {
            found.push_back(built_in(recipe, quick));
        }
        known.emplace_back(recipe.name);
    }
    if (found.empty()) {
        throw InputError(fmt::format(
            "unknown item '{}'{}\n`libration reproduce list` shows all items; your own recipes must end in .toml", name,
            suggestion(name, known, 5)));
    }
    return found;
}

}  // namespace

Recipe built_in_recipe(const std::string& id, bool quick) {
    auto found = named(id, quick);
    if (found.size() != 1) {
        throw InputError(fmt::format("'{}' is not one item", id));
    }
    return std::move(found[0]);
}

std::string fingerprint(const Recipe& recipe) {
    std::uint64_t hash = 14695981039346656037U;  // FNV-1a, 64 bits
    const auto take = [&](std::string_view text) {
        for (const char c : text) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
        }
        hash = (hash ^ 0xffU) * 1099511628211U;  // where a text ends
    };
    take(version);
    take(recipe.quick ? "quick" : "full");
    take(recipe.text);
    for (const auto& problem : embedded_problems()) {
        take(problem.text);
    }
    return fmt::format("{:016x}", hash);
}

std::vector<Recipe> recipes_named(const std::vector<std::string>& names, bool quick) {
    std::vector<Recipe> recipes;
    if (names.empty()) {
        for (const auto& embedded : embedded_recipes()) {
            recipes.push_back(built_in(embedded, quick));
        }
    }
    for (const auto& name : names) {
        for (auto& recipe : named(name, quick)) {
            const auto same = [&](const Recipe& other) { return other.id == recipe.id; };
            const auto found = std::ranges::find_if(recipes, same);
            if (found == recipes.end()) {
                recipes.push_back(std::move(recipe));
            } else if (found->text != recipe.text) {
                throw InputError(
                    fmt::format("two different recipes have the name '{}': rename the file {}", recipe.id, name));
            }
        }
    }
    return recipes;
}

}  // namespace libration
