// The loop with redundant constraints: the rows that are carried, and the change to others at a node.
#include "loop.hpp"
#include "shared_memory.hpp"

#include "manifold/rank.hpp"
#include "methods/row_guard.hpp"
#include "model/carried.hpp"
#include <libration/kit/method_record.hpp>

#include <string>

namespace libration {

namespace {

// Of rows that may have become too badly conditioned for other rows to follow.
constexpr double doubtful_pivot = 1e-6;

}  // namespace

void Integration::Loop::visit_rows(MemoryVisitor<double>& visitor) {
    if (!row_watch_.needed()) {
        return;
    }
    auto rows = model_.carried->rows;
    std::vector<double> numbers(rows.begin(), rows.end());
    visitor.array("carried_rows", numbers);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i] = static_cast<std::size_t>(numbers[i]);
    }
    if (rows != model_.carried->rows) {
        carry_rows(std::move(rows));
    }
    visitor.integer("rows_changed_at", rows_changed_at_);
}

bool Integration::Loop::make_again(const StepReport<double>& report) {
    if (!may_change_rows(model_, method_)) {
        return false;
    }
    const bool is_motion = report.converged != step_strayed;
    const auto length =
        is_motion ? std::nullopt : row_watch_.explained_length(stepper_->node(), stepper_->trial_node());
    if (length) {
        set_longest_step(*stepper_, *length);
        return true;
    }
    // Once a step, so that two sets of rows cannot alternate.
    auto rows = rows_changed_at_ == accepted_
                    ? std::nullopt
                    : row_watch_.better_rows(stepper_->node(), stepper_->trial_node(), is_motion);
    if (rows) {
        carry_rows(std::move(*rows));
        rows_changed_at_ = accepted_;
        choose_backend();
        return true;
    }
    if (report.converged == rows_sank && report.pivot > rank_tolerance) {
        set_carried_pivot(*stepper_, report.pivot);
        return true;
    }
    return false;
}

std::optional<RunFailure> Integration::Loop::contradiction() {
    auto missed = row_watch_.contradiction(stepper_->node());
    if (!missed) {
        return std::nullopt;
    }
    if (!may_change_rows(model_, method_) && row_watch_.pivot(stepper_->node()) < doubtful_pivot) {
        *missed += "\nOr the constraints that are carried became nearly dependent: one-step methods carry others then.";
    }
    return RunFailure{ready(), stepper_->node().t, "redundant", std::move(*missed)};
}

void Integration::Loop::carry_rows(std::vector<std::size_t> rows) {
    const auto node = stepper_->node();
    const std::vector<double> q(node.q.begin(), node.q.end()), q_low(node.q_low.begin(), node.q_low.end()),
        p(node.p.begin(), node.p.end()), turns(node.turns.begin(), node.turns.end());
    const double t = node.t;
    SharedMemory<double> shared;
    stepper_->visit(shared);
    stepper_.reset();
    generated_ = nullptr;
    model_ = carry(Model(model_.carried->whole), std::move(rows));
    system_ = make_system<double>(model_);
    manifold_ = Manifold<double>(*system_);
    mass_watch_ = MassWatch(model_, *system_);
    row_watch_ = RowWatch(model_, *system_);
    reader_ = std::make_unique<NodeReader>(model_, *system_, manifold_, options_.start_time, reader_.get());
    make_stepper();
    stepper_->start({t, q, q_low, p, turns}, options_.step);
    stepper_->visit(shared);
    set_carried_pivot(*stepper_, row_watch_.pivot(stepper_->node()));
    if (balance_) {
        balance_->use(model_, *system_, manifold_);
    }
    if (between_) {
        between_->use(model_, method_);
    }
}

}  // namespace libration
