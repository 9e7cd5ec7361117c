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
bool is_arithmetic(Op op) { return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::divide; }
bool takes_numbers(Op op, bool fixed) { return is_arithmetic(op) || (fixed && op != Op::power && op != Op::interp); }

bool is_number(const Expression& e) { return e.is(Op::constant) && rational_value(e).has_value(); }

constexpr std::uintptr_t number_here = 1, slot_here = 2;

std::shared_ptr<const Instances> without_names(std::size_t count) {
    Instances all;
    all.count = count;
    return std::make_shared<const Instances>(std::move(all));
}

bool is_time(const Expression& s) { return s.text() == "t"; }

// Numbers in the place of numbers that differ, one table for each column of them; and formulas of such numbers and of
// parameters, which have one value for each instance.
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
    // A column of values, as sums of one summand.
    Expression value_of(const Expression& original, const Expression& formula, std::size_t instances) {
        const auto [known, is_new] = values_.try_emplace(original);
        if (!is_new) {
            return known->second;
        }
        InstanceSum sum{{formula, instances, used_in(formula)}, {}};
        for (std::size_t k = 0; k < instances; ++k) {
            sum.count.push_back(1);
        }
        parameters_.push_back(
            {new_name(), InstanceParameter::Kind::sum, {}, {}, std::make_shared<const InstanceSum>(std::move(sum))});
        return known->second = parameters_.back().symbol;
    }
    [[nodiscard]] std::vector<InstanceParameter> used_in(const Expression& formula) const {
        const auto symbols = symbols_of(std::array{formula});
        std::vector<InstanceParameter> used;
        std::ranges::copy_if(parameters_, std::back_inserter(used), [&](const InstanceParameter& parameter) {
            return std::ranges::find(symbols, parameter.symbol) != symbols.end();
        });
        return used;
    }

  private:
    // No text can contain such a name.
    [[nodiscard]] Expression new_name() const { return symbol(fmt::format("instance%{}", parameters_.size() + 1)); }

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
            if (known.kind == InstanceParameter::Kind::index && same(known.integers, column)) {
                return known.symbol;
            }
        }
        parameters_.push_back({new_name(), InstanceParameter::Kind::index, column, {}, nullptr});
        return parameters_.back().symbol;
    }

    std::vector<InstanceParameter> parameters_;
    std::unordered_map<Expression, Expression> values_;  // of formulas of the first instance
};

}  // namespace

TermGroups::TermGroups(const Model& model) : model_(&model) {
    for (const auto& parameter : model.parameters) {
        parameters_.insert(parameter.name);
    }
}

std::vector<bool> TermGroups::are_fixed(std::span<const Expression> nodes) const {
    std::vector<bool> fixed;
    std::unordered_map<Expression, bool> known;
    for (const auto& e : nodes) {
        const auto arguments = e.arguments();
        const bool is = e.is(Op::symbol)
                            ? parameters_.contains(e.text())
                            : std::ranges::all_of(arguments, [&](const Expression& a) { return known.at(a); });
        known.emplace(e, is);
        fixed.push_back(is);
    }
    return fixed;
}

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
    const auto nodes = written_order(std::array{kernel.expression});
    const auto fixed = are_fixed(nodes);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const auto& e = nodes[k];
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
                } else if (takes_numbers(e.op(), fixed[k]) && is_number(a)) {
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
    const auto nodes = written_order(std::array{model.expression});
    const auto fixed = are_fixed(nodes);
    // Of formulas of parameters alone: whether a number differs in them that is no term and no factor.
    enum class Role { varying, plain, value };
    struct Image {
        Expression expression;
        Role role;
    };
    std::size_t n = 0;
    std::unordered_map<Expression, Image> images;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const auto& e = nodes[k];
        Image image{e, fixed[k] ? Role::plain : Role::varying};
        std::vector<Expression> arguments;
        for (const auto& a : e.arguments()) {
            const auto& known = images.at(a);
            if (takes_numbers(e.op(), fixed[k]) && is_number(a)) {
                const auto& replacement = replaced[n++];
                arguments.push_back(replacement.value_or(a));
                image.role = replacement && !is_arithmetic(e.op()) ? Role::value : image.role;
            } else if (!fixed[k] && known.role == Role::value) {
                arguments.push_back(columns.value_of(a, known.expression, members.size()));
            } else {
                arguments.push_back(known.expression);
                image.role = fixed[k] && known.role == Role::value ? Role::value : image.role;
            }
        }
        image.expression = arguments.empty() ? e : verbatim(e.op(), arguments);
        images.emplace(e, std::move(image));
    }
    const auto& kernel = images.at(model.expression).expression;
    Term term;
    term.formula = {kernel, members.size(), columns.used_in(kernel)};
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
