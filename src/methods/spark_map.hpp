// One step of a SPARK method (Jay 1998, Definition 4.1), in the momenta p = M(q) v, so that no Coriolis terms appear
// (8f).
//
// Where positions are treated by IIIA and reactions by IIIB, the last multiplier is left to the projection at the end,
// as for `lobatto`; otherwise the hidden constraint is one of the equations, and so are nonholonomic constraints
// (spark_rolling.hpp). Four ways to solve them, all to round-off. Near positions where constraints become dependent
// follow() chooses among solutions (decision 32). Lanes, which cannot choose, take the first way and refuse steps that
// it does not solve.
//     structured         forces frozen; one factorisation of G M^-1 G^T, of the step's start (Jay 1996, (3.15)). It serves every
//                        treatment, because A_IIIA A_w does not depend on w (21b).
//     simplified Newton  a dense matrix with exact derivatives at the step's start; for forces with multipliers, and for terms
//                        that are declared stiff where the first does not converge fast (decision 54)
//     full Newton        a new matrix in every pass; where asked for, where one matrix needs many passes, and where the
//                        others fail
//     damped Newton      the same from the start of the step, with corrections that stay where all formulas are numbers; where another
//                        way led to where one is not
#pragma once

#include "branch_judge.hpp"
#include "make_spark_matrix.hpp"
#include "manifold/reaction_solver.hpp"
#include "multiplier_slots.hpp"
#include "projection.hpp"
#include "spark_stages.hpp"
#include <libration/kit/scalars.hpp>

#include <cstdint>
#include <optional>

namespace libration {

template <class S>
class SparkMap final : public Map<S> {
  public:
    SparkMap(System<S>& system, std::size_t stages);

    void reserve(std::size_t slots) override { unknowns_.reserve(slots); }
    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override;
    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override;
    // For others that solve the same equations. Unknowns: positions, momenta, multipliers, in the order of the layout.
    // `x` is a solution, if `solved`, and `predicted` what was expected; returns in x and z1 the solution that
    // continues the motion, or a report that says that none was found.
    MapReport<S> follow(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<S> x,
                        std::span<const S> predicted, bool solved,
                        Evaluations<S>& evaluations) requires OneTrajectory<S>;
    void guess(const Substep<S>& step, const State<S>& z0, std::span<S> x, Evaluations<S>& evaluations);
    // Where an iteration led to states at which a formula is not a number, though the motion may not: a solution in x
    // and z1, or nothing, and then x stays as it is.
    std::optional<MapReport<S>> keep_to_domain(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<S> x,
                                               Evaluations<S>& evaluations) requires OneTrajectory<S>;
    void accept() override {
        unknowns_.accept();
        newton_steps_left_ = next_newton_steps_left_;
        full_steps_left_ = next_full_steps_left_;
    }
    void visit(MemoryVisitor<S>& visitor) override {
        unknowns_.visit(visitor);
        if (tries_structured_) {
            visitor.integer("newton_steps_left", newton_steps_left_);
        }
        if (tries_structured_ || newton_first_) {
            visitor.integer("full_steps_left", full_steps_left_);
        }
    }
    [[nodiscard]] StageSlopes<S> slopes() const override;

  private:
    enum class Way { structured, simplified, full, damped };

    static S zero() { return lit<S>(0); }
    static bool is_finite(const Real<S>& x) requires OneTrajectory<S> { return less(Real<S>(x - x), lit<Real<S>>(1)); }
    static bool renews_matrix(Way way) { return way == Way::full || way == Way::damped; }
    [[nodiscard]] const Treatment& treatment() const { return treatment_; }
    [[nodiscard]] const SparkLayout& layout() const { return stages_.layout(); }
    [[nodiscard]] std::span<S> stage(std::vector<S>& values, std::size_t i) const {
        return std::span(values).subspan(i * layout().dimension, layout().dimension);
    }

