// Sections of a model file: constraints, and the ranges over which their terms run.
#include "reader.hpp"

#include "family_names.hpp"
#include "row_names.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

#include <algorithm>

namespace libration {

void ModelReader::add_rows(const Document& value, const std::shared_ptr<const Instances>& all, const std::string& name,
                           std::string_view what, bool family) {
    if (family && names_members(value, draft_.model())) {
        add_rows_of_members(value, *all, name, what);
        return;
    }
    auto scope = draft_.scope(for_constraints, all->names);
    const auto rows = value_of(value, scope, what).components;
    for (std::size_t c = 0; c < rows.size(); ++c) {
        draft_.add_constraint(
            {scope.term(rows[c], all, value.place), component_name(name, c, rows.size()), family, false, 0});
    }
}

void ModelReader::add_rows_of_members(const Document& value, const Instances& all, const std::string& name,
                                      std::string_view what) {
    std::size_t k = 0;
    for_each_instance(for_constraints, all, [&](ModelScope& scope) {
        Instances one{all.names, std::vector<IndexColumn>(all.names.size()), 1, {}, {}};
        for (std::size_t c = 0; c < all.names.size(); ++c) {
            const auto number = all.columns[c][k];
            one.columns[c].push_back(number);
            one.over += fmt::format("{}{} in {}..{}", c == 0 ? "" : ", ", all.names[c], number, number);
        }
        ++k;
        const auto instance = std::make_shared<const Instances>(std::move(one));
        const auto rows = value_of(value, scope, what).components;
        for (std::size_t c = 0; c < rows.size(); ++c) {
            draft_.add_constraint(
                {scope.term(rows[c], instance, value.place), component_name(name, c, rows.size()), true, false, 0});
        }
    });
}

void ModelReader::add_numbered_rows(const Document& value) {
    const auto name = [&] { return fmt::format("g{}", draft_.model().constraint_rows + 1); };
    auto scope = draft_.scope(for_constraints);
    for (const auto& row : value_of(value, scope, "the constraint " + name()).components) {
        draft_.add_constraint({scope.term(row, std::make_shared<Instances>(), value.place), name(), false, true, 0});
    }
}

void ModelReader::read_reaction_length() {
    const auto* dynamics = document_.find("dynamics");
    const auto* value = dynamics != nullptr ? dynamics->find("length") : nullptr;
    if (value == nullptr) {
        return;
    }
    if (draft_.model().joints.empty()) {
        value->fail("the length in `[dynamics]` weighs forces against torques in joints, and the model has no joints; "
                    "remove it");
    }
    auto scope = draft_.scope({});
    auto length = formula(*value, scope, "the length in `[dynamics]`");
    if (const double number = draft_.number(length, "the length in `[dynamics]`", value->place);
        !(number > 0) || !std::isfinite(number)) {
        value->fail(fmt::format("the length in `[dynamics]`, which weighs forces against torques, is {}; it must be "
                                "positive",
                                number));
    }
    draft_.model().reaction_length = std::move(length);
}

void ModelReader::read_redundant() {
    read_reaction_length();
    const auto* dynamics = document_.find("dynamics");
    const auto* value = dynamics != nullptr ? dynamics->find("redundant") : nullptr;
    if (value == nullptr) {
        return;
    }
    const bool text = value->kind == Document::Kind::text;
    if (!text || (value->text != "carry" && value->text != "error")) {
        value->fail("`[dynamics] redundant` must be \"carry\" (of redundant constraints an independent set is carried, "
                    "the default) or \"error\" (they are refused)");
    }
    draft_.model().carry_redundant = value->text == "carry";
}

void ModelReader::read_constraints() {
    const auto* dynamics = document_.find("dynamics");
    const auto* constraints = dynamics != nullptr ? dynamics->find("constraints") : nullptr;
    if (constraints != nullptr && constraints->kind == Document::Kind::list) {
        for (const auto& item : constraints->items) {
            add_numbered_rows(item);
        }
    } else if (constraints != nullptr && constraints->kind == Document::Kind::table) {
        for (const auto& [name, value] : constraints->entries) {
            require_plain_row_name(name, value.key_place);
            add_rows(value, std::make_shared<Instances>(), name, "the constraint " + name, false);
        }
    } else if (constraints != nullptr) {
        constraints->fail("constraints are a list [\"...\", \"...\"] or a table { name = \"...\" }");
    }
    const auto* blocks = document_.find("constraint");
    for (std::size_t k = 0; blocks != nullptr && k < blocks->items.size(); ++k) {
        const auto& block = blocks->items[k];
        const auto all = instances(block, "`[[constraint]]`", {"equation", "name", "numbered"});
        const auto* name = block.find("name");
        if (name != nullptr && name->kind != Document::Kind::text) {
            name->fail("the name of a constraint is a string");
        }
        if (name != nullptr) {
            require_plain_row_name(name->text, name->place);
        }
        const auto* list = block.find("equation");
        const auto& equation = list != nullptr && list->kind == Document::Kind::list
                                   ? *list
                                   : require_formula(block, "equation", "`[[constraint]]`");
        const bool family = block.find("for") != nullptr;
        const bool numbered = block.find("numbered") != nullptr &&
                              require(block, "numbered", Document::Kind::boolean, "`[[constraint]]`").boolean;
        if (numbered && (family || name != nullptr)) {
            block.find("numbered")->fail("a numbered constraint is one row, without a name and without 'for'");
        }
        if (numbered) {
            add_numbered_rows(equation);
        } else {
            add_rows(equation, all, name != nullptr ? name->text : fmt::format("constraint{}", k + 1),
                     "`[[constraint]] equation`", family);
        }
    }
}

std::shared_ptr<const TupleTable> ModelReader::index_table(const Document& list) {
    if (list.indices) {
        return list.indices;
    }
    TupleTable table;
    for (const auto& item : list.items) {
        const auto entries = item.kind == Document::Kind::list ? std::span(item.items) : std::span(&item, 1);
        for (const auto& entry : entries) {
            if (entry.kind != Document::Kind::integer) {
                entry.fail("a table of indices contains integers only");
            }
            table.values.push_back(entry.integer);
        }
        ++table.rows;
        table.width = &item == &list.items.front() ? entries.size() : table.width;
        if (entries.size() != table.width) {
            item.fail(fmt::format("this tuple has {} elements, the first one has {}", entries.size(), table.width));
        }
    }
    return std::make_shared<const TupleTable>(std::move(table));
}

std::shared_ptr<const Instances> ModelReader::instances(const Document& block, std::string_view what,
                                                        std::vector<std::string> keys) {
    auto tables = tables_;
    for (const auto& [key, value] : block.entries) {
        if (is_table_of_tuples(value) && std::ranges::find(keys, key) == keys.end()) {
            tables.insert_or_assign(key, index_table(value));
            keys.push_back(key);
        }
    }
    keys.emplace_back("for");
    block.allow_only(keys, what);
    const auto* range_text = block.find("for");
    if (range_text == nullptr) {
        return std::make_shared<Instances>();
    }
    if (range_text->kind != Document::Kind::text) {
        range_text->fail("'for' is a string such as \"i in 1..n-1\"");
    }
    auto scope = draft_.scope({});
    const auto ranges = parse_ranges(range_text->text, scope, range_text->place, fmt::format("the range of {}", what));
    for (const auto& range : ranges) {
        if (range.table.empty()) {
            continue;
        }
        const auto* list =
            document_.find("parameters") != nullptr ? document_.find("parameters")->find(range.table) : nullptr;
        if (!tables.contains(range.table) && list != nullptr && list->kind == Document::Kind::list) {
            tables.emplace(range.table, index_table(*list));
        }
        const auto table = tables.find(range.table);
        if (table == tables.end()) {
            std::vector<std::string> names;
            for (const auto& [name, unused] : tables) {
                names.push_back(name);
            }
            range_text->fail(fmt::format("there is no table '{}'{}", range.table, suggestion(range.table, names)));
        }
        if (table->second->rows > 0 && table->second->width != range.names.size()) {
            range_text->fail(fmt::format("the tuples of '{}' have {} elements, the range names {}", range.table,
                                         table->second->width, range.names.size()));
        }
    }
    return std::make_shared<Instances>(enumerate(ranges, tables, draft_.numbers(), range_text->place));
}

}  // namespace libration
