// The Lobatto IIIA-IIIB pair with a second way to solve the equations of a step.
//
// The simplified Newton iteration of StageMap keeps the matrix G H_pp G^T of the step's start. Near a position where G
// loses rank, such as the stretched positions of a four-bar linkage, its small pivots change by more than their own
// size within the step. The iteration then does not converge, or converges to a solution on another branch of the
// manifold. Newton's method of `spark` solves the same equations from what the past lets expect and takes the solution
// that continues the motion (decision 32). Elsewhere, where the iteration led to states at which a formula is not a
// number, it starts from where the step does. Lanes, which cannot take two ways, refuse such steps.
#pragma once

#include "spark_map.hpp"
#include "stage_map.hpp"
#include "strayed.hpp"

namespace libration {

template <class S>
class RescuedLobatto final : public Map<S> {
  public:
    RescuedLobatto(System<S>& system, std::size_t stages)
        : system_(&system), stage_count_(stages), stages_(system, lobatto_scheme(stages)), judge_(system) {
        const auto& properties = system.properties();
        const auto how = treatment(properties.terms);
        const std::size_t unknowns = stages * (2 * system.dimension() + system.constraints());
        // A treatment that the model asks `spark` for is another method.
        can_rescue_ = system.constraints() > 0 && has_spark_matrix(properties, unknowns) && properties.hamiltonian &&
                      !properties.forced && how.position == ComponentMixes(0) &&
                      momentum_mixes(how) == std::vector<std::size_t>{1};
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
        auto report = stages_.apply(first, z0, z1, evaluations);
        if (can_rescue_ && !is_solved(report) && !may_become_dependent(z0.at) && !is_finite(z1)) {
            make_rescue();
            if (const auto inside = rescue_->keep_to_domain(first, z0, z1, found_, evaluations)) {
                exchange_halves(found_, stages_.unknowns(step.slot));
                rescued_ = true;
                report = *inside;
            }
        }
        const bool solved = is_solved(report);
        // Elsewhere the step is too long, and full Newton would carry it on with residuals above round-off.
        const bool near =
            solved ? nearly_dependent(z0.at, z1.at) || has_strayed(step, z0, z1) : may_become_dependent(z0.at);
        if (!can_rescue_ || !near) {
            return report;
        }
        make_rescue();
        if (stages_.predict(step.slot, found_)) {
            exchange_halves(found_, predicted_);
        } else {
            rescue_->guess(first, z0, predicted_, evaluations);
        }
        exchange_halves(stages_.unknowns(step.slot), found_);
        rescued_ = true;
        const auto followed = rescue_->follow(first, z0, z1, found_, predicted_, solved, evaluations);
        exchange_halves(found_, stages_.unknowns(step.slot));
        return followed;
    }

    void accept() override { stages_.accept(); }
    void visit(MemoryVisitor<S>& visitor) override { stages_.visit(visitor); }
    [[nodiscard]] StageSlopes<S> slopes() const override { return rescued_ ? rescue_->slopes() : stages_.slopes(); }

  private:
    static bool is_solved(const MapReport<S>& report) { return equal(report.converged, lit<Real<S>>(1)); }
    static bool is_finite(const State<S>& z) {
        Real<S> zero = lit<Real<S>>(0);
        for (std::size_t k = 0; k < z.q.high.size(); ++k) {
            const Real<S> q = real_part(z.q.high[k]), p = real_part(z.p.high[k]);
            zero = zero + (q - q) + (p - p);
        }
        return equal(zero, lit<Real<S>>(0));
    }

    void make_rescue() {
        if (!rescue_) {
            rescue_.emplace(*system_, stage_count_);
            rescue_->reserve(slots_);  // and never told that a step was accepted: it has no memory
            predicted_.assign(stages_.unknowns(0).size(), lit<S>(0));
            found_ = predicted_;
        }
    }

    bool has_strayed(const Substep<S>& step, const State<S>& z0, const State<S>& z1) {
        if (!can_rescue_ || !has_jumped(judge_, step, z0, z1)) {
            return false;
        }
        make_rescue();
        const std::size_t half = stage_count_ * system_->dimension();
        return stages_.predict(step.slot, found_) &&
               has_surprised(judge_, z0, std::span<const S>(stages_.unknowns(step.slot)).first(half),
                             std::span<const S>(found_).first(half));
    }

    // The unknowns of StageMap are momenta, positions, multipliers; SparkMap has positions first.
    void exchange_halves(std::span<const S> from, std::span<S> to) const {
        const std::size_t half = stage_count_ * system_->dimension();
        std::copy_n(from.begin(), half, to.begin() + static_cast<std::ptrdiff_t>(half));
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(half), half, to.begin());
        std::copy(from.begin() + static_cast<std::ptrdiff_t>(2 * half), from.end(),
                  to.begin() + static_cast<std::ptrdiff_t>(2 * half));
    }

    System<S>* system_;
    std::size_t stage_count_, slots_ = 1;
    StageMap<S> stages_;
    BranchJudge<S> judge_;
    std::optional<SparkMap<S>> rescue_;  // made where it is needed first
    std::vector<S> predicted_, found_;
    bool can_rescue_ = false;
    bool rescued_ = false;  // the last application
};

// The pair for any scalar.
template <class S>
std::unique_ptr<Map<S>> lobatto_map(System<S>& system, std::size_t stages) {
    if constexpr (OneTrajectory<S>) {
        return std::make_unique<RescuedLobatto<S>>(system, stages);
    } else {
        return std::make_unique<StageMap<S>>(system, lobatto_scheme(stages));
    }
}

}  // namespace libration
