// Which kind of system a model needs.
#include <libration/system/make_system.hpp>

#include <libration/system/term_system.hpp>

namespace libration {

template <class S>
std::unique_ptr<System<S>> make_system(const Model& model) {
    return std::make_unique<TermSystem<S>>(model);
}

#define LIBRATION_INSTANTIATE(scalar) template std::unique_ptr<System<scalar>> make_system<scalar>(const Model&);
LIBRATION_FOR_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
