// The steps of a backward run, from stored state to stored state, interpreted and compiled.
#pragma once

#include "backward_run.hpp"
#include "point_tangents.hpp"
#include "start_pairing.hpp"
#include "tangent_code.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <cassert>
#include <chrono>

namespace libration {

inline std::vector<Unknown> parameters_of(std::span<const Unknown> unknowns) {
    std::vector<Unknown> parameters;
    std::ranges::copy_if(unknowns, std::back_inserter(parameters),
                         [](const Unknown& unknown) { return unknown.kind == Unknown::Kind::parameter; });
    return parameters;
}

class BackwardRun {
    using D = Dual<double>;

  public:
    BackwardRun(const TangentTask& task, const Method& method, const ExtendedModel& extended,
                std::span<const RunState> states, std::span<const Unknown> unknowns)
        : task_(&task), method_(&method), extended_(&extended), states_(states), unknowns_(unknowns),
          parameters_(parameters_of(unknowns)), system_(make_system<D>(extended.model)),
          stepper_(make_stepper<D>(method, *system_)),
          points_(*task.model, *task.loss, parameters_, extended, *system_), now_(system_->dimension()),
          point_(system_->dimension()) {}

    // Each row has a lane of its own; without rows, the weighted sum of all has one.
    BackwardResult run(Readings& readings, std::span<const std::size_t> rows, std::string part) {
        result_ = {};
        part_ = std::move(part);
        readings_ = &readings;
        rows_ = rows;
        lanes_ = std::span(wanted_lanes).first(rows.empty() ? 1 : rows.size());
        expected_ = largest_ = added_ = share_ = {};
        std::size_t k = state_at(*readings.last(task_->steps));
        set_end(states_[k]);
        compile(states_[k]);
        continue_kept(k);
        for (; k > 0 && !result_.failure; --k) {
            go_back(states_[k], states_[k - 1]);
            if (code_ && !is_checked_ && !result_.failure) {
                check_symplecticity();  // code does not carry the generic tangent
                is_checked_ = true;
            }
            if (!result_.failure && task_->progress != nullptr && task_->progress->due()) {
                keep_progress(k - 1);
            }
        }
        if (!result_.failure) {
            conclude();
        }
        return std::move(result_);
    }

  private:
    [[nodiscard]] std::size_t state_at(std::int64_t step) const {
        const auto found = std::ranges::lower_bound(states_, step, {}, &RunState::step);
        assert(found != states_.end() && found->step == step);
        return static_cast<std::size_t>(found - states_.begin());
    }

    // All that the rest of the run depends on, at a stored state with what was added there. Code goes on from its own
    // state, which is near to the stored one, with the memory from which it was entered.
    void visit(ProgressBytes& bytes, std::uint64_t& state) {
        bool has_code = code_ != nullptr;
        bytes(has_code, state, now_.q, now_.p, now_.low, expected_, largest_, added_, share_, is_checked_, is_in_code_,
              result_.growth, result_.defect, result_.compiled_steps);
        if (has_code != (code_ != nullptr)) {
            throw InputError({.argument = "checkpoint",
                              .problem = fmt::format("the backward run was begun {} compiled steps; here: {}",
                                                     has_code ? "with" : "without", result_.backend),
                              .remedy = "continue it on the machine where it was begun, or give `overwrite`"});
        }
        if (!is_in_code_) {
            return;
        }
        if (bytes.reads()) {
            stepper_->start({from_double<D>(states_[state].t), now_.q, now_.low, now_.p},
                            from_double<D>(-task_->sequence.first()));
        }
        bytes.memory(*stepper_);
        if (bytes.reads()) {
            code_->enter(*stepper_, lanes_[0]);
        }
        code_->visit(bytes);
    }

    void continue_kept(std::size_t& state) {
        if (const auto* kept = task_->progress != nullptr ? task_->progress->find(part_) : nullptr) {
            ProgressBytes bytes(*kept);
            std::uint64_t number = state;
            visit(bytes, number);
            state = number;
        }
    }

    void keep_progress(std::size_t state) {
        ProgressBytes bytes;
        std::uint64_t number = state;
        visit(bytes, number);
        task_->progress->keep(part_, bytes);
    }

    // Of the coordinates of the model: what parameters collect is no disturbance.
    [[nodiscard]] double own_size(std::span<const D> q, std::span<const D> p, std::size_t lane) const {
        const std::size_t d = task_->model->dimension;
        return tangent_size<double>(q.first(d), p.first(d), lane);
    }

    // That of the steps back.
    void take_node() {
        const auto node = stepper_->node();
        points_.take(node);
        for (std::size_t j = 0; j < now_.q.size(); ++j) {
            now_.q[j] = node.q[j];
            now_.p[j] = node.p[j];
            now_.low[j].value = node.q_low.empty() ? 0 : node.q_low[j].value;
        }
    }

