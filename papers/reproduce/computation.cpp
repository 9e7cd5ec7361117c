// Arguments of computations.
#include "computation.hpp"

#include "reproduce/recipe_values.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

bool ComputationArguments::has(const std::string& name) const {
    read_.insert(name);
    return values_.contains(name);
}

std::vector<std::string> ComputationArguments::unread() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : values_) {
        if (!read_.contains(name)) {
            names.push_back(name);
        }
    }
    return names;
}

std::vector<std::string> ComputationArguments::texts(const std::string& name) const {
    read_.insert(name);
    const auto found = values_.find(name);
    return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::string ComputationArguments::text(const std::string& name) const {
    read_.insert(name);
    const auto found = values_.find(name);
    if (found == values_.end() || found->second.size() != 1) {
        throw InputError(fmt::format("computation '{}' needs one value of '{}'", what_, name));
    }
    return found->second[0];
}

std::string ComputationArguments::text(const std::string& name, const std::string& fallback) const {
    return has(name) ? text(name) : fallback;
}

double ComputationArguments::number(const std::string& name) const {
    return constant_value(text(name), fmt::format("'{}' of computation '{}'", name, what_));
}

double ComputationArguments::number(const std::string& name, double fallback) const {
    return has(name) ? number(name) : fallback;
}

int ComputationArguments::integer(const std::string& name) const {
    const double value = number(name);
    if (value != std::floor(value) || std::abs(value) > 1e9) {
        throw InputError(fmt::format("computation '{}': {} = {} is not a whole number", what_, name, value));
    }
    return static_cast<int>(value);
}

std::vector<double> ComputationArguments::numbers(const std::string& name) const {
    std::vector<double> values;
    for (const auto& item : texts(name)) {
        values.push_back(constant_value(item, fmt::format("'{}' of computation '{}'", name, what_)));
    }
    return values;
}

}  // namespace libration
