// The state that one-step maps work on: (q, p) as compensated pairs, and what is known at q.
#pragma once

#include <libration/kit/compensated.hpp>
#include <libration/kit/constraint_matrix.hpp>
#include <libration/kit/reduce.hpp>
#include <libration/kit/sparse_product.hpp>
#include <libration/kit/stepper.hpp>

namespace [[gnu::visibility("default")]] libration {

// Values that keep what rounding drops.
template <class S>
struct PairVector {
    std::vector<S> high, low;
    explicit PairVector(std::size_t n) : high(n, lit<S>(0)), low(n, lit<S>(0)) {}
    friend void swap(PairVector& a, PairVector& b) noexcept {
        a.high.swap(b.high);
        a.low.swap(b.low);
    }

    // `lows` may be empty: zero.
    void assign(std::span<const S> highs, std::span<const S> lows) {
        for (std::size_t i = 0; i < high.size(); ++i) {
            high[i] = highs[i];
            low[i] = lows.empty() ? lit<S>(0) : lows[i];
        }
    }
};

// to = from + factor * x; `to` may be `from`
template <class S>
void add_scaled(const PairVector<S>& from, const S& factor, std::span<const S> x, PairVector<S>& to) {
    tuned<S>([&]() LIBRATION_TUNED {
        const S* high = from.high.data();
        const S* low = from.low.data();
        S* to_high = to.high.data();
        S* to_low = to.low.data();
        const S* __restrict increment = x.data();
        for (std::size_t j = 0; j < x.size(); ++j) {
            const auto sum = add(high[j], low[j], S(factor * increment[j]));
            to_high[j] = sum.high;
            to_low[j] = sum.low;
        }
    });
}

// Constraints up to which the equations of a step are solved by dense matrices near positions where G loses rank.
inline constexpr std::size_t most_followed_constraints = 256;

// How far the constraints are from being dependent, relative to typical values on this trajectory: small pivots and
// short gradients inherent in a model, due to very different masses or units, do not indicate a position where G loses
// rank.
template <class S>
class Standing {
  public:
    explicit Standing(const System<S>& system)
        : usual_rows_(system.constraints() <= most_followed_constraints ? system.constraints() : 0, lit<S>(0)) {}

    // The smallest relative pivot, times what is left of the gradient that shrank most; and the largest value so far.
    [[nodiscard]] Real<S> now() const { return real_part(values_[0]); }
    [[nodiscard]] Real<S> usual() const { return real_part(values_[1]); }

    // The start of a trajectory.
    void reset() {
        before_ = nullptr;
        values_ = {lit<S>(1), lit<S>(0)};
        std::fill(usual_rows_.begin(), usual_rows_.end(), lit<S>(0));
    }
    // The next update() continues the trajectory that led to `before`, which must live until then.
    void follow(const Standing& before) { before_ = &before; }

    // Plain products: what matters is the order of magnitude, and outside of tuned loops a fused one is a call.
    void update(const System<S>& system, std::span<const S> G, const Real<S>& pivot) {
        using R = Real<S>;
        const auto& pattern = system.pattern();
        const Standing& past = before_ != nullptr ? *before_ : *this;
        R least = lit<R>(1);
        for (std::size_t i = 0; i < usual_rows_.size(); ++i) {
            R size = lit<R>(0);
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                const R g = real_part(G[e]);
                size = size + g * g;
            }
            const R usual = maxv(real_part(past.usual_rows_[i]), size);
            usual_rows_[i] = from_real<S>(usual);
            least = minv(least, R(size / usual));
        }
        const R value = pivot * least;
        values_ = {from_real<S>(value), from_real<S>(maxv(past.usual(), value))};
    }

    void visit(MemoryVisitor<S>& visitor) {
        if (!usual_rows_.empty()) {
            visitor.array("standing", values_);
            visitor.array("usual_rows", usual_rows_);
        }
    }

    friend void swap(Standing& a, Standing& b) noexcept {
        std::swap(a.values_, b.values_);
        a.usual_rows_.swap(b.usual_rows_);
        std::swap(a.before_, b.before_);
    }

  private:
    std::array<S, 2> values_{lit<S>(1), lit<S>(0)};
    std::vector<S> usual_rows_;  // |G_i|^2
    const Standing* before_ = nullptr;
};

// Quantities at a position: U_q, G with the rounding sizes of g, and A = G M^-1 G^T factored; of a split
// potential also the force of its slow part, for methods that treat it separately.
template <class S>
struct PositionData {
    std::vector<S> force, G, rounding, A, slow_force;
    Real<S> pivot = lit<Real<S>>(1);  // the smallest relative pivot of A
    Standing<S> standing;

    PositionData(const System<S>& system, const ConstraintMatrix<S>& matrix)
        : force(system.dimension(), lit<S>(0)), G(system.pattern().entries(), lit<S>(0)),
          rounding(system.constraints(), lit<S>(0)), A(matrix.entries(), lit<S>(0)),
          slow_force(system.properties().parts != 0 ? system.dimension() : 0, lit<S>(0)), standing(system) {}

