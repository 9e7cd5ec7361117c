// A one-step map as a running method: clock, state, trial state.
#pragma once

#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>

#include <memory>
#include <utility>

namespace libration {

template <class S>
class MapStepper final : public Stepper<S> {
  public:
    MapStepper(System<S>& system, std::unique_ptr<Map<S>> map)
        : matrix_(constraint_matrix(system)), map_(std::move(map)), z_(system, *matrix_), z1_(system, *matrix_),
          node_p_(system.dimension(), lit<S>(0)), trial_p_(node_p_), clock_{lit<S>(0), lit<S>(0), lit<S>(0)} {
        map_->reserve(1);
    }

    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        clock_ = {node.t, lit<S>(0), h};
        z_.q.assign(node.q, node.q_low);
        z_.p.assign(node.p, {});
        z_.owed = lit<S>(0);
        z_.at.standing.reset();
        evaluations_ = {};
        map_->prepare(node.t, z_, evaluations_);
        knows_node_p_ = knows_trial_p_ = false;
    }

    StepReport<S> advance() override {
        next_evaluations_ = evaluations_;
        z1_.at.standing.follow(z_.at.standing);
        const auto ending = map_->ends_late() ? Ending::inner : Ending::on_manifold;
        const auto report = map_->apply({time(0), time(1), clock_[2], 0, ending}, z_, z1_, next_evaluations_);
        knows_trial_p_ = false;
        // Where p has not felt the force at the end yet, both are looked at; q follows from them.
        const Real<S> size =
            map_->ends_late() ? Real<S>(total<S>(z1_.p.high) + total<S>(z1_.at.force)) : total(z1_.q, z1_.p);
        return {report.converged, report.residual, report.pivot, size};
    }

    void accept() override {
        swap(z_, z1_);
        std::swap(node_p_, trial_p_);
        knows_node_p_ = std::exchange(knows_trial_p_, false);
        map_->accept();
        evaluations_ = next_evaluations_;
        clock_[1] = clock_[1] + lit<S>(1);
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return z1_.q.high; }
    Node<S> trial_node() override { return node_of(z1_, time(1), trial_p_, knows_trial_p_); }
    Node<S> node() override { return node_of(z_, time(0), node_p_, knows_node_p_); }

    void visit(MemoryVisitor<S>& visitor) override {
        knows_node_p_ = knows_trial_p_ = false;  // the visitor may change what it sees
        visitor.array("clock", clock_);
        visitor.array("q", z_.q.high);
        visitor.array("q_low", z_.q.low);
        visitor.array("p", z_.p.high);
        visitor.array("p_low", z_.p.low);
        if (map_->ends_late()) {
            visitor.array("owed_kick", std::span(&z_.owed, 1));
        }
        z_.at.visit(visitor);
        z_.at.standing.visit(visitor);
        map_->visit(visitor);
        visitor.array("evaluations", evaluations_.count);
    }

    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

  private:
    Node<S> node_of(const State<S>& z, const S& t, std::vector<S>& p, bool& known) {
        if (!map_->ends_late()) {
            return {t, z.q.high, z.q.low, z.p.high};
        }
        if (!known) {
            map_->momentum_on_manifold(t, z, p);
            known = true;
        }
        return {t, z.q.high, z.q.low, p};
    }

    // t0 + (n + ahead) h, free of accumulated rounding
    [[nodiscard]] S time(int ahead) const {
        const S n = ahead == 0 ? clock_[1] : clock_[1] + lit<S>(ahead);
        return clock_[0] + n * clock_[2];
    }

    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    std::unique_ptr<Map<S>> map_;
    State<S> z_, z1_;
    std::vector<S> node_p_, trial_p_;  // of z_, z1_ on the manifold, where the map ends late and it was requested
    bool knows_node_p_ = false, knows_trial_p_ = false;
    std::array<S, 3> clock_;  // t0, steps done, h
    Evaluations<S> evaluations_, next_evaluations_;
};

// Compiled once, in src/methods/map_stepper.cpp.
#define LIBRATION_EXTERN(scalar) extern template class MapStepper<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
