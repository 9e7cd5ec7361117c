// From the end to the start, and what the tangent says there.
#include "backward_run.hpp"

#include "end_tangent.hpp"

#include <libration/kit/make_system.hpp>

namespace libration {

namespace {

using D = Dual<double>;
constexpr std::size_t wanted = 0, generic = 1;  // lanes

// omega of the two tangents, and how large its terms are.
struct Pairing {
    double value = 0, size = 0;
};
Pairing pairing(std::span<const D> q, std::span<const D> p) {
    Pairing sum;
    for (std::size_t j = 0; j < q.size(); ++j) {
        const double there = q[j].tangent[wanted] * p[j].tangent[generic];
        const double back = p[j].tangent[wanted] * q[j].tangent[generic];
        sum.value += there - back;
        sum.size += std::abs(there) + std::abs(back);
    }
    return sum;
}

std::vector<Unknown> parameters_of(std::span<const Unknown> unknowns) {
    std::vector<Unknown> parameters;
    std::ranges::copy_if(unknowns, std::back_inserter(parameters),
                         [](const Unknown& unknown) { return unknown.kind == Unknown::Kind::parameter; });
    return parameters;
}

class BackwardRun {
  public:
    BackwardRun(const TangentTask& task, const Method& method, const ExtendedModel& extended)
        : task_(&task), extended_(&extended), system_(make_system<D>(extended.model)),
          plain_(make_system<double>(extended.model)), manifold_(*plain_), stepper_(make_stepper<D>(method, *system_)),
          q_(system_->dimension(), lit<D>(0)), p_(q_), low_(q_), plain_q_(q_.size()), plain_p_(q_.size()),
          plain_low_(q_.size()) {}

    BackwardResult run(std::span<const RunState> states, std::span<const Unknown> unknowns) {
        set_end(states.back(), unknowns);
        const auto at_end = pairing(q_, p_);
        const double first = own_size();
        double largest = at_end.size;
        for (std::size_t k = states.size() - 1; k > 0 && !result_.failure; --k) {
            go_back(states[k], states[k - 1]);
            result_.growth = std::max(result_.growth, first > 0 ? largest_size_ / first : 1);
            largest = std::max(largest, pairing(q_, p_).size);
        }
        if (result_.failure) {
            return result_;
        }
        add_generic(-share_);
        const auto at_start = pairing(q_, p_);
        result_.defect = largest > 0 ? std::abs(at_start.value - at_end.value) / largest : 0;
        pair_with(states.front(), unknowns);
        return result_;
    }

  private:
    // Of the coordinates of the model: what parameters collect is no disturbance.
    [[nodiscard]] double own_size() const {
        const std::size_t d = task_->model->dimension;
        return tangent_size<double>(std::span(q_).first(d), std::span(p_).first(d), wanted);
    }

    // The state of the run, with the rest of its rounding; the tangents stay.
    void take_state(const RunState& state) {
        std::ranges::fill(plain_q_, 0.0);
        std::ranges::fill(plain_p_, 0.0);
        std::ranges::fill(plain_low_, 0.0);
        std::ranges::copy(state.q, plain_q_.begin());
        std::fill_n(plain_q_.begin() + static_cast<std::ptrdiff_t>(state.q.size()), extended_->owner.size(), 1.0);
        std::ranges::copy(state.p, plain_p_.begin());
        manifold_.refine_position(state.t, plain_q_, plain_low_, plain_p_);
        for (std::size_t j = 0; j < q_.size(); ++j) {
            q_[j].value = plain_q_[j];
            p_[j].value = plain_p_[j];
            low_[j].value = plain_low_[j];
        }
    }

    void set_end(const RunState& end, std::span<const Unknown> unknowns) {
        take_state(end);
        const auto parameters = parameters_of(unknowns);
        const auto gradient =
            loss_gradient(*task_->model, *task_->loss, parameters, *extended_, {end.t, end.q, {}, end.p});
        const auto w = end_tangent(gradient, *plain_, *system_, {end.t, plain_q_, plain_low_, plain_p_});
        for (std::size_t j = 0; j < q_.size(); ++j) {
            q_[j].tangent[wanted] = w.q[j];
            p_[j].tangent[wanted] = w.p[j];
        }
        set_generic_direction<double>(*system_, end.t, q_, p_, generic);
        if (const double size = tangent_size<double>(q_, p_, generic); task_->mixed && size > 0) {
            share_ = tangent_size<double>(q_, p_, wanted) / size;
            add_generic(share_);
        }
    }

