// Sections of a model file: initial values, observables, run.
#include "reader.hpp"

#include "request/run_fields.hpp"
#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr std::array<std::pair<const char*, InitialValue::Kind>, 3> initial_keys{{
    {"q", InitialValue::Kind::position},
    {"p", InitialValue::Kind::momentum},
    {"v", InitialValue::Kind::velocity},
}};

std::span<const Document> components_of(const Document& value) {
    return value.kind == Document::Kind::list ? std::span<const Document>(value.items) : std::span(&value, 1);
}

void refuse_both(const Document& section) {
    if (section.find("p") != nullptr && section.find("v") != nullptr) {
        section.find("v")->fail("give either momenta p or velocities v, not both");
    }
}

}  // namespace

void ModelReader::read_initial() {
    const auto* section = document_.find("initial");
    if (section == nullptr) {
        if (draft_.model().plain_coordinates.empty() && draft_.model().points.empty() &&
            !draft_.model().bodies.empty()) {
            place_body_starts();
            return;
        }
        throw InputError(document_.place,
                         "the initial values are missing; write e.g. `[initial] q = [1, 0], v = [0, 0]`");
    }
    std::vector<std::string> known{"q", "p", "v"};
    for (const auto& group : draft_.model().points) {
        known.push_back(group.name);
    }
    for (const auto& body : draft_.model().bodies) {
        known.push_back(body.name);
    }
    section->allow_only(known, "`[initial]`");
    refuse_both(*section);
    if (!draft_.model().plain_coordinates.empty() && section->find("q") == nullptr) {
        section->fail("`[initial]` needs q, the list of initial positions");
    }
    for (const auto& [key, kind] : initial_keys) {
        read_initial_list(*section, key, kind);
    }
    for (const auto& group : draft_.model().points) {
        const auto* block = section->find(group.name);
        if (block == nullptr) {
            if (!lists_all(*section)) {
                section->fail(
                    fmt::format("the initial values of the points {0} are missing; add `[initial.{0}]`", group.name));
            }
            continue;
        }
        if (block->kind == Document::Kind::list) {
            for (const auto& part : block->items) {
                read_initial_points(group, part);
            }
        } else {
            read_initial_points(group, *block);
        }
    }
    place_body_starts();
}

void ModelReader::place_body_starts() {
    for (const auto& body : draft_.model().bodies) {
        if (body.start) {
            draft_.place_start(body);
        }
    }
}

// Whether q gives all points, too, not only the plain coordinates.
bool ModelReader::lists_all(const Document& section) const {
    const auto* q = section.find("q");
    return q != nullptr &&
           (draft_.model().plain_coordinates.empty() || q->items.size() > draft_.model().plain_coordinates.size());
}

void ModelReader::read_initial_list(const Document& section, const std::string& key, InitialValue::Kind kind) {
    const auto* list = section.find(key);
    if (list == nullptr) {
        return;
    }
    auto& model = draft_.model();
    const std::size_t before_bodies =
        model.bodies.empty() ? model.dimension : model.bodies[0].centre.value_or(model.bodies[0].first);
    const bool is_list = list->kind == Document::Kind::list;
    const bool all = is_list && list->items.size() == model.dimension &&
                     (model.bodies.empty() || section.find(model.bodies[0].name) == nullptr);
    const std::size_t wanted = all                               ? model.dimension
                               : model.plain_coordinates.empty() ? before_bodies
                                                                 : model.plain_coordinates.size();
    if (wanted == 0 && !model.bodies.empty()) {
        list->fail(fmt::format("`[initial] {}` is for plain coordinates, and there are none; the bodies start from "
                               "`[initial.{}]`",
                               key, model.bodies[0].name));
    }
    if (!is_list || list->items.size() != wanted) {
        list->fail(fmt::format("`[initial] {}` must be a list of {} numbers, one per coordinate; it has {}", key,
                               wanted, is_list ? std::to_string(list->items.size()) : "none"));
    }
    auto scope = draft_.scope({});
    for (std::size_t k = 0; k < wanted; ++k) {
        model.initial.push_back(
            {kind,
             draft_.single_formula(formula(list->items[k], scope, fmt::format("`[initial] {}`", key))),
             {static_cast<std::uint32_t>(k)}});
    }
}

