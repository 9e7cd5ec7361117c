// Methods over dual numbers of dual numbers: second derivatives of a run.
#pragma once

#include "scalar/second_order.hpp"

#include <libration/kit/method_record.hpp>

namespace libration {

// Those that have second derivatives, for messages.
inline constexpr const char* second_order_methods = "rattle, verlet, lobatto(s), and gauss(s) without constraints";
bool has_second_order(const Method& method, std::size_t constraints);

template <>
std::unique_ptr<Stepper<SecondOrder>> make_stepper<SecondOrder>(const Method& method, System<SecondOrder>& system);

}  // namespace libration
