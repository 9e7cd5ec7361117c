// Runge's method of 1895, the explicit midpoint rule: neither symmetric nor symplectic, the counter-example to Verlet,
// from which it differs only in what it forgets.
//
//     z_n+1/2 = z_n + h/2 f(z_n),     z_n+1 = z_n + h f(z_n+1/2),     f = (H_p, -H_q) or any field     [HLW03 1.7]
#include <libration/kit/method_record.hpp>

#include "list.hpp"

namespace libration {

namespace {

template <class S>
class Runge2Map final : public Map<S> {
  public:
    explicit Runge2Map(System<S>& system)
        : system_(&system), q_(system.dimension()), p_(system.dimension()), force_(system.dimension(), lit<S>(0)),
          v_(force_) {}

    void reserve(std::size_t) override {}
    void prepare(const S&, State<S>&, Evaluations<S>&) override {}

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const S middle = lit<S>(1, 2) * (step.t + step.t1);
        move(step.t, z0.q, z0.p, z0, S(lit<S>(1, 2) * step.h), q_, p_, evaluations);
        move(middle, q_, p_, z0, step.h, z1.q, z1.p, evaluations);
        return {};
    }

    void accept() override {}
    void visit(MemoryVisitor<S>&) override {}

  private:
    // (q1, p1) = z0 + k f(t, q, p)
    void move(const S& t, const PairVector<S>& q, const PairVector<S>& p, const State<S>& z0, const S& k,
              PairVector<S>& q1, PairVector<S>& p1, Evaluations<S>& evaluations) {
        system_->velocity(t, q.high, p.high, v_);
        system_->force_gradient(t, q.high, p.high, force_);
        evaluations.add(Evaluations<S>::force);
        add_scaled<S>(z0.q, k, v_, q1);
        add_scaled<S>(z0.p, S(-k), force_, p1);
    }

    System<S>* system_;
    PairVector<S> q_, p_;
    std::vector<S> force_, v_;
};

}  // namespace

const MethodRecord runge2_record{
    .name = "runge2",
    .summary = "Runge's explicit midpoint rule: a counterexample, its energy drifts.",
    .reference = "HairerLubichWanner2003",
    .needs = {.unconstrained = true, .hamiltonian = false},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = false,
                          .symplectic = false,
                          .is_explicit = true,
                          .energy_bounded = false,
                          .momentum_map = false,
                          .volume = false};
        },
    .maps = maps_of<Runge2Map>(),
};

}  // namespace libration
