// Lyapunov exponents of a one-step method: the rates at which neighboring trajectories separate.
//
// The method runs on dual numbers, so that tangent vectors are carried by the derivative of its own map and not by
// differences of trajectories. They start in the tangent space of the manifold {g = 0, G H_p = 0}, which has 2(n - m)
// dimensions, and every few steps they are made orthonormal again; the logarithms of what that takes away, per unit of
// time, are the exponents (Benettin, Galgani, Giorgilli, Strelcyn, Meccanica 15, 1980).
//
//     auto found = lyapunov_exponents(Model::load("henon-heiles"), method("verlet"), {.step = 0.1, .duration = 2000});
#pragma once

#include "integrate/start.hpp"
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <optional>
#include <vector>

namespace libration {

struct LyapunovOptions {
    double step = 0;
    double duration = 0;                      // its sign does not count: steps go where `step` goes
    std::size_t count = 1;                    // number of exponents, the largest first; 0: all
    std::int64_t renormalise = 10;            // steps from one orthonormal basis to the next
    std::optional<StartState<double>> start;  // on the manifold; without it, that of the model
    double start_time = 0;
};

struct LyapunovExponents {
    std::size_t tangent_dimension = 0;
    std::int64_t steps = 0;
    double time = 0;  // that is averaged over: without the first tenth, in which the vectors turn to where they belong
    std::vector<double> exponents;  // as the vectors have them: the largest first, up to their errors
    // Of each: the larger of the standard error of nine tenths of the run, and of what the second half of it changed.
    std::vector<double> errors;
    // Of the tangent vectors: the largest |G dq| at the end, where |dq| <= 1. The method keeps them in the tangent
    // space.
    double tangent_residual = 0;
    // Estimates over the time so far, at most about 1000 of them.
    std::vector<double> t;
    std::vector<std::vector<double>> running;  // [exponent][time]
};

// InputError for methods that are not one-step maps, for more exponents than there are, and for steps that fail.
LyapunovExponents lyapunov_exponents(const Model& model, const Method& method, const LyapunovOptions& options);

}  // namespace libration
