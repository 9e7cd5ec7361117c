// Symmetric multistep methods: high order at the price of SHAKE. With R = U_q + G^T lambda and the differences of
// momenta D_j = p_j+1/2 - p_j-1/2, one step from q_m to q_m+1 of the method (rho, sigma), rho = (z - 1)^2 rho~, is
//
//     D_m     = - sum_(j < k-2) rho~_j D_n+j+1 - h sum_j sigma_j R_n+j           n = m - k + 1
//     p_m+1/2 = p_m-1/2 + D_m,      q_m+1 = q_m + h M^-1 p_m+1/2,      0 = g(q_m+1)                       [CHL (10)]
//
// An explicit method (sigma_k = 0) finds lambda_m, an implicit one lambda_m+1. Working with differences makes the sum
// of the coefficients of the momenta zero without rounding: otherwise the energy drifts. The momenta of nodes,
//
//     p_n = sum_j delta^_j p_n+j+1/2 - G(q_n)^T mu,      0 = G(q_n) M^-1 p_n + g_t,      j = -k/2 .. k/2 - 1         [CHL (11)]
//
// are ready k/2 steps late and do not enter the recursion, so they are computed on request.
#pragma once

#include "coefficients/multistep.hpp"
#include "implicit_kick.hpp"
#include "kick_drift.hpp"
#include "manifold/multiplier_history.hpp"
#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>
#include <libration/methods/spec.hpp>

#include <memory>
#include <utility>

namespace libration {

// What `multistep(k, a1, ..., beta=B)` means. Throws an InputError where it means nothing.
MultistepPair multistep_pair_of(const MethodSpec& spec);

template <class S>
class MultistepStepper final : public Stepper<S> {
  public:
    // `starter` makes the first k - 1 steps; its order must be k + 1 at least.
    MultistepStepper(System<S>& system, const MultistepPair& pair, std::unique_ptr<Map<S>> starter)
        : system_(&system), matrix_(constraint_matrix(system)), starter_(std::move(starter)),
          k_(static_cast<std::size_t>(pair.k)), half_(k_ / 2), implicit_(pair.beta != 0), kick_drift_(system, *matrix_),
          implicit_kick_(system, *matrix_), p_(system.dimension()), p1_(p_), shifted_(p_),
          node_p_(system.dimension(), lit<S>(0)), w_(node_p_), v_(node_p_), lambda_(system.constraints(), lit<S>(0)),
          rows_(lambda_), history_(system.constraints(), KickDrift<S>::depth),
          start_reports_(3 * k_, lit<S>(1)), clock_{lit<S>(0), lit<S>(0), lit<S>(0)} {
        starter_->reserve(1);
        for (std::size_t i = 0; i <= k_; ++i) {
            levels_.push_back(std::make_unique<Level>(system));
        }
        for (std::size_t i = 0; i < half_ + (implicit_ ? 2 : 1); ++i) {
            at_.push_back(std::make_unique<PositionData<S>>(system, *matrix_));
        }
        start_momenta_.assign(half_, node_p_);
        for (const auto& value : pair.sigma) {
            sigma_.push_back(as_scalar<S>(value));
        }
        for (const auto& value : pair.rho_tilde) {
            rho_tilde_.push_back(as_scalar<S>(value));
        }
        // p_n = p_n+l-1/2 - sum_i (weights of all momenta before D_i) D_i, newest first.
        Wide before = 1;
        for (std::size_t i = k_; i-- > 1;) {
            before -= pair.momentum[i];
            momentum_.push_back(as_scalar<S>(before));
        }
    }

    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override;

    StepReport<S> advance() override {
        next_evaluations_ = evaluations_;
        if (replays_ > 0) {
            return replayed();
        }
        const S t = time(clock_[1]), h = clock_[2], t1 = time(clock_[1] + lit<S>(1));
        Level& now = *levels_[0];
        Level& next = *levels_[k_];
        PositionData<S>& at = *at_[0];
        known_kick(h);
        add_scaled<S>(p_, lit<S>(1), w_, shifted_);
        history_.predict(lambda_);
        IterationReport<Real<S>> report;
        if (implicit_) {
            for (std::size_t j = 0; j < w_.size(); ++j) {  // a guess: R changes as it did
                next.reaction[j] = mad(lit<S>(2), now.reaction[j], -levels_[1]->reaction[j]);
            }
            report = implicit_kick_.run(t1, now.q, shifted_, at_[1]->A, S(h * sigma_[k_]), h, next.reaction, lambda_,
                                        p1_, next.q, at, next_evaluations_);
            at.evaluate_constraints(*system_, *matrix_, t1, next.q.high, p1_.high, next_evaluations_);
        } else {
            kick_drift_.evaluate(t, now.q.high, p_.high, at, next_evaluations_);
            const S kick = h * sigma_[k_ - 1];
            report = kick_drift_.run(t1, now.q, shifted_, at, {kick, kick}, h, lambda_, p1_, next.q, next_evaluations_);
            react(now.q, at, lambda_, next.reaction);  // of q_m; accept() gives it to its level
        }
        for (std::size_t j = 0; j < w_.size(); ++j) {
            next.difference[j] = (p1_.high[j] - p_.high[j]) + (p1_.low[j] - p_.low[j]);
        }
        const Real<S> one = lit<Real<S>>(1);
        return {report.converged, report.residual, select(equal(report.converged, one), at.pivot, one),
                total(next.q, p1_)};
    }

