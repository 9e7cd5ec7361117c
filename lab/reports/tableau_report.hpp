// Everything that the laboratory knows of Runge-Kutta methods, of pairs of them, and of the SPARK combination.
// 003 is Jay 1996, 004 is Jay 1998.
#pragma once

#include "closed_form.hpp"
#include "measured_order.hpp"
#include "periodicity.hpp"
#include "simplifying_assumptions.hpp"
#include "stability_function.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace libration {

struct FamilyReport {
    Family family;
    Tableau tableau;
    ExactTableau exact;
    Assumptions assumptions;
    WTransform transform;
    std::optional<Family> symplectic_conjugate, symmetric_conjugate;  // nothing if it is none of the families here
    Wide symplecticity_defect, symmetry_defect;
    bool symplectic, symmetric;
    StabilityFunction function;
    LinearStability stability;
    bool algebraically_stable, dilatative;          // 004 Definition 6.6 and section 6.4
    std::size_t order;                              // Butcher 1964
    std::optional<OscillatorOrder> measured_order;  // on a nonlinear oscillator
};

// Two methods with the same nodes: the first for positions, the second for momenta.
struct PairReport {
    Family first;
    std::optional<Family>
        second;  // nothing if it is the symplectic conjugate of the first and none of the families here
    PairAssumptions assumptions;
    Wide symplecticity_defect, symmetry_defect;
    bool symplectic, symmetric;
    Periodicity periodicity;
    Moduli at_ten;                                      // eigenvalues of the stability matrix (30) at mu = 10
    std::optional<std::size_t> free_order;              // 003 Theorem 2.2, if the pair is symplectic
    std::optional<ConstrainedOrder> constrained_order;  // 003 (4.2), if the pair fits constraints
    std::optional<OscillatorOrder> measured_order;      // on a nonlinear oscillator
};

struct TableauCondition {
    std::string name, formula;
    Wide defect;
    bool holds;
};

struct SparkReport {
    std::vector<TableauCondition> conditions;       // (S1), (21), (35), (36), (37) of 004
    ConstrainedOrder order, order_linear_in_u;      // 004 Theorem 4.5
    std::optional<OscillatorOrder> measured_order;  // with all families active
};

struct TableauReport {
    std::string name;
    std::size_t stages;
    std::vector<FamilyReport> families;
    std::vector<PairReport> pairs;
    std::optional<SparkReport> spark;
};

// The names that tableau_report knows: those of the methods, "lobatto" for the pair IIIA-IIIB and "spark" for all
// Lobatto families.
std::vector<std::string> tableau_names();

// Throws an InputError with the nearest name if it is none of them.
void check_tableau_name(const std::string& name);

// Throws an InputError for an unknown name or a number of stages that there is not.
TableauReport tableau_report(const std::string& name, std::int64_t stages);

}  // namespace libration
