// States of a recorded run between its nodes, after the run: dense output from the rows around a time.
#pragma once

#include "dense_output.hpp"
#include "monitor.hpp"
#include "row_watch.hpp"
#include <libration/integrate/run.hpp>
#include <libration/methods/method.hpp>

#include <memory>

namespace libration {

class StatesBetween {
  public:
    // Of a run from this time on. InputError if the method has no dense output for this model.
    StatesBetween(const Model& model, const Method& method, double start_time);

    // The state at t between two consecutive recorded nodes; at the time of a node, that node. Valid until the next
    // call. InputError if it cannot be found.
    Sample between(const Sample& left, const Sample& right, double t);

  private:
    // What makes and reads states, of a model that may carry some of its rows.
    struct Reader {
        Reader(Model carrying, const Method& method);
        Model model;
        DenseOutput dense;
        std::unique_ptr<System<double>> system;
        Manifold<double> manifold;
        NodeReader nodes;
    };
    Reader& reader_of(const Node<double>& left, const Node<double>& right);

    Method method_;
    Reader start_;
    RowWatch watch_;                 // of the rows carried at the start
    std::unique_ptr<Reader> other_;  // with other rows, the last ones that were wanted
    std::vector<double> q_low_;
    std::size_t turns_;  // angles that count turns, the first observables
};

}  // namespace libration
