// Formulas of members that are alike, one term over instances: the rows of a joint of a thousand links are one small
// program with a table, as if they had been written with points.
#pragma once

#include <libration/model/model.hpp>

#include <map>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace libration {

class TermGroups {
  public:
    explicit TermGroups(const Model& model);

    // Over coordinates, t and parameters.
    void add(const Expression& kernel);

    struct Group {
        Term term;
        std::vector<std::size_t> members;  // numbers of the kernels, in the order of `add`
    };
    [[nodiscard]] std::vector<Group> made(const Place& place) const;

  private:
    // Kernels are alike if they differ in coordinates and in numbers that are terms or factors, or that stand anywhere
    // but in exponents in formulas of parameters alone. The rest, as a text of numbers: what makes two of them alike.
    using Shape = std::vector<std::uintptr_t>;
    struct Kernel {
        Expression expression;
        std::vector<Expression> slots, numbers;  // in the order of their first occurrence, and of each occurrence
    };
    struct Alike {
        std::vector<std::size_t> members;
    };
    // Whether all symbols are parameters, for nodes in the order of writing.
    [[nodiscard]] std::vector<bool> are_fixed(std::span<const Expression> nodes) const;
    [[nodiscard]] Shape shape_of(Kernel& kernel) const;
    [[nodiscard]] Term term_of(const std::vector<std::size_t>& members, const Place& place) const;

    const Model* model_;
    std::unordered_set<std::string_view> parameters_;
    std::vector<Kernel> kernels_;
    std::map<Shape, std::size_t> known_;
    std::vector<Alike> groups_;
};

// With each instance of a group as a term of its own, over its coordinates.
Model with_single_terms(const Model& model);

}  // namespace libration