    void accept() override {
        evaluations_ = next_evaluations_;
        clock_[1] = clock_[1] + lit<S>(1);
        if (replays_ > 0) {
            --replays_;
            return;
        }
        moved_ = 1;
        Level& now = *levels_[0];
        Level& next = *levels_[k_];
        std::swap(now.difference, next.difference);
        if (!implicit_) {
            std::swap(now.reaction, next.reaction);
        }
        (implicit_ ? next : now).lambda = lambda_;
        std::swap(p_, p1_);
        history_.push(lambda_);
        std::rotate(levels_.begin(), levels_.end() - 1, levels_.end());
        std::rotate(at_.begin(), at_.end() - 1, at_.end());
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return levels_[implicit_ ? k_ : 0]->q.high; }

    Node<S> trial_node() override {
        if (replays_ > 0) {
            return start_node(k_ - static_cast<std::size_t>(replays_));
        }
        return late_node(half_ - 1, p1_, *levels_[k_], clock_[1] + lit<S>(1));
    }

    Node<S> node() override {
        if (moved_ == 0) {
            return start_node(k_ - 1 - static_cast<std::size_t>(replays_));
        }
        return late_node(half_, p_, *levels_[1], clock_[1]);
    }

    // From here back through the positions that were made, with the step -h. The node before the turn is the first that
    // is ready after one more step; nodes are numbered anew from the newest position.
    bool turn_round() override;

    // The newest position, its number, and the newest multipliers that the method itself has found, of the position
    // `age` steps before: 1 for explicit methods, 0 for implicit ones.
    [[nodiscard]] std::span<const S> newest_position() const { return levels_[0]->q.high; }
    [[nodiscard]] std::span<const S> newest_multipliers() const { return levels_[implicit_ ? 0 : 1]->lambda; }
    [[nodiscard]] bool starts() const { return replays_ > 0; }

    void visit(MemoryVisitor<S>& visitor) override {
        visitor.array("clock", clock_);
        visitor.array("p", p_.high);
        visitor.array("p_low", p_.low);
        for (std::size_t i = 0; i < k_; ++i) {
            visitor.array("q", levels_[i]->q.high);
            visitor.array("q_low", levels_[i]->q.low);
            if (i > 0 || implicit_) {  // otherwise not yet known
                visitor.array("reaction", levels_[i]->reaction);
                visitor.array("lambda", levels_[i]->lambda);
            }
            if (i > 0) {
                visitor.array("difference", levels_[i]->difference);
            }
        }
        for (std::size_t i = 1; i < at_.size() && (implicit_ || !kick_drift_.knows_all()); ++i) {
            visitor.array("jacobian", at_[i]->G);
            visitor.array("factor", at_[i]->A);
        }
        for (auto& momenta : start_momenta_) {
            visitor.array("start_p", momenta);
        }
        visitor.array("start_reports", start_reports_);
        visitor.integer("replays", replays_);
        visitor.integer("moved", moved_);
        history_.visit(visitor);
        visitor.array("evaluations", evaluations_.count);
    }

    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

  private:
    // What is remembered of one position: R, D and lambda are known once the step from it is made (implicit: once it is
    // reached).
    struct Level {
        PairVector<S> q;
        std::vector<S> reaction, difference, lambda;
        explicit Level(const System<S>& system)
            : q(system.dimension()), reaction(system.dimension(), lit<S>(0)), difference(reaction),
              lambda(system.constraints(), lit<S>(0)) {}
    };

    // t0 + n h, free of accumulated rounding
    [[nodiscard]] S time(const S& n) const { return clock_[0] + n * clock_[2]; }

    StepReport<S> replayed() {
        const auto step = k_ - static_cast<std::size_t>(replays_);
        const auto& position = levels_[k_ - 1 - step]->q;
        const auto report = [&](std::size_t kind) { return real_part(start_reports_[3 * step + kind]); };
        return {report(0), report(1), report(2), total(position, position)};
    }

