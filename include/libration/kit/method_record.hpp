// A method is one record: its name, its claims, its needs, how it is constructed. The command line, the docs and the
// conformance suite all read it.
#pragma once

#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>
#include <libration/methods/method.hpp>

#include <memory>
#include <tuple>

namespace [[gnu::visibility("default")]] libration {

// A running method created directly: for those that are more than a map, because their nodes are available late.
template <class S>
using Factory = std::unique_ptr<Stepper<S>> (*)(System<S>&, const MethodSpec&);
// A one-step method as a map, from which compositions are built too.
template <class S>
using MapFactory = std::unique_ptr<Map<S>> (*)(System<S>&, const MethodSpec&);

#define LIBRATION_FACTORY(scalar) Factory<scalar>
using Factories = std::tuple<LIBRATION_SCALARS(LIBRATION_FACTORY)>;
#undef LIBRATION_FACTORY
#define LIBRATION_FACTORY(scalar) MapFactory<scalar>
using MapFactories = std::tuple<LIBRATION_SCALARS(LIBRATION_FACTORY)>;
#undef LIBRATION_FACTORY

// For methods without parameters.
void check_no_parameters(const MethodSpec& spec);

struct MethodRecord {
    std::string_view name;
    std::string_view parameters;  // as shown to users, e.g. "(s)"; empty for methods without
    std::string_view summary;
    std::string_view reference;  // a key of docs/references.bib
    Needs needs;
    int lag = 0;        // nodes are available this many steps late
    bool lanes = true;  // runs on packs and on the tracer
    // For methods that are built on another one, named in their parameters.
    Needs (*needs_of)(const MethodSpec&) = nullptr;
    bool (*lanes_of)(const MethodSpec&) = nullptr;
    // Where the model decides whether pivots are selected, too.
    bool (*lanes_on)(const MethodSpec&, const SystemProperties&) = nullptr;
    // For families whose lag depends on their parameters.
    int (*lag_of)(const MethodSpec&) = nullptr;
    // The inverse of the map with the opposite step, for maps that are not symmetric; nothing where it is not
    // registered.
    MethodSpec (*adjoint)(const MethodSpec&) = nullptr;
    Claims (*claims)(const MethodSpec&) = nullptr;
    // The nodes c_i of its stages, where their slopes give a symmetric estimate of the error (see adaptive.hpp).
    std::vector<double> (*error_nodes)(const MethodSpec&) = nullptr;
    // Where constraints change what can be claimed.
    Claims (*constrained_claims)(const MethodSpec&) = nullptr;
    // Where the model decides how its terms are treated, too.
    Claims (*claims_on)(const MethodSpec&, const SystemProperties&, std::size_t constraints) = nullptr;
    // Throws an InputError if the parameters are invalid.
    void (*check)(const MethodSpec&) = check_no_parameters;
    // Why a method should not be used, with constraints or at all, although its parameters are valid, and what to use
    // instead; empty: no reservation.
    std::string (*doubt)(const MethodSpec&, bool constrained) = nullptr;
    // What to know before a long run with constraints, as a warning; empty: nothing.
    std::string (*caution)(const MethodSpec&) = nullptr;
    // The interval of periodicity: bounded on q'' = -omega^2 q for h omega up to this. Nothing: not stated.
    double (*periodicity)(const MethodSpec&) = nullptr;
    Factories factories{};  // one of these two is given
    MapFactories maps{};
    std::span<const std::string_view> more_examples;  // for families: specifications that the conformance suite runs
};

// The specifications that stand for a method in tables and in the conformance suite: its name, or those of its family.
std::vector<std::string> examples(const MethodRecord& record);

// The factories of a family whose stepper is constructed from the system alone.
template <template <class> class Family>
constexpr Factories factories_of() {
#define LIBRATION_MAKE(scalar)                                                          \
    [](System<scalar>& system, const MethodSpec&) -> std::unique_ptr<Stepper<scalar>> { \
        return std::make_unique<Family<scalar>>(system);                                \
    }
    return {LIBRATION_SCALARS(LIBRATION_MAKE)};
#undef LIBRATION_MAKE
}

// Packs and recorded steps: no pivot search, no branch on a value.
template <class S>
inline constexpr bool is_lane_scalar = std::is_same_v<S, Pack> || records_operations<S>;

template <template <class> class Family, bool in_lanes, class S>
constexpr MapFactory<S> map_factory() {
    if constexpr (is_lane_scalar<S> && !in_lanes) {
        return nullptr;
    } else {
        return [](System<S>& system, [[maybe_unused]] const MethodSpec& spec) -> std::unique_ptr<Map<S>> {
            if constexpr (std::is_constructible_v<Family<S>, System<S>&, const MethodSpec&>) {
                return std::make_unique<Family<S>>(system, spec);
            } else {
                return std::make_unique<Family<S>>(system);
            }
        };
    }
}

// The factories of a family of maps, constructed from the system, or from the system and the specification.
template <template <class> class Family, bool in_lanes = true>
constexpr MapFactories maps_of() {
#define LIBRATION_MAKE(scalar) map_factory<Family, in_lanes, scalar>()
    return {LIBRATION_SCALARS(LIBRATION_MAKE)};
#undef LIBRATION_MAKE
}

// The factories of a family whose maps are made by Maker::make<S>(system, spec).
template <class Maker, bool in_lanes = true>
constexpr MapFactories maps_by() {
    const auto of = []<class S>(std::type_identity<S>) -> MapFactory<S> {
        if constexpr (is_lane_scalar<S> && !in_lanes) {
            return nullptr;
        } else {
            return &Maker::template make<S>;
        }
    };
#define LIBRATION_MAKE(scalar) of(std::type_identity<scalar>{})
    return {LIBRATION_SCALARS(LIBRATION_MAKE)};
#undef LIBRATION_MAKE
}

// A running method on a system. Packs and recorded steps only where lanes().
template <class S>
std::unique_ptr<Stepper<S>> make_stepper(const Method& method, System<S>& system);
// Its map, where is_map().
template <class S>
std::unique_ptr<Map<S>> make_map(const Method& method, System<S>& system) {
    return std::get<MapFactory<S>>(method.record().maps)(system, method.spec());
}

void check_number_of_parameters(const MethodSpec& spec, std::size_t number);
// A whole number among the parameters. Throws an InputError that names the range.
struct Whole {
    std::string_view name;  // for messages: "the number of stages"
    int low, high;
};
int whole_parameter(const MethodSpec& spec, std::size_t number, const Whole& range);
// The method that a family is built on, the parameter of that number.
Method base_method(const MethodSpec& spec, std::size_t number);

}  // namespace libration
