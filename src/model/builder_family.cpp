// The C++ interface of model construction: points, lists, families, definitions.
#include "draft.hpp"
#include "family_instances.hpp"
#include "request/run_fields.hpp"
#include "row_names.hpp"

#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr Visible for_terms{.coordinates = true, .time = true};

std::string index_name(const Expression& index) {
    if (!index.is(Op::symbol)) {
        throw InputError(fmt::format("an index must be a symbol, not {}", to_string(index)));
    }
    return index.text();
}

}  // namespace

std::shared_ptr<const Instances> instances_over(Draft& draft, const Over& over) {
    std::vector<Range> ranges;
    IndexTables tables;
    for (const auto& [index, first, last] : over.ranges) {
        ranges.push_back({{index_name(index)}, first, last, {}});
    }
    if (!over.indices.empty()) {
        Range rows;
        auto table = std::make_shared<TupleTable>();
        table->width = over.indices.size();
        for (const auto& index : over.indices) {
            rows.names.push_back(index_name(index));
        }
        for (const auto& row : over.table) {
            if (row.size() != table->width) {
                throw InputError(fmt::format("a row of the table '{}' has {} numbers for {} indices", over.table_name,
                                             row.size(), table->width));
            }
            table->values.insert(table->values.end(), row.begin(), row.end());
            ++table->rows;
        }
        rows.table = over.table_name;
        ranges.push_back(std::move(rows));
        tables.emplace(over.table_name, std::move(table));
    }
    return std::make_shared<const Instances>(enumerate(ranges, tables, draft.numbers(), {}));
}

namespace {

std::vector<Mass::Block> point_masses(Draft& draft, const PointProperties& given) {
    const auto& group = draft.model().points.back();
    if (given.mass && !given.masses.empty()) {
        throw InputError(fmt::format("give the points {} either one mass or one per point, not both", given.name));
    }
    if (given.mass) {
        auto scope = draft.scope({}, {"i"});
        const auto kernel = draft.resolved(*given.mass, scope);
        return {Draft::point_mass(group, kernel, scope, {})};
    }
    if (!given.masses.empty() && given.masses.size() != group.count) {
        throw InputError(fmt::format("{} masses are given for {} points {}; give one mass per point",
                                     given.masses.size(), group.count, given.name));
    }
    std::vector<Mass::Block> blocks;
    for (const auto& mass : given.masses) {
        blocks.push_back({draft.single_formula(draft.resolved(mass)), group.dimension, {}});
    }
    return blocks;
}

Term family_term(Draft& draft, const Expression& kernel, const Over& over) {
    const auto all = instances_over(draft, over);
    auto scope = draft.scope(for_terms, all->names);
    const auto found = draft.resolved(kernel, scope);
    return scope.term(found, all, {});
}

}  // namespace

ModelBuilder& ModelBuilder::describe(std::string description, std::string source) {
    draft_->model().description = std::move(description);
    draft_->model().source = std::move(source);
    return *this;
}

ListSymbols ModelBuilder::parameters(const std::string& name, const std::vector<Expression>& values) {
    draft_->add_parameter({name, values, true, std::nullopt, {}});
    return ListSymbols(name);
}

ListSymbols ModelBuilder::parameter_of_index(const std::string& name, const Expression& formula_in_i) {
    draft_->add_parameter({name, {}, false, formula_in_i, {}});
    return ListSymbols(name);
}

PointSymbols ModelBuilder::points(const PointProperties& given) {
    const double count = draft_->number(given.count, fmt::format("the count of {}", given.name), {});
    if (!(count >= 1) || count != std::round(count)) {
        throw InputError(
            fmt::format("{} has {} points; the count must be a whole number from 1 on", given.name, count));
    }
    if (given.dimension < 1 || given.dimension > 3) {
        throw InputError(fmt::format("{} has dimension {}; it must be 1, 2 or 3", given.name, given.dimension));
    }
    draft_->add_points({given.name, static_cast<std::size_t>(count), given.dimension, 0,
                        given.count.is(Op::constant) ? std::string() : to_string(given.count)},
                       {});
    draft_->add_point_masses(point_masses(*draft_, given));
    return {given.name, given.dimension};
}

