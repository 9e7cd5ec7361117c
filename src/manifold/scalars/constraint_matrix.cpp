// The choice of a factorisation, in all scalars.
#include "manifold/constraint_matrix.hpp"
#include "scalar/second_order.hpp"

#include "manifold/augmented_constraint_matrix.hpp"
#include "manifold/sparse_constraint_matrix.hpp"
#include "manifold/supernodal_constraint_matrix.hpp"

namespace libration {

namespace {

// Stored places of updates cost memory and are gathered one by one. They pay as long as a number of the factor is
// updated a few times; with much fill (nets, cliques) blocks of columns do better.
constexpr std::size_t most_updates = 200'000'000, most_updates_of_a_place = 16;

// The structure for a sparse factor, empty where the fill is too much for it.
std::optional<Elimination> low_fill_elimination(const ConstraintGraph& graph, std::span<const std::uint32_t> order) {
    auto elimination = eliminate(graph, order, most_updates);
    if (elimination && elimination->updates() > most_updates_of_a_place * elimination->places()) {
        elimination.reset();
    }
    return elimination;
}

}  // namespace

template <class S>
std::unique_ptr<ConstraintMatrix<S>> make_constraint_matrix(const System<S>& system) {
    if (system.properties().added > 0 && system.constraints() > 0) {
        return std::make_unique<AugmentedConstraintMatrix<S>>(system);
    }
    const auto ordered = ordered_graph(system);
    if (auto elimination = low_fill_elimination(ordered.graph, ordered.order)) {
        return std::make_unique<SparseConstraintMatrix<S>>(system, std::move(*elimination));
    }
    return std::make_unique<SupernodalConstraintMatrix<S>>(system, ordered);
}

template <class S>
std::shared_ptr<ConstraintMatrix<S>> constraint_matrix(System<S>& system) {
    if (!system.shared_constraint_matrix) {
        system.shared_constraint_matrix = make_constraint_matrix(system);
    }
    return system.shared_constraint_matrix;
}

#define LIBRATION_INSTANTIATE(scalar)                                                                         \
    template std::unique_ptr<ConstraintMatrix<scalar>> make_constraint_matrix<scalar>(const System<scalar>&); \
    template std::shared_ptr<ConstraintMatrix<scalar>> constraint_matrix<scalar>(System<scalar>&);
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
LIBRATION_INSTANTIATE_SECOND_ORDER(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
