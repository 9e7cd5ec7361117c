// All computations by name.
#include "reproduce/computations/list.hpp"

namespace libration {

std::span<const ComputationRecord> computations() {
    static const std::vector<ComputationRecord> all{
        {"area-transport", "sets in the phase plane propagated by methods, and their areas", area_transport},
        {"volume-transport", "a ball propagated by methods, and its volume", volume_transport},
        {"tableau", "coefficients of a Runge-Kutta family compared with printed ones", compare_tableau},
        {"node-formulas", "closed formulas for Lobatto nodes compared with the nodes", node_formulas},
        {"multistep-coefficients", "sigma and delta-hat compared with printed formulas", multistep_coefficients},
        {"multistep-roots", "roots of sigma, conditions (12) and (13), Omega", multistep_roots},
        {"multistep-region", "where condition (13) holds, six steps", multistep_region},
        {"multistep-periodicity", "the end of the interval of periodicity", multistep_periodicity},
        {"multistep-starter", "a multistep method with different starting procedures", multistep_starter},
        {"vector-field", "the vector field of a model with one degree of freedom as arrows", vector_field},
        {"verlet-step", "one large Störmer-Verlet step as two symplectic Euler steps", verlet_step},
        {"reversal", "integration forward and back: reversibility of a method", reversal},
        {"propagation", "the matrix of one step on the harmonic oscillator", propagation},
        {"modified-series", "the series of the modified equation for q'' = f(t), and its best truncation",
         modified_series},
        {"modified-flow", "the truncated modified equation of Störmer-Verlet for the pendulum", modified_flow},
        {"global-error", "global errors of several methods along one problem", global_error},
        {"dirac-pendulum", "the pendulum by Gauss collocation of Dirac's Hamiltonian, with variants", dirac_pendulum},
        {"bdf-pendulum", "the pendulum by BDF", bdf_pendulum},
        {"periodicity", "eigenvalues of a pair of methods on the harmonic oscillator", pair_periodicity},
        {"spark-conditions", "conditions on the Lobatto families of SPARK methods", spark_conditions},
        {"structural-step", "the printed two-stage step for structural dynamics compared with spark(2)",
         structural_step},
        {"operation-counts", "numbers of additions and multiplications in expressions", operation_counts},
        {"stage-multipliers", "multipliers of the last stage of a Runge-Kutta method", stage_multipliers},
        {"local-error", "local error of an adaptive step compared with the tolerance", local_error},
        {"way-back", "adaptive steps, forward and back", way_back},
        {"sphere", "the unit sphere as a wire frame", sphere_frame},
    };
    return all;
}

}  // namespace libration
