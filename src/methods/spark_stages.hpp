// The stages of a SPARK step: velocities, terms and constraints where a vector of unknowns puts them, and what is
// missing in the equations (Jay 1998, Definition 4.1) there.
#pragma once

#include "spark_matrix.hpp"
#include "spark_rolling.hpp"
#include "spark_scheme.hpp"
#include "spark_terms.hpp"
#include "stage_floors.hpp"
#include "stage_weights.hpp"
#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class SparkStages {
  public:
    // The coefficients of one direction of time.
    struct Coefficients {
        std::vector<StageWeights<S>> mixes;
        explicit Coefficients(const SparkScheme& scheme) : mixes(scheme.mixes.begin(), scheme.mixes.end()) {}
    };

    SparkStages(System<S>& system, std::size_t stages);

    [[nodiscard]] const SparkLayout& layout() const { return layout_; }
    // Whether Q_1 = q0.
    [[nodiscard]] bool starts_at_start() const { return starts_at_start_; }
    [[nodiscard]] const Coefficients& coefficients() const { return chosen_; }
    // Those of steps of this sign, for all that follows.
    void choose_direction(const S& h) {
        const auto back = less(real_part(h), lit<Real<S>>(0));
        for (const auto mix : directed_) {
            chosen_.mixes[mix].choose(back, backward_.mixes[mix], forward_.mixes[mix]);
        }
    }
    // IIIA; its last row is b.
    [[nodiscard]] const StageWeights<S>& constraint_weights() const { return constraint_; }
    [[nodiscard]] const StageFloors<S>& floors() const { return floors_; }

    // Velocities, terms and constraints at the stages that x describes.
    void evaluate(const Substep<S>& step, const State<S>& z0, std::span<const S> x);
    // What is missing in the equations of z and y into dx; returns the largest residual of all equations in floors.
    Real<S> residuals(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx);
    // The floors of where the last evaluate() was, which residuals() finds, too.
    void find_floors(const Substep<S>& step, const State<S>& z0) { floors_.find(step, z0, force_size_, V_); }
    // Where to take derivatives: at the start of the step, with the multipliers of the first stage, or where the last
    // evaluate() put stage i. Valid until the next call.
    StagePoint<S> start_point(const Substep<S>& step, const State<S>& z0, std::span<const S> x);
    StagePoint<S> stage_point(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::size_t i);
    // What is known besides of the rounding of momenta and positions, a number each component; forgotten by no call but
    // this.
    std::span<S> momentum_noise() { return noise_p_; }
    std::span<S> position_noise() { return noise_q_; }

    // G of stage i, where it has multipliers; g of stage i = 1..s-1; G v1, where it is one of the equations.
    [[nodiscard]] std::span<S> jacobian(std::size_t i) { return std::span(G_).subspan(i * entries_, entries_); }
    [[nodiscard]] std::span<S> constraint_rows(std::size_t i) {
        return std::span(rows_).subspan((i - 1) * layout_.constraints, layout_.constraints);
    }
    // The conditions of nonholonomic constraints.
    [[nodiscard]] SparkRolling<S>& rolling() { return rolling_; }
    [[nodiscard]] const SparkRolling<S>& rolling() const { return rolling_; }
    [[nodiscard]] bool end_is_rough(const Substep<S>& step) requires OneTrajectory<S> {
        return rolling_.end_is_rough(speed_at_end(step));
    }
    [[nodiscard]] std::span<S> hidden_rows() { return constraint_rows(layout_.stages); }
    // q1 and p1 from the stages
    void end_position(const Substep<S>& step, const State<S>& z0, PairVector<S>& q) const {
        constraint_.step(z0.q, step.h, V_, layout_.dimension, 0, q);
    }
    void end_momentum(const Substep<S>& step, const State<S>& z0, PairVector<S>& p);
    // q' and p' of all stages, without reactions of unknown multipliers; after end_momentum().
    [[nodiscard]] std::span<const S> velocities() const { return V_; }
    [[nodiscard]] std::span<const S> momentum_slopes() const { return total_; }
    // sum_l a_il X_l with the matrix of each component's mix
    void mixed_sum(const ComponentMixes& mixes, std::size_t i, std::span<const S> X, std::span<S> sum);

  private:
    static S zero() { return lit<S>(0); }
    [[nodiscard]] const Treatment& treatment() const { return treatment_; }
    [[nodiscard]] std::span<S> stage(std::vector<S>& values, std::size_t i) const {
        return std::span(values).subspan(i * layout_.dimension, layout_.dimension);
    }
    // Those of a stage without unknown multipliers are zero.
    [[nodiscard]] std::span<const S> multipliers(std::span<const S> x, std::size_t i) const {
        return i < layout_.stages_with_multipliers ? layout_.multipliers(x, i) : std::span<const S>(no_multipliers_);
    }
    // The last stage is the end of the step, of which the clock knows the time without rounding.
    [[nodiscard]] S time(const Substep<S>& step, std::size_t i) const {
        return i + 1 == layout_.stages ? step.t1 : mad(constraint_.c(i), step.h, step.t);
    }
    void evaluate_stage(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::size_t i);
    void evaluate_constraints(const Substep<S>& step, const State<S>& z0);
    void evaluate_rolling(const Substep<S>& step, const State<S>& z0);
    // In how many digits velocities are known at the end of the step; `part_`: what the noise of stiff terms adds.
    S speed_at_end(const Substep<S>& step);
    Real<S> hidden_residual(const Substep<S>& step);
    Real<S> rolling_residual(const Substep<S>& step);

    System<S>* system_;
    Treatment treatment_;
    SparkTerms<S> terms_;
    SparkLayout layout_;
    std::size_t entries_;
    bool starts_at_start_;            // Q_1 = q0: positions by IIIA
    std::vector<std::size_t> mixes_;  // those of the terms of p'
    Coefficients forward_, backward_, chosen_;
    std::vector<std::size_t> directed_;  // the mixes that are others for h < 0
    StageWeights<S> constraint_;
    SparkRolling<S> rolling_;
    StageFloors<S> floors_;
    std::vector<S> V_, sum_, part_, force_size_, noise_p_, noise_q_, no_multipliers_;
    std::vector<std::vector<S>> slopes_;  // of each mix: the stages one after another
    std::vector<S> total_, G_, G_end_, rows_, row_, v1_;
    PairVector<S> Q_, P_, q1_, p1_;
};

// Compiled once, in src/methods/spark_stages.cpp.
#define LIBRATION_EXTERN(scalar) extern template class SparkStages<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
