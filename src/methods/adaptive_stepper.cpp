// The choice of step lengths.
#include "adaptive_stepper.hpp"

#include "length_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace libration {

namespace {

constexpr int most_attempts = 128;

template <class S>
S two_norm(std::span<const S> x) {
    S sum = lit<S>(0);
    for (const auto& value : x) {
        sum = mad(value, value, sum);
    }
    return sqrt(sum);
}

template <class S>
bool is_finite(const S& x) {
    return x - x == lit<S>(0);
}

// |h sum_i weights_i slopes_i|, and the same of the magnitudes of all terms.
template <class S>
struct WeightedNorm {
    S value, size;
    WeightedNorm(const S& h, std::span<const S> weights, std::span<const S> slopes) {
        const std::size_t d = slopes.size() / weights.size();
        std::vector<S> sum(d, lit<S>(0)), sizes(sum);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            for (std::size_t k = 0; k < d; ++k) {
                sum[k] = mad(weights[i], slopes[i * d + k], sum[k]);
                sizes[k] = mad(absv(weights[i]), absv(slopes[i * d + k]), sizes[k]);
            }
        }
        value = absv(h) * two_norm<S>(sum);
        size = absv(h) * two_norm<S>(sizes);
    }
};

}  // namespace

template <class S>
AdaptiveStepper<S>::AdaptiveStepper(System<S>& system, std::unique_ptr<Map<S>> map, StepControl control)
    : system_(&system), judge_(system), matrix_(constraint_matrix(system)), map_(std::move(map)),
      control_(std::move(control)), z_(system, *matrix_), z1_(system, *matrix_),
      back_(system, *matrix_), t1_{lit<S>(0), lit<S>(0)}, h_(lit<S>(0)), next_guess_(h_) {
    clock_.fill(lit<S>(0));
    for (const auto& weight : control_.estimate.weights) {
        weights_.push_back(as_scalar<S>(weight));
    }
    map_->reserve(1);
}

template <class S>
void AdaptiveStepper<S>::start(const Node<S>& node, const S& h) {
    clock_ = {node.t, lit<S>(0), h, h, lit<S>(0), lit<S>(0)};
    h_ = h;
    t1_ = {node.t, lit<S>(0)};
    made_ = rejected_ = not_reversed_ = 0;
    z_.q.assign(node.q, node.q_low);
    z_.p.assign(node.p, {});
    z_.at.standing.reset();
    evaluations_ = {};
    map_->prepare(node.t, z_, evaluations_);
}

template <class S>
StepReport<S> AdaptiveStepper<S>::advance() {
    next_evaluations_ = evaluations_;
    next_rejected_ = rejected_;
    next_not_reversed_ = not_reversed_;
    again_ = false;
    fault_.clear();
    return control_.options.control == AdaptiveOptions::Control::reversible ? solve_length() : control_length();
}

// The map does not learn that the step is taken: its memory of past steps would be that of other lengths. The first
// attempt of a step starts from the tangent.
template <class S>
void AdaptiveStepper<S>::accept() {
    std::swap(z_, z1_);
    evaluations_ = next_evaluations_;
    rejected_ = next_rejected_;
    not_reversed_ = next_not_reversed_;
    const S length = absv(h_);
    const S smallest = made_ == 0 ? length : minv(clock_[4], length);
    clock_ = {t1_.high, t1_.low, next_guess_, h_, smallest, maxv(clock_[5], length)};
    ++made_;
}

template <class S>
void AdaptiveStepper<S>::visit(MemoryVisitor<S>& visitor) {
    visitor.array("clock", clock_);
    visitor.integer("steps_made", made_);
    visitor.integer("rejected", rejected_);
    visitor.integer("not_reversed", not_reversed_);
    visitor.array("q", z_.q.high);
    visitor.array("q_low", z_.q.low);
    visitor.array("p", z_.p.high);
    visitor.array("p_low", z_.p.low);
    z_.at.visit(visitor);
    z_.at.standing.visit(visitor);
    map_->visit(visitor);
    visitor.array("evaluations", evaluations_.count);
}

