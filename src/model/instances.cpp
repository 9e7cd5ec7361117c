// From kernels with index-dependent names to tables over instances.
#include "index.hpp"
#include "scope.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

constexpr std::size_t most_instances = 100'000'000;

std::string at_instance(const Instances& instances, std::size_t k) {
    std::string text;
    for (std::size_t c = 0; c < instances.names.size(); ++c) {
        text += fmt::format("{}{} = {}", c > 0 ? ", " : "", instances.names[c], instances.columns[c][k]);
    }
    return text;
}

std::vector<std::int64_t> row_of(const Instances& instances, std::size_t k) {
    std::vector<std::int64_t> row;
    for (const auto& column : instances.columns) {
        row.push_back(column[k]);
    }
    return row;
}

void append(Instances& instances, std::span<const std::int64_t> row) {
    for (std::size_t c = 0; c < row.size(); ++c) {
        instances.columns[c].push_back(row[c]);
    }
}

}  // namespace

std::vector<std::int64_t> ModelScope::integers(const Expression& index, const Instances& instances, std::int64_t limit,
                                               std::string_view what, const Place& place) const {
    std::vector<Expression> slots;
    for (const auto& name : instances.names) {
        slots.push_back(symbol(name));
    }
    std::vector<std::int64_t> values;
    values.reserve(instances.count);
    try {
        const IndexProgram program(index, slots, *numbers_);
        std::vector<std::int64_t> row(slots.size());
        for (std::size_t k = 0; k < instances.count; ++k) {
            for (std::size_t c = 0; c < slots.size(); ++c) {
                row[c] = instances.columns[c][k];
            }
            const auto value = program.value(row);
            if (limit >= 0 && (value < 0 || value >= limit)) {
                throw InputError(fmt::format("{}[{}] with {} is {}[{}], which does not exist: numbers run from 0 to {}",
                                             what, to_string(index), at_instance(instances, k), what, value,
                                             limit - 1));
            }
            values.push_back(value);
        }
    } catch (const InputError& error) {
        throw InputError(point_at(place, error.what()));
    }
    return values;
}

Formula ModelScope::formula(const Expression& kernel, const Instances& instances, const Place& place) const {
    Formula formula{kernel, instances.count, {}};
    for (const auto& s : symbols_of(std::array{kernel})) {
        if (const auto list = list_elements_.find(s.text()); list != list_elements_.end()) {
            const auto& element = list->second;
            formula.parameters.push_back(
                {s, InstanceParameter::Kind::element,
                 integers(element.index, instances, static_cast<std::int64_t>(element.list->values.size()),
                          element.list->name, place),
                 element.list->name, nullptr});
        } else if (const auto sum = summations_.find(s.text()); sum != summations_.end()) {
            formula.parameters.push_back({s,
                                          InstanceParameter::Kind::sum,
                                          {},
                                          {},
                                          std::make_shared<InstanceSum>(materialize(sum->second, instances, place))});
        } else if (const auto index = std::ranges::find(instances.names, s.text()); index != instances.names.end()) {
            formula.parameters.push_back({s,
                                          InstanceParameter::Kind::index,
                                          instances.columns[static_cast<std::size_t>(index - instances.names.begin())],
                                          {},
                                          nullptr});
        }
    }
    return formula;
}

InstanceSum ModelScope::materialize(const Summation& summation, const Instances& instances, const Place& place) const {
    const auto lower = integers(summation.lower, instances, -1, "", place);
    const auto upper = integers(summation.upper, instances, -1, "", place);
    InstanceSum sum;
    std::vector<Expression> outer;
    for (const auto& name : instances.names) {
        outer.push_back(symbol(name));
    }
    // Nested sums and list elements may hide a dependence on the outer indices, so ask the text of every symbol used.
    bool shared = !depends_on(summation.summand, outer) && !lower.empty() &&
                  std::ranges::all_of(lower, [&](auto value) { return value == lower.front(); });
    for (const auto& s : symbols_of(std::array{summation.summand})) {
        const auto list = summation.inner->list_elements_.find(s.text());
        shared = shared && !summation.inner->summations_.contains(s.text()) &&
                 (list == summation.inner->list_elements_.end() || !depends_on(list->second.index, outer));
    }
    Instances summands;
    summands.count = 0;
    if (shared) {
        summands.names = {summation.index};
        summands.columns.resize(1);
        const auto last = *std::ranges::max_element(upper);
        for (auto k = lower.front(); k <= last; ++k) {
            summands.columns[0].push_back(k);
        }
        summands.count = summands.columns[0].size();
        sum.running = true;
        for (std::size_t k = 0; k < instances.count; ++k) {
            sum.first.push_back(0);
            sum.count.push_back(static_cast<std::size_t>(std::max<std::int64_t>(0, upper[k] - lower[k] + 1)));
        }
    } else {
        summands.names = instances.names;
        summands.names.push_back(summation.index);
        summands.columns.resize(summands.names.size());
        for (std::size_t k = 0; k < instances.count; ++k) {
            sum.first.push_back(summands.columns.back().size());
            auto row = row_of(instances, k);
            row.push_back(0);
            for (auto j = lower[k]; j <= upper[k]; ++j) {
                row.back() = j;
                append(summands, row);
                if (summands.columns.back().size() > most_instances) {
                    throw InputError(
                        point_at(place, fmt::format("the sums have more than {} parts in all", most_instances)));
                }
            }
            sum.count.push_back(summands.columns.back().size() - sum.first.back());
        }
        summands.count = summands.columns.back().size();
    }
    sum.summand = summation.inner->formula(summation.summand, summands, place);
    return sum;
}

