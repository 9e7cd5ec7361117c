// Sections of a model file: constraints, and the ranges over which their terms run.
#include "reader.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

void ModelReader::read_constraints() {
    const auto* dynamics = document_.find("dynamics");
    const auto* constraints = dynamics != nullptr ? dynamics->find("constraints") : nullptr;
    const auto add = [&](const Document& value, const std::string& name, bool numbered) {
        auto scope = draft_.scope({.coordinates = true, .time = true});
        const auto kernel = formula(value, scope, "the constraint " + name);
        draft_.add_constraint(
            {scope.term(kernel, std::make_shared<Instances>(), value.place), name, false, numbered, 0});
    };
    if (constraints != nullptr && constraints->kind == Document::Kind::list) {
        for (std::size_t k = 0; k < constraints->items.size(); ++k) {
            add(constraints->items[k], fmt::format("g{}", k + 1), true);
        }
    } else if (constraints != nullptr && constraints->kind == Document::Kind::table) {
        for (const auto& [name, value] : constraints->entries) {
            require_plain_row_name(name, value.key_place);
            add(value, name, false);
        }
    } else if (constraints != nullptr) {
        constraints->fail("constraints are a list [\"...\", \"...\"] or a table { name = \"...\" }");
    }
    const auto* blocks = document_.find("constraint");
    for (std::size_t k = 0; blocks != nullptr && k < blocks->items.size(); ++k) {
        const auto& block = blocks->items[k];
        const auto all = instances(block, "`[[constraint]]`");
        auto scope = draft_.scope({.coordinates = true, .time = true}, all->names);
        const auto* name = block.find("name");
        if (name != nullptr && name->kind != Document::Kind::text) {
            name->fail("the name of a constraint is a string");
        }
        if (name != nullptr) {
            require_plain_row_name(name->text, name->place);
        }
        const auto& text = require_formula(block, "equation", "`[[constraint]]`");
        const auto kernel = formula(text, scope, "`[[constraint]] equation`");
        const bool family = block.find("for") != nullptr;
        const bool numbered = block.find("numbered") != nullptr &&
                              require(block, "numbered", Document::Kind::boolean, "`[[constraint]]`").boolean;
        if (numbered && (family || name != nullptr)) {
            block.find("numbered")->fail("a numbered constraint is one row, without a name and without 'for'");
        }
        draft_.add_constraint({scope.term(kernel, all, text.place),
                               name != nullptr ? name->text
                               : numbered      ? fmt::format("g{}", draft_.model().constraint_rows + 1)
                                               : fmt::format("constraint{}", k + 1),
                               family, numbered, 0});
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

std::shared_ptr<const Instances> ModelReader::instances(const Document& block, std::string_view what) {
    std::vector<std::string> known{"for", what == "`[[energy]]`" ? "term" : "equation"};
    known.emplace_back(what == "`[[constraint]]`" ? "name" : "part");
    if (what == "`[[constraint]]`") {
        known.emplace_back("numbered");
    }
    auto tables = tables_;
    for (const auto& [key, value] : block.entries) {
        if (is_table_of_tuples(value)) {
            tables.insert_or_assign(key, index_table(value));
            known.push_back(key);
        }
    }
    block.allow_only(known, what);
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
