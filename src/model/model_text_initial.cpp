// The text of initial values. Values that replace others, by `set`, stand under [set] unless they belong to plain
// coordinates.
#include "body_start.hpp"
#include "model_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace libration {

namespace {

using Kind = InitialValue::Kind;
constexpr std::array<Kind, 3> all_kinds{Kind::position, Kind::momentum, Kind::velocity};
constexpr std::array kind_keys{"q", "p", "v"};
constexpr std::array kind_prefixes{"", "p_", "v_"};

std::size_t number_of(Kind kind) { return static_cast<std::size_t>(kind); }

// What the model gives, by coordinate and kind: values of ranges and starts of bodies are written as these, the first
// value of all others belongs to a list, and later ones replace it.
struct InitialParts {
    explicit InitialParts(const Model& model) {
        std::array<std::map<std::size_t, int>, 3> given;  // how often, by ranges and bodies
        for (const auto& body : model.bodies) {
            if (!body.start) {
                whole = true;
                continue;
            }
            for (const auto& value : start_values(body)) {
                expected[number_of(value.kind)][value.coordinates[0]] = true;
            }
        }
        for (const auto& value : model.initial) {
            const auto kind = number_of(value.kind);
            if (value.origin) {
                for (const auto k : value.coordinates) {
                    ++given[kind][k];
                }
                continue;
            }
            for (std::size_t i = 0; i < value.coordinates.size(); ++i) {
                const std::size_t k = value.coordinates[i];
                if (const auto start = expected[kind].find(k); start != expected[kind].end() && start->second) {
                    start->second = false;
                    ++given[kind][k];
                } else if (given[kind].contains(k) || first[kind].contains(k)) {
                    replaced.emplace_back(value.kind, k, value.value.kernel);
                } else {
                    first[kind].emplace(k, value.value.kernel);
                }
            }
        }
    }
    // The values of a list over these coordinates; empty if one is missing.
    std::vector<Expression> list(Kind kind, std::size_t begin, std::size_t end) {
        std::vector<Expression> values;
        auto& known = first[number_of(kind)];
        for (std::size_t k = begin; k < end && known.contains(k); ++k) {
            values.push_back(known.at(k));
        }
        if (values.size() != end - begin) {
            return {};
        }
        for (std::size_t k = begin; k < end; ++k) {
            known.erase(k);
        }
        return values;
    }

    std::array<std::map<std::size_t, Expression>, 3> first;
    std::array<std::map<std::size_t, bool>, 3> expected;
    std::vector<std::tuple<Kind, std::size_t, Expression>> replaced;
    bool whole = false;  // a body has no start of its own: lists of all coordinates give all
};

}  // namespace

void ModelText::write_initial() {
    InitialParts parts(model_);
    const auto texts = [](const std::vector<Expression>& values) {
        std::vector<std::string> all;
        for (const auto& value : values) {
            all.push_back(toml_formula(value));
        }
        return all;
    };
    Entries lists;
    const std::size_t plain = model_.plain_coordinates.size();
    for (const auto kind : all_kinds) {
        const auto* key = kind_keys.at(number_of(kind));
        auto values = parts.whole ? parts.list(kind, 0, model_.dimension) : std::vector<Expression>{};
        if (values.empty() && plain > 0) {
            values = parts.list(kind, 0, plain);
        }
        if (!values.empty()) {
            lists.emplace_back(key, toml_list(texts(values), 4));
        }
    }
    section("initial", lists);
    for (const auto& group : model_.points) {
        Entries rows;
        for (const auto kind : all_kinds) {
            const auto values = parts.list(kind, group.first, group.first + group.count * group.dimension);
            std::vector<std::string> points;
            for (std::size_t k = 0; k < values.size(); k += group.dimension) {
                points.push_back(toml_list(texts({values.begin() + static_cast<std::ptrdiff_t>(k),
                                                  values.begin() + static_cast<std::ptrdiff_t>(k + group.dimension)}),
                                           6));
            }
            if (!points.empty()) {
                rows.emplace_back(kind_keys.at(number_of(kind)), toml_list(points, 4));
            }
        }
        section("[initial." + toml_key(group.name) + "]", rows);
        write_initial_points(group);
    }
    for (const auto& body : model_.bodies) {
        write_initial_body(body);
    }
    for (const auto kind : all_kinds) {
        for (const auto& [k, value] : parts.first.at(number_of(kind))) {
            if (!parts.expected.at(number_of(kind)).contains(k)) {
                parts.replaced.emplace(parts.replaced.begin(), kind, k, value);
            }
        }
    }
    Entries set;
    for (const auto& [kind, k, value] : parts.replaced) {
        const auto name = kind_prefixes.at(number_of(kind)) + model_.coordinate_name(k);
        std::erase_if(set, [&](const auto& entry) { return entry.first == name; });
        set.emplace_back(name, toml_quoted(to_string(value)));
    }
    section("set", set);
}

void ModelText::write_initial_points(const PointGroup& group) {
    std::vector<std::shared_ptr<const Instances>> ranges;
    for (const auto& value : model_.initial) {
        if (value.origin && !value.coordinates.empty() && value.coordinates[0] >= group.first &&
            value.coordinates[0] < group.first + group.count * group.dimension &&
            std::ranges::find(ranges, value.origin) == ranges.end()) {
            ranges.push_back(value.origin);
        }
    }
    for (const auto& origin : ranges) {
        Entries entries{{"for", toml_quoted(origin->over)}};
        for (const auto kind : all_kinds) {
            std::vector<std::string> components;
            for (const auto& value : model_.initial) {
                if (value.origin == origin && value.kind == kind) {
                    components.push_back(toml_formula(value.value.kernel));
                }
            }
            if (!components.empty()) {
                entries.emplace_back(kind_keys.at(number_of(kind)), toml_list(components, 4));
            }
        }
        section("[initial." + toml_key(group.name) + "]", entries);
    }
}

}  // namespace libration
