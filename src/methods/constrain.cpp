// Any symplectic method for free systems, brought to the manifold by kicks along the constraints before and after it.
//
//     p^ = p_n - h/2 G(q_n)^T Lambda_n,     (q_n+1, p^1) = BASE_h(q_n, p^),     0 = g(q_n+1)
//     p_n+1 = p^1 - h/2 G(q_n+1)^T Lambda_n+1,                                  0 = G(q_n+1) H_p(q_n+1, p_n+1)
//
// The base sees the system without its constraints. q_n+1 depends on Lambda_n by about -h^2/2 H_pp G^T, so that A(q_n)
// stands in for the derivative of g(q_n+1), as in RATTLE, which is constrain(verlet). [Reich 1996, (24) and Theorem
// 3.2]
#include "list.hpp"

#include "multiplier_slots.hpp"
#include "projection.hpp"
#include "system/system_view.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Bases whose new position needs no new force: multipliers can be solved for at the cost of none.
bool position_before_force(const Method& base) {
    constexpr std::array<std::string_view, 4> names{"verlet", "rattle", "symplectic-euler", "symplectic-euler-adjoint"};
    return std::ranges::find(names, base.record().name) != names.end();
}

template <class S>
class ConstrainMap final : public Map<S> {
  public:
    ConstrainMap(System<S>& system, const MethodSpec& spec)
        : system_(&system), matrix_(constraint_matrix(system)), free_(system),
          base_(make_map<S>(base_method(spec, 0), free_)), projection_(system, *matrix_), kicked_(system, *matrix_),
          multipliers_(system.constraints()), rows_(system.constraints(), lit<S>(0)), floor_(rows_),
          unknowns_(system.constraints() + Evaluations<S>::kinds, lit<S>(0)), correction_(unknowns_),
          w_(system.dimension(), lit<S>(0)), v_(w_),
          position_before_force_(system.properties().separable && position_before_force(base_method(spec, 0))) {}

    void reserve(std::size_t slots) override {
        base_->reserve(slots);
        multipliers_.reserve(slots);
    }

    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        z.at.evaluate_constraints(*system_, *matrix_, t, z.q.high, z.p.high, evaluations);
        multipliers_.forget();
        guess(t, z, multipliers_.current(0), evaluations);
        multipliers_.remember(0);
        base_->prepare(t, z, evaluations);
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        kicked_.q = z0.q;
        kicked_.at.force = z0.at.force;
        kicked_.at.slow_force = z0.at.slow_force;
        MapReport<S> report;
        const auto lambda = multipliers_.current(step.slot);
        if (!lambda.empty()) {
            if (multipliers_.knows(step.slot)) {
                multipliers_.predict(step.slot);
            } else {
                guess(step.t, z0, lambda, evaluations);
            }
            const auto done = find_multipliers(step, z0, lambda, z1, evaluations);
            report = {done.converged, done.residual, lit<Real<S>>(1)};
        }
        report.converged = minv(report.converged, take(step, z0, lambda, z1, evaluations));
        if (step.ending == Ending::position) {
            return report;
        }
        z1.at.evaluate_constraints(*system_, *matrix_, step.t1, z1.q.high, z1.p.high, evaluations);
        if (step.ending == Ending::on_manifold) {
            report.join(projection_.momentum(step.t1, z1, evaluations));
        }
        // Where the iteration did not arrive, the pivot says nothing about the motion.
        const Real<S> one = lit<Real<S>>(1);
        report.pivot = select(equal(report.converged, one), z1.at.pivot, one);
        return report;
    }

    void accept() override {
        base_->accept();
        multipliers_.accept();
    }
    void visit(MemoryVisitor<S>& visitor) override {
        base_->visit(visitor);
        multipliers_.visit(visitor);
    }

  private:
    void kick(const Substep<S>& step, const State<S>& z0, std::span<const S> lambda) {
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        add_transposed<S>(system_->pattern(), z0.at.G, lambda, w_);
        add_scaled<S>(z0.p, S(lit<S>(-1, 2) * step.h), w_, kicked_.p);
    }

    // The unknowns are the multipliers and, because lanes stop at different passes, the evaluations that were spent on
    // them.
    IterationReport<Real<S>> find_multipliers(const Substep<S>& step, const State<S>& z0, std::span<S> lambda,
                                              State<S>& z1, Evaluations<S>& evaluations) {
        find_floors(step, z0, lambda);
        const std::size_t m = lambda.size();
        std::copy(lambda.begin(), lambda.end(), unknowns_.begin());
        std::fill(unknowns_.begin() + static_cast<std::ptrdiff_t>(m), unknowns_.end(), lit<S>(0));
        const S scale = lit<S>(2) / (step.h * step.h);
        const auto report = iterate(
            IterationControl{}, std::span<S>(unknowns_), std::span<S>(correction_),
            [&](std::span<const S> x, std::span<S> correction) {
                const auto residual = correction.first(m);
                Evaluations<S> spent;
                kick(step, z0, x.first(m));
                base_->apply({step.t, step.t1, step.h, step.slot, Ending::position}, kicked_, z1, spent);
                system_->constraint(step.t1, z1.q.high, z1.q.low, residual);
                const Real<S> worst = largest_in_floors<S>(residual, floor_);
                matrix_->solve(z0.at.A, residual);
                for (auto& value : residual) {
                    value = scale * value;
                }
                std::copy(spent.count.begin(), spent.count.end(), correction.begin() + static_cast<std::ptrdiff_t>(m));
                return worst;
            });
        std::copy_n(unknowns_.begin(), m, lambda.begin());
        for (std::size_t k = 0; k < Evaluations<S>::kinds; ++k) {
            evaluations.count[k] = evaluations.count[k] + unknowns_[m + k];
        }
        evaluations.add(Evaluations<S>::constraint, lit<S>(1) + from_real<S>(report.passes));
        evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(report.passes));
        return report;
    }

    // The step with the final multipliers. The last pass of the iteration, which found them good, was the same up to
    // what only the momentum needs, and is not among the unknowns.
    Real<S> take(const Substep<S>& step, const State<S>& z0, std::span<const S> lambda, State<S>& z1,
                 Evaluations<S>& evaluations) {
        Evaluations<S> spent;
        kick(step, z0, lambda);
        const auto report = base_->apply({step.t, step.t1, step.h, step.slot, Ending::on_manifold}, kicked_, z1, spent);
        const S times = lit<S>(lambda.empty() || position_before_force_ ? 1 : 2);
        for (std::size_t k = 0; k < Evaluations<S>::kinds; ++k) {
            evaluations.count[k] = mad(times, spent.count[k], evaluations.count[k]);
        }
        return report.converged;
    }

    // What is added to q: the way of the velocity, and that of the kicks, by their sizes.
    void find_floors(const Substep<S>& step, const State<S>& z0, std::span<const S> lambda) {
        const S eps = from_real<S>(epsilon<S>()), h = magnitude(step.h);
        for (std::size_t j = 0; j < w_.size(); ++j) {
            w_[j] = magnitude(z0.at.force[j]);
        }
        add_transposed_sizes<S>(system_->pattern(), z0.at.G, lambda, w_);
        system_->solve_mass(step.t, z0.q.high, z0.p.high, w_, w_);
        system_->velocity(step.t, z0.q.high, z0.p.high, v_);
        for (std::size_t j = 0; j < w_.size(); ++j) {
            w_[j] = h * mad(S(lit<S>(1, 2) * h), magnitude(w_[j]), magnitude(v_[j]));
        }
        const S least = larger_parts(least_size<S>(w_), least_correction<S>());
        for (std::size_t j = 0; j < w_.size(); ++j) {
            w_[j] = mad(eps, magnitude(z0.q.high[j]), larger_parts(w_[j], least));
        }
        constraint_floors<S>(system_->pattern(), z0.at.G, w_, z0.at.rounding, floor_);
    }

    // The multipliers of the exact solution. [Jay 1996, (3.1f)]
    void guess(const S& t, const State<S>& z, std::span<S> lambda, Evaluations<S>& evaluations) {
        if (lambda.empty()) {
            return;
        }
        system_->force_gradient(t, z.q.high, z.p.high, w_);
        evaluations.add(Evaluations<S>::force);
        for (auto& force : w_) {
            force = -force;
        }
        system_->velocity(t, z.q.high, z.p.high, v_);
        system_->velocity_rate(t, z.q.high, z.p.high, v_, w_, w_);
        apply_jacobian<S>(system_->pattern(), z.at.G, w_, rows_);
        system_->curvature(t, z.q.high, v_, lambda);
        for (std::size_t i = 0; i < lambda.size(); ++i) {
            lambda[i] = lambda[i] + rows_[i];
        }
        matrix_->solve(z.at.A, lambda);
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    FreeSystem<S> free_;
    std::unique_ptr<Map<S>> base_;
    Projection<S> projection_;
    State<S> kicked_;
    MultiplierSlots<S> multipliers_;
    std::vector<S> rows_, floor_, unknowns_, correction_, w_, v_;
    bool position_before_force_;
};

