// A calculation of a recipe that is not an integration: one file each in computations/, one line in its list.hpp.
#pragma once

#include <libration/plot/figure.hpp>

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace libration {

// Arguments as the recipe gives them; a single value is a list of one.
class ComputationArguments {
  public:
    ComputationArguments(std::string what, std::map<std::string, std::vector<std::string>> values)
        : what_(std::move(what)), values_(std::move(values)) {}
    // InputError if it is missing and there is no fallback, or is not a constant expression.
    [[nodiscard]] double number(const std::string& name) const;
    [[nodiscard]] double number(const std::string& name, double fallback) const;
    [[nodiscard]] int integer(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name) const;
    [[nodiscard]] std::string text(const std::string& name, const std::string& fallback) const;
    [[nodiscard]] std::vector<double> numbers(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> texts(const std::string& name) const;  // empty if missing
    [[nodiscard]] bool has(const std::string& name) const;
    // Unused arguments: misspelled ones.
    [[nodiscard]] std::vector<std::string> unread() const;

  private:
    std::string what_;
    std::map<std::string, std::vector<std::string>> values_;
    mutable std::set<std::string> read_;
};

struct Computed {
    std::map<std::string, std::vector<double>> numbers;  // checks know them as NAME.number
    std::map<std::string, plot::Series> curves;          // figures can draw them
    std::vector<plot::Figure> figures;                   // or take these as they are
    // A table for the page, e.g. coefficients as fractions: a heading and rows of cells.
    struct Table {
        std::string title;
        std::vector<std::string> heading;
        std::vector<std::vector<std::string>> rows;
    };
    std::vector<Table> tables;
};

struct ComputationRecord {
    std::string name;     // as in `what`
    std::string summary;  // one line
    Computed (*compute)(const ComputationArguments& arguments);
};

std::span<const ComputationRecord> computations();

}  // namespace libration
