// The matrix of Newton's method for the stages of a SPARK method:
//
//     dz_i - h sum_l a_il (v_q dz_l + v_p dy_l)                                                  = residual of z_i
//     dy_i - h sum over mixes, sum_l a_il (f_q dz_l + f_p dy_l + f_lambda dLambda_l)             = residual of y_i
//     G(i) h sum_l a_il (v_q dz_l + v_p dy_l), a of IIIA                                         = -g(i),  i = 2..s
//     G (v_q dq1 + v_p dp1)                                                                      = -G v1
//     sum_l b_l P_i(c_l) (k_q dz_l + k_p dy_l)                                                   = -sum_l b_l P_i(c_l) k_l
//     k_q dq1 + k_p dp1                                                                          = -k1
//
// where the fourth holds only where the last multiplier is an unknown too; what G itself changes there is left out, it
// is smaller by h. k are nonholonomic constraints, of which v is a function of q and p. The rows of a stage: those of
// g, then those of k.
#pragma once

#include "spark_rolling.hpp"
#include "spark_terms.hpp"
#include "stage_weights.hpp"

namespace libration {

// The unknowns of a step: increments z_i of the positions, y_i of the momenta, multipliers Lambda_i. Where positions
// are treated by IIIA and reactions by IIIB, the last multiplier is none of them, unless there are nonholonomic
// constraints.
struct SparkLayout {
    std::size_t stages, dimension, constraints, stages_with_multipliers, nonholonomic = 0;

    [[nodiscard]] std::size_t first_multiplier() const { return 2 * stages * dimension; }
    // Of a stage: those of holonomic constraints, then those of nonholonomic ones.
    [[nodiscard]] std::size_t multipliers() const { return constraints + nonholonomic; }
    [[nodiscard]] std::size_t unknowns() const { return first_multiplier() + stages_with_multipliers * multipliers(); }
    // Whether G v1 = 0 is one of the equations.
    [[nodiscard]] bool solves_hidden() const { return constraints > 0 && stages_with_multipliers == stages; }
    template <class T>
    [[nodiscard]] std::span<T> z(std::span<T> x, std::size_t i) const {
        return x.subspan(i * dimension, dimension);
    }
    template <class T>
    [[nodiscard]] std::span<T> y(std::span<T> x, std::size_t i) const {
        return x.subspan((stages + i) * dimension, dimension);
    }
    template <class T>
    [[nodiscard]] std::span<T> multipliers(std::span<T> x, std::size_t i) const {
        return x.subspan(first_multiplier() + i * multipliers(), multipliers());
    }
};

template <class S>
class SparkMatrix {
  public:
    // The coefficients of the step. `same`: the derivatives of stage 1 serve all.
    struct Scheme {
        S h;
        const std::vector<StageWeights<S>>* mixes;
        const StageWeights<S>* constraint;  // of IIIA; its last row is b
        const SparkRolling<S>* rolling;
        bool same;
    };

    virtual ~SparkMatrix() = default;
    // Derivatives of the terms at a stage; all stages, or the first, before assemble(). G of the point is that of the
    // stage.
    virtual void linearise(std::size_t stage, const StagePoint<S>& at) = 0;
    virtual void assemble(const Scheme& scheme) = 0;
    // The right-hand sides into the corrections, in the layout of the step.
    virtual void solve(std::span<S> x) = 0;

    // What the last digits of q and p do to the terms of each component at stage 1: |f_q| |q| + |f_p| |p|, and of v
    // likewise.
    virtual void noise(std::span<const S> q, std::span<const S> p, std::span<S> of_momentum,
                       std::span<S> of_position) const = 0;
};

}  // namespace libration
