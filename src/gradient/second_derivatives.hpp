// Second derivatives of a loss along one direction: forward runs of dual numbers whose parts are dual numbers, too. The
// inner tangent is the direction v, the outer ones are four unknowns at a time; the outer tangents of the loss have the
// entries of H v as their inner tangents.
#pragma once

#include "forward_run.hpp"

namespace libration {

struct SecondDerivatives {
    std::vector<double> along;  // H v, one for each unknown
    double growth = 1;
    std::optional<TangentFailure> failure;

    template <class Bytes>
    void visit(Bytes& bytes) {
        bytes(along, growth, failure);
    }
};

// `task.second`: the direction. `groups`: the unknowns, some at a time.
SecondDerivatives second_derivatives(const TangentTask& task, const std::vector<Unknown>& unknowns,
                                     const std::vector<std::vector<Unknown>>& groups);

// The unknowns of a direction. InputError for lists as a whole, and for what cannot be differentiated.
std::vector<Unknown> direction_of(const Model& model, std::span<const Derivative> direction);

// InputError if there are none for this method, this model or this loss.
void require_second_derivatives(const Model& model, const Method& method, const GradientOptions& options);

}  // namespace libration