    void set_end(const RunState& end) {
        now_ = Carried(now_.q.size());
        points_.take(end.t, end.q, end.p, now_);
        set_generic_direction<double>(*system_, end.t, now_.q, now_.p, generic);
        add_points(end.step);
        const double size = tangent_size<double>(now_.q, now_.p, generic);
        for (const auto lane : lanes_) {
            if (task_->mixed && size > 0) {
                const double own = tangent_size<double>(now_.q, now_.p, lane);
                share_[lane] = own > 0 ? own / size : 1;
                now_.add(share_[lane], generic, lane);
                added_[lane] = own_size(now_.q, now_.p, lane);
            }
        }
        note_sizes();
    }

    // Code for the steps, where they are many and few of them have something to read. It carries one tangent.
    void compile(const RunState& end) {
        constexpr std::int64_t steps_between_points = 50;
        code_.reset();
        is_in_code_ = is_checked_ = false;
        const auto points = static_cast<std::int64_t>(readings_->points().size());
        if (lanes_.size() > 1 || task_->mixed || readings_->every_node() || points * steps_between_points > end.step) {
            result_.backend = "several tangents or many points";
            return;
        }
        if (!task_->sequence.is_constant()) {
            result_.backend = "steps of different sizes";
            return;
        }
        const auto started = std::chrono::steady_clock::now();
        code_ = TangentCode::make({.extended = &extended_->model,
                                   .dimension = task_->model->dimension,
                                   .method = method_,
                                   .system = &points_.system(),
                                   .node = points_.node(),
                                   .h = -task_->sequence.first(),
                                   .steps = end.step,
                                   .backend = task_->backend},
                                  result_.backend);
        result_.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }

    // What is read from this node to the next one; the state of the node is the one that was taken.
    void add_points(std::int64_t step) {
        if (readings_->last(step) != step) {
            return;
        }
        for (const auto& point : readings_->from(step)) {
            if (point.elapsed == 0) {
                points_.set(point, rows_, lanes_, point_);
            } else if (!set_point_between(point)) {
                return;
            }
            for (const auto lane : lanes_) {
                added_[lane] += own_size(point_.q, point_.p, lane);
                expected_[lane] += pairing(point_, lane, now_).value;
                for (std::size_t j = 0; j < now_.q.size(); ++j) {
                    now_.q[j].tangent[lane] += point_.q[j].tangent[lane];
                    now_.p[j].tangent[lane] += point_.p[j].tangent[lane];
                }
            }
        }
    }

    // The tangents of a point after one step back to the node.
    bool set_point_between(const ReadPoint& point) {
        points_.take(point.t, point.q, point.p, point_);
        points_.set(point, rows_, lanes_, point_);
        set_generic_direction<double>(*system_, point.t, point_.q, point_.p, generic);
        std::array<double, dual_width> share{};
        const double size = tangent_size<double>(point_.q, point_.p, generic);
        for (const auto lane : lanes_) {
            share[lane] = task_->mixed && size > 0 ? tangent_size<double>(point_.q, point_.p, lane) / size : 0;
            point_.add(share[lane], generic, lane);
        }
        stepper_->start({from_double<D>(point.t), point_.q, point_.low, point_.p}, from_double<D>(-point.elapsed));
        if ((result_.failure = tangent_step(*stepper_, point.step, point.t, task_->stop))) {
            return false;
        }
        const auto node = stepper_->node();
        std::ranges::copy(node.q, point_.q.begin());
        std::ranges::copy(node.p, point_.p.begin());
        for (const auto lane : lanes_) {
            point_.add(-share[lane], generic, lane);
        }
        return check_return(point.step);
    }

    // From a state, with what was added there, to the one before it.
    void go_back(const RunState& from, const RunState& to) {
        double t = from.t;
        for (std::int64_t n = from.step; n > to.step;) {
            const auto& sequence = task_->sequence;
            if (!is_in_code_) {
                stepper_->start({from_double<D>(t), now_.q, now_.low, now_.p}, from_double<D>(-sequence.size(n)));
            }
            const std::int64_t same_size = sequence.is_constant() ? to.step : n - 1;
            const std::int64_t next = std::max(same_size, readings_->last(n - 1).value_or(0));
            if (!steps_back(n, n - next)) {
                return;
            }
            n = next;
            if (is_in_code_ && n == to.step && follows(to)) {
                return;
            }
            leave_code();
            take_node();
            t = points_.node().t;
            if (n > to.step) {
                add_points(n);
            }
        }
        points_.take(to.t, to.q, to.p, now_);
        if (check_return(to.step)) {
            add_points(to.step);
            note_sizes();
        }
    }

    bool steps_back(std::int64_t from, std::int64_t count) {
        for (std::int64_t n = from; n > from - count;) {
            if (const auto made = compiled_steps(n - (from - count)); made > 0) {
                n -= made;
                continue;
            }
            const double t = task_->sequence.time(n - 1);
            if ((result_.failure = tangent_step(*stepper_, n, t, task_->stop))) {
                return false;
            }
            --n;
            const auto node = stepper_->node();
            for (const auto lane : lanes_) {
                note_growth(own_size(node.q, node.p, lane), lane);
            }
        }
        return true;
    }