Term ModelScope::term(const Expression& kernel, const std::shared_ptr<const Instances>& instances,
                      const Place& place) const {
    Term term{formula(kernel, *instances, place), {}, {}, instances, place};
    std::vector<std::vector<std::uint32_t>> columns;
    for (const auto& s : symbols_of(std::array{kernel})) {
        std::vector<std::uint32_t> column;
        if (const auto found = point_elements_.find(s.text()); found != point_elements_.end()) {
            const auto& e = found->second;
            for (const auto i :
                 integers(e.index, *instances, static_cast<std::int64_t>(e.group->count), e.group->name, place)) {
                column.push_back(static_cast<std::uint32_t>(
                    e.group->first + static_cast<std::size_t>(i) * e.group->dimension + e.component));
            }
        } else if (const auto number =
                       model_->coordinate_number(s.text())) {  // "x", or a point with a fixed number, "r[3].x"
            column.assign(instances->count, static_cast<std::uint32_t>(*number));
        }
        if (!column.empty() || (instances->count == 0 && point_elements_.contains(s.text()))) {
            term.slots.push_back(s);
            columns.push_back(std::move(column));
        }
    }
    term.indices.resize(instances->count * columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
        for (std::size_t k = 0; k < instances->count; ++k) {
            term.indices[k * columns.size() + c] = columns[c][k];
        }
    }
    return term;
}

Instances enumerate(const std::vector<Range>& ranges,
                    const std::map<std::string, std::vector<std::vector<std::int64_t>>, std::less<>>& tables,
                    const NumberMap& numbers, const Place& place) {
    Instances all;
    for (const auto& range : ranges) {
        Instances next;
        next.names = all.names;
        next.names.insert(next.names.end(), range.names.begin(), range.names.end());
        next.columns.resize(next.names.size());
        std::vector<Expression> slots;
        for (const auto& name : all.names) {
            slots.push_back(symbol(name));
        }
        const auto* table = range.table.empty() ? nullptr : &tables.at(range.table);
        std::optional<IndexProgram> lower, upper;
        if (table == nullptr) {
            try {
                lower.emplace(range.lower, slots, numbers);
                upper.emplace(range.upper, slots, numbers);
            } catch (const InputError& error) {
                throw InputError(point_at(place, error.what()));
            }
        }
        for (std::size_t k = 0; k < all.count; ++k) {
            auto row = row_of(all, k);
            const std::size_t width = row.size();
            if (table != nullptr) {
                for (const auto& tuple : *table) {
                    row.resize(width);
                    row.insert(row.end(), tuple.begin(), tuple.end());
                    append(next, row);
                }
            } else {
                const auto first = lower->value(row);
                const auto last = upper->value(row);
                row.push_back(0);
                if (last - first > static_cast<std::int64_t>(most_instances)) {
                    throw InputError(point_at(
                        place, fmt::format("the range {}..{} has more than {} elements", first, last, most_instances)));
                }
                for (auto i = first; i <= last; ++i) {
                    row.back() = i;
                    append(next, row);
                }
            }
            if (!next.columns.empty() && next.columns[0].size() > most_instances) {
                throw InputError(
                    point_at(place, fmt::format("the ranges have more than {} elements in all", most_instances)));
            }
        }
        next.count = next.columns[0].size();
        all = std::move(next);
    }
    return all;
}

}  // namespace libration