    void add_generic(double share) {
        for (auto* x : {&q_, &p_}) {
            for (auto& value : *x) {
                value.tangent[wanted] += share * value.tangent[generic];
            }
        }
    }

    void go_back(const RunState& from, const RunState& to) {
        take_state(from);
        stepper_->start({from_double<D>(from.t), q_, low_, p_}, from_double<D>(-task_->step));
        for (std::int64_t n = from.step; n > to.step; --n) {
            const double t = from.t - static_cast<double>(from.step - n + 1) * task_->step;
            if ((result_.failure = tangent_step(*stepper_, n, t, task_->stop))) {
                return;
            }
            const std::size_t d = task_->model->dimension;
            const auto node = stepper_->node();
            largest_size_ = std::max(largest_size_, tangent_size<double>(node.q.first(d), node.p.first(d), wanted));
        }
        const auto node = stepper_->node();
        for (std::size_t j = 0; j < q_.size(); ++j) {
            q_[j].tangent = node.q[j].tangent;
            p_[j].tangent = node.p[j].tangent;
        }
        check_return(to);
    }

    // Rounding leads a little astray, a method that is not its own inverse far.
    void check_return(const RunState& to) {
        const auto node = stepper_->node();
        double size = 0, distance = 0;
        for (std::size_t j = 0; j < to.q.size(); ++j) {
            size = std::max({size, std::abs(to.q[j]), std::abs(to.p[j])});
            distance = std::max({distance, std::abs(node.q[j].value - to.q[j]), std::abs(node.p[j].value - to.p[j])});
        }
        constexpr double far = 1e-5;
        if (!(distance <= far * size)) {
            result_.failure = TangentFailure{
                to.step, to.t,
                fmt::format(
                    "steps back lead to a state that differs by {:.1e}: the motion is too chaotic, or the method is "
                    "not symmetric on this model",
                    distance / size)};
        }
    }

    // The derivative along each unknown.
    void pair_with(const RunState& begin, std::span<const Unknown> unknowns) {
        const std::size_t d = task_->model->dimension;
        result_.derivatives.assign(unknowns.size(), 0);
        const auto parameters = parameters_of(unknowns);
        for (const auto& group : grouped({unknowns.begin(), unknowns.end()}, dual_width)) {
            const auto along = start_directions<double>(*task_->model, group, task_->start);
            const auto scale = scale_changes(*along.system, d);
            for (std::size_t k = 0; k < group.size(); ++k) {
                double sum = 0;
                for (std::size_t j = 0; j < d; ++j) {
                    const double dq = along.q[j].tangent[k] - scale[j][k] * begin.q[j];
                    const double dp = along.p[j].tangent[k] + scale[j][k] * begin.p[j];
                    sum += q_[j].tangent[wanted] * dp - p_[j].tangent[wanted] * dq;
                }
                const auto parameter = std::ranges::find(parameters, group[k].name, &Unknown::name);
                for (std::size_t j = 0; j < extended_->owner.size() && parameter != parameters.end(); ++j) {
                    if (extended_->owner[j] == static_cast<std::size_t>(parameter - parameters.begin())) {
                        sum -= p_[d + j].tangent[wanted];
                    }
                }
                const auto place = std::ranges::find(unknowns, group[k].name, &Unknown::name);
                result_.derivatives[static_cast<std::size_t>(place - unknowns.begin())] = sum;
            }
        }
    }

    const TangentTask* task_;
    const ExtendedModel* extended_;
    std::unique_ptr<System<D>> system_;
    std::unique_ptr<System<double>> plain_;
    Manifold<double> manifold_;
    std::unique_ptr<Stepper<D>> stepper_;
    std::vector<D> q_, p_, low_;
    std::vector<double> plain_q_, plain_p_, plain_low_;
    double largest_size_ = 0, share_ = 0;
    BackwardResult result_;
};

}  // namespace

BackwardResult run_backward(const TangentTask& task, const Method& method, const ExtendedModel& extended,
                            std::span<const RunState> states, std::span<const Unknown> unknowns) {
    return BackwardRun(task, method, extended).run(states, unknowns);
}

}  // namespace libration
