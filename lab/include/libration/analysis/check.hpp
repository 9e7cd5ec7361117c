// `libration check`: everything about a model that can be known before a run.
#pragma once

#include <libration/model/model.hpp>

namespace libration {

struct ModelCheck {
    std::string name;
    std::size_t dimension = 0, constraints = 0, rank = 0, terms = 0;
    std::int64_t mobility = 0;                        // dimension - rank, nonholonomic constraints included
    std::vector<std::vector<std::string>> redundant;  // minimal dependent sets of constraints
    std::vector<std::string> immobile;                // bodies that cannot move
    double energy = 0;                                // not a number for a field without H
    double position_residual = 0, hidden_residual = 0;
    double derivative_error = 0;        // largest relative difference to derivatives by dual numbers
    std::vector<std::string> faults;    // each a message for the user; empty: the model is ready to run
    std::vector<std::string> warnings;  // the model runs, but perhaps it does not say what is meant
};

ModelCheck check(const Model& model);

// The largest difference between the derivatives that methods use (sweeps over the graph: H_q, H_p, G, G_q(v,v), H_pp)
// and those of the values by dual numbers, relative to the largest entry of each, or to a thousandth of the terms that
// cancel in it.
double derivative_self_test(const Model& model);

}  // namespace libration
