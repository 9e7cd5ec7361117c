// Backward mode: one tangent run with the step -h from the end, on the extended model.
//
// The extended step is symplectic, so omega(w, v) = w_q.v_p - w_p.v_q is the same before and after it for any two
// tangents. With w = (L_p, -L_q) at a point, omega(w, v) is the derivative of the formula L along v; the step with -h
// carries w back to the start, where each unknown has a v of its own. Each point on the way adds its own w: at a node
// at once, between nodes after one step back to the node before.
#pragma once

#include "extended_model.hpp"
#include "forward_run.hpp"

namespace libration {

// A state of the run that the tangents follow.
struct RunState {
    std::int64_t step = 0;
    double t = 0;
    std::vector<double> q, p;
    std::vector<double> turns = {};  // see Node

    template <class Bytes>
    void visit(Bytes& bytes) {
        bytes(step, t, q, p, turns);
    }
};

struct BackwardResult {
    std::vector<double> derivatives;  // one for each unknown; of several rows, row after row
    double growth = 1;
    double defect = 0;  // of omega between start and end, for a pair of tangents of which one is generic; relative
    std::optional<TangentFailure> failure;
    std::string backend;  // what made the steps; or why they are not compiled
    double setup_seconds = 0;
    std::int64_t compiled_steps = 0;

    template <class Bytes>
    void visit(Bytes& bytes) {
        bytes(derivatives, growth, defect, failure, backend, setup_seconds, compiled_steps);
    }
};

// `method`: the inverse with the opposite step, which is the method itself if it is symmetric. `states`: along the run,
// one of them at each node with something to read, unless it is read at all nodes. The tangents follow the states and
// not their own steps, which rounding would spoil.
BackwardResult run_backward(const TangentTask& task, const Method& method, const ExtendedModel& extended,
                            std::span<const RunState> states, std::span<const Unknown> unknowns);

// The matrix of all rows: some of them travel together.
BackwardResult run_rows_backward(const TangentTask& task, const Method& method, const ExtendedModel& extended,
                                 std::span<const RunState> states, std::span<const Unknown> unknowns);
// The steps back lead to another state, by so much.
std::string strayed(double distance);

}  // namespace libration