void ModelReader::read_initial_points(const PointGroup& group, const Document& block) {
    const auto where = fmt::format("`[initial.{}]`", group.name);
    if (block.kind != Document::Kind::table) {
        block.fail(fmt::format("{} must be a table with the keys for, q and v (or p)", where));
    }
    block.allow_only(std::array<std::string, 4>{"for", "q", "p", "v"}, where);
    refuse_both(block);
    std::shared_ptr<const Instances> all;
    std::string index;
    if (const auto* range_text = block.find("for")) {
        if (range_text->kind != Document::Kind::text) {
            range_text->fail("'for' is a string such as \"i in 0..n-1\"");
        }
        auto scope = draft_.scope({});
        const auto ranges = parse_ranges(range_text->text, scope, range_text->place, "the range of " + where);
        if (ranges.size() != 1 || !ranges[0].table.empty()) {
            range_text->fail(fmt::format("{} runs over one range of point numbers, such as \"i in 0..n-1\"", where));
        }
        all = std::make_shared<const Instances>(enumerate(ranges, tables_, draft_.numbers(), range_text->place));
        index = ranges[0].names[0];
    }
    for (const auto& [key, kind] : initial_keys) {
        const auto* list = block.find(key);
        if (list == nullptr) {
            continue;
        }
        const auto what = fmt::format("{} {}", where, key);
        // On a line a number stands for the list of the only component.
        const bool on_a_line = group.dimension == 1;
        if (list->kind != Document::Kind::list && !(on_a_line && !index.empty())) {
            list->fail(fmt::format("{} must be a list", what));
        }
        const auto coordinate = [&](std::int64_t point, std::size_t component) {
            return static_cast<std::uint32_t>(group.first + static_cast<std::size_t>(point) * group.dimension +
                                              component);
        };
        if (index.empty()) {  // one list per point
            if (list->items.size() != group.count) {
                list->fail(
                    fmt::format("{} has {} entries for {} points; give one list per point, or a range with 'for'", what,
                                list->items.size(), group.count));
            }
            auto scope = draft_.scope({});
            for (std::size_t i = 0; i < group.count; ++i) {
                const auto& point = list->items[i];
                const auto numbers = components_of(point);
                if (numbers.size() != group.dimension || (point.kind != Document::Kind::list && !on_a_line)) {
                    point.fail(fmt::format("a point of {} has {} number{}", group.name, group.dimension,
                                           on_a_line ? "" : "s"));
                }
                for (std::size_t c = 0; c < group.dimension; ++c) {
                    draft_.model().initial.push_back({kind,
                                                      draft_.single_formula(formula(numbers[c], scope, what)),
                                                      {coordinate(static_cast<std::int64_t>(i), c)}});
                }
            }
            continue;
        }
        const auto formulas = components_of(*list);
        if (formulas.size() != group.dimension) {
            list->fail(
                fmt::format("{} needs {} formula{}, one per component", what, group.dimension, on_a_line ? "" : "s"));
        }
        for (std::size_t c = 0; c < group.dimension; ++c) {
            auto scope = draft_.scope({}, {index});
            const auto kernel = formula(formulas[c], scope, what);
            draft_.start_points(group, c, {kind, scope.formula(kernel, *all, formulas[c].place), {}, all},
                                block.find("for")->place);
        }
    }
}

void ModelReader::read_observables() {
    const auto* section = document_.find("observables");
    if (section == nullptr) {
        return;
    }
    auto scope = draft_.scope(whole_state(draft_.model()));
    for (const auto& [name, value] : section->entries) {
        if (name != "invariants") {
            draft_.require_free_column(name, value.key_place);
            draft_.model().observables.push_back({name, formula(value, scope, "the observable " + name), false});
        }
    }
    const auto* invariants = section->find("invariants");
    if (invariants == nullptr) {
        return;
    }
    if (invariants->kind != Document::Kind::list) {
        invariants->fail("invariants is a list of names of observables");
    }
    std::vector<std::string> names;
    for (const auto& observable : draft_.model().observables) {
        names.push_back(observable.name);
    }
    for (const auto& item : invariants->items) {
        const auto found = std::ranges::find(draft_.model().observables, item.text, &Observable::name);
        if (item.kind != Document::Kind::text || found == draft_.model().observables.end()) {
            item.fail(fmt::format("'{}' is not an observable{}", item.text, suggestion(item.text, names)));
        }
        found->invariant = true;
    }
}

void ModelReader::read_run() {
    const auto* section = document_.find("run");
    if (section == nullptr) {
        return;
    }
    std::vector<std::string> known;
    for (const auto& field : run_fields) {
        if (field.for_use(use::run_section)) {
            known.emplace_back(field.name);
        }
    }
    section->allow_only(known, "`[run]`");
    auto& run = draft_.model().run;
    for (const auto& field : run_fields) {
        if (const auto* value = field.for_use(use::run_section) ? section->find(field.name) : nullptr) {
            read_run_key(field, *value, run);
        }
    }
    if (run.duration && run.steps) {
        section->find("steps")->fail("give either duration or steps, not both");
    }
}

void ModelReader::read_run_key(const RequestField<RunRequest>& field, const Document& value, RunRequest& run) {
    const auto name = fmt::format("[run] {}", field.name);
    const auto refuse = [&](std::string text, std::string problem) {
        throw InputError(
            {.argument = name, .value = std::move(text), .problem = std::move(problem), .place = value.place});
    };
    if (field.kind() == FieldKind::text) {
        if (value.kind != Document::Kind::text) {
            refuse("", fmt::format("expected a string in quotes, found {}", libration::name(value.kind)));
        }
        read_text(run, field, value.text);
    } else {
        const double found = number(value, fmt::format("`{}`", name));
        auto scope = draft_.scope({});
        const auto given = formula(value, scope, name);
        if (!symbols_of(std::array{given}).empty()) {
            draft_.model().run_formulas.emplace_back(field.name, to_string(given));
        }
        const auto shown = fmt::format("{}", found);
        if (!std::isfinite(found)) {
            refuse(shown, "it must be a finite number");
        }
        if (field.kind() == FieldKind::whole && (!(found >= 0) || found != std::round(found) || found > 9e15)) {
            refuse(shown, "it must be a whole number from 0 to 9e15");
        }
        if (field.name == "step" && found == 0) {
            refuse(shown, "it must be a finite number other than 0");
        }
        read_text(run, field, field.kind() == FieldKind::whole ? fmt::format("{:.0f}", found) : shown);
    }
    try {
        check_fields<RunRequest>(run, {&field, 1});
    } catch (const InputError& error) {
        refuse(error.mistake().value, error.mistake().problem);
    }
}

}  // namespace libration
