// A method over any scalar whose model exchanges the redundant rows that it carries, as a run does: for tangents and
// measurements. A tangent on the manifold is the same with all sets of rows.
#pragma once

#include "row_watch.hpp"
#include "shared_memory.hpp"

#include "manifold/rank.hpp"
#include "methods/good_step.hpp"
#include "methods/row_guard.hpp"
#include "model/carried.hpp"
#include <libration/kit/make_system.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace libration {

template <class S>
class RowExchange final : public Stepper<S> {
  public:
    using Rows = std::vector<std::size_t>;
    using SystemOf = std::function<std::unique_ptr<System<S>>(const Model&)>;

    // `system` of the model; `system_of` makes those of models that carry other rows. All but that must outlive it.
    RowExchange(const Model& model, const Method& method, System<S>& system, SystemOf system_of = made_system)
        : given_(&model), method_(&method), system_(&system), system_of_(std::move(system_of)),
          stepper_(guarding_rows<S>(model, method, system, make_stepper<S>(method, system))) {}

    // False where the rows of the start are carried all the way.
    [[nodiscard]] bool changes_rows() const { return may_change_rows(model(), *method_); }
    // With the rows that are carried now.
    [[nodiscard]] const Model& model() const { return model_now_ ? *model_now_ : *given_; }
    [[nodiscard]] System<S>& system() { return system_now_ ? *system_now_ : *system_; }
    // Those rows, before a start.
    void use(Rows rows) {
        stepper_.reset();
        watched_.reset();
        model_now_ = std::make_unique<Model>(carry(given_->carried->whole, std::move(rows)));
        system_now_ = system_of_(*model_now_);
        stepper_ = guarding_rows<S>(*model_now_, *method_, *system_now_, make_stepper<S>(*method_, *system_now_));
    }

    using Stepper<S>::start;
    // A method that is started again goes on to compare pivots with the largest since the rows were chosen.
    void start(const Node<S>& node, const S& h) override {
        h_ = h;
        GuardNumber<S> pivot(*stepper_, "carried_pivot");
        const double largest = pivot.value();
        stepper_->start(node, h);
        if (changes_rows()) {
            const Kept<double> here(stepper_->node());
            pivot.set(std::max(largest, watched().watch.pivot(here.view())));
        }
        is_exchanged_ = false;
    }

    StepReport<S> advance() override {
        auto report = stepper_->advance();
        while (!good_step(report) && changes_rows() && make_again(report)) {
            report = stepper_->advance();
        }
        return report;
    }
    void accept() override {
        stepper_->accept();
        is_exchanged_ = false;
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return stepper_->pivot_position(); }
    Node<S> trial_node() override { return stepper_->trial_node(); }
    Node<S> node() override { return stepper_->node(); }
    // Of the method alone: which rows are carried is known from the model.
    void visit(MemoryVisitor<S>& visitor) override { stepper_->visit(visitor); }
    bool turn_round() override { return stepper_->turn_round(); }
    [[nodiscard]] const Evaluations<S>& evaluations() const override { return stepper_->evaluations(); }

  private:
    static std::unique_ptr<System<S>> made_system(const Model& model) { return make_system<S>(model); }
    // A copy of a node, perhaps in another scalar.
    template <class T>
    struct Kept {
        explicit Kept(const Node<S>& node)
            : t(as(node.t)), q(all(node.q)), low(all(node.q_low)), p(all(node.p)), turns(all(node.turns)) {}
        [[nodiscard]] Node<T> view() const { return {t, q, low, p, turns}; }

      private:
        static T as(const S& x) {
            if constexpr (std::is_same_v<S, T>) {
                return x;
            } else {
                return to_double(x);
            }
        }
        static std::vector<T> all(std::span<const S> given) {
            std::vector<T> values;
            std::ranges::transform(given, std::back_inserter(values), as);
            return values;
        }
        T t;
        std::vector<T> q, low, p, turns;
    };
    struct Watched {
        explicit Watched(const Model& model) : system(make_system<double>(model)), watch(model, *system) {}
        std::unique_ptr<System<double>> system;
        RowWatch watch;
    };
    Watched& watched() { return watched_ ? *watched_ : watched_.emplace(model()); }

    // After a step that failed: whether it is to be made again, as in a run. Rows are exchanged once a step, so that
    // two sets of them cannot alternate.
    bool make_again(const StepReport<S>& report) {
        const Kept<double> here(stepper_->node()), there(stepper_->trial_node());
        const bool is_motion = to_double(report.converged) != step_strayed;
        if (const auto length =
                is_motion ? std::nullopt : watched().watch.explained_length(here.view(), there.view())) {
            set_longest_step<S>(*stepper_, *length);
            return true;
        }
        auto rows = is_exchanged_ ? std::nullopt : watched().watch.better_rows(here.view(), there.view(), is_motion);
        if (rows) {
            exchange(std::move(*rows));
            return true;
        }
        const double pivot = to_double(report.pivot);
        if (to_double(report.converged) == rows_sank && pivot > rank_tolerance) {
            set_carried_pivot<S>(*stepper_, pivot);
            return true;
        }
        return false;
    }
    // From the state of now on.
    void exchange(Rows rows) {
        const Kept<S> node(stepper_->node());
        SharedMemory<S> shared;
        stepper_->visit(shared);
        use(std::move(rows));
        start(node.view(), h_);
        stepper_->visit(shared);
        is_exchanged_ = true;
    }

    const Model* given_;
    const Method* method_;
    System<S>* system_;
    SystemOf system_of_;
    std::unique_ptr<Model> model_now_;  // nothing: the given one
    std::unique_ptr<System<S>> system_now_;
    std::unique_ptr<Stepper<S>> stepper_;
    std::optional<Watched> watched_;
    S h_ = lit<S>(0);
    bool is_exchanged_ = false;  // in this step
};

}  // namespace libration
