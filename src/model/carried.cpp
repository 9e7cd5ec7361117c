// Some rows of a model.
#include "carried.hpp"

#include <algorithm>

namespace libration {

namespace {

using Places = std::vector<std::size_t>;

IndexColumn restricted(const IndexColumn& column, const Places& kept) {
    IndexColumn result;
    result.expect(kept.size());
    for (const auto k : kept) {
        result.push_back(column[k]);
    }
    return result;
}

Formula restricted(const Formula& formula, const Places& kept);

// Instance k of a sum that is not running has count[k] summands of its own.
InstanceSum restricted(const InstanceSum& sum, const Places& kept) {
    InstanceSum result{sum.summand, restricted(sum.count, kept), sum.running};
    if (sum.running) {
        return result;
    }
    Places summands;
    std::size_t first = 0, next = 0;
    for (const auto k : kept) {
        for (; next < k; ++next) {
            first += static_cast<std::size_t>(sum.count[next]);
        }
        for (std::size_t j = 0; j < static_cast<std::size_t>(sum.count[k]); ++j) {
            summands.push_back(first + j);
        }
    }
    result.summand = restricted(sum.summand, summands);
    return result;
}

Formula restricted(const Formula& formula, const Places& kept) {
    Formula result{formula.kernel, kept.size(), formula.parameters};
    for (auto& parameter : result.parameters) {
        if (parameter.kind == InstanceParameter::Kind::sum) {
            parameter.sum = std::make_shared<const InstanceSum>(restricted(*parameter.sum, kept));
        } else {
            parameter.integers = restricted(parameter.integers, kept);
        }
    }
    return result;
}

Constraint restricted(const Constraint& constraint, const Places& kept) {
    Constraint result = constraint;
    auto& term = result.term;
    const std::size_t width = term.slots.size();
    term.formula = restricted(constraint.term.formula, kept);
    term.indices.clear();
    for (const auto k : kept) {
        for (std::size_t s = 0; s < width; ++s) {
            term.indices.push_back(constraint.term.indices[k * width + s]);
        }
    }
    if (constraint.term.origin) {
        auto origin = *constraint.term.origin;
        origin.count = kept.size();
        for (auto& column : origin.columns) {
            column = restricted(column, kept);
        }
        term.origin = std::make_shared<const Instances>(std::move(origin));
    }
    if (!constraint.row_names.empty()) {
        result.row_names.clear();
        for (const auto k : kept) {
            result.row_names.push_back(constraint.row_names[k]);
        }
    }
    return result;
}

void carry_constraints(Model& model, const Places& rows) {
    std::vector<Constraint> constraints;
    std::size_t first_row = 0;
    auto next = rows.begin();
    for (const auto& constraint : model.constraints) {
        const std::size_t instances = constraint.term.formula.instances;
        Places kept;
        for (; next != rows.end() && *next < constraint.first_row + instances; ++next) {
            kept.push_back(*next - constraint.first_row);
        }
        if (!kept.empty()) {
            constraints.push_back(kept.size() == instances ? constraint : restricted(constraint, kept));
            constraints.back().first_row = first_row;
            first_row += kept.size();
        }
    }
    model.constraints = std::move(constraints);
    model.constraint_rows = rows.size();
    for (auto& body : model.bodies) {
        body.first_row = static_cast<std::size_t>(std::ranges::lower_bound(rows, body.first_row) - rows.begin());
    }
}

void forget_multipliers(Model& model, const Model& whole, const Places& rows) {
    const auto symbols = whole.multiplier_symbols();
    std::vector<Expression> others;
    for (std::size_t row = 0; row < whole.constraint_rows; ++row) {
        if (!std::ranges::binary_search(rows, row)) {
            others.push_back(symbols[row]);
        }
    }
    const std::vector<Expression> zeros(others.size(), Expression(0));
    for (auto& force : model.forces) {
        for (auto& component : force.on) {
            component.value.value = substitute(component.value.value, others, zeros);
        }
    }
}

}  // namespace

Model carry(const Model& whole, std::vector<std::size_t> rows) {
    Model model = whole;
    carry_constraints(model, rows);
    if (!model.forces.empty()) {
        forget_multipliers(model, whole, rows);
    }
    model.carried = std::make_shared<const CarriedRows>(CarriedRows{whole, std::move(rows)});
    return model;
}

std::vector<std::size_t> rows_of_bodies(const Model& model) {
    std::vector<std::size_t> rows;
    for (const auto& body : model.bodies) {
        for (std::size_t i = 0; i < body.rows(); ++i) {
            rows.push_back(body.first_row + i);
        }
    }
    std::ranges::sort(rows);
    return rows;
}

std::size_t row_of_whole(const Model& model, std::size_t row) {
    const auto& [whole, rows] = *model.carried;
    return row < rows.size() ? rows[row] : whole.constraint_rows + row - rows.size();
}

std::vector<std::size_t> carried_rows(const Model& model) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < model.multipliers(); ++row) {
        rows.push_back(model.carried ? row_of_whole(model, row) : row);
    }
    return rows;
}

}  // namespace libration
