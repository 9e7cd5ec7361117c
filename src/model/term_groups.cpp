// Finding formulas that are alike.
#include "term_groups.hpp"

#include "augmented.hpp"

#include "expression/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace libration {

namespace {

// Numbers here may differ between formulas that are alike; exponents and the derivatives of tables may not.
bool takes_numbers(Op op) { return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide; }

bool is_number(const Expression& e) { return e.is(Op::constant) && rational_value(e).has_value(); }

constexpr std::uintptr_t number_here = 1, slot_here = 2;

std::shared_ptr<const Instances> without_names(std::size_t count) {
    Instances all;
    all.count = count;
    return std::make_shared<const Instances>(std::move(all));
}

bool is_time(const Expression& s) { return s.text() == "t"; }

// Numbers in the place of numbers that differ, one table for each column of them.
class NumberColumns {
  public:
    // Of one place in all formulas; nothing if they are equal there.
    std::optional<Expression> replacement(const std::vector<Rational>& column) {
        if (std::ranges::all_of(column, [&](const Rational& r) { return same(r, column[0]); })) {
            return std::nullopt;
        }
        IndexColumn above, below;
        bool whole = true;
        for (const auto& r : column) {
            above.push_back(r.numerator);
            below.push_back(r.denominator);
            whole = whole && r.denominator == 1;
        }
        const auto numerator = parameter(above);
        return whole ? numerator : verbatim(Op::divide, std::array{numerator, parameter(below)});
    }
    [[nodiscard]] const std::vector<InstanceParameter>& parameters() const { return parameters_; }

  private:
    static bool same(const Rational& a, const Rational& b) {
        return a.numerator == b.numerator && a.denominator == b.denominator;
    }
    static bool same(const IndexColumn& a, const IndexColumn& b) {
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (a[k] != b[k]) {
                return false;
            }
        }
        return true;
    }
    Expression parameter(const IndexColumn& column) {
        for (const auto& known : parameters_) {
            if (same(known.integers, column)) {
                return known.symbol;
            }
        }
        // No text can contain such a name.
        const auto name = symbol(fmt::format("instance%{}", parameters_.size() + 1));
        parameters_.push_back({name, InstanceParameter::Kind::index, column, {}, nullptr});
        return name;
    }

    std::vector<InstanceParameter> parameters_;
};

}  // namespace

void TermGroups::add(const Expression& expression) {
    Kernel kernel{expression, {}, {}};
    auto shape = shape_of(kernel);
    const auto [found, is_new] = known_.try_emplace(std::move(shape), groups_.size());
    if (is_new) {
        groups_.emplace_back();
    }
    groups_[found->second].members.push_back(kernels_.size());
    kernels_.push_back(std::move(kernel));
}

TermGroups::Shape TermGroups::shape_of(Kernel& kernel) const {
    Shape shape;
    std::unordered_map<Expression, std::uintptr_t> number;
    for (const auto& e : written_order(std::array{kernel.expression})) {
        if (e.is(Op::symbol)) {
            const bool slot = model_->coordinate_number(e.text()).has_value();
            if (slot) {
                kernel.slots.push_back(e);
            }
            shape.push_back(slot ? slot_here : reinterpret_cast<std::uintptr_t>(e.node()));
        } else if (e.is(Op::constant)) {
            continue;  // where it is used
        } else {
            shape.push_back(static_cast<std::uintptr_t>(e.op()) + 16);
            for (const auto& a : e.arguments()) {
                if (!a.is(Op::constant)) {
                    shape.push_back(number.at(a));
                } else if (takes_numbers(e.op()) && is_number(a)) {
                    shape.push_back(number_here);
                    kernel.numbers.push_back(a);
                } else {
                    shape.push_back(reinterpret_cast<std::uintptr_t>(a.node()));
                }
            }
        }
        number.emplace(e, 3 + number.size());
    }
    return shape;
}

std::vector<TermGroups::Group> TermGroups::made(const Place& place) const {
    std::vector<Group> all;
    for (const auto& group : groups_) {
        all.push_back({term_of(group.members, place), group.members});
    }
    return all;
}

Term TermGroups::term_of(const std::vector<std::size_t>& members, const Place& place) const {
    const auto& model = kernels_[members[0]];
    NumberColumns columns;
    std::vector<std::optional<Expression>> replaced;
    for (std::size_t n = 0; n < model.numbers.size(); ++n) {
        std::vector<Rational> column;
        for (const auto k : members) {
            column.push_back(*rational_value(kernels_[k].numbers[n]));
        }
        replaced.push_back(columns.replacement(column));
    }
    std::size_t n = 0;
    std::unordered_map<Expression, Expression> image;
    for (const auto& e : written_order(std::array{model.expression})) {
        if (e.arguments().empty()) {
            image.emplace(e, e);
            continue;
        }
        std::vector<Expression> arguments;
        for (const auto& a : e.arguments()) {
            const bool number = takes_numbers(e.op()) && is_number(a);
            arguments.push_back(number ? replaced[n].value_or(a) : image.at(a));
            n += number ? 1 : 0;
        }
        image.emplace(e, verbatim(e.op(), arguments));
    }
    Term term;
    term.formula = {image.at(model.expression), members.size(), columns.parameters()};
    term.slots = model.slots;
    term.place = place;
    term.origin = without_names(members.size());
    term.uses_time = std::ranges::any_of(symbols_of(std::array{model.expression}), is_time);
    term.grouped = members.size() > 1;
    term.indices.reserve(members.size() * term.slots.size());
    for (const auto k : members) {
        for (const auto& slot : kernels_[k].slots) {
            term.indices.push_back(static_cast<std::uint32_t>(*model_->coordinate_number(slot.text())));
        }
    }
    return term;
}

namespace {

Term single_instance(const Model& model, const Term& term, std::size_t k) {
    const std::size_t width = term.slots.size();
    Term single = term;
    std::vector<Expression> coordinates;
    for (std::size_t s = 0; s < width; ++s) {
        coordinates.push_back(symbol(model.coordinate_name(term.indices[k * width + s])));
    }
    single.formula = {substitute(instance_of(model, term.formula, k), term.slots, coordinates), 1, {}};
    single.slots = coordinates;
    single.indices.assign(term.indices.begin() + static_cast<std::ptrdiff_t>(k * width),
                          term.indices.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
    single.origin = without_names(1);
    single.grouped = false;
    return single;
}

}  // namespace

Model with_single_terms(const Model& model) {
    Model result = model;
    result.potential.clear();
    for (const auto& term : model.potential) {
        for (std::size_t k = 0; term.grouped && k < term.formula.instances; ++k) {
            result.potential.push_back(single_instance(model, term, k));
        }
        if (!term.grouped) {
            result.potential.push_back(term);
        }
    }
    result.constraints.clear();
    for (const auto& constraint : model.constraints) {
        if (!constraint.term.grouped) {
            result.constraints.push_back(constraint);
            continue;
        }
        for (std::size_t k = 0; k < constraint.term.formula.instances; ++k) {
            result.constraints.push_back({single_instance(model, constraint.term, k), constraint.row_names[k], false,
                                          false, constraint.first_row + k});
        }
    }
    return result;
}

}  // namespace libration
