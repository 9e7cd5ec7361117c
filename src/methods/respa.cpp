// Multiple time steps for a split potential: half a kick by the slow part, n steps of RATTLE with the rest, half a
// kick.
//
//     p^ = p_n - h/2 P(q_n) U_slow,q(q_n)
//     n steps of RATTLE with h/n on the kinetic energy and the other parts, with the constraints
//     p_n+1 = p^ - h/2 P(q_n+1) U_slow,q(q_n+1)                        P = 1 - G^T A^-1 G M^-1,    A = G M^-1 G^T
//
// Projected slow forces keep the momentum on the manifold, so that the inner steps find the multipliers of their own
// motion; the kick is then the exact flow of U_slow on the manifold, and the method symmetric and symplectic. One slow
// force a step. Without constraints this is the unconstrained method that constrain(respa(n)) is built on. [Reich 1996,
// 3.1; TuckermanBerneMartyna 1992]
#include "list.hpp"

#include "rattle_map.hpp"
#include "system/system_view.hpp"
#include <libration/kit/method_record.hpp>

namespace libration {

namespace {

int inner_steps(const MethodSpec& spec) {
    check_number_of_parameters(spec, 1);
    return whole_parameter(spec, 0, {.name = "the number of inner steps", .low = 1, .high = 1000});
}

template <class S>
class RespaMap final : public Map<S> {
  public:
    RespaMap(System<S>& system, const MethodSpec& spec)
        : system_(&system), matrix_(constraint_matrix(system)), fast_(system, fast_part | stiff_part), inner_(fast_),
          count_(static_cast<std::size_t>(inner_steps(spec))), before_(system, *matrix_), after_(system, *matrix_),
          mu_(system.constraints(), lit<S>(0)), w_(system.dimension(), lit<S>(0)) {}

    void reserve(std::size_t slots) override { inner_.reserve(slots * count_); }

    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        inner_.prepare(t, z, evaluations);
        find_slow_force(t, z, evaluations);
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const S minus_half_step = lit<S>(-1, 2) * step.h;
        const S n = lit<S>(static_cast<std::int64_t>(count_));
        const S h = step.h / n;
        before_.q = z0.q;
        before_.at = z0.at;
        add_scaled<S>(z0.p, minus_half_step, z0.at.slow_force, before_.p);
        MapReport<S> report;
        for (std::size_t k = 0; k < count_; ++k) {
            const auto time = [&](std::size_t i) {
                return i == count_ ? step.t1 : S(step.t + lit<S>(static_cast<std::int64_t>(i)) * h);
            };
            after_.at.standing.follow(before_.at.standing);
            report.join(inner_.apply({time(k), time(k + 1), h, step.slot * count_ + k, Ending::on_manifold}, before_,
                                     after_, evaluations));
            std::swap(before_, after_);
        }
        std::swap(z1, before_);
        find_slow_force(step.t1, z1, evaluations);
        add_scaled<S>(z1.p, minus_half_step, z1.at.slow_force, after_.p);
        std::swap(z1.p, after_.p);
        return report;
    }

    void accept() override { inner_.accept(); }
    void visit(MemoryVisitor<S>& visitor) override { inner_.visit(visitor); }

  private:
    void find_slow_force(const S& t, State<S>& z, Evaluations<S>& evaluations) {
        system_->part_gradient(slow_part, t, z.q.high, z.at.slow_force);
        evaluations.add(Evaluations<S>::force);
        make_tangential(t, z, z.at.slow_force);
    }

    // f = P f
    void make_tangential(const S& t, const State<S>& z, std::span<S> f) {
        if (mu_.empty()) {
            return;
        }
        system_->solve_mass(t, z.q.high, z.p.high, f, w_);
        apply_jacobian<S>(system_->pattern(), z.at.G, w_, mu_);
        matrix_->solve(z.at.A, mu_);
        for (auto& value : mu_) {
            value = -value;
        }
        add_transposed<S>(system_->pattern(), z.at.G, mu_, f);
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    PartSystem<S> fast_;
    RattleMap<S> inner_;
    std::size_t count_;
    State<S> before_, after_;
    std::vector<S> mu_, w_;
};

constexpr std::array<std::string_view, 2> respa_examples{"respa(2)", "respa(5)"};

}  // namespace

const MethodRecord respa_record{
    .name = "respa",
    .parameters = "(n)",
    .summary =
        "RESPA, multiple time stepping: n inner RATTLE steps with the fast forces per evaluation of the slow force.",
    .reference = "TuckermanBerneMartyna1992",
    .needs = {.separable = true, .parts = fast_part | stiff_part},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 2,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = true};
        },
    .check = [](const MethodSpec& spec) { (void)inner_steps(spec); },
    .maps = maps_of<RespaMap>(),
    .more_examples = respa_examples,
};

}  // namespace libration
