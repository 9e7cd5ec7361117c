// The loop with redundant constraints: the rows that are carried, and the change to others at a node.
#include "loop.hpp"

#include "model/carried.hpp"
#include <libration/kit/method_record.hpp>

#include <string>

namespace libration {

namespace {

// Parts of the memory of a method that do not depend on the rows: the clock, so that times stay free of accumulated
// rounding, and the counts of evaluations.
class SharedMemory final : public MemoryVisitor<double> {
  public:
    void array(std::string_view name, std::span<double> values) override {
        if (name != "clock" && name != "evaluations") {
            return;
        }
        auto& kept = name == "clock" ? clock_ : evaluations_;
        if (kept.empty()) {
            kept.assign(values.begin(), values.end());
        } else {
            std::ranges::copy(kept, values.begin());
        }
    }
    void integer(std::string_view, std::int64_t&) override {}

  private:
    std::vector<double> clock_, evaluations_;
};

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
    row_watch_.visit(visitor);
}

// Methods of one step start anew at every node; others would start with other errors, and adaptive steps with another
// size.
bool Integration::Loop::may_carry_others() const {
    return row_watch_.needed() && adaptive_ == nullptr && method_.is_map() && method_.lag() == 0;
}

bool Integration::Loop::look_at_rows(bool always) {
    if (!may_carry_others()) {
        return false;
    }
    auto rows = row_watch_.better_rows(stepper_->node(), always);
    if (!rows) {
        return false;
    }
    carry_rows(std::move(*rows));
    choose_backend();
    return true;
}

void Integration::Loop::carry_rows(std::vector<std::size_t> rows) {
    const auto node = stepper_->node();
    const std::vector<double> q(node.q.begin(), node.q.end()), q_low(node.q_low.begin(), node.q_low.end()),
        p(node.p.begin(), node.p.end()), turns(node.turns.begin(), node.turns.end());
    const double t = node.t;
    SharedMemory shared;
    stepper_->visit(shared);
    stepper_.reset();
    generated_ = nullptr;
    model_ = carry(Model(model_.carried->whole), std::move(rows));
    system_ = make_system<double>(model_);
    manifold_ = Manifold<double>(*system_);
    mass_watch_ = MassWatch(model_, *system_);
    row_watch_ = RowWatch(model_, *system_);
    reader_ = std::make_unique<NodeReader>(model_, *system_, manifold_);
    make_stepper();
    stepper_->start({t, q, q_low, p, turns}, options_.step);
    stepper_->visit(shared);
    row_watch_.begin(stepper_->node());
    if (between_) {
        between_->use(model_, method_);
    }
}

}  // namespace libration
