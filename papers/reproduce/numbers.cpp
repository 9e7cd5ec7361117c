// Expressions of numbers.
#include "reproduce/numbers.hpp"

#include "expression/tape.hpp"
#include "text/suggest.hpp"
#include <libration/expression/parse.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace libration {

namespace {

// a.dH and a.dH[2] become symbols of that spelling.
class NumberScope final : public Scope {
  public:
    explicit NumberScope(const std::map<std::string, std::map<std::string, std::vector<double>>>& values)
        : values_(&values) {}

    std::optional<Value> name(std::string_view) override { return std::nullopt; }
    std::optional<Value> element(std::string_view, const Expression&) override { return std::nullopt; }
    [[nodiscard]] bool has_members(std::string_view name) const override {
        return values_->contains(std::string(name));
    }
    Value member(std::string_view name, const Member& wanted) override {
        const auto& numbers = values_->at(std::string(name));
        const auto found = numbers.find(wanted.name);
        if (found == numbers.end()) {
            std::vector<std::string> known;
            for (const auto& [number, values] : numbers) {
                known.push_back(number);
            }
            throw InputError(
                fmt::format("'{}' has no number '{}'{}", name, wanted.name, suggestion(wanted.name, known, 40)));
        }
        auto spelling = fmt::format("{}.{}", name, wanted.name);
        if (!wanted.indices.empty()) {
            Tape<double> tape(compile(std::array{wanted.indices[0]}, {}, {}), {});
            tape.run();
            const double wanted_index = tape.output(0);
            const auto size = static_cast<double>(found->second.size());
            if (!(wanted_index >= 0 && wanted_index < size) || wanted_index != std::floor(wanted_index)) {
                throw InputError(fmt::format("{}[{}]: the list has {} numbers, counted from 0", spelling,
                                             tape.output(0), found->second.size()));
            }
            const auto index = static_cast<std::size_t>(wanted_index);
            spelling = fmt::format("{}[{}]", spelling, index);
            lists[spelling] = {found->second[index]};
        } else {
            lists[spelling] = found->second;
        }
        return Value{{symbol(spelling)}};
    }
    Value sum(const std::string&, const Expression&, const Expression&, const std::function<Value(Scope&)>&) override {
        throw InputError("sums are not available here");
    }
    [[nodiscard]] std::vector<std::string> names() const override {
        std::vector<std::string> all;
        for (const auto& [owner, numbers] : *values_) {
            all.push_back(owner);
        }
        return all;
    }

    std::map<std::string, std::vector<double>> lists;

  private:
    const std::map<std::string, std::map<std::string, std::vector<double>>>* values_;
};

}  // namespace

void Numbers::set(const std::string& owner, const std::string& name, std::vector<double> values) {
    values_[owner][name] = std::move(values);
}

const std::vector<double>& Numbers::get(const std::string& owner, const std::string& name) const {
    const auto found = values_.find(owner);
    if (found == values_.end() || !found->second.contains(name)) {
        throw InputError(fmt::format("there is no number '{}.{}'", owner, name));
    }
    return found->second.at(name);
}

std::vector<double> Numbers::evaluate(const std::string& text) const {
    NumberScope scope(values_);
    const auto expression = parse(text, scope, {}, fmt::format("the value '{}'", text));
    const auto symbols = symbols_of(std::array{expression});
    if (symbols.empty()) {
        throw InputError(fmt::format("'{}' depends on nothing that was measured", text));
    }
    std::size_t length = 1;
    for (const auto& s : symbols) {
        const auto size = scope.lists.at(s.text()).size();
        if (size != 1 && length != 1 && size != length) {
            throw InputError(fmt::format("'{}' mixes lists of {} and {} numbers", text, length, size));
        }
        length = size == 1 ? length : size;
    }
    Tape<double> tape(compile(std::array{expression}, symbols, {}), {});
    std::vector<double> result(length);
    for (std::size_t i = 0; i < length; ++i) {
        bool defined = true;  // max and min would hide what is not a number
        for (std::size_t k = 0; k < symbols.size(); ++k) {
            const auto& list = scope.lists.at(symbols[k].text());
            tape.input(k) = list.size() == 1 ? list[0] : list[i];
            defined = defined && !std::isnan(tape.input(k));
        }
        tape.run();
        result[i] = defined ? tape.output(0) : std::numeric_limits<double>::quiet_NaN();
    }
    return result;
}

}  // namespace libration
