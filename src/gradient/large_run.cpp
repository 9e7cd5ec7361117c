// From the end to the start, for one tangent.
#include "large_run.hpp"
#include "formula_gradient.hpp"
#include "rattle_tangent.hpp"

#include <functional>
#include <numeric>

namespace libration {

namespace {

double size_of(const StartTangent& w) {
    return std::sqrt(std::inner_product(w.q.begin(), w.q.end(), w.q.begin(), 0.0) +
                     std::inner_product(w.p.begin(), w.p.end(), w.p.begin(), 0.0));
}

class LargeRun {
  public:
    LargeRun(const TangentTask& task, const ExtendedModel& extended, std::span<const RunState> states,
             std::span<const Unknown> parameters)
        : task_(&task), extended_(&extended), states_(states), parameters_(parameters), steps_(task, extended),
          gradient_(*task.model, *task.loss) {
        const std::size_t d = task.model->dimension;
        w_ = {std::vector<double>(d), std::vector<double>(d), std::vector<double>(extended.owner.size())};
    }

    BackwardResult run() {
        std::size_t k = static_cast<std::size_t>(
            std::ranges::lower_bound(states_, *task_->readings->last(task_->steps), {}, &RunState::step) -
            states_.begin());
        steps_.set_state(states_[k]);
        add_points(states_[k]);
        continue_kept(k);
        for (; k > 0; --k) {
            if ((result_.failure = steps_.go_back(states_[k], states_[k - 1], w_)) || !check_return(states_[k - 1])) {
                return std::move(result_);
            }
            result_.growth = std::max(result_.growth, added_ > 0 ? steps_.largest_size() / added_ : 1);
            steps_.set_state(states_[k - 1]);
            add_points(states_[k - 1]);
            keep_progress(k - 1);
        }
        result_.derivatives = parameter_slopes(*task_, *extended_, parameters_, w_, steps_.row_sums());
        return std::move(result_);
    }

  private:
    // All that the rest of the run depends on, at a stored state with what was added there.
    void visit(ProgressBytes& bytes, std::uint64_t& state) {
        double largest = steps_.largest_size();
        bytes(state, w_.q, w_.p, w_.pi, added_, largest, result_.growth);
        steps_.take_largest_size(largest);
    }

    void continue_kept(std::size_t& state) {
        if (const auto* kept = task_->progress != nullptr ? task_->progress->find(task_->part) : nullptr) {
            ProgressBytes bytes(*kept);
            std::uint64_t number = state;
            visit(bytes, number);
            state = number;
            steps_.set_state(states_[state]);
        }
    }

    void keep_progress(std::size_t state) {
        if (task_->progress != nullptr && task_->progress->due()) {
            ProgressBytes bytes;
            std::uint64_t number = state;
            visit(bytes, number);
            task_->progress->keep(task_->part, bytes);
        }
    }

    void add_points(const RunState& state) {
        if (task_->readings->last(state.step) != state.step) {
            return;
        }
        for (const auto& point : task_->readings->from(state.step)) {
            StartTangent sum{std::vector<double>(w_.q.size()), std::vector<double>(w_.q.size()),
                             std::vector<double>(w_.pi.size())};
            gradient_.read({state.t, state.q, {}, state.p});
            for (const auto& reading : point.readings) {
                gradient_.add(reading.formula, reading.weight, parameters_, {sum.q, sum.p, sum.pi});
            }
            const auto w = steps_.end_tangent(sum);
            added_ += size_of(w);
            for (const auto part : {&StartTangent::q, &StartTangent::p, &StartTangent::pi}) {
                std::ranges::transform(w_.*part, w.*part, (w_.*part).begin(), std::plus<>{});
            }
        }
    }

    // Rounding leads a little astray.
    bool check_return(const RunState& to) {
        double size = 0, distance = 0;
        for (std::size_t j = 0; j < to.q.size(); ++j) {
            size = std::max({size, std::abs(to.q[j]), std::abs(to.p[j])});
            distance = std::max({distance, std::abs(steps_.q()[j] - to.q[j]), std::abs(steps_.p()[j] - to.p[j])});
        }
        constexpr double far = 1e-5;
        if (!(distance <= far * size)) {
            result_.failure = TangentFailure{to.step, to.t, strayed(distance / size)};
        }
        return !result_.failure;
    }

    const TangentTask* task_;
    const ExtendedModel* extended_;
    std::span<const RunState> states_;
    std::span<const Unknown> parameters_;
    RattleTangent steps_;
    FormulaGradient gradient_;
    StartTangent w_;
    double added_ = 0;
    BackwardResult result_;
};

}  // namespace

std::optional<BackwardResult> run_large_backward(const TangentTask& task, const Method& method,
                                                 const ExtendedModel& extended, std::span<const RunState> states,
                                                 std::span<const Unknown> unknowns) {
    const bool only_parameters =
        std::ranges::all_of(unknowns, [](const Unknown& unknown) { return unknown.kind == Unknown::Kind::parameter; });
    if (!only_parameters || task.readings == nullptr || task.start.project || task.loss->needs_multipliers ||
        task.readings->every_node() || task.readings->between_nodes() || !task.sequence.is_constant() ||
        !RattleTangent::suits(task, method)) {
        return std::nullopt;
    }
    return LargeRun(task, extended, states, unknowns).run();
}

}  // namespace libration