    // How many steps the code made; if none, the method is ready for the next one.
    std::int64_t compiled_steps(std::int64_t count) {
        if (!code_ || !is_checked_) {
            return 0;
        }
        if (task_->stop != nullptr && task_->stop->requested()) {
            throw GradientStopped{};
        }
        if (!is_in_code_) {
            is_in_code_ = code_->enter(*stepper_, lanes_[0]);
        }
        const auto made = is_in_code_ ? code_->leap(count) : 0;
        result_.compiled_steps += made;
        if (made > 0) {
            note_growth(code_->tangent_size(), lanes_[0]);
        } else if (is_in_code_) {
            leave_code();
            take_node();
            stepper_->start({from_double<D>(points_.node().t), now_.q, now_.low, now_.p},
                            from_double<D>(-task_->sequence.first()));
        }
        return made;
    }

    void leave_code() {
        if (is_in_code_) {
            code_->leave(*stepper_, lanes_[0]);
            is_in_code_ = false;
        }
    }

    // Whether the code may go on from here: it is still at the state of the run, and there is nothing to read.
    [[nodiscard]] bool follows(const RunState& state) const {
        constexpr double near = 1e-13;
        double size = 0;
        for (const double x : state.q) {
            size = std::max(size, std::abs(x));
        }
        return state.step > 0 && readings_->last(state.step) != state.step && code_->distance(state.q) <= near * size;
    }

    void note_growth(double size, std::size_t lane) {
        result_.growth = std::max(result_.growth, added_[lane] > 0 ? size / added_[lane] : 1);
    }

    // Rounding leads a little astray, a method that is not its own inverse far.
    bool check_return(std::int64_t step) {
        const auto node = stepper_->node();
        double size = 0, distance = 0;
        for (std::size_t j = 0; j < task_->model->dimension; ++j) {
            const double q = now_.q[j].value, p = now_.p[j].value;
            size = std::max({size, std::abs(q), std::abs(p)});
            distance = std::max({distance, std::abs(node.q[j].value - q), std::abs(node.p[j].value - p)});
        }
        constexpr double far = 1e-5;
        if (!(distance <= far * size)) {
            result_.failure = TangentFailure{step, node.t.value, strayed(distance / size)};
        }
        return !result_.failure;
    }

    void note_sizes() {
        for (const auto lane : lanes_) {
            largest_[lane] = std::max(largest_[lane], pairing(now_, lane, now_).size);
        }
    }

    // omega with the generic tangent, as it was and as it is.
    void check_symplecticity() {
        for (const auto lane : lanes_) {
            if (largest_[lane] > 0) {
                const double apart = std::abs(pairing(now_, lane, now_).value - expected_[lane]);
                result_.defect = std::max(result_.defect, apart / largest_[lane]);
            }
        }
    }

    // At the start.
    void conclude() {
        for (const auto lane : lanes_) {
            now_.add(-share_[lane], generic, lane);
        }
        if (!is_checked_) {
            check_symplecticity();
        }
        for (const auto lane : lanes_) {
            const auto derivatives = pair_with(states_.front(), lane);
            result_.derivatives.insert(result_.derivatives.end(), derivatives.begin(), derivatives.end());
        }
    }

    // The derivative along each unknown.
    std::vector<double> pair_with(const RunState& begin, std::size_t lane) {
        const std::size_t d = task_->model->dimension;
        StartTangent w{std::vector<double>(d), std::vector<double>(d), std::vector<double>(extended_->owner.size())};
        for (std::size_t j = 0; j < d; ++j) {
            w.q[j] = now_.q[j].tangent[lane];
            w.p[j] = now_.p[j].tangent[lane];
        }
        for (std::size_t j = 0; j < w.pi.size(); ++j) {
            w.pi[j] = now_.p[d + j].tangent[lane];
        }
        return paired_with_start(*task_, *extended_, unknowns_, {begin.q, begin.p}, w,
                                 [&] { return row_sums(points_.system(), *system_, task_->start); });
    }

    const TangentTask* task_;
    const Method* method_;
    const ExtendedModel* extended_;
    std::span<const RunState> states_;
    std::span<const Unknown> unknowns_;
    std::vector<Unknown> parameters_;
    std::unique_ptr<System<D>> system_;
    std::unique_ptr<Stepper<D>> stepper_;
    PointTangents points_;
    Carried now_, point_;
    Readings* readings_ = nullptr;
    std::span<const std::size_t> rows_, lanes_;
    // By lane: omega with the generic tangent as the points say, its largest terms, the sizes of all that was added,
    // and the share of the generic tangent.
    std::array<double, dual_width> expected_{}, largest_{}, added_{}, share_{};
    std::unique_ptr<TangentCode> code_;
    bool is_in_code_ = false;  // where the state is
    bool is_checked_ = false;  // omega, before the code takes over
    std::string part_;         // its name in the progress
    BackwardResult result_;
};

}  // namespace libration
