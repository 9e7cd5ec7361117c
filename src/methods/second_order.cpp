// One line for each method: each costs a compilation.
#include "second_order.hpp"

#include "map_stepper.hpp"
#include "rattle_map.hpp"
#include "runge_kutta_map.hpp"
#include "stage_map.hpp"
#include "stages.hpp"
#include "winding_stepper.hpp"

namespace libration {

namespace {

// Lobatto pairs without their second way to solve a step: where that is needed, the tangents have no digits.
std::unique_ptr<Map<SecondOrder>> second_order_map(const Method& method, System<SecondOrder>& system) {
    const auto& name = method.record().name;
    const auto stages = [&] { return static_cast<std::size_t>(stages_of(method.spec(), 1)); };
    if (name == "rattle" || name == "verlet") {
        if (system.properties().separable) {
            return std::make_unique<RattleMap<SecondOrder>>(system);
        }
        return std::make_unique<StageMap<SecondOrder>>(system, lobatto_scheme(2));
    }
    if (name == "lobatto") {
        return std::make_unique<StageMap<SecondOrder>>(system, lobatto_scheme(stages()));
    }
    return std::make_unique<RungeKuttaMap<SecondOrder>>(system, Family::gauss, stages());
}

}  // namespace

bool has_second_order(const Method& method, std::size_t constraints) {
    const auto& name = method.record().name;
    return name == "rattle" || name == "verlet" || name == "lobatto" || (name == "gauss" && constraints == 0);
}

template <>
std::unique_ptr<Stepper<SecondOrder>> make_stepper<SecondOrder>(const Method& method, System<SecondOrder>& system) {
    return counting_turns<SecondOrder>(
        system, std::make_unique<MapStepper<SecondOrder>>(system, second_order_map(method, system)), method.lag());
}

}  // namespace libration
