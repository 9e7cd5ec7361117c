// Elements of list parameters with identities of their own, so that each can change by itself.
//
// A model that was read holds `m[3]` as the value of the element, and `m[i]` of a formula in the index as what the
// formula says. A model with separate elements has a list in the place of the formula, and a scalar parameter named
// m[3] for each element that its formulas name by a number.
#pragma once

#include <libration/model/model.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace libration {

// Which elements of a list parameter formulas use.
struct ElementUse {
    std::set<std::int64_t> named;         // by a number
    std::int64_t least = 0, most = -1;    // of all
    std::vector<Expression> values = {};  // of the elements, once they are known
    void see(std::int64_t element) {
        least = std::min(least, element);
        most = std::max(most, element);
    }
};

// While one exists, models that this thread reads are read with regard to these parameters: first their uses are
// recorded, then, after `apply`, their elements are separate.
class ElementWatch {
  public:
    explicit ElementWatch(std::span<const std::string> lists);
    ~ElementWatch();
    ElementWatch(const ElementWatch&) = delete;
    ElementWatch& operator=(const ElementWatch&) = delete;

    void apply() { applied_ = true; }
    std::map<std::string, ElementUse, std::less<>> uses;

    // Of the parameter of this name; null: there is nothing to record, or nothing to separate.
    static ElementUse* recorded(std::string_view list);
    static const ElementUse* applied(std::string_view list);

  private:
    static ElementUse* find(std::string_view list, bool applied);
    ElementWatch* outer_;
    bool applied_ = false;
};

// The same model with separate elements of `lists`. `changing`: all parameters that will change; elements that are
// formulas of them stay formulas. `also_read` reads formulas that do not belong to the model. InputError with
// `by = NAME` if a list decides sizes, is not used, or is used with negative numbers.
Model with_separate_elements(const Model& model, std::span<const std::string> lists,
                             std::span<const std::string> changing, const std::function<void()>& also_read);

// m[3]
std::string element_name(std::string_view list, std::int64_t element);

struct ElementName {
    std::string list;
    std::int64_t number;
};
// The inverse: nothing if the model has no such list, or the text no number in brackets at its end. The number may lie
// beyond the list.
std::optional<ElementName> element_of(const Model& model, std::string_view name);

}  // namespace libration
