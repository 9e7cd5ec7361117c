// From kernels with index-dependent names to tables over instances.
#include "index.hpp"
#include "memory.hpp"
#include "scope.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace libration {

namespace {

double number_of_integers_at(const Place& place, std::int64_t first, std::int64_t last) {
    try {
        return number_of_integers(first, last);
    } catch (const InputError& error) {
        throw InputError(place, error.what());
    }
}

std::string at_instance(const Instances& instances, std::size_t k) {
    std::string text;
    for (std::size_t c = 0; c < instances.names.size(); ++c) {
        text += fmt::format("{}{} = {}", c > 0 ? ", " : "", instances.names[c], instances.columns[c][k]);
    }
    return instances.table.empty() ? text : fmt::format("{} (row {} of {})", text, k + 1, instances.table);
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

void ModelScope::for_each_integer(const Expression& index, const Instances& instances, const IndexLimit& limit,
                                  const Place& place, const std::function<void(std::int64_t)>& use) const {
    std::vector<Expression> slots;
    for (const auto& name : instances.names) {
        slots.push_back(symbol(name));
    }
    try {
        const IndexProgram program(index, slots, *numbers_);
        std::vector<std::int64_t> row(slots.size());
        for (std::size_t k = 0; k < instances.count; ++k) {
            for (std::size_t c = 0; c < slots.size(); ++c) {
                row[c] = instances.columns[c][k];
            }
            const auto value = program.value(row);
            if (limit.count && (value < 0 || value >= static_cast<std::int64_t>(*limit.count))) {
                throw InputError(
                    fmt::format("{0}[{1}] with {2} is {0}[{3}], which does not exist: numbers run from 0 to {4}",
                                limit.what, to_string(index), at_instance(instances, k), value, *limit.count - 1));
            }
            use(value);
        }
    } catch (const InputError& error) {
        throw InputError(place, error.what());
    }
}

IndexColumn ModelScope::integers(const Expression& index, const Instances& instances, const IndexLimit& limit,
                                 const Place& place) const {
    IndexColumn values;
    values.expect(instances.count);
    for_each_integer(index, instances, limit, place, [&](std::int64_t value) { values.push_back(value); });
    return values;
}

Formula ModelScope::formula(const Expression& kernel, const Instances& instances, const Place& place) const {
    Formula formula{kernel, instances.count, {}};
    note_elements(instances, place);
    for (const auto& s : symbols_of(std::array{kernel})) {
        if (const auto list = list_elements_.find(s.text()); list != list_elements_.end()) {
            const auto& element = list->second;
            formula.parameters.push_back(
                {s, InstanceParameter::Kind::element,
                 integers(element.index, instances, {element.list->values.size(), element.list->name}, place),
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
    const auto lower = integers(summation.lower, instances, {}, place);
    const auto upper = integers(summation.upper, instances, {}, place);
    InstanceSum sum;
    std::vector<Expression> outer;
    for (const auto& name : instances.names) {
        outer.push_back(symbol(name));
    }
    // Nested sums and list elements may hide a dependence on the outer indices, so ask the text of every symbol used.
    bool shared = !depends_on(summation.summand, outer) && lower.size() > 0;
    for (const auto& s : symbols_of(std::array{summation.summand})) {
        const auto list = summation.inner->list_elements_.find(s.text());
        shared = shared && !summation.inner->summations_.contains(s.text()) &&
                 (list == summation.inner->list_elements_.end() || !depends_on(list->second.index, outer));
    }
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    double parts = 0;
    for (std::size_t k = 0; k < instances.count; ++k) {
        shared = shared && lower[k] == lower[0];
        last = std::max(last, upper[k]);
        const double count = number_of_integers_at(place, lower[k], upper[k]);
        parts += count;
        require_memory({count, bytes_an_instance, "parts"}, "a sum", place);
        sum.count.push_back(static_cast<std::int64_t>(count));
    }
    sum.running = shared;
    Instances summands;
    if (shared) {
        summands.names = {summation.index};
        summands.columns.resize(1);
        for (auto k = lower[0]; k <= last; ++k) {
            summands.columns[0].push_back(k);
        }
    } else {
        require_memory({parts, bytes_an_instance, "parts"},
                       fmt::format("this sum, over {} instances,", instances.count), place);
        summands.names = instances.names;
        summands.names.push_back(summation.index);
        summands.columns.resize(summands.names.size());
        for (auto& column : summands.columns) {
            column.expect(static_cast<std::size_t>(parts));
        }
        for (std::size_t k = 0; k < instances.count; ++k) {
            auto row = row_of(instances, k);
            row.push_back(0);
            for (auto j = lower[k]; j <= upper[k]; ++j) {
                row.back() = j;
                append(summands, row);
            }
        }
    }
    summands.count = summands.columns.back().size();
    sum.summand = summation.inner->formula(summation.summand, summands, place);
    return sum;
}

Term ModelScope::term(const Expression& kernel, const std::shared_ptr<const Instances>& instances,
                      const Place& place) const {
    Term term{formula(kernel, *instances, place), {}, {}, instances, place};
    const auto symbols = symbols_of(std::array{kernel});
    for (const auto& s : symbols) {
        if (point_elements_.contains(s.text()) || model_->coordinate_number(s.text())) {
            term.slots.push_back(s);
        }
        term.uses_time = term.uses_time || s.text() == "t";
    }
    // In the order of the coordinates; of points with an index by their names, so that components of one point stand
    // together.
    const auto key = [this](const Expression& slot) {
        const bool by_name = point_elements_.contains(slot.text());
        return by_name ? std::pair(model_->dimension, std::string_view(slot.text()))
                       : std::pair(*model_->coordinate_number(slot.text()), std::string_view());
    };
    std::ranges::sort(term.slots, {}, key);
    const std::size_t width = term.slots.size();
    term.indices.resize(instances->count * width);
    for (std::size_t c = 0; c < width; ++c) {
        auto* entry = term.indices.data() + c;
        const auto found = point_elements_.find(term.slots[c].text());
        if (found == point_elements_.end()) {  // "x", or a point with a fixed number, "r[3].x"
            const auto number = static_cast<std::uint32_t>(*model_->coordinate_number(term.slots[c].text()));
            for (std::size_t k = 0; k < instances->count; ++k, entry += width) {
                *entry = number;
            }
            continue;
        }
        const auto& [group, component, index] = found->second;
        for_each_integer(index, *instances, {group->count, group->name}, place, [&](std::int64_t i) {
            *entry =
                static_cast<std::uint32_t>(group->first + static_cast<std::size_t>(i) * group->dimension + component);
            entry += width;
        });
    }
    return term;
}

Instances enumerate(const std::vector<Range>& ranges, const IndexTables& tables, const NumberMap& numbers,
                    const Place& place) {
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
        const auto* table = range.table.empty() ? nullptr : tables.at(range.table).get();
        if (table != nullptr && ranges.size() == 1) {
            next.table = range.table;
        }
        std::optional<IndexProgram> lower, upper;
        if (table == nullptr) {
            try {
                lower.emplace(range.lower, slots, numbers);
                upper.emplace(range.upper, slots, numbers);
            } catch (const InputError& error) {
                throw InputError(place, error.what());
            }
        }
        // Counting first costs little and refuses what does not fit before memory is taken.
        double count = table != nullptr ? static_cast<double>(all.count) * static_cast<double>(table->rows) : 0;
        try {
            for (std::size_t k = 0; table == nullptr && k < all.count; ++k) {
                const auto row = row_of(all, k);
                count += number_of_integers(lower->value(row), upper->value(row));
            }
        } catch (const InputError& error) {
            throw InputError(place, error.what());
        }
        require_memory({count, bytes_an_instance, "instances"}, "this range", place);
        for (auto& column : next.columns) {
            column.expect(static_cast<std::size_t>(count));
        }
        for (std::size_t k = 0; k < all.count; ++k) {
            auto row = row_of(all, k);
            const std::size_t width = row.size();
            row.resize(next.columns.size());
            const auto tuple = std::span(row).subspan(width);
            for (std::size_t i = 0; table != nullptr && i < table->rows; ++i) {
                std::ranges::copy(table->row(i), tuple.begin());
                append(next, row);
            }
            if (table == nullptr) {
                const auto outer = std::span(row).first(width);
                const auto last = upper->value(outer);
                for (auto i = lower->value(outer); i <= last; ++i) {
                    row.back() = i;
                    append(next, row);
                }
            }
        }
        next.count = static_cast<std::size_t>(count);
        if (table == nullptr && (all.names.empty() || !all.over.empty())) {
            next.over = fmt::format("{}{}{} in {}..{}", all.over, all.over.empty() ? "" : ", ", range.names[0],
                                    to_string(range.lower), to_string(range.upper));
        }
        all = std::move(next);
    }
    return all;
}

}  // namespace libration
