// Which kind of system a model needs.
#include <libration/system/make_system.hpp>

#include <libration/system/field_system.hpp>
#include <libration/system/hamiltonian_system.hpp>
#include <libration/system/kinetic_system.hpp>
#include <libration/system/term_system.hpp>

namespace libration {

template <class S>
std::unique_ptr<System<S>> make_system(const Model& model) {
    if (model.field) {
        return std::make_unique<FieldSystem<S>>(model);
    }
    if (model.hamiltonian) {
        return std::make_unique<HamiltonianSystem<S>>(model);
    }
    if (model.singular_mass) {
        return std::make_unique<KineticSystem<S>>(augmented(model));
    }
    if (model.kinetic) {
        return std::make_unique<KineticSystem<S>>(model);
    }
    return std::make_unique<TermSystem<S>>(model);
}

#define LIBRATION_INSTANTIATE(scalar) template std::unique_ptr<System<scalar>> make_system<scalar>(const Model&);
LIBRATION_FOR_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
