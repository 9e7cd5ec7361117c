// Claims over the members of a family: its examples, and what the record accepts as its first parameter.
#include "family_claims.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/spec.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace libration {

namespace {

// Nothing where the record refuses the parameters.
std::optional<int> claimed_order(const std::string& specification) {
    try {
        return method(specification, Doubts::accept).claims().order;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// "s" of "(s)" and "k" of "(k, a1, ...)"; empty where the first parameter is another method.
std::string whole_parameter_name(const MethodRecord& record) {
    const auto name = std::string(record.parameters.substr(0, record.parameters.find_first_of(",)")));
    return name.size() == 2 && std::islower(static_cast<unsigned char>(name[1])) != 0 ? name.substr(1) : "";
}

// "2s-2", if that is the order of all members.
std::optional<std::string> formula_of(const std::map<int, int>& orders, const std::string& name) {
    if (orders.size() < 2) {
        return std::nullopt;
    }
    const auto [first, order] = *orders.begin();
    const auto [second, next] = *std::next(orders.begin());
    const int slope = (next - order) / (second - first), rest = order - slope * first;
    if (!std::ranges::all_of(orders, [&](const auto& one) { return one.second == slope * one.first + rest; })) {
        return std::nullopt;
    }
    if (slope == 0) {
        return fmt::format("{}", rest);
    }
    const auto constant = rest == 0 ? std::string() : fmt::format("{:+}", rest);
    return fmt::format("{}{}{}", slope == 1 ? "" : fmt::format("{}", slope), name, constant);
}

// Of a family with a number of stages, of steps or the like.
std::optional<std::string> order_by_number(const MethodRecord& record, const std::string& name) {
    constexpr int most = 100;  // more than any family takes, inner steps of respa excepted
    std::map<int, int> orders;
    for (int number = 1; number <= most; ++number) {
        if (const auto order = claimed_order(fmt::format("{}({})", record.name, number))) {
            orders.emplace(number, *order);
        }
    }
    const auto formula = formula_of(orders, name);
    const bool only_parameter = record.parameters.find(',') == std::string_view::npos;
    if (!formula || !only_parameter || formula->find(name) == std::string::npos) {
        return formula;
    }
    return fmt::format("{}, {} = {}-{}", *formula, name, orders.begin()->first, orders.rbegin()->first);
}

// Whether a member built on another member has an order that no example has.
bool grows_by_nesting(const MethodRecord& record, int high) {
    const auto all = examples(record);
    return std::ranges::any_of(all, [&](const std::string& outer) {
        return std::ranges::any_of(all, [&](const std::string& inner) {
            auto nested = parse_spec(outer);
            nested.arguments.front() = parse_spec(inner);
            return claimed_order(to_string(nested)).value_or(0) > high;
        });
    });
}

std::string family_order(const MethodRecord& record, int low, int high) {
    const auto range = low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high);
    if (record.parameters.empty()) {
        return range;
    }
    if (const auto name = whole_parameter_name(record); !name.empty()) {
        return order_by_number(record, name).value_or(range);
    }
    return grows_by_nesting(record, high) ? fmt::format("{} or more", low) : range;
}

}  // namespace

FamilyClaims family_claims(const MethodRecord& record) {
    int low = std::numeric_limits<int>::max();
    int high = 0;
    std::set<std::string> symmetric;
    std::set<std::string> symplectic;
    for (const auto& example : examples(record)) {
        const auto claims = method(example).claims();
        low = std::min(low, claims.order);
        high = std::max(high, claims.order);
        symmetric.insert(claims.symmetric ? "yes" : "no");
        symplectic.insert(!claims.symplectic ? "no claim" : (*claims.symplectic ? "yes" : "no"));
    }
    const auto common = [](const std::set<std::string>& words) { return words.size() == 1 ? *words.begin() : "some"; };
    return {.order = family_order(record, low, high), .symmetric = common(symmetric), .symplectic = common(symplectic)};
}

}  // namespace libration
