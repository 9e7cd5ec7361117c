// A running method, from its record.
#include "map_stepper.hpp"
#include "winding_stepper.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

template <class S>
std::unique_ptr<Stepper<S>> make_stepper(const Method& method, System<S>& system) {
    if (const auto factory = std::get<Factory<S>>(method.record().factories)) {
        return counting_turns<S>(system, factory(system, method.spec()), method.lag());
    }
    return counting_turns<S>(system, std::make_unique<MapStepper<S>>(system, make_map<S>(method, system)),
                             method.lag());
}

#define LIBRATION_MAKE_STEPPER(scalar) \
    template std::unique_ptr<Stepper<scalar>> make_stepper<scalar>(const Method&, System<scalar>&);
LIBRATION_FOR_SCALARS(LIBRATION_MAKE_STEPPER)
#undef LIBRATION_MAKE_STEPPER

}  // namespace libration