Expression ModelBuilder::definition(const std::string& name, const Expression& value) {
    return definition(name, std::vector{value}).front();
}

std::vector<Expression> ModelBuilder::definition(const std::string& name, const std::vector<Expression>& value) {
    std::vector<Expression> found;
    for (const auto& component : value) {
        found.push_back(draft_->resolved(component));
    }
    draft_->add_known_definition(name, found);
    return found;
}

ModelBuilder& ModelBuilder::potential(const Expression& energy, const Over& over) {
    draft_->model().potential.push_back(family_term(*draft_, energy, over));
    return *this;
}

ModelBuilder& ModelBuilder::potential(const Expression& energy, const Over& over, Part part) {
    potential(energy, over);
    draft_->model().potential.back().part = part;
    return *this;
}

ModelBuilder& ModelBuilder::constraint(const std::string& name, const Expression& vanishing, const Over& over) {
    require_plain_row_name(name, {});
    draft_->add_constraint({family_term(*draft_, vanishing, over), name, true, false, 0});
    return *this;
}

ModelBuilder& ModelBuilder::constraint(const std::string& name, const PointVector& vanishing) {
    require_plain_row_name(name, {});
    for (std::size_t c = 0; c < vanishing.size(); ++c) {
        draft_->add_constraint(
            {draft_->single_term(vanishing[c], {}), component_name(name, c, vanishing.size()), false, false, 0});
    }
    return *this;
}

ModelBuilder& ModelBuilder::constraint(const std::string& name, const PointVector& vanishing, const Over& over) {
    require_plain_row_name(name, {});
    for (std::size_t c = 0; c < vanishing.size(); ++c) {
        draft_->add_constraint(
            {family_term(*draft_, vanishing[c], over), component_name(name, c, vanishing.size()), true, false, 0});
    }
    return *this;
}

ModelBuilder& ModelBuilder::initial_points(const std::string& name, const Over& over, const PointStart& start) {
    const auto& groups = draft_->model().points;
    const auto group = std::ranges::find(groups, name, &PointGroup::name);
    if (group == groups.end()) {
        throw InputError(fmt::format("there are no points '{}'; add them with points first", name));
    }
    if (over.ranges.size() != 1 || !over.indices.empty()) {
        throw InputError(fmt::format("the initial values of the points {} run over one range of point numbers", name));
    }
    if (!start.p.empty() && !start.v.empty()) {
        throw InputError("give either momenta p or velocities v, not both");
    }
    const auto all = instances_over(*draft_, over);
    using Kind = InitialValue::Kind;
    for (const auto& [kind, values] : {std::pair(Kind::position, &start.q), std::pair(Kind::momentum, &start.p),
                                       std::pair(Kind::velocity, &start.v)}) {
        if (values->empty()) {
            continue;
        }
        if (values->size() != group->dimension) {
            throw InputError(fmt::format("{} formulas are given for the {} components of the points {}", values->size(),
                                         group->dimension, name));
        }
        for (std::size_t c = 0; c < group->dimension; ++c) {
            auto scope = draft_->scope({}, all->names);
            const auto kernel = draft_->resolved((*values)[c], scope);
            draft_->start_points(*group, c, {kind, scope.formula(kernel, *all, {}), {}, all}, {});
        }
    }
    return *this;
}

ModelBuilder& ModelBuilder::run(const RunRequest& request) {
    for (const auto& field : run_fields) {
        if (!field.for_use(use::run_section) && is_given(request, field)) {
            throw InputError(fmt::format("`{}` does not belong to a model", field.name));
        }
    }
    check_fields<RunRequest>(request, run_fields);
    if (request.duration && request.steps) {
        throw InputError("give either duration or steps, not both");
    }
    draft_->model().run = request;
    return *this;
}

}  // namespace libration
