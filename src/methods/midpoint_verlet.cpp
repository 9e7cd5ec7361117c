// Verlet with the stiff part of a split potential inside an implicit midpoint step: no bound on h by the stiff
// frequencies.
//
//     p^    = p_n - h/2 U_soft,q(q_n)
//     Q     = q_n + h/2 M^-1 (p^ - h/2 F),      F = U_stiff,q(Q)
//     q_n+1 = q_n + h M^-1 (p^ - h/2 F),        p_n+1 = p^ - h F - h/2 U_soft,q(q_n+1)                  [Reich 1996, section 6]
//
// The stiff part is `stiff` where the model names one, otherwise `fast`; all others are soft. Newton's method for F has
// the matrix 1 + h^2/4 U_stiff,qq(Q) M^-1, which also divides the round-off of F by the stiffness.
// constrain(midpoint-verlet) keeps constraints.
#include "list.hpp"

#include "manifold/dense_lu.hpp"
#include <libration/kit/iterate.hpp>
#include <libration/kit/method_record.hpp>

#include <algorithm>

namespace libration {

namespace {

template <class S>
class MidpointVerletMap final : public Map<S> {
  public:
    explicit MidpointVerletMap(System<S>& system)
        : system_(&system), stiff_((system.properties().parts & stiff_part) != 0 ? stiff_part : fast_part),
          kicked_(system.dimension()), after_(system.dimension()), F_(system.dimension(), lit<S>(0)), correction_(F_),
          floor_(F_), momentum_(F_), v_(F_), Q_(F_), hessian_(F_.size() * F_.size(), lit<S>(0)), pivots_(F_.size()) {}

    void reserve(std::size_t) override {}
    // The force in `at` is the soft one.
    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        soft_force(t, z.q.high, z.at.force, evaluations);
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const S minus_half_step = lit<S>(-1, 2) * step.h;
        add_scaled<S>(z0.p, minus_half_step, z0.at.force, kicked_);
        const auto report = solve_stage(step, z0, evaluations);
        mean_velocity(step, z0, F_);
        add_scaled<S>(z0.q, step.h, v_, z1.q);
        if (step.ending != Ending::position) {
            add_scaled<S>(kicked_, S(-step.h), F_, after_);
            soft_force(step.t1, z1.q.high, z1.at.force, evaluations);
            add_scaled<S>(after_, minus_half_step, z1.at.force, z1.p);
        }
        return {report.converged, lit<Real<S>>(0), lit<Real<S>>(1)};
    }

    void accept() override {}
    void visit(MemoryVisitor<S>&) override {}

  private:
    void soft_force(const S& t, std::span<const S> q, std::span<S> force, Evaluations<S>& evaluations) {
        system_->part_gradient(all_parts & ~stiff_, t, q, force);
        evaluations.add(Evaluations<S>::force);
    }

    // v = M^-1 (p^ - h/2 F)
    void mean_velocity(const Substep<S>& step, const State<S>& z0, std::span<const S> F) {
        for (std::size_t j = 0; j < F.size(); ++j) {
            momentum_[j] = mad(S(lit<S>(-1, 2) * step.h), F[j], kicked_.high[j]);
        }
        system_->velocity(step.t, z0.q.high, momentum_, v_);
    }

    void midpoint(const Substep<S>& step, const State<S>& z0, std::span<const S> F) {
        mean_velocity(step, z0, F);
        for (std::size_t j = 0; j < Q_.size(); ++j) {
            Q_[j] = mad(S(lit<S>(1, 2) * step.h), v_[j], z0.q.high[j]);
        }
    }

    IterationReport<Real<S>> solve_stage(const Substep<S>& step, const State<S>& z0, Evaluations<S>& evaluations) {
        const S t = lit<S>(1, 2) * (step.t + step.t1);
        // No force is the safe guess: the free midpoint is near, while that of the force there may be far away.
        std::fill(F_.begin(), F_.end(), lit<S>(0));
        const auto report = iterate(
            IterationControl{}, std::span<S>(F_), std::span<S>(correction_),
            [&](std::span<const S> F, std::span<S> correction) { return newton_pass(step, z0, t, F, correction); });
        const S passes = from_real<S>(report.passes);
        evaluations.add(Evaluations<S>::force, lit<S>(1) + passes);
        evaluations.add(Evaluations<S>::newton_iterations, passes);
        evaluations.add(Evaluations<S>::factorizations, lit<S>(1) + passes);
        return report;
    }

    // correction = (1 + h^2/4 U_qq M^-1)^-1 (U_q(Q(F)) - F), measured by what rounding leaves of it.
    Real<S> newton_pass(const Substep<S>& step, const State<S>& z0, const S& t, std::span<const S> F,
                        std::span<S> correction) {
        const std::size_t d = F.size();
        midpoint(step, z0, F);
        system_->part_gradient(stiff_, t, Q_, correction);
        system_->part_hessian(stiff_, t, Q_, hessian_);
        find_floors(step, z0, F);
        const S factor = lit<S>(1, 4) * (step.h * step.h);
        for (std::size_t i = 0; i < d; ++i) {
            correction[i] = correction[i] - F[i];
            // U_qq and M are symmetric: row i of U_qq M^-1 is M^-1 times row i of U_qq.
            const auto row = std::span<S>(hessian_).subspan(i * d, d);
            system_->solve_mass(t, Q_, momentum_, row, row);
            for (auto& entry : row) {
                entry = factor * entry;
            }
            row[i] = row[i] + lit<S>(1);
        }
        factor_dense<S>(hessian_, pivots_);
        solve_dense<S>(hessian_, pivots_, correction);
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t j = 0; j < d; ++j) {
            worst = worse(worst, floors(correction[j], floor_[j]));
        }
        return worst;
    }

    // Round-off of F: that of its last digits and those of p^; and that of U_q, which is U_qq times the last digit of
    // Q, but in the solution no more than 4/h^2 M times it.
    void find_floors(const Substep<S>& step, const State<S>& z0, std::span<const S> F) {
        const std::size_t d = F.size();
        const S eps = from_real<S>(epsilon<S>()), limit = lit<S>(4) / (step.h * step.h);
        for (std::size_t j = 0; j < d; ++j) {
            momentum_[j] = magnitude(Q_[j]);
        }
        system_->apply_mass(step.t, z0.q.high, momentum_, v_);
        for (std::size_t i = 0; i < d; ++i) {
            S noise = lit<S>(0);
            for (std::size_t j = 0; j < d; ++j) {
                noise = mad(magnitude(hessian_[i * d + j]), momentum_[j], noise);
            }
            noise = minv(noise, S(limit * magnitude(v_[i])));
            const S digit = magnitude(kicked_.high[i]) / (lit<S>(64) * magnitude(step.h));
            floor_[i] = eps * (noise + (magnitude(F[i]) + digit));
        }
    }

    System<S>* system_;
    unsigned stiff_;
    PairVector<S> kicked_, after_;
    std::vector<S> F_, correction_, floor_, momentum_, v_, Q_, hessian_;
    std::vector<std::size_t> pivots_;
};

}  // namespace

const MethodRecord midpoint_verlet_record{
    .name = "midpoint-verlet",
    .summary = "IMEX method: Verlet, with the stiff part by the implicit midpoint rule; steps may exceed its periods.",
    .reference = "Reich1996",
    .needs = {.separable = true, .unconstrained = true, .parts = fast_part | stiff_part, .dense_derivatives = true},
    .lanes = false,
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = true,
                          .symplectic = true,
                          .is_explicit = false};
        },
    .maps = maps_of<MidpointVerletMap, false>(),
};

}  // namespace libration
