// A model that starts where a run with `project` starts.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

namespace libration {

struct ProjectedModel {
    Model model;
    StartChange change;
};

// The same model with the projected state in place of its initial values, and without an assembly. Momenta are those of
// the run, bit for bit, except where M is singular: then they follow from velocities. InputError where no run can start
// there.
ProjectedModel with_projected_start(const Model& model, double t = 0);

}  // namespace libration