template <class S>
typename AdaptiveStepper<S>::Attempt AdaptiveStepper<S>::attempt(const S& length) {
    h_ = (clock_[3] < lit<S>(0)) != looking_back_ ? S(-length) : length;
    t1_ = add(clock_[0], clock_[1], h_);
    Substep<S> step{clock_[0], t1_.high, h_};
    step.again = again_;
    z1_.at.standing.follow(z_.at.standing);
    Attempt result{false, lit<S>(0), lit<S>(0), map_->apply(step, z_, z1_, next_evaluations_)};
    again_ = result.report.converged == lit<S>(1) && is_finite(total(z1_.q, z1_.p));
    if (again_) {
        estimate(result);
        result.solved = is_finite(result.error);
        // A step over something much faster than itself may have stages that look smooth. Its energy tells, on the way
        // back as well.
        if (const S jump = judge_.jump(node(), trial_node()); jump > lit<S>(1, 16)) {
            result.solved = false;
            result.report.converged = lit<S>(0);
            fault_ = fmt::format("a step of {:.3g} would change the energy by {:.2g} times the kinetic energy: the "
                                 "motion there is much faster than the step resolves",
                                 to_double(h_), to_double(jump));
        }
    }
    return result;
}

template <class S>
void AdaptiveStepper<S>::estimate(Attempt& result) {
    auto slopes = map_->slopes();
    if (slopes.stages == 1) {
        q_slopes_.assign(3 * slopes.q.size(), lit<S>(0));
        p_slopes_.assign(3 * slopes.p.size(), lit<S>(0));
        std::ranges::copy(slopes.q, q_slopes_.begin() + static_cast<std::ptrdiff_t>(slopes.q.size()));
        std::ranges::copy(slopes.p, p_slopes_.begin() + static_cast<std::ptrdiff_t>(slopes.p.size()));
        add_ends();
        slopes = {3, q_slopes_, p_slopes_};
    }
    const WeightedNorm<S> q(h_, weights_, slopes.q), p(h_, weights_, slopes.p);
    result.error = q.value + p.value;
    result.noise = epsilon<S>() * (q.size + p.size);
}

// One stage gives no difference: the slopes at both ends of the step join it.
template <class S>
void AdaptiveStepper<S>::add_ends() {
    const std::size_t d = q_slopes_.size() / 3;
    const auto fill = [&](const S& t, const State<S>& z, std::size_t at) {
        const auto q = std::span(q_slopes_).subspan(at * d, d), p = std::span(p_slopes_).subspan(at * d, d);
        system_->velocity(t, z.q.high, z.p.high, q);
        system_->force_gradient(t, z.q.high, z.p.high, p);
        next_evaluations_.add(Evaluations<S>::force);
        for (auto& value : p) {
            value = -value;
        }
    };
    fill(clock_[0], z_, 0);
    fill(t1_.high, z1_, 2);
}

template <class S>
StepReport<S> AdaptiveStepper<S>::report_of(const Attempt& attempt) const {
    return {attempt.report.converged, attempt.report.residual, attempt.report.pivot, total(z1_.q, z1_.p)};
}

template <class S>
StepReport<S> AdaptiveStepper<S>::give_up(const Attempt& last, std::string reason) {
    auto report = report_of(last);
    report.converged = lit<S>(0);
    if (last.solved) {
        fault_ = fault_.empty() ? std::move(reason) : fmt::format("{}; {}", reason, fault_);
    }
    return report;
}

// The clock would not move.
template <class S>
bool AdaptiveStepper<S>::too_short(const S& length) const {
    return length <= lit<S>(4) * epsilon<S>() * absv(clock_[0]) || !(length > lit<S>(0));
}

