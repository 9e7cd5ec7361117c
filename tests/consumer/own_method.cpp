// A user's own method: the map of drift, kick, drift, written with the kit, run by the library and certified by the
// laboratory.
#include <libration/analysis/certify.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>

#include <iostream>

namespace {

using namespace libration;

// q_n+1/2 = q_n + h/2 v,  p_n+1 = p_n - h U_q(q_n+1/2),  q_n+1 = q_n+1/2 + h/2 v
template <class S>
class DriftKickDrift final : public Map<S> {
  public:
    explicit DriftKickDrift(System<S>& system)
        : system_(&system), middle_(system.dimension()), force_(system.dimension(), lit<S>(0)), v_(force_) {}

    void reserve(std::size_t) override {}
    void prepare(const S&, State<S>&, Evaluations<S>&) override {}
    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const S half = lit<S>(1, 2) * step.h;
        system_->velocity(step.t, z0.q.high, z0.p.high, v_);
        add_scaled<S>(z0.q, half, v_, middle_);
        system_->force_gradient(step.t, middle_.high, z0.p.high, force_);
        evaluations.add(Evaluations<S>::force);
        add_scaled<S>(z0.p, S(-step.h), force_, z1.p);
        system_->velocity(step.t, middle_.high, z1.p.high, v_);
        add_scaled<S>(middle_, half, v_, z1.q);
        return {};
    }
    void accept() override {}
    void visit(MemoryVisitor<S>&) override {}

  private:
    System<S>* system_;
    PairVector<S> middle_;
    std::vector<S> force_, v_;
};

const MethodRecord record{
    .name = "mine",
    .summary = "Drift, kick, drift.",
    .needs = {.separable = true, .unconstrained = true},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2, .order_p = 2, .symmetric = true, .symplectic = true, .is_explicit = true};
        },
    .maps = maps_of<DriftKickDrift>(),
};

}  // namespace

int main() {
    const auto model = Model::load("henon-heiles");
    const Method mine(record, {"mine", {}, {}});
    const auto own = integrate(model, mine, {.step = 0.01, .steps = 1000});
    const auto ours = integrate(model, method("verlet-b"), {.step = 0.01, .steps = 1000});
    const auto certificate = certify(mine, model, options_for(model));
    const auto contradicted = certificate.with(Verdict::contradicted);
    const auto confirmed = certificate.with(Verdict::confirmed);
    std::cout << "same bits as verlet-b: " << (own.q == ours.q && own.p == ours.p)
              << ", claims confirmed: " << confirmed.size() << ", contradicted: " << contradicted.size() << '\n';
    return own.q == ours.q && own.p == ours.p && confirmed.size() >= 5 && contradicted.empty() ? 0 : 1;
}
