// A one-step map as a running method: clock, state, trial state.
#pragma once

#include <libration/expression/scalars.hpp>
#include <libration/methods/map.hpp>

#include <memory>
#include <utility>

namespace libration {

template <class S>
class MapStepper final : public Stepper<S> {
  public:
    MapStepper(System<S>& system, std::unique_ptr<Map<S>> map)
        : matrix_(constraint_matrix(system)), map_(std::move(map)), z_(system, *matrix_),
          z1_(system, *matrix_), clock_{lit<S>(0), lit<S>(0), lit<S>(0)} {
        map_->reserve(1);
    }

    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        clock_ = {node.t, lit<S>(0), h};
        z_.q.assign(node.q, node.q_low);
        z_.p.assign(node.p, {});
        evaluations_ = {};
        map_->prepare(node.t, z_, evaluations_);
    }

    StepReport<S> advance() override {
        next_evaluations_ = evaluations_;
        const auto report = map_->apply({time(0), time(1), clock_[2]}, z_, z1_, next_evaluations_);
        return {report.converged, report.residual, report.pivot, total_size(z1_.q, z1_.p)};
    }

    void accept() override {
        std::swap(z_, z1_);
        map_->accept();
        evaluations_ = next_evaluations_;
        clock_[1] = clock_[1] + lit<S>(1);
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return z1_.q.high; }
    Node<S> trial_node() override { return {time(1), z1_.q.high, z1_.q.low, z1_.p.high}; }
    Node<S> node() override { return {time(0), z_.q.high, z_.q.low, z_.p.high}; }

    void visit(MemoryVisitor<S>& visitor) override {
        visitor.array("clock", clock_);
        visitor.array("q", z_.q.high);
        visitor.array("q_low", z_.q.low);
        visitor.array("p", z_.p.high);
        visitor.array("p_low", z_.p.low);
        z_.at.visit(visitor);
        map_->visit(visitor);
        visitor.array("evaluations", evaluations_.count);
    }

    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

  private:
    // t0 + (n + ahead) h, free of accumulated rounding
    [[nodiscard]] S time(int ahead) const {
        const S n = ahead == 0 ? clock_[1] : clock_[1] + lit<S>(ahead);
        return clock_[0] + n * clock_[2];
    }

    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    std::unique_ptr<Map<S>> map_;
    State<S> z_, z1_;
    std::array<S, 3> clock_;  // t0, steps done, h
    Evaluations<S> evaluations_, next_evaluations_;
};

// Compiled once, in src/methods/map_stepper.cpp.
#define LIBRATION_EXTERN(scalar) extern template class MapStepper<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
