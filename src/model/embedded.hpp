// The catalogue of problems that is built into the library, one TOML text each (problems/*.toml).
#pragma once

#include <span>
#include <string_view>

namespace libration {

struct EmbeddedProblem {
    std::string_view name;
    std::string_view text;
};

std::span<const EmbeddedProblem> embedded_problems();

}  // namespace libration
