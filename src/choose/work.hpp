// The work of a run as a number of operations: what its evaluations cost by the sizes of the programs and matrices of
// the model. A choice compares these numbers and no times, so that it is the same on every machine.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/kit/system.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

namespace libration {

class WorkCount {
  public:
    WorkCount(const Model& model, System<double>& system);

    // Of the steps of a run, monitors included. One operation takes about a nanosecond in the interpreter.
    [[nodiscard]] double of(const Run& run, const Method& method) const;

  private:
    struct Each {
        double force = 0, constraint = 0, jacobian = 0, energy = 0;
    } each_;
    struct {
        double factor = 0, solve = 0;
    } constraint_matrix_;
    double dimension_ = 0, constraints_ = 0;
    bool forced_ = false, partitioned_ = true;
};

}  // namespace libration
