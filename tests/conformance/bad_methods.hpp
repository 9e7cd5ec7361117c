// Simple methods that lack what good methods have, for testing the measurements: explicit Euler with the multipliers of
// the exact solution, symplectic Euler without constraints, the same with one wrong step late in the run, and one whose
// steps all fail.
#pragma once

#include "manifold/manifold.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

namespace libration::conformance {

enum class BadKind { euler, symplectic_euler, late_jump, stubborn };
inline constexpr int jump_time = 50;  // far behind the times over which orders are measured

template <class S>
class BadStepper final : public Stepper<S> {
  public:
    BadStepper(System<S>& system, BadKind kind)
        : system_(&system), manifold_(system), kind_(kind), q_(system.dimension(), lit<S>(0)), p_(q_), q1_(q_), p1_(q_),
          v_(q_), f_(q_), lambda_(system.constraints(), lit<S>(0)), G_(system.pattern().entries(), lit<S>(0)),
          t_(lit<S>(0)), h_(lit<S>(0)) {}
    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        t_ = node.t;
        h_ = h;
        q_.assign(node.q.begin(), node.q.end());
        p_.assign(node.p.begin(), node.p.end());
        evaluations_ = {};
    }
    StepReport<S> advance() override {
        using R = Real<S>;
        q1_ = q_;
        p1_ = p_;
        R converged = lit<R>(1);
        if (kind_ == BadKind::euler) {
            field(q_, p_);
            move();
        } else if (kind_ == BadKind::symplectic_euler || kind_ == BadKind::late_jump) {
            field(q_, p_);
            move();
            field(q_, p1_);
            move();
            p1_ = pushed(p_);
            const auto before = less_equal(t_, lit<S>(jump_time)), after = less(lit<S>(jump_time), t_ + h_);
            for (auto& p : p1_) {
                p = kind_ == BadKind::late_jump ? select(both(before, after), lit<S>(3) * p, p) : p;
            }
        } else {
            converged = lit<R>(0);
        }
        R size = lit<R>(0);
        for (std::size_t j = 0; j < q_.size(); ++j) {
            size = size + real_part(absv(q1_[j])) + real_part(absv(p1_[j]));
        }
        return {converged, lit<R>(0), lit<R>(1), size};
    }
    void accept() override {
        std::swap(q_, q1_);
        std::swap(p_, p1_);
        t_ = t_ + h_;
    }
    [[nodiscard]] std::span<const S> pivot_position() const override { return q1_; }
    Node<S> trial_node() override { return {t_ + h_, q1_, {}, p1_}; }
    Node<S> node() override { return {t_, q_, {}, p_}; }
    void visit(MemoryVisitor<S>&) override {}
    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

  private:
    void field(std::span<const S> q, std::span<const S> p) {
        system_->velocity(t_, q, p, v_);
        system_->force_gradient(t_, q, p, f_);
        evaluations_.add(Evaluations<S>::force);
        if (!lambda_.empty()) {
            manifold_.multipliers(t_, q, p, lambda_);
            system_->jacobian(t_, q, G_);
            add_transposed<S>(system_->pattern(), G_, lambda_, f_);
        }
    }
    std::vector<S> pushed(const std::vector<S>& p) const {
        auto result = p;
        for (std::size_t j = 0; j < p.size(); ++j) {
            result[j] = p[j] - h_ * f_[j];
        }
        return result;
    }
    void move() {
        for (std::size_t j = 0; j < q_.size(); ++j) {
            q1_[j] = q_[j] + h_ * v_[j];
        }
        p1_ = pushed(p_);
    }
    System<S>* system_;
    Manifold<S> manifold_;
    BadKind kind_;
    std::vector<S> q_, p_, q1_, p1_, v_, f_, lambda_, G_;
    S t_, h_;
    Evaluations<S> evaluations_;
};

template <BadKind kind>
MethodRecord bad_record(std::string_view name, Claims (*claims)(const MethodSpec&)) {
    MethodRecord record{.name = name, .claims = claims};
    const auto set = [&]<class S>(S) {
        std::get<Factory<S>>(record.factories) = [](System<S>& system,
                                                    const MethodSpec&) -> std::unique_ptr<Stepper<S>> {
            return std::make_unique<BadStepper<S>>(system, kind);
        };
    };
    set(double{});
    set(Dual<double>{});
#ifdef LIBRATION_HAS_QUAD
    set(Quad{});
    set(Dual<Quad>{});
#endif
    return record;
}

}  // namespace libration::conformance