    // What is known of D_m before the multipliers are: w = - sum_j rho~_j D - h sum_j sigma_j R. Level i has the number
    // m - i.
    void known_kick(const S& h) {
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        for (std::size_t j = 0; j + 2 < k_; ++j) {
            subtract(rho_tilde_[j], levels_[k_ - 2 - j]->difference);
        }
        for (std::size_t j = implicit_ ? 0 : 1; j < (implicit_ ? k_ : k_ - 1); ++j) {
            subtract(S(h * sigma_[j]), levels_[k_ - 1 - j]->reaction);
        }
    }
    void subtract(const S& factor, const std::vector<S>& x) {
        tuned<S>([&]() LIBRATION_TUNED {
            S* __restrict sum = w_.data();
            const S* __restrict from = x.data();
            const S minus = -factor;
            for (std::size_t i = 0; i < w_.size(); ++i) {
                sum[i] = mad(minus, from[i], sum[i]);
            }
        });
    }

    void react(const PairVector<S>& q, const PositionData<S>& at, std::span<const S> lambda, std::span<S> reaction) {
        std::copy(at.force.begin(), at.force.end(), reaction.begin());
        kick_drift_.add_reaction(q.high, at, lambda, reaction);
    }

    // Number `steps` - lag among the nodes of the starter.
    Node<S> start_node(std::size_t steps) {
        const std::size_t n = steps > half_ ? steps - half_ : 0;
        const auto& q = levels_[k_ - 1 - n]->q;
        return {time(lit<S>(static_cast<std::int64_t>(n))), q.high, q.low, start_momenta_[n]};
    }

    // The node k/2 before the newest position, of number `newest`; it lies on level `i`. D of the newest momentum is
    // with `first`.
    Node<S> late_node(std::size_t i, const PairVector<S>& p, const Level& first, const S& newest) {
        for (std::size_t j = 0; j < w_.size(); ++j) {
            w_[j] = p.low[j];
        }
        subtract(momentum_[0], first.difference);
        const std::size_t second = i == half_ ? 2 : 1;
        for (std::size_t age = 1; age < momentum_.size(); ++age) {
            subtract(momentum_[age], levels_[second + age - 1]->difference);
        }
        for (std::size_t j = 0; j < w_.size(); ++j) {
            node_p_[j] = p.high[j] + w_[j];
        }
        const auto& q = levels_[i]->q;
        const S t = time(newest - lit<S>(static_cast<std::int64_t>(half_)));
        project(t, q, *at_[implicit_ ? i + 1 : i]);
        return {t, q.high, q.low, node_p_};
    }

    // Linear in mu: one solve is exact.
    void project(const S& t, const PairVector<S>& q, const PositionData<S>& at) {
        if (rows_.empty()) {
            return;
        }
        system_->velocity(t, q.high, node_p_, v_);
        kick_drift_.find_hidden_multipliers(t, q.high, at, v_, rows_);
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        kick_drift_.add_reaction(q.high, at, rows_, w_);
        for (std::size_t j = 0; j < w_.size(); ++j) {
            node_p_[j] = node_p_[j] - w_[j];
        }
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    std::unique_ptr<Map<S>> starter_;
    std::size_t k_, half_;
    bool implicit_;
    KickDrift<S> kick_drift_;
    ImplicitKick<S> implicit_kick_;
    std::vector<S> sigma_, rho_tilde_, momentum_;
    std::vector<std::unique_ptr<Level>> levels_;        // newest first, k of them, and the one in work
    std::vector<std::unique_ptr<PositionData<S>>> at_;  // the one in work, and of the positions before it
    PairVector<S> p_, p1_, shifted_;                    // p_m-1/2, p_m+1/2, and the part of it that is known before
    std::vector<S> node_p_, w_, v_, lambda_, rows_;
    std::vector<std::vector<S>> start_momenta_;  // of nodes 0 .. k/2 - 1, by the starter
    MultiplierHistory<S> history_;
    std::vector<S> start_reports_;  // converged, residual, pivot of each step of the starter
    std::array<S, 3> clock_;        // t0, steps done, h
    std::int64_t replays_ = 0;      // steps that start() has taken and that were not requested yet
    std::int64_t moved_ = 0;        // whether a step of the method itself was made
    Evaluations<S> evaluations_, next_evaluations_;
};

// Compiled once, in src/methods/multistep_stepper.cpp.
#define LIBRATION_EXTERN(scalar) extern template class MultistepStepper<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
