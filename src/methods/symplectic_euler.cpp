// The two symplectic Euler methods, adjoint to each other: explicit for separable H, otherwise each implicit in one
// half.
//
//     SE1   p_n+1 = p_n - h H_q(t_n, q_n, p_n+1),         q_n+1 = q_n + h H_p(t_n, q_n, p_n+1)           [HLW03 (1.22)]
//     SE2   q_n+1 = q_n + h H_p(t_n+1, q_n+1, p_n),       p_n+1 = p_n - h H_q(t_n+1, q_n+1, p_n)         [HLW03 (1.23)]
//
// `symplectic-euler` is SE1, the one that Reich constrains; SE2 is its adjoint. The paper writes both with h/2.
#include "list.hpp"

#include "partitioned_steps.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

// Expects in `at` the force: U_q where H is separable, otherwise a guess of the next.
template <class S>
class SymplecticEulerMap final : public Map<S> {
  public:
    explicit SymplecticEulerMap(System<S>& system)
        : system_(&system), steps_(system), force_(system.dimension(), lit<S>(0)), v_(force_) {}

    void reserve(std::size_t) override {}
    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        z.at.evaluate_force(*system_, t, z.q.high, z.p.high, evaluations);
    }
    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        std::copy(z0.at.force.begin(), z0.at.force.end(), force_.begin());
        const auto report = steps_.implicit_kick(step.t, z0.q.high, z0.p, step.h, force_, z1.p, evaluations);
        system_->velocity(step.t, z0.q.high, z1.p.high, v_);
        add_scaled<S>(z0.q, step.h, v_, z1.q);
        if (!steps_.separable()) {
            std::copy(force_.begin(), force_.end(), z1.at.force.begin());
        } else if (step.ending != Ending::position) {
            z1.at.evaluate_force(*system_, step.t1, z1.q.high, z1.p.high, evaluations);
        }
        return report;
    }
    void accept() override {}
    void visit(MemoryVisitor<S>&) override {}

  private:
    System<S>* system_;
    PartitionedSteps<S> steps_;
    std::vector<S> force_, v_;
};

// Leaves in `at` the force at the end, for those that begin with it.
template <class S>
class SymplecticEulerAdjointMap final : public Map<S> {
  public:
    explicit SymplecticEulerAdjointMap(System<S>& system)
        : system_(&system), steps_(system), v_(system.dimension(), lit<S>(0)) {}

    void reserve(std::size_t) override {}
    void prepare(const S&, State<S>&, Evaluations<S>&) override {}
    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const auto report = steps_.implicit_drift(step.t1, z0.q, z0.p.high, step.h, v_, z1.q);
        if (step.ending != Ending::position) {
            z1.at.evaluate_force(*system_, step.t1, z1.q.high, z0.p.high, evaluations);
            add_scaled<S>(z0.p, S(-step.h), z1.at.force, z1.p);
        }
        return report;
    }
    void accept() override {}
    void visit(MemoryVisitor<S>&) override {}

  private:
    System<S>* system_;
    PartitionedSteps<S> steps_;
    std::vector<S> v_;
};

Claims euler_claims(const MethodSpec&) {
    return {.order = 1, .order_p = 1, .order_lambda = 0, .symmetric = false, .symplectic = true, .is_explicit = true};
}

}  // namespace

const MethodRecord symplectic_euler_record{
    .name = "symplectic-euler",
    .summary =
        "Symplectic Euler, kick then drift (SE1): order 1; with its adjoint, the building block of compositions.",
    .reference = "HairerLubichWanner2003",
    .needs = {.unconstrained = true, .hamiltonian = false, .partitioned = true},
    .adjoint =
        [](const MethodSpec&) {
            return MethodSpec{"symplectic-euler-adjoint", {}, {}};
        },
    .claims = euler_claims,
    .maps = maps_of<SymplecticEulerMap>(),
};

const MethodRecord symplectic_euler_adjoint_record{
    .name = "symplectic-euler-adjoint",
    .summary = "Symplectic Euler, drift then kick (SE2): the adjoint of symplectic-euler.",
    .reference = "HairerLubichWanner2003",
    .needs = {.unconstrained = true, .hamiltonian = false, .partitioned = true},
    .adjoint =
        [](const MethodSpec&) {
            return MethodSpec{"symplectic-euler", {}, {}};
        },
    .claims = euler_claims,
    .maps = maps_of<SymplecticEulerAdjointMap>(),
};

}  // namespace libration
