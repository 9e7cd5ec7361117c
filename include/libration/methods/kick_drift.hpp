// The constrained kick and drift that SHAKE and RATTLE share.
//
//     p' = p - k (U_q(q) + G(q)^T lambda)      q' = q + h M^-1 p'      0 = g(q')
//
// k is the kick (h/2 or h). lambda enters q' linearly with derivative -h k M^-1 G^T, so the residual has the derivative
// -h k G(q') M^-1 G(q)^T, for which the factored A(q) stands in. [HLW03 (6.11); CHL (5), (6)]
#pragma once

#include <libration/manifold/constraint_matrix.hpp>
#include <libration/manifold/multiplier_history.hpp>
#include <libration/manifold/solve.hpp>
#include <libration/manifold/sparse_product.hpp>
#include <libration/methods/stepper.hpp>
#include <libration/scalar/compensated.hpp>

namespace libration {

// Values that keep what rounding drops.
template <class S>
struct PairVector {
    std::vector<S> high, low;
    explicit PairVector(std::size_t n) : high(n, lit<S>(0)), low(n, lit<S>(0)) {}

    void assign(std::span<const S> values) {
        for (std::size_t i = 0; i < high.size(); ++i) {
            high[i] = values[i];
            low[i] = lit<S>(0);
        }
    }
    void store(std::size_t i, const Compensated<S>& value) {
        high[i] = value.high;
        low[i] = value.low;
    }
};

// All that is known at a position: U_q, G, and A = G M^-1 G^T factored.
template <class S>
struct PositionData {
    std::vector<S> force, G, A;
    Real<S> pivot = lit<Real<S>>(1);

    PositionData(const System<S>& system, const ConstraintMatrix<S>& matrix)
        : force(system.dimension(), lit<S>(0)), G(system.pattern().entries(), lit<S>(0)),
          A(matrix.entries(), lit<S>(0)) {}

    void evaluate(System<S>& system, ConstraintMatrix<S>& matrix, const S& t, std::span<const S> q,
                  std::span<const S> p, Evaluations<S>& evaluations) {
        system.force_gradient(t, q, p, force);
        evaluations.add(Evaluations<S>::force);
        if (system.constraints() > 0) {
            system.jacobian(t, q, G);
            matrix.assemble(system, t, q, G, A);
            pivot = matrix.factor(A);
            evaluations.add(Evaluations<S>::jacobian);
            evaluations.add(Evaluations<S>::factorizations);
        }
    }

    void visit(MemoryVisitor<S>& visitor) {
        visitor.array("force", force);
        visitor.array("jacobian", G);
        visitor.array("factor", A);
    }
};

template <class S>
class KickDrift {
  public:
    KickDrift(System<S>& system, const ConstraintMatrix<S>& matrix)
        : system_(&system), matrix_(&matrix), w_(system.dimension(), lit<S>(0)), v_(system.dimension(), lit<S>(0)),
          sizes_(system.dimension(), lit<S>(0)), scratch_(system.constraints(), lit<S>(0)),
          rows_(system.constraints(), lit<S>(0)), floor_(system.constraints(), lit<S>(0)) {}

    // `lambda` holds the prediction on entry and the solution on return; p1 and q1 are written.
    IterationReport<Real<S>> run(const S& t1, const PairVector<S>& q, const PairVector<S>& p,
                                 const PositionData<S>& at_q, const S& kick, const S& h, std::span<S> lambda,
                                 PairVector<S>& p1, PairVector<S>& q1, Evaluations<S>& evaluations) {
        using R = Real<S>;
        IterationReport<R> report{lit<R>(0), lit<R>(0), lit<R>(1)};
        if (!lambda.empty()) {
            find_floors(t1, q, p, at_q, kick, h, lambda);
            const S scale = lit<S>(1) / (kick * h);
            report = solve_constraints<S>(
                {}, lambda, scratch_, floor_,
                [&](std::span<const S> x, std::span<S> residual) {
                    move(t1, q, p, at_q, kick, h, x, p1, q1);
                    system_->constraint(t1, q1.high, residual);
                    // g on the pair: |low| is at round-off, so G(q) serves as well as G(q').
                    apply_jacobian<S>(system_->pattern(), at_q.G, q1.low, rows_);
                    for (std::size_t i = 0; i < residual.size(); ++i) {
                        residual[i] = residual[i] + rows_[i];
                    }
                },
                [&](std::span<S> residual) {
                    matrix_->solve(at_q.A, residual);
                    for (auto& value : residual) {
                        value = scale * value;
                    }
                });
            const S passes = lit<S>(1) + from_real<S>(report.passes);
            evaluations.add(Evaluations<S>::constraint, passes);
            evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(report.passes));
        }
        // Only lambda leaves the iteration; the step is made once more from it.
        move(t1, q, p, at_q, kick, h, lambda, p1, q1);
        return report;
    }

  private:
    void move(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at_q, const S& kick,
              const S& h, std::span<const S> lambda, PairVector<S>& p1, PairVector<S>& q1) {
        const std::size_t d = system_->dimension();
        for (std::size_t j = 0; j < d; ++j) {
            w_[j] = at_q.force[j];
        }
        add_transposed<S>(system_->pattern(), at_q.G, lambda, w_);
        for (std::size_t j = 0; j < d; ++j) {
            p1.store(j, add(p.high[j], p.low[j], S(-(kick * w_[j]))));
        }
        system_->velocity(t1, q.high, p1.high, v_);
        for (std::size_t j = 0; j < d; ++j) {
            q1.store(j, add(q.high[j], q.low[j], S(h * v_[j])));
        }
    }

    // Sizes that enter q': the position itself, the way of the step, and the way of the kick by forces and by multipliers, so
    // that a coordinate that rests at the origin has a size too.
    void find_floors(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at_q,
                     const S& kick, const S& h, std::span<const S> lambda) {
        const auto& pattern = system_->pattern();
        for (std::size_t j = 0; j < sizes_.size(); ++j) {
            w_[j] = magnitude(at_q.force[j]);
        }
        add_transposed_sizes<S>(pattern, at_q.G, lambda, w_);
        for (std::size_t j = 0; j < sizes_.size(); ++j) {
            w_[j] = mad(magnitude(kick), w_[j], magnitude(p.high[j]));
        }
        system_->velocity(t1, q.high, w_, v_);
        for (std::size_t j = 0; j < sizes_.size(); ++j) {
            sizes_[j] = magnitude(q.high[j]) + magnitude(h) * magnitude(v_[j]);
        }
        constraint_floors<S>(pattern, at_q.G, sizes_, floor_);
    }

    System<S>* system_;
    const ConstraintMatrix<S>* matrix_;
    std::vector<S> w_, v_, sizes_, scratch_, rows_, floor_;
};

// Sum of magnitudes; not finite if any entry is not.
template <class S>
Real<S> total_size(const PairVector<S>& q, const PairVector<S>& p) {
    Real<S> sum = real_part(absv(q.high[0]));
    for (std::size_t j = 1; j < q.high.size(); ++j) {
        sum = sum + real_part(absv(q.high[j]));
    }
    for (const auto& value : p.high) {
        sum = sum + real_part(absv(value));
    }
    return sum;
}

}  // namespace libration
