// Every argument of every request by its neutral name: what the languages of the faces know.
#pragma once

#include "field.hpp"

namespace libration {

// The arguments of a task (run, ensemble, certify, compare, analyse, reproduce) in their order; none for any other
// name.
std::vector<Argument> arguments_of(std::string_view task);
// By its neutral name; nothing if no request has it.
std::optional<Argument> argument_named(std::string_view name);

}  // namespace libration