void check_base(const MethodSpec& spec) {
    if (spec.arguments.size() != 1) {
        throw InputError(fmt::format("{}: constrain takes one method; write e.g. constrain(verlet)", to_string(spec)));
    }
    const auto base = base_method(spec, 0);
    if (!base.is_map() || base.claims().symplectic != true || base.needs().constrained) {
        throw InputError(fmt::format("{}: constrain is built on a symplectic one-step method for systems without "
                                     "constraints, such as verlet, verlet-b or symplectic-euler, and '{}' is not one",
                                     to_string(spec), base.name()));
    }
}

constexpr std::array<std::string_view, 4> constrain_examples{
    "constrain(verlet)", "constrain(verlet-b)", "constrain(symplectic-euler)", "constrain(symplectic-euler-adjoint)"};

}  // namespace

const MethodRecord constrain_record{
    .name = "constrain",
    .parameters = "(BASE)",
    .summary = "Extends a symplectic method for unconstrained systems to constraints, by kicks along the constraint "
               "gradients.",
    .reference = "Reich1996",
    .needs = {.constrained = true},
    .needs_of =
        [](const MethodSpec& spec) {
            auto needs = base_method(spec, 0).needs();
            needs.unconstrained = false;
            needs.constrained = true;
            needs.hamiltonian = true;
            return needs;
        },
    .lanes_of = [](const MethodSpec& spec) { return base_method(spec, 0).lanes(); },
    .adjoint =
        [](const MethodSpec& spec) {
            const auto base = base_method(spec, 0);
            return base.record().adjoint == nullptr ? spec
                                                    : MethodSpec{spec.name, {base.record().adjoint(base.spec())}, {}};
        },
    .claims =
        [](const MethodSpec& spec) {
            const auto base = base_method(spec, 0);
            auto claims = base.claims();
            claims.order = std::min(claims.order, 2);
            claims.order_p = claims.order_lambda = claims.order;
            claims.is_explicit = claims.is_explicit && position_before_force(base);
            return claims;
        },
    .check = check_base,
    .maps = maps_of<ConstrainMap>(),
    .more_examples = constrain_examples,
};

}  // namespace libration
