// A method on a model that carries some of its redundant rows: a step is refused where these lose their condition.
//
// Rows that are left out hold because those that are carried do; where the carried ones come close to dependent, that
// has fewer and fewer digits, and where they are dependent a step may lead to another branch of the manifold of the
// carried rows, with residuals at round-off. So the smallest relative pivot of every step is compared with the largest
// since the rows were chosen. Such a step may also end far from there, where the pivot is large again; then it is
// longer than those before. What is decided then is none of the method's business: it refuses the step and leaves the
// state as it is. The comparisons are part of the step, and their memory part of the method's, so that lanes, recorded
// steps and resumed runs refuse the same steps.
#pragma once

#include <libration/kit/method_record.hpp>
#include <libration/kit/stepper.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace libration {

// A step whose pivot is below this part of the largest one is refused, and reports `rows_sank` for `converged`. Far
// enough from 1 that a look at other rows is rare, and so near that the carried rows are well conditioned until then.
inline constexpr double noticeable_pivot = 0.25;
inline constexpr double rows_sank = -2;
// A step that is this many times longer than the longest before is refused, and reports `step_strayed`. Who made it
// looks whether its velocities explain that: a motor may start. From rest under a constant force the second step is
// three times as long as the first one; a crank that turns once more on its way is longer by 2 pi/(h omega).
inline constexpr double wild_displacement = 4;
inline constexpr double step_strayed = -3;

// Other rows can be carried from a node on by methods that start anew at every node.
inline bool may_change_rows(const Model& model, const Method& method) {
    return model.carried != nullptr && method.is_map() && method.lag() == 0;
}

template <class S>
class RowGuard final : public Stepper<S> {
  public:
    // Lengths are those in the metric of the masses, where these are constant and diagonal.
    RowGuard(std::unique_ptr<Stepper<S>> method, const System<S>& system, bool equal_steps)
        : method_(std::move(method)) {
        const auto inverse = system.inverse_masses();
        for (std::size_t j = 0; equal_steps && j < inverse.size(); ++j) {
            masses_.push_back(lit<S>(1) / inverse[j]);
        }
        place_.assign(masses_.size(), lit<S>(0));
    }

    using Stepper<S>::start;
    // The pivot at the node is given afterwards, see set_carried_pivot.
    void start(const Node<S>& node, const S& h) override {
        method_->start(node, h);
        largest_ = lit<S>(0);
        longest_ = lit<S>(0);
        std::copy_n(node.q.begin(), place_.size(), place_.begin());
    }

    StepReport<S> advance() override {
        using R = Real<S>;
        auto report = method_->advance();
        const auto holds = less(R(from_double<R>(noticeable_pivot) * real_part(largest_)), report.pivot);
        next_ = from_real<S>(maxv(real_part(largest_), report.pivot));
        const R solved = absv(report.converged);
        report.converged = select(holds, report.converged, R(from_double<R>(rows_sank) * solved));
        if (!masses_.empty()) {
            const R length = displacement(), before = real_part(longest_);
            const auto goes_on =
                either(equal(before, lit<R>(0)),
                       less_equal(length, R(from_double<R>(wild_displacement * wild_displacement) * before)));
            report.converged = select(goes_on, report.converged, R(from_double<R>(step_strayed) * solved));
            next_longest_ = from_real<S>(maxv(before, length));
        }
        return report;
    }

    void accept() override {
        if (!masses_.empty()) {
            const auto q = method_->pivot_position();
            std::copy(q.begin(), q.end(), place_.begin());
            longest_ = next_longest_;
        }
        method_->accept();
        largest_ = next_;
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return method_->pivot_position(); }
    Node<S> trial_node() override { return method_->trial_node(); }
    Node<S> node() override { return method_->node(); }
    void visit(MemoryVisitor<S>& visitor) override {
        method_->visit(visitor);
        visitor.array("carried_pivot", std::span(&largest_, 1));
        if (!masses_.empty()) {
            visitor.array("longest_step", std::span(&longest_, 1));
            visitor.array("place", place_);
        }
    }
    bool turn_round() override { return method_->turn_round(); }
    [[nodiscard]] const Evaluations<S>& evaluations() const override { return method_->evaluations(); }

  private:
    // (q1 - q0)^T M (q1 - q0)
    Real<S> displacement() const {
        using R = Real<S>;
        const auto q = method_->pivot_position();
        R sum = lit<R>(0);
        for (std::size_t j = 0; j < masses_.size(); ++j) {
            const R moved = real_part(S(q[j] - place_[j]));
            sum = sum + real_part(masses_[j]) * (moved * moved);
        }
        return sum;
    }

    std::unique_ptr<Stepper<S>> method_;
    S largest_ = lit<S>(0), next_ = lit<S>(0);  // smallest pivot of a step: the largest since the rows were chosen
    S longest_ = lit<S>(0), next_longest_ = lit<S>(0);  // squared length of a step
    std::vector<S> masses_, place_;                     // empty: lengths are not looked at
};

// The method itself where the rows do not change.
template <class S>
std::unique_ptr<Stepper<S>> guarding_rows(const Model& model, const Method& method, const System<S>& system,
                                          std::unique_ptr<Stepper<S>> stepper, bool equal_steps = true) {
    if (!may_change_rows(model, method)) {
        return stepper;
    }
    return std::make_unique<RowGuard<S>>(std::move(stepper), system, equal_steps);
}

// A number of the guard: with what the next steps are compared; 0 where the rows do not change.
template <class S>
class GuardNumber final : public MemoryVisitor<S> {
  public:
    GuardNumber(Stepper<S>& stepper, std::string_view name) : name_(name) { stepper.visit(*this); }
    void array(std::string_view name, std::span<S> values) override {
        if (name == name_) {
            place_ = values.data();
        }
    }
    void integer(std::string_view, std::int64_t&) override {}

    [[nodiscard]] double value() const { return place_ != nullptr ? to_double(*place_) : 0; }
    void set(double value) {
        if (place_ != nullptr) {
            *place_ = from_double<S>(value);
        }
    }

  private:
    std::string_view name_;
    S* place_ = nullptr;
};

// At the node where rows were chosen, or where a look found none that are better.
template <class S>
void set_carried_pivot(Stepper<S>& stepper, double pivot) {
    GuardNumber<S>(stepper, "carried_pivot").set(pivot);
}
// The squared length of a step that is no motion gone astray, however long.
template <class S>
void set_longest_step(Stepper<S>& stepper, double squared_length) {
    GuardNumber<S>(stepper, "longest_step").set(squared_length);
}

}  // namespace libration
