// Why bodies cannot be combined with kinetic energies, Hamiltonians and fields.
#pragma once

#include <string>
#include <string_view>

namespace libration {

// `what`: "the hamiltonian"
std::string body_exclusion(std::string_view what);

}  // namespace libration