    // What a trajectory of its own does, which may choose its way.
    MapReport<S> apply_any_way(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<S> x,
                               Evaluations<S>& evaluations) requires OneTrajectory<S>;
    // The structured iteration alone; steps that may need another way are refused.
    MapReport<S> apply_structured(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<S> x,
                                  Evaluations<S>& evaluations);
    // The first way of this step.
    [[nodiscard]] Way way() const;
    Strangeness<Real<S>> look(const Substep<S>& step, const State<S>& z0, const State<S>& z1, std::span<const S> x,
                              std::span<const S> predicted) requires OneTrajectory<S>;
    MapReport<S> end(const Substep<S>& step, const State<S>& z0, State<S>& z1, std::span<const S> x,
                     const IterationReport<Real<S>>& iteration, Evaluations<S>& evaluations);
    IterationReport<Real<S>> solve(Way way, const Substep<S>& step, const State<S>& z0, std::span<S> x,
                                   Evaluations<S>& evaluations) requires OneTrajectory<S>;
    IterationReport<Real<S>> solve_structured(const Substep<S>& step, const State<S>& z0, std::span<S> x,
                                              Evaluations<S>& evaluations);
    // The residuals in dx into corrections.
    void correct_structured(const Substep<S>& step, const State<S>& z0, std::span<S> dx);
    void find_multipliers(const Substep<S>& step, const State<S>& z0, std::span<S> dx);
    void find_last_multipliers(const Substep<S>& step, const State<S>& z0, std::span<S> dx);
    void correct_newton(std::span<S> dx) requires OneTrajectory<S>;
    // Shortens a correction of x until it leads to where all formulas are numbers.
    void shorten_into_domain(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx,
                             Evaluations<S>& evaluations) requires OneTrajectory<S>;
    SparkMatrix<S>& newton() requires OneTrajectory<S>;
    // `same`: at the start of the step, for all stages.
    void linearise(const Substep<S>& step, const State<S>& z0, std::span<const S> x,
                   bool same) requires OneTrajectory<S>;
    void finish(const Substep<S>& step, const State<S>& z0, State<S>& z1, MapReport<S>& report,
                Evaluations<S>& evaluations);
    void finish_rolling(const Substep<S>& step, State<S>& z1, MapReport<S>& report,
                        Evaluations<S>& evaluations) requires OneTrajectory<S>;
    void count(Way way, const IterationReport<Real<S>>& iteration, Evaluations<S>& evaluations);

    System<S>* system_;
    Treatment treatment_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    Projection<S> projection_;
    SparkStages<S> stages_;
    std::vector<S> inverse_coupling_;
    MultiplierSlots<S> unknowns_;
    bool has_newton_ = false;
    std::unique_ptr<SparkMatrix<S>> newton_;        // made where it is needed first
    std::optional<ReactionSolver<S>> rolling_end_;  // where velocities are constrained
    bool newton_first_ = false, may_be_stiff_ = false;
    // Terms are declared stiff, or to damp, which may be stiff: the structured iteration is tried first, with few
    // passes; where it fails, Newton's method makes this and a number of following steps.
    bool tries_structured_ = false;
    std::int64_t newton_steps_left_ = 0, next_newton_steps_left_ = 0;
    // Where one matrix per step needed many corrections, a number of steps take new ones.
    std::int64_t full_steps_left_ = 0, next_full_steps_left_ = 0;
    BranchJudge<S> judge_;
    State<S> before_, after_;  // on the manifold, to be looked at
    std::vector<S> chosen_;
    std::vector<S> inside_, tried_, unused_;  // of keep_to_domain
    std::vector<S> noise_p_, noise_q_;        // see SparkMatrix::noise
    std::vector<S> correction_, guessed_, sum_, part_, row_, reactions_, moved_;
    S last_h_ = lit<S>(1);
    mutable std::vector<S> slopes_p_;
};

// Compiled once, in src/methods/spark_map.cpp.
#define LIBRATION_EXTERN(scalar) extern template class SparkMap<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
