// Störmer-Verlet, variant B: drift, kick, drift, with the force at the midpoint; SE1 after SE2, each with h/2.
//
//     q_n+1/2 = q_n + h/2 H_p(q_n+1/2, p_n)
//     p_n+1   = p_n - h/2 (H_q(q_n+1/2, p_n) + H_q(q_n+1/2, p_n+1))
//     q_n+1   = q_n+1/2 + h/2 H_p(q_n+1/2, p_n+1)                                     [HLW03 (1.6), (1.25)]
//
// Explicit for separable H. Time stands at the midpoint with q_n+1/2.
#include "list.hpp"

#include "partitioned_steps.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

template <class S>
class VerletBMap final : public Map<S> {
  public:
    explicit VerletBMap(System<S>& system)
        : system_(&system), steps_(system), middle_(system.dimension()), half_(system.dimension()),
          force_(system.dimension(), lit<S>(0)), v_(force_) {}

    void reserve(std::size_t) override {}
    void prepare(const S&, State<S>&, Evaluations<S>&) override {}

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const S half_step = lit<S>(1, 2) * step.h;
        const S t = lit<S>(1, 2) * (step.t + step.t1);
        auto report = steps_.implicit_drift(t, z0.q, z0.p.high, half_step, v_, middle_);
        system_->force_gradient(t, middle_.high, z0.p.high, force_);
        evaluations.add(Evaluations<S>::force);
        if (steps_.separable()) {
            add_scaled<S>(z0.p, S(-step.h), force_, z1.p);
        } else {
            add_scaled<S>(z0.p, S(-half_step), force_, half_);
            report.join(steps_.implicit_kick(t, middle_.high, half_, half_step, force_, z1.p, evaluations));
        }
        system_->velocity(t, middle_.high, z1.p.high, v_);
        add_scaled<S>(middle_, half_step, v_, z1.q);
        return report;
    }

    void accept() override {}
    void visit(MemoryVisitor<S>&) override {}

  private:
    System<S>* system_;
    PartitionedSteps<S> steps_;
    PairVector<S> middle_, half_;
    std::vector<S> force_, v_;
};

}  // namespace

const MethodRecord verlet_b_record{
    .name = "verlet-b",
    .summary = "Störmer-Verlet, drift-kick-drift: forces at midpoints; also for general H and vector fields.",
    .reference = "HairerLubichWanner2003",
    .needs = {.unconstrained = true, .hamiltonian = false, .partitioned = true},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .maps = maps_of<VerletBMap>(),
};

}  // namespace libration
