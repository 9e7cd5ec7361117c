// The coordinates that an extended model adds: 1 plus the change of a parameter, or of an element of a list.
#pragma once

#include "unknowns.hpp"

#include <limits>
#include <span>
#include <unordered_map>

namespace libration {

class ThetaCoordinates {
  public:
    static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

    // One for each unknown that is a parameter, in their order; then one for each other element of their lists.
    ThetaCoordinates(const Model& model, std::span<const Unknown> unknowns);

    [[nodiscard]] std::size_t count() const { return owner_.size(); }
    // Of each coordinate the number of its unknown among the parameters; `nobody`: it is not asked for.
    [[nodiscard]] const std::vector<std::size_t>& owner() const { return owner_; }
    // The coordinate of a scalar parameter, or of an element that is one.
    [[nodiscard]] std::optional<std::size_t> of_scalar(const std::string& name) const;
    [[nodiscard]] bool has_list(const std::string& list) const { return lists_.contains(list); }
    [[nodiscard]] std::size_t of_element(const std::string& list, std::int64_t element) const {
        return lists_.at(list)[static_cast<std::size_t>(element)];
    }
    // One more for the same unknown.
    std::size_t add_twin(std::size_t coordinate) {
        owner_.push_back(owner_[coordinate]);
        return owner_.size() - 1;
    }

    // No name in a model has brackets like these.
    static constexpr const char* group = "(theta)";
    // The change of the parameter: the coordinate less 1. Not the coordinate itself, because methods judge rounding by
    // the sizes of coordinates, and one that rests at 0 has none.
    [[nodiscard]] Expression change(std::size_t coordinate);
    // The coordinate whose symbol this is.
    [[nodiscard]] std::optional<std::size_t> number_of(const Expression& symbol) const;

  private:
    std::vector<std::size_t> owner_;
    std::unordered_map<std::string, std::size_t> scalars_;
    std::unordered_map<std::string, std::vector<std::uint32_t>> lists_;
    std::unordered_map<Expression, std::size_t> symbols_;  // those that were asked for
};

}  // namespace libration
