// Redundant constraints where a run starts: which are carried, and what is wrong with them.
#pragma once

#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

#include <memory>

namespace libration {

// A model as methods see it, with its system.
struct PreparedModel {
    Model model;  // the given one, or the one that carries an independent set of its rows
    std::unique_ptr<System<double>> system;
    std::vector<std::vector<std::size_t>> sets;  // minimal dependent sets of rows of the given model
    std::vector<std::string> warnings;           // what is redundant or nearly so
    std::string fault;                           // constraints that contradict each other; for the user
};

// Decides on the manifold: rows count as redundant if they are dependent at the start and at states near it, so that
// they hold along with the others. Where they are dependent at the start alone, the position is singular, nothing is
// carried, and the checks of the start refuse it. Of a start off the manifold, where rows look independent that are
// not, the nearest position on it decides. `most_sets`: how many are named.
PreparedModel prepared(const Model& model, double t, std::size_t most_sets = 8);

// The model of it alone, for what does not report on the start.
Model carrying(const Model& model, double t = 0);

}  // namespace libration
