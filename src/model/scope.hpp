// The meaning of names in the formulas of a model, and the tables that index-dependent names need.
#pragma once

#include "index.hpp"
#include "index_table.hpp"

#include <libration/expression/parse.hpp>
#include <libration/model/model.hpp>

#include <map>
#include <set>

namespace libration {

// What a formula at its place may use.
struct Visible {
    bool coordinates = false;
    bool momenta = false;      // p_
    bool velocities = false;   // v_
    bool multipliers = false;  // lambda_
    bool time = false;
    // Where velocities and momenta cannot be used: where to write what contains them.
    std::string_view without_velocities = {};
};

// What constraints see.
inline constexpr Visible for_constraints{
    .coordinates = true,
    .time = true,
    .without_velocities = "constraints contain coordinates and t only; write constraints on velocities, with v_NAME, "
                          "under `[dynamics] nonholonomic`"};

// What potentials see.
inline constexpr Visible for_potentials{
    .coordinates = true,
    .time = true,
    .without_velocities = "potentials contain coordinates and t only; write what contains velocities under `[dynamics] "
                          "kinetic`, or as `[[forces]]`"};

// What observables see: a field has no momenta.
inline Visible whole_state(const Model& model) {
    return {.coordinates = true, .momenta = !model.field, .velocities = true, .multipliers = true, .time = true};
}

// A formula with a name.
struct KnownDefinition {
    std::vector<Expression> value;  // several: the components of a vector
    // One name of each kind that it contains, also by other definitions; empty: none. They say where it may be used.
    std::string coordinate, momentum, velocity, multiplier, time;
};
using Definitions = std::map<std::string, KnownDefinition, std::less<>>;

class ModelScope : public Scope {
  public:
    // `numbers`: the scalar parameters as doubles, for indices and bounds.
    ModelScope(const Model& model, const NumberMap& numbers, Visible visible, std::vector<std::string> indices = {});

    // The index is this number from now on.
    void bind(const std::string& index, std::int64_t value) { bound_.insert_or_assign(index, ratio(value, 1)); }

    // Names in addition to those of the model.
    void use(const Definitions& definitions) { definitions_ = &definitions; }

    std::optional<Value> name(std::string_view name) override;
    std::optional<Value> element(std::string_view name, const Expression& index) override;
    std::optional<Expression> table(std::string_view name) override;
    [[nodiscard]] std::vector<std::string> table_names() const override;
    // The parts of bodies: scope_body.cpp.
    [[nodiscard]] bool has_members(std::string_view name) const override;
    [[nodiscard]] bool has_parts(std::string_view name, std::string_view member) const override;
    Value member(std::string_view name, const Member& wanted) override;
    // link[3]: scope_family.cpp.
    [[nodiscard]] bool is_family(std::string_view name) const override;
    std::string family_member(std::string_view name, std::span<const Expression> indices) override;
    Value sum(const std::string& index, const Expression& lower, const Expression& upper,
              const std::function<Value(Scope&)>& body) override;
    [[nodiscard]] std::vector<std::string> names() const override;

    // Turns a kernel read in this scope into tables over the given instances. Errors point at `place`.
    [[nodiscard]] Formula formula(const Expression& kernel, const Instances& instances, const Place& place) const;
    [[nodiscard]] Term term(const Expression& kernel, const std::shared_ptr<const Instances>& instances,
                            const Place& place) const;
    [[nodiscard]] std::int64_t integer(const Expression& expression) const;
    // Whether it has one value for all instances: it contains no index, and no list element or sum that does.
    [[nodiscard]] bool is_constant(const Expression& kernel) const;

  private:
    struct PointElement {
        const PointGroup* group;
        std::size_t component;
        Expression index;
    };
    struct ListElement {
        const Parameter* list;
        Expression index;
    };
    struct Summation {
        std::string index;
        Expression lower, upper, summand;
        std::shared_ptr<const ModelScope> inner;
    };
    // v_x or p_x where only coordinates may be used.
    [[noreturn]] void refuse_derived(std::string_view name) const;
    // Whether x, p_x or v_x (`derived`) may be used.
    [[nodiscard]] bool shows(std::string_view name, bool derived) const;
    // Whether a body has this part, which is visible here, and whether it is written as it must be.
    void require_known_part(std::string_view name, const Member& wanted) const;
    // Of a body, for messages.
    [[nodiscard]] std::string_view example_part(std::string_view name) const;
    // A number from 1 to 3.
    [[nodiscard]] std::size_t matrix_index(const Expression& index, std::string_view matrix) const;
    [[nodiscard]] bool depends_on_index(const Expression& e) const;
    [[nodiscard]] std::vector<Expression> index_symbols() const;
    // Of a joint: scope_joint.cpp.
    [[nodiscard]] Value joint_member(const Joint& joint, std::string_view name, const Member& wanted) const;
    std::optional<Value> point_element(std::string_view full, std::string_view prefix, const PointGroup& group,
                                       const Expression& index);
    // lambda_rod: the multiplier of a row, or of all rows of a vector.
    [[nodiscard]] std::optional<Value> multiplier(std::string_view name) const;
    // lambda_rod[3]: the same of a family over one index.
    [[nodiscard]] std::optional<Value> multiplier_element(std::string_view name, const Expression& index) const;
    [[nodiscard]] InstanceSum materialize(const Summation& summation, const Instances& instances,
                                          const Place& place) const;
    // Numbers from 0 to count - 1 are allowed; without a count, all.
    struct IndexLimit {
        std::optional<std::size_t> count;
        std::string_view what;
    };
    void for_each_integer(const Expression& index, const Instances& instances, const IndexLimit& limit,
                          const Place& place, const std::function<void(std::int64_t)>& use) const;
    [[nodiscard]] IndexColumn integers(const Expression& index, const Instances& instances, const IndexLimit& limit,
                                       const Place& place) const;
    // For models with separate elements (separate_elements.hpp): which ones are used.
    void note_element(const Parameter& list, const Expression& index);
    void note_elements(const Instances& instances, const Place& place) const;
    // The symbol of an element that is a parameter of its own.
    [[nodiscard]] std::optional<Expression> separate_element(const Parameter& list, std::int64_t k) const;
    Value unrolled_sum(const std::string& index, std::int64_t first, std::int64_t last,
                       const std::function<Value(Scope&)>& body);

    const Model* model_;
    const NumberMap* numbers_;
    const Definitions* definitions_ = nullptr;
    Visible visible_;
    std::vector<std::string> indices_;
    std::map<std::string, Expression, std::less<>> bound_;  // indices of unrolled sums
    std::map<std::string, PointElement> point_elements_;
    std::map<std::string, ListElement> list_elements_;
    std::vector<ListElement> watched_elements_;
    std::map<std::string, Summation> summations_;
};

using IndexTables = std::map<std::string, std::shared_ptr<const TupleTable>, std::less<>>;

// All index tuples of the ranges, in nested order.
Instances enumerate(const std::vector<Range>& ranges, const IndexTables& tables, const NumberMap& numbers,
                    const Place& place);

// Parameters as doubles.
NumberMap numbers_of(const Model& model);

}  // namespace libration
