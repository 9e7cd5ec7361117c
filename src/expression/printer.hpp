// Writes graphs as text. Nothing here recurses: expressions may be deeper than a stack.
#pragma once

#include <libration/expression/expression.hpp>

#include <unordered_map>

namespace libration {

class Printer {
  public:
    // Those of `leaves` are written by their names, and so is nothing that only they use.
    explicit Printer(std::span<const Expression> expressions,
                     const std::unordered_map<Expression, std::string>& leaves = {});

    struct Extent {
        std::uint64_t length = 0;  // of the text, or as large as numbers go
        std::uint64_t nesting = 0;
    };
    [[nodiscard]] const std::vector<Expression>& nodes() const { return nodes_; }
    // Of the text that `write` gives, with the names so far. Ask for the arguments first.
    const Extent& measure(const Expression& e);
    // From here on `name` is written where e is part of another expression.
    void name(const Expression& e, std::string name);
    [[nodiscard]] const std::string* name_of(const Expression& e) const;
    [[nodiscard]] std::string write(const Expression& e) const;

  private:
    std::vector<Expression> nodes_;
    std::unordered_map<Expression, Extent> extents_;
    std::unordered_map<Expression, std::string> names_;
};

}  // namespace libration
