// Forward mode: tangents of a whole run along some unknowns at a time, with any method.
#pragma once

#include "directions.hpp"
#include "gradient_file.hpp"
#include "loss.hpp"
#include "readings.hpp"
#include "step_sequence.hpp"

#include "integrate/dense_steps.hpp"
#include "integrate/row_exchange.hpp"
#include "methods/good_step.hpp"
#include <libration/gradient/gradient.hpp>
#include <libration/integrate/run.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>

namespace libration {

// A step that dual numbers could not make; a double could.
struct TangentFailure {
    std::int64_t step = 0;
    double t = 0;
    std::string message;

    template <class Bytes>
    void visit(Bytes& bytes) {
        bytes(step, t, message);
    }
};

// What a run of tangents is made of.
struct TangentTask {
    const Model* model;
    const Method* method;
    const Loss* loss;
    StartPoint start;
    StepSequence sequence;
    std::int64_t steps = 0;
    const StopSignal* stop = nullptr;
    Backend backend = Backend::automatic;
    // Add a generic tangent to all others, and subtract what it did in the end: a tangent that vanishes has no size by
    // which its rounding could be judged, and iterations do not end.
    bool mixed = false;
    Readings* readings = nullptr;      // nothing: the first formula of the loss at the end
    std::size_t rows = 0;              // of the matrix that is wanted; 0: only the weighted sum of all rows
    GradientFile* progress = nullptr;  // where the work is kept from time to time, if it is
    std::string part = {};             // the name of this part of it
    // Of second derivatives: the direction of the first one.
    std::span<const Unknown> second = {};
    std::span<const double> second_sizes = {};
};

template <class T>
struct ForwardResult {
    Dual<T> loss;  // the weighted sum of all that was read, and its derivatives along the unknowns
    std::vector<std::array<T, dual_width>> rows;  // derivatives of each row
    double growth = 1;                            // of the generic direction, if there was room for one
    std::optional<TangentFailure> failure;

    template <class Bytes>
    void visit(Bytes& bytes) {
        bytes(loss, rows, growth, failure);
    }
};

// One step; nothing, or why it failed.
template <class S>
std::optional<TangentFailure> tangent_step(Stepper<S>& stepper, std::int64_t number, double t, const StopSignal* stop) {
    if (stop != nullptr && stop->requested()) {
        throw GradientStopped{};
    }
    const auto report = stepper.advance();
    if (!good_step(report)) {
        return TangentFailure{number, t, "the tangents of this step could not be computed; a smaller step may help"};
    }
    stepper.accept();
    return std::nullopt;
}

template <class T>
double tangent_size(std::span<const Dual<T>> q, std::span<const Dual<T>> p, std::size_t lane) {
    double sum = 0;
    for (std::size_t j = 0; j < q.size(); ++j) {
        const double x = to_double(q[j].tangent[lane]), y = to_double(p[j].tangent[lane]);
        sum += x * x + y * y;
    }
    return std::sqrt(sum);
}

// Where the tangents start, and the weight of a reading in their sum; second derivatives have their own.
template <class T>
Directions<T> forward_start(const TangentTask& task, std::span<const Unknown> unknowns) {
    return start_directions<T>(*task.model, unknowns, task.start);
}
template <class T>
Dual<T> weight_of(const Reading& reading, const T&) {
    return from_double<Dual<T>>(reading.weight);
}

template <class T>
class ForwardRun {
  public:
    using S = Dual<T>;

    ForwardRun(const TangentTask& task, std::span<const Unknown> unknowns)
        : task_(&task), unknowns_(unknowns), along_(forward_start<T>(task, unknowns)),
          measures_(unknowns.size() <= spare), at_end_(node_reading({.step = task.steps})),
          readings_(task.readings != nullptr ? task.readings : &at_end_),
          stepper_(*task.model, *task.method, *along_.system,
                   [this](const Model& model) { return system_at<S>(model, along_.given); }),
          reader_(*task.loss, *along_.system, along_.given) {
        result_.loss = lit<S>(0);
        result_.rows.resize(task.rows);
        start();
        if (readings_->between_nodes()) {
            prepare_dense();
        }
    }

    ForwardResult<T> run() {
        continue_kept();
        for (auto n = readings_->next(wanted_); n && !result_.failure; n = readings_->next(*n + 1)) {
            wanted_ = *n;
            if (steps_forward(*n - node_, true)) {
                read_from(*n);
            }
        }
        return std::move(result_);
    }

  private:
    static constexpr std::size_t spare = dual_width - 1;

    void start() {
        if (measures_) {
            set_generic_direction<T>(*along_.system, from_double<T>(task_->start.t), along_.q, along_.p, spare);
        }
        first_ = tangent_size<T>(along_.q, along_.p, spare);
        for (std::size_t k = 0; k < unknowns_.size() && measures_ && task_->mixed; ++k) {
            share_[k] = 1 / direction_detail::unit_of<T>(along_.given, unknowns_[k]);
            for (auto* x : {&along_.q, &along_.p}) {
                for (auto& value : *x) {
                    value.tangent[k] = value.tangent[k] + from_double<T>(share_[k]) * value.tangent[spare];
                }
            }
        }
        stepper_.start(from_double<S>(task_->start.t), along_.q, along_.p, from_double<S>(task_->sequence.first()));
    }

    // Of redundant constraints, the rows that are carried now.
    [[nodiscard]] std::vector<std::size_t> rows_now() const {
        const auto& model = stepper_.model();
        return model.carried ? model.carried->rows : std::vector<std::size_t>();
    }
    void prepare_dense() {
        dense_rows_ = rows_now();
        dense_system_ = system_at<S>(stepper_.model(), along_.given);
        dense_.emplace(*dense_system_, *task_->method);
    }

