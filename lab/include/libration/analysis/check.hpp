// `libration check`: everything about a model that can be known before a run.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

#include <optional>

namespace libration {

// How the start was assembled.
struct CheckedAssembly {
    bool moved = false;              // false: the initial values satisfy the constraints
    double gap_before = 0, gap = 0;  // largest |g| of the initial values, and of the assembled pose
    int steps = 0;                   // least-squares solves of the search
    // Coordinates, and bodies by the distance of their centers and the angle by which they turned; the largest first.
    struct Part {
        std::string name;
        double by = 0, angle = 0;
        bool body = false;
    };
    std::vector<Part> parts;
    std::string moved_by;  // in words
    // The ways to close that were found: how far from the initial values (the root of the mean square, weighted by
    // masses), in words, and the pose.
    struct Branch {
        double distance = 0;
        std::string description;
        std::vector<double> q;
    };
    std::vector<Branch> branches;
    std::size_t branch = 1;  // the chosen one
};

struct ModelCheck {
    std::string name;
    std::size_t dimension = 0, constraints = 0, rank = 0, terms = 0;
    std::int64_t mobility = 0;                        // dimension - rank, nonholonomic constraints included
    std::vector<std::vector<std::string>> redundant;  // minimal dependent sets of constraints
    std::vector<std::string> immobile;                // bodies that cannot move, here and nearby
    std::vector<std::string> at_dead_point;           // that have no velocity at this position, but move nearby
    // Components of the reactions of joints that redundant constraints leave undetermined, "hinge.torque[1]", and the
    // length that weighs forces against torques in the reactions of least norm.
    std::vector<std::string> undetermined;
    std::optional<double> reaction_length;
    double energy = 0;  // not a number for a field without H
    double position_residual = 0, hidden_residual = 0;
    std::optional<CheckedAssembly> assembly;  // nothing: the start is used as it is given
    std::optional<StartChange> start;         // of a projected start
    double derivative_error = 0;              // largest relative difference to derivatives by dual numbers
    std::vector<std::string> faults;          // each a message for the user; empty: the model is ready to run
    std::vector<std::string> warnings;        // the model runs, but perhaps it does not say what is meant
};

struct CheckOptions {
    bool project = false;  // at the projected initial values, as a run with `project`
};
ModelCheck check(const Model& model, const CheckOptions& options = {});

// The largest difference between the derivatives that methods use (sweeps over the graph: H_q, H_p, G, G_q(v,v), H_pp)
// and those of the values by dual numbers, relative to the largest entry of each, or to a thousandth of the terms that
// cancel in it.
double derivative_self_test(const Model& model);

}  // namespace libration