template <class S>
StepReport<S> AdaptiveStepper<S>::solve_length() {
    using Verdict = typename LengthSearch<S>::Verdict;
    const S target = this->target(), guess = absv(clock_[3]);
    // A root that is very far away is another one, which the reversed step would not find.
    const S longest = guess * lit<S>(made_ == 0 ? 1'000'000 : 16);
    LengthSearch<S> search(guess, longest, lit<S>(control_.estimate.order + 1));
    const auto take = [&](const Attempt& attempt) {
        next_guess_ = h_;
        const auto report = report_of(attempt);
        next_not_reversed_ = not_reversed_ + (made_ == 0 || way_back_agrees() ? 0 : 1);
        return report;
    };
    Attempt now{true, lit<S>(0), lit<S>(0), {}};
    for (int k = 0; k < most_attempts && !too_short(search.length()); ++k) {
        now = attempt(search.length());
        if (!now.solved) {
            ++next_rejected_;
            search.not_solved();
            continue;
        }
        if (absv(now.error - target) <= now.noise + lit<S>(8) * epsilon<S>() * target) {
            return take(now);
        }
        const auto verdict = search.tried(now.error > lit<S>(0) ? S(log(now.error / target)) : lit<S>(-1000));
        if (verdict == Verdict::settle) {
            return take(attempt(search.best()));
        }
        if (verdict == Verdict::jumps) {
            return give_up(now, "the error estimate jumps across the tolerance: the model is not smooth there, or the "
                                "tolerance is at the round-off level of the estimate");
        }
        if (verdict == Verdict::stops_growing) {
            return give_up(now, "the error estimate stops growing with the step size before it reaches the tolerance: "
                                "the steps are too large for it, and a smaller tolerance is needed");
        }
        if (verdict == Verdict::stays_below) {
            return give_up(
                now, fmt::format("the error estimate stays below the tolerance, even with a step size of {:.3g}{}",
                                 to_double(search.length()), made_ == 0 ? "; give a larger initial step size" : ""));
        }
    }
    return give_up(now, "no step size was found at which the error equals the tolerance");
}

// Whether the search of the reversed step from here, with the step ahead as its guess, ends at the length of the
// step that led here. Leaves everything as it was, but the count of evaluations.
template <class S>
bool AdaptiveStepper<S>::way_back_agrees() {
    using Verdict = typename LengthSearch<S>::Verdict;
    const S length = absv(clock_[3]), guess = absv(h_), near = sqrt(epsilon<S>()) * length;
    const auto kept = std::tuple{h_, t1_, next_rejected_};
    std::swap(z1_, back_);
    looking_back_ = true;
    again_ = false;
    LengthSearch<S> search(guess, S(lit<S>(16) * guess), lit<S>(control_.estimate.order + 1));
    bool agrees = false;
    for (int k = 0; k < most_attempts; ++k) {
        agrees = absv(search.length() - length) <= near;
        if (agrees) {
            break;
        }
        const auto now = attempt(search.length());
        if (!now.solved) {
            search.not_solved();
            continue;
        }
        if (absv(now.error - target()) <= now.noise + lit<S>(8) * epsilon<S>() * target() ||
            search.tried(now.error > lit<S>(0) ? S(log(now.error / target())) : lit<S>(-1000)) != Verdict::go_on) {
            break;
        }
    }
    looking_back_ = false;
    again_ = false;
    std::swap(z1_, back_);
    std::tie(h_, t1_, next_rejected_) = kept;
    return agrees || absv(search.best() - length) <= near;
}

template <class S>
StepReport<S> AdaptiveStepper<S>::control_length() {
    const S target = this->target();
    const S exponent = lit<S>(1) / lit<S>(control_.estimate.order + 1);
    const S least = lit<S>(1, 5), most = lit<S>(2), safety = lit<S>(9, 10);
    S length = absv(clock_[2]);
    Attempt now{true, lit<S>(0), lit<S>(0), {}};
    for (int k = 0; k < most_attempts && !too_short(length); ++k) {
        now = attempt(length);
        if (!now.solved) {
            ++next_rejected_;
            length = length / lit<S>(2);
            continue;
        }
        const S factor =
            now.error > lit<S>(0) ? minv(most, maxv(least, S(safety * pow(S(target / now.error), exponent)))) : most;
        if (now.error <= target) {
            next_guess_ = factor * h_;
            return report_of(now);
        }
        ++next_rejected_;
        length = factor * length;
    }
    return give_up(now, "the error exceeds the tolerance at every step size that was tried");
}

template class AdaptiveStepper<double>;
#ifdef LIBRATION_HAS_QUAD
template class AdaptiveStepper<Quad>;
#endif

}  // namespace libration
