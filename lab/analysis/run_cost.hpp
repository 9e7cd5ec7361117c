// How much work runs are, in operations: counted and not timed, so that every machine decides the same by it.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/kit/system.hpp>
#include <libration/methods/method.hpp>

namespace libration {

class RunCost {
  public:
    explicit RunCost(System<double>& system);
    // Of this many steps, interpreted, in which the method made these evaluations. About one per nanosecond on the
    // machine where it was measured: of 57 built-in problems with four methods and five steps each, times are between a
    // fifth and the fivefold of it, half of them between 0.5 and 1.5.
    [[nodiscard]] double operations(const Method& method, double steps, const EvaluationCounts& counts) const;

  private:
    [[nodiscard]] double dense_operations(const Method& method, const EvaluationCounts& counts) const;
    SystemProperties properties_;
    double evaluation_ = 0;     // of an evaluation of H_q, g or G: they share the programs of the system
    double solution_ = 0;       // of a pass of Newton's method: products with G, solutions with A
    double factorization_ = 0;  // of A
    double unknowns_ = 0;       // of a stage
};

}  // namespace libration
