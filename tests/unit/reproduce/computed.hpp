// The computations of recipes, by name.
#pragma once

#include "reproduce/computation.hpp"
#include <libration/text/error.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace libration {

using Arguments = std::map<std::string, std::vector<std::string>>;

inline Computed compute(const std::string& name, Arguments arguments) {
    for (const auto& record : computations()) {
        if (record.name == name) {
            return record.compute(ComputationArguments(name, std::move(arguments)));
        }
    }
    throw InputError("no computation " + name);
}

}  // namespace libration