    // All that the rest of the run depends on, between the steps to a node.
    void visit(ProgressBytes& bytes) {
        auto rows = rows_now();
        bytes(wanted_, made_, started_, result_.loss, result_.rows, result_.growth, rows);
        if (bytes.reads()) {
            if (rows != rows_now()) {
                stepper_.use(std::move(rows));
            }
            const auto& sequence = task_->sequence;
            stepper_.start(from_double<S>(sequence.time(started_)), along_.q, along_.p,
                           from_double<S>(started_ > 0 ? sequence.size(started_ + 1) : sequence.first()));
        }
        bytes.memory(stepper_);
    }

    // References in other scalars are not kept.
    static constexpr bool can_be_kept = std::is_same_v<T, double>;

    void continue_kept() {
        if constexpr (can_be_kept) {
            if (const auto* kept = task_->progress != nullptr ? task_->progress->find(task_->part) : nullptr) {
                ProgressBytes bytes(*kept);
                visit(bytes);
            }
        }
    }

    void keep_progress() {
        if constexpr (can_be_kept) {
            if (task_->progress != nullptr && task_->progress->due()) {
                ProgressBytes bytes;
                visit(bytes);
                task_->progress->keep(task_->part, bytes);
            }
        }
    }

    // To the node that is so many steps away; nodes of some methods are known late.
    bool steps_forward(std::int64_t count, bool may_pause) {
        node_ += count;
        while (count > 0 && made_ < node_ + task_->method->lag()) {
            if (may_pause) {
                keep_progress();
            }
            const std::int64_t next = made_ + 1;
            take_size(next);
            if ((result_.failure = tangent_step(stepper_, next, task_->sequence.time(next), task_->stop))) {
                return false;
            }
            made_ = next;
            if (measures_) {
                const auto node = stepper_.node();
                result_.growth = std::max(result_.growth, tangent_size<T>(node.q, node.p, spare) / first_);
            }
        }
        return true;
    }

    // A step of another size than the last one starts anew.
    void take_size(std::int64_t step) {
        const auto& sequence = task_->sequence;
        if (step > 1 && !sequence.is_constant() && sequence.size(step) != sequence.size(step - 1)) {
            started_ = step - 1;
            keep(stepper_.node());
            stepper_.start({from_double<S>(sequence.time(step - 1)), kept_q_, kept_low_, kept_p_, kept_turns_},
                           from_double<S>(sequence.size(step)));
        }
    }

    void read_from(std::int64_t step) {
        bool between = false;
        for (const auto& point : readings_->from(step)) {
            if (point.elapsed == 0) {
                read(point, stepper_.node());
            }
            between = between || point.elapsed != 0;
        }
        if (between) {
            read_between(step);
        }
    }

    void read_between(std::int64_t step) {
        auto left = stepper_.node();
        // Companions need the node after; and on the way there, redundant rows are exchanged.
        if (dense_->kind().companion || stepper_.changes_rows()) {
            keep(left);
            left = {left.t, kept_q_, kept_low_, kept_p_, kept_turns_};
            if (!steps_forward(1, false)) {
                return;
            }
        }
        if (dense_rows_ != rows_now()) {
            prepare_dense();
        }
        for (const auto& point : readings_->from(step)) {
            if (point.elapsed == 0) {
                continue;
            }
            const S t = from_double<S>(point.t);
            if (dense_->find(left, stepper_.node(), from_double<S>(point.elapsed), t) != DenseSteps<S>::Fault::none) {
                result_.failure = TangentFailure{
                    step, point.t, "the tangents of the dense output could not be computed; a smaller step may help"};
                return;
            }
            read(point, {t, dense_->q(), {}, dense_->p(), left.turns});
        }
    }

    void keep(const Node<S>& node) {
        kept_q_.assign(node.q.begin(), node.q.end());
        kept_low_.assign(node.q_low.begin(), node.q_low.end());
        kept_p_.assign(node.p.begin(), node.p.end());
        kept_turns_.assign(node.turns.begin(), node.turns.end());
    }

    // The system that is read is that of the start, which nobody else tells of turns once other rows are carried.
    void read(const ReadPoint& point, const Node<S>& node) {
        reader_.read(node.t, node.q, node.p, node.turns);
        for (const auto& reading : point.readings) {
            S value = reader_.value(reading.formula);
            for (std::size_t k = 0; k < unknowns_.size() && measures_; ++k) {
                value.tangent[k] = value.tangent[k] - from_double<T>(share_[k]) * value.tangent[spare];
            }
            result_.loss = result_.loss + weight_of<T>(reading, value.value) * value;
            if (task_->rows > 0) {
                result_.rows[reading.row] = value.tangent;
            }
        }
    }

    const TangentTask* task_;
    std::span<const Unknown> unknowns_;
    Directions<T> along_;
    bool measures_;
    Readings at_end_;
    Readings* readings_;
    double first_ = 0;
    std::array<double, dual_width> share_{};  // of the generic tangent in the others
    RowExchange<S> stepper_;
    LossReader<S> reader_;
    std::vector<std::size_t> dense_rows_;
    std::unique_ptr<System<S>> dense_system_;
    std::optional<DenseSteps<S>> dense_;
    std::vector<S> kept_q_, kept_low_, kept_p_, kept_turns_;
    std::int64_t wanted_ = 0, node_ = 0, made_ = 0;
    std::int64_t started_ = 0;  // the node from which the method was started
    ForwardResult<T> result_;
};

template <class T>
ForwardResult<T> run_forward(const TangentTask& task, std::span<const Unknown> unknowns) {
    return ForwardRun<T>(task, unknowns).run();
}

}  // namespace libration
