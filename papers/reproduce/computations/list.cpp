// All computations by name.
#include "reproduce/computations/list.hpp"

namespace libration {

std::span<const ComputationRecord> computations() {
    static const std::vector<ComputationRecord> all{
        {"area-transport", "sets of the phase plane carried by methods, and their areas", area_transport},
        {"volume-transport", "a ball carried by methods, and its volume", volume_transport},
        {"tableau", "coefficients of a Runge-Kutta family beside printed ones", compare_tableau},
        {"node-formulas", "closed formulas for Lobatto nodes against the nodes", node_formulas},
        {"multistep-coefficients", "sigma and delta-hat beside printed formulas", multistep_coefficients},
        {"multistep-roots", "roots of sigma, conditions (12) and (13), Omega", multistep_roots},
        {"multistep-region", "where condition (13) holds, six steps", multistep_region},
        {"multistep-periodicity", "the end of the interval of periodicity", multistep_periodicity},
        {"multistep-starter", "a multistep method started by others", multistep_starter},
        {"vector-field", "the vector field of a model with one degree of freedom as arrows", vector_field},
        {"verlet-step", "one large step of Stormer-Verlet as two of symplectic Euler", verlet_step},
        {"reversal", "there and back again: how reversible a method is", reversal},
        {"propagation", "the matrix of one step on the harmonic oscillator", propagation},
        {"modified-series", "the series of the modified equation for q'' = f(t), and its best truncation",
         modified_series},
        {"modified-flow", "the truncated modified equation of Stormer-Verlet for the pendulum", modified_flow},
        {"global-error", "global errors of several methods along one problem", global_error},
        {"dirac-pendulum", "the pendulum by Gauss on Dirac's Hamiltonian, with its variants", dirac_pendulum},
        {"bdf-pendulum", "the pendulum by backward differentiation", bdf_pendulum},
        {"periodicity", "eigenvalues of a pair of methods on the harmonic oscillator", pair_periodicity},
        {"spark-conditions", "what is asked of the Lobatto families of SPARK methods", spark_conditions},
        {"structural-step", "the printed two-stage step of structural dynamics against spark(2)", structural_step},
        {"operation-counts", "additions and multiplications of expressions", operation_counts},
        {"stage-multipliers", "multipliers of the last stage of a Runge-Kutta method", stage_multipliers},
        {"local-error", "the error of one step that chooses its length, against the tolerance", local_error},
        {"way-back", "steps that choose their length, there and back again", way_back},
        {"sphere", "the unit sphere as a wire frame", sphere_frame},
    };
    return all;
}

}  // namespace libration