    void evaluate(System<S>& system, ConstraintMatrix<S>& matrix, const S& t, std::span<const S> q,
                  std::span<const S> p, Evaluations<S>& evaluations) {
        evaluate_force(system, t, q, p, evaluations);
        evaluate_constraints(system, matrix, t, q, p, evaluations);
    }

    void evaluate_force(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p,
                        Evaluations<S>& evaluations) {
        system.force_gradient(t, q, p, force);
        evaluations.add(Evaluations<S>::force);
    }

    void evaluate_constraints(System<S>& system, ConstraintMatrix<S>& matrix, const S& t, std::span<const S> q,
                              std::span<const S> p, Evaluations<S>& evaluations) {
        if (system.constraints() > 0) {
            system.jacobian(t, q, G, rounding);
            matrix.assemble(system, t, q, p, G, A);
            pivot = matrix.factor(A);
            standing.update(system, G, pivot);
            evaluations.add(Evaluations<S>::jacobian);
            evaluations.add(Evaluations<S>::factorizations);
        }
    }

    friend void swap(PositionData& a, PositionData& b) noexcept {
        a.force.swap(b.force);
        a.G.swap(b.G);
        a.rounding.swap(b.rounding);
        a.A.swap(b.A);
        a.slow_force.swap(b.slow_force);
        std::swap(a.pivot, b.pivot);
        swap(a.standing, b.standing);
    }

    void visit(MemoryVisitor<S>& visitor) {
        visitor.array("force", force);
        visitor.array("jacobian", G);
        visitor.array("rounding", rounding);
        visitor.array("factor", A);
        if (!slow_force.empty()) {
            visitor.array("slow_force", slow_force);
        }
    }
};

// Whether G is close to losing rank at one end of a step from a to b, compared with the rest of the trajectory.
template <class S>
auto nearly_dependent(const PositionData<S>& a, const PositionData<S>& b) {
    return less(Real<S>(lit<Real<S>>(16) * minv(a.standing.now(), b.standing.now())), b.standing.usual());
}
// Whether that may be the reason why the equations of a step from a were not solved.
template <class S>
auto may_become_dependent(const PositionData<S>& a) {
    return less(Real<S>(lit<Real<S>>(2) * a.standing.now()), a.standing.usual());
}

// The multipliers of the exact solution through (q, p), from what is known at q. `v` and `rows` are scratch space of
// the sizes of q and lambda. Separable H. [Jay 1996, (3.1f)]
template <class S>
void exact_multipliers(System<S>& system, const ConstraintMatrix<S>& matrix, const PositionData<S>& at_q, const S& t,
                       std::span<const S> q, std::span<const S> p, std::span<S> v, std::span<S> rows,
                       std::span<S> lambda) {
    if (lambda.empty()) {
        return;
    }
    system.solve_mass(t, q, p, at_q.force, v);
    apply_jacobian<S>(system.pattern(), at_q.G, v, rows);
    system.velocity(t, q, p, v);
    system.curvature(t, q, v, lambda);
    for (std::size_t i = 0; i < lambda.size(); ++i) {
        lambda[i] = lambda[i] - rows[i];
    }
    matrix.solve(at_q.A, lambda);
}

// A state together with what a method knows there; one map leaves in `at` what the next expects to find.
template <class S>
struct State {
    PairVector<S> q, p;
    PositionData<S> at;
    // At an inner point the momentum may lack a kick by the force at q: it is p - owed U_q.
    S owed = lit<S>(0);
    State(const System<S>& system, const ConstraintMatrix<S>& matrix)
        : q(system.dimension()), p(system.dimension()), at(system, matrix) {}

    // Member by member: every step ends with it, and three moves cost several times as much.
    friend void swap(State& a, State& b) noexcept {
        swap(a.q, b.q);
        swap(a.p, b.p);
        swap(a.at, b.at);
        std::swap(a.owed, b.owed);
    }
};

// The sum of all entries: not finite if one of them is not.
template <class S>
Real<S> total(const PairVector<S>& q, const PairVector<S>& p) {
    using R = Real<S>;
    R sum = lit<R>(0);
    tuned<S>([&]() LIBRATION_TUNED {
        sum = sum_of<R>(q.high.size(),
                        [&](std::size_t j) LIBRATION_TUNED { return R(real_part(q.high[j]) + real_part(p.high[j])); });
    });
    return sum;
}
template <class S>
Real<S> total(std::span<const S> x) {
    using R = Real<S>;
    R sum = lit<R>(0);
    tuned<S>([&]() LIBRATION_TUNED {
        sum = sum_of<R>(x.size(), [&](std::size_t j) LIBRATION_TUNED { return R(real_part(x[j])); });
    });
    return sum;
}

}  // namespace libration
