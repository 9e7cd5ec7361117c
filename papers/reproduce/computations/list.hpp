// One file a computation, one line here and one in list.cpp.
#pragma once

#include "reproduce/computation.hpp"

namespace libration {

Computed area_transport(const ComputationArguments& arguments);
Computed volume_transport(const ComputationArguments& arguments);
Computed compare_tableau(const ComputationArguments& arguments);
Computed node_formulas(const ComputationArguments& arguments);
Computed multistep_coefficients(const ComputationArguments& arguments);
Computed multistep_roots(const ComputationArguments& arguments);
Computed multistep_region(const ComputationArguments& arguments);
Computed multistep_periodicity(const ComputationArguments& arguments);
Computed multistep_starter(const ComputationArguments& arguments);
Computed vector_field(const ComputationArguments& arguments);
Computed verlet_step(const ComputationArguments& arguments);
Computed reversal(const ComputationArguments& arguments);
Computed propagation(const ComputationArguments& arguments);
Computed modified_series(const ComputationArguments& arguments);
Computed modified_flow(const ComputationArguments& arguments);
Computed dirac_pendulum(const ComputationArguments& arguments);
Computed bdf_pendulum(const ComputationArguments& arguments);
Computed pair_periodicity(const ComputationArguments& arguments);
Computed spark_conditions(const ComputationArguments& arguments);
Computed structural_step(const ComputationArguments& arguments);
Computed operation_counts(const ComputationArguments& arguments);
Computed stage_multipliers(const ComputationArguments& arguments);
Computed global_error(const ComputationArguments& arguments);
Computed local_error(const ComputationArguments& arguments);
Computed way_back(const ComputationArguments& arguments);
Computed sphere_frame(const ComputationArguments& arguments);

}  // namespace libration
