// The Lobatto IIIA-IIIB pair with a second way to solve the equations of a step.
//
// The simplified Newton iteration of StageMap keeps the matrix G H_pp G^T of the step's start. Near a position where G loses rank, such
// as the stretched positions of a four-bar linkage, its small pivots change by more than their own size within the step, and
// the iteration does not converge although the equations are regular. Then the full Newton method of `spark` solves the same
// equations: both stop at round-off, so that what comes out does not depend on the way. Lanes, which cannot take two ways, have
// the first one only.
#pragma once

#include <libration/methods/spark_map.hpp>
#include <libration/methods/stage_map.hpp>

namespace libration {

template <class S>
class RescuedLobatto final : public Map<S> {
  public:
    RescuedLobatto(System<S>& system, std::size_t stages)
        : system_(&system), stage_count_(stages), stages_(system, lobatto_scheme(stages)) {
        const auto& properties = system.properties();
        const std::size_t unknowns = stages * (2 * system.dimension() + system.constraints());
        // A treatment that the model asks `spark` for is another method.
        can_rescue_ = system.constraints() > 0 && properties.dense_derivatives && properties.hamiltonian &&
                      !properties.forced && unknowns <= most_spark_unknowns &&
                      properties.treatment.position == ComponentMixes(0) &&
                      momentum_mixes(properties.treatment) == std::vector<std::size_t>{1};
    }

    void reserve(std::size_t slots) override {
        slots_ = slots;
        stages_.reserve(slots);
    }
    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override { stages_.prepare(t, z, evaluations); }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        auto first = step;
        first.again = step.again && !rescued_;  // what the last application left behind was no solution
        rescued_ = false;
        const auto report = stages_.apply(first, z0, z1, evaluations);
        if (!can_rescue_ || equal(report.converged, lit<Real<S>>(1))) {
            return report;
        }
        // Elsewhere the step is too long, and full Newton would carry it on with residuals above round-off.
        if (!less(pivot(step.t, z0), lit<Real<S>>(1, 16))) {
            return report;
        }
        if (!rescue_) {
            rescue_.emplace(*system_, stage_count_);
            rescue_->reserve(slots_);  // and never told that a step was accepted: it has no memory
        }
        first.again = false;
        rescued_ = any_rescued_ = true;
        return rescue_->apply(first, z0, z1, evaluations);
    }

    void accept() override {
        stages_.accept();
        if (any_rescued_) {
            stages_.forget();
        }
        any_rescued_ = false;
    }
    void visit(MemoryVisitor<S>& visitor) override { stages_.visit(visitor); }
    [[nodiscard]] StageSlopes<S> slopes() const override { return rescued_ ? rescue_->slopes() : stages_.slopes(); }

  private:
    // Not z0.at.pivot: the memory of a method does not hold it, and a resumed run decides as one that never stopped.
    Real<S> pivot(const S& t, const State<S>& z0) {
        const auto matrix = constraint_matrix(*system_);
        factor_.resize(matrix->entries(), lit<S>(0));
        matrix->assemble(*system_, t, z0.q.high, z0.p.high, z0.at.G, factor_);
        return matrix->factor(factor_);
    }

    System<S>* system_;
    std::size_t stage_count_, slots_ = 1;
    StageMap<S> stages_;
    std::optional<SparkMap<S>> rescue_;  // made where it is needed first
    std::vector<S> factor_;              // scratch space of pivot()
    bool can_rescue_ = false;
    bool rescued_ = false, any_rescued_ = false;  // the last application; one of this step
};

}  // namespace libration
