// A recipe: one figure, table or statement of a paper as data. What is run, what is measured, what is drawn, what the
// paper prints, how close we must come and why. It has no place for our own value: that is measured each time. Format:
// docs/recipes.md.
#pragma once

#include <libration/plot/figure.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace libration {

// A number of a recipe: written as a number, or as a constant expression in a string.
using RecipeNumbers = std::vector<double>;

// One number of a run, from the values of a quantity along it.
struct Measure {
    std::string name;
    std::string take;                // largest, smallest, size, range, mean, average, slope, first, last, value, ...
    std::string of;                  // a quantity; of `error`: q, p or lambda
    std::optional<double> from, to;  // only this part of the run
    std::optional<double> at;        // of `value` and `error`: the time; without it, the end
    std::vector<std::string> reference;  // of `error`: the exact values
};

// An analysis of the run (analysis.hpp): its numbers are NAME_number.
struct RunAnalysis {
    std::string name, what;
    std::map<std::string, std::string> options;
};

struct RecipeRun {
    std::string name, model, method;
    std::vector<std::string> step;      // expressions; more than one: one run each
    std::vector<std::string> duration;  // one, or one per step; empty: `steps`
    std::vector<std::string> steps;
    std::vector<std::pair<std::string, std::vector<std::string>>> set;  // parameters; more than one value: one run each
    std::vector<std::pair<std::string, std::string>> edit;              // texts in the model file, replaced
    std::int64_t every = 1;  // measures, analyses and figures see every K-th node
    std::int64_t keep = 1;   // of these, figures and analyses keep every K-th
    bool force = false;      // methods that their records refuse
    bool may_fail = false;   // a run that fails is a result
    std::string adaptive, estimator;
    double tolerance = 0;
    std::vector<std::string> events;  // as `--event`; their states can be drawn
    std::vector<Measure> measures;
    std::vector<RunAnalysis> analyses;

    // The number of runs: one, or one per step, length or value of a parameter.
    [[nodiscard]] std::size_t count() const;
};

// A calculation that is not an integration: coefficients, roots, series. `what` is in the list,
// papers/reproduce/computations/list.hpp.
struct RecipeComputation {
    std::string name, what;
    std::map<std::string, std::vector<std::string>> arguments;  // a single value is a list of one
};

enum class CheckKind { reproduced, corrected, statistical, not_reproduced };

struct Check {
    std::string what;                    // in words
    std::vector<std::string> values;     // expressions of numbers, RUN.NAME or COMPUTATION.NAME
    std::vector<std::string> labels;     // one per row, for tables; may be empty
    std::string printed_text;            // what the paper says, where it is not a number
    RecipeNumbers printed;               // what the paper prints
    RecipeNumbers printed_units;         // of the last printed digits, 0.01 of 0.30; 0 of zero and of expressions
    RecipeNumbers expected;              // the expected value; without it, `printed`
    std::optional<double> below, above;  // instead of `expected`
    double relative = 0, absolute = 0;   // |measured - expected| <= absolute + relative |expected|
    std::string why;                     // why this tolerance
    CheckKind kind = CheckKind::reproduced;
    std::string remark;
};

struct RecipeSeries {
    std::string name;
    plot::Style style = plot::Style::line;
    bool style_given = false;  // otherwise a curve of a computation has its own
    std::string colour;        // "" : of the palette
    bool dashed = false;
    std::string run;        // x and y are quantities along this run
    std::size_t index = 0;  // of its steps
    bool events = false;    // the states of its events instead
    std::optional<double> from, to;
    std::string computation, curve;    // or a curve of a computation
    std::string x, y;                  // otherwise expressions of numbers
    RecipeNumbers x_values, y_values;  // or numbers
};

struct RecipeFigure {
    std::string title, caption;
    plot::Axis x, y;
    bool equal = false;  // units of both axes have the same length
    double width = 720, height = 480;
    std::vector<RecipeSeries> series;
    std::string run_analysis;  // or all figures of RUN.ANALYSIS
    std::string computation;   // or all figures of a computation
};

struct Recipe {
    std::string id;     // 000-fig2
    std::string paper;  // 000; "" for a recipe of a user
    std::string title, place, setting, remark;
    CheckKind verdict = CheckKind::reproduced;  // what the item is called when all checks hold
    std::vector<RecipeRun> runs;
    std::vector<RecipeComputation> computations;
    std::vector<Check> checks;
    std::vector<RecipeFigure> figures;
    std::string text;  // the file
    bool quick = false;
};

struct EmbeddedRecipe {
    std::string_view name, text;
};
std::span<const EmbeddedRecipe> embedded_recipes();

// Reads a recipe; `quick` takes the keys of its `quick` tables. InputError that points at what is wrong.
Recipe parse_recipe(const std::string& text, const std::string& id, bool quick);

struct Paper {
    std::string number, key, authors, title, journal;
};
std::span<const Paper> papers();

}  // namespace libration
