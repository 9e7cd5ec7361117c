// How symmetric multistep methods start and turn round.
#include "methods/multistep_stepper.hpp"

namespace libration {

// Positions by the starter, multipliers by the explicit formula: those of a stage would be of too low an order. [CHL
// section 3, assumption on starting values; Jay 1996, (3.1f)]
template <class S>
void MultistepStepper<S>::start(const Node<S>& node, const S& h) {
    clock_ = {node.t, lit<S>(0), h};
    evaluations_ = {};
    State<S> z(*system_, *matrix_), z1(*system_, *matrix_);
    PairVector<S> before(z.q);
    z.q.assign(node.q, node.q_low);
    z.p.assign(node.p, {});
    starter_->prepare(node.t, z, evaluations_);
    history_.clear();
    // Explicit methods find the multipliers of the newest position themselves.
    const std::size_t end = implicit_ ? k_ : k_ - 1;
    for (std::size_t j = 0; j < k_; ++j) {
        const S t = time(lit<S>(static_cast<std::int64_t>(j)));
        Level& level = *levels_[k_ - 1 - j];
        if (j > 0) {
            const S t_before = time(lit<S>(static_cast<std::int64_t>(j - 1)));
            const auto report = starter_->apply({t_before, t, h}, z, z1, evaluations_);
            starter_->accept();
            std::swap(z, z1);
            start_reports_[3 * j] = from_real<S>(report.converged);
            start_reports_[3 * j + 1] = from_real<S>(report.residual);
            start_reports_[3 * j + 2] = from_real<S>(report.pivot);
            // M (q_j - q_j-1) / h
            for (std::size_t i = 0; i < v_.size(); ++i) {
                v_[i] = ((z.q.high[i] - before.high[i]) + (z.q.low[i] - before.low[i])) / h;
            }
            system_->apply_mass(t, z.q.high, v_, p1_.high);
            for (std::size_t i = 0; i < v_.size() && j > 1; ++i) {
                levels_[k_ - j]->difference[i] = p1_.high[i] - p_.high[i];
            }
            std::swap(p_, p1_);
        }
        before = z.q;
        level.q = z.q;
        if (j < half_) {
            start_momenta_[j] = z.p.high;
        }
        if (j < end) {
            PositionData<S>& at = *at_[0];
            at.evaluate(*system_, *matrix_, t, z.q.high, z.p.high, evaluations_);
            exact_multipliers<S>(*system_, *matrix_, at, t, z.q.high, z.p.high, v_, rows_, level.lambda);
            react(z.q, at, level.lambda, level.reaction);
            history_.push(level.lambda);
            std::rotate(at_.begin(), at_.end() - 1, at_.end());
        }
    }
    p_.assign(p_.high, {});
    replays_ = static_cast<std::int64_t>(k_ - 1);
    moved_ = 0;
}

template <class S>
bool MultistepStepper<S>::turn_round() {
    if (moved_ == 0) {
        return false;
    }
    // Back from p_m-1/2 to p_m-k+3/2.
    for (std::size_t i = 1; i + 1 < k_; ++i) {
        add_scaled<S>(p_, lit<S>(-1), levels_[i]->difference, p1_);
        std::swap(p_, p1_);
    }
    std::reverse(levels_.begin(), levels_.end() - 1);
    for (auto& level : levels_) {
        for (auto& value : level->difference) {
            value = -value;
        }
    }
    clock_ = {time(clock_[1]), lit<S>(static_cast<std::int64_t>(k_ - 1)), -clock_[2]};
    // An explicit method does not know the multipliers of what was the newest position, and will look for those of what
    // is now.
    history_.clear();
    const std::size_t newest = implicit_ || k_ == 2 ? 0 : 1;
    for (std::size_t i = implicit_ ? k_ : k_ - 1; i-- > newest;) {
        history_.push(levels_[i]->lambda);
    }
    Evaluations<S> uncounted;
    for (std::size_t i = 1; i < at_.size(); ++i) {
        const std::size_t age = implicit_ ? i - 1 : i;
        const S t = time(clock_[1] - lit<S>(static_cast<std::int64_t>(age)));
        at_[i]->evaluate_constraints(*system_, *matrix_, t, levels_[age]->q.high, p_.high, uncounted);
    }
    return true;
}

#define LIBRATION_INSTANTIATE(scalar) template class MultistepStepper<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
