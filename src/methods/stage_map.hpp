// Partitioned Runge-Kutta methods on the manifold: the stages of a StageScheme, solved to round-off.
//
// Unknowns are the increments z_i = Q_i - q0, y_i = P_i - p0 and the multipliers. The simplified Newton iteration of
// Jay 1996 (3.15), with the + sign, neglects H_qq and H_qp; what remains needs one factorisation of G H_pp G^T at the
// start of the step and the inverse of a small matrix of coefficients:
//
//     dy_i + h sum_k ahat_ik G^T dLambda_k = ry_i      dz_i - h sum_j a_ij H_pp dy_j = rz_i      G dz_i = -g(Q_i)
//
// Increments, not positions, are iterated, and coefficients are carried as double plus correction, so that round-off in
// the energy behaves like a random walk. [Hairer, McLachlan, Razakarivony 2008]
#pragma once

#include "attempts.hpp"
#include "multiplier_slots.hpp"
#include "projection.hpp"
#include "stage_floors.hpp"
#include "strayed.hpp"
#include <libration/kit/map.hpp>
#include <libration/kit/scalars.hpp>

namespace libration {

// A number that Wide knows better than S: high + low.
template <class S>
struct Coefficient {
    S high, low;
    explicit Coefficient(Wide x) : high(as_scalar<S>(x)), low(from_double<S>(0)) {
        if constexpr (!std::is_same_v<Real<S>, Wide>) {
            low = from_double<S>(libration::low(x));
        }
    }
};

template <class S>
class StageMap final : public Map<S> {
  public:
    // `free`: the constraints of the system are left to others.
    StageMap(System<S>& system, const StageScheme& scheme, bool free = false)
        : system_(&system), matrix_(constraint_matrix(system)), projection_(system, *matrix_), scheme_(scheme),
          s_(scheme.q.stages), d_(system.dimension()), m_(free ? 0 : system.constraints()),
          r_(m_ > 0 ? scheme.rows.size() : 0), entries_(system.pattern().entries()), unknowns_(2 * s_ * d_ + r_ * m_),
          floors_(system, scheme, r_ > 0), correction_(2 * s_ * d_ + r_ * m_, zero()), floor_(m_, zero()),
          force_size_(d_, zero()), V_(s_ * d_, zero()), W_(s_ * d_, zero()), G_(m_ > 0 ? s_ * entries_ : 0, zero()),
          Q_(d_), P_(d_), u_(d_, zero()), w_(d_, zero()), rows_(r_ * m_, zero()), sum_(d_, zero()) {
        for (std::size_t k = 0; k < s_ * s_; ++k) {
            a_.emplace_back(scheme.q.A[k]);
            ahat_.emplace_back(scheme.p.A[k]);
        }
        for (std::size_t i = 0; i < s_; ++i) {
            b_.emplace_back(scheme.q.b[i]);
            c_.push_back(as_scalar<S>(scheme.q.c[i]));
        }
        last_is_end_ = scheme.q.c[s_ - 1] == 1;
        column_of_.assign(s_, no_column);
        for (std::size_t k = 0; k < r_; ++k) {
            column_of_[scheme.columns[k]] = k;
        }
        for (const auto& x : r_ > 0 ? scheme.inverse_coupling() : std::vector<Wide>{}) {
            inverse_coupling_.push_back(as_scalar<S>(x));
        }
    }

    void reserve(std::size_t slots) override { unknowns_.reserve(slots); }

    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        unknowns_.forget();
        if (m_ > 0) {
            z.at.evaluate_constraints(*system_, *matrix_, t, z.q.high, z.p.high, evaluations);
        }
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        const auto x = unknowns_.current(step.slot);
        if (step.again) {
            rescale_increments(x.first(2 * s_ * d_), step.h, last_h_);
        } else if (unknowns_.knows(step.slot)) {
            unknowns_.predict(step.slot);
        } else {
            guess(step, z0, x, evaluations);
        }
        const auto iteration =
            iterate(floors_.control(), x, std::span<S>(correction_),
                    [&](std::span<const S> now, std::span<S> dx) { return pass(step, z0, now, dx); });
        evaluate(step, z0, x);
        if (m_ > 0 && scheme_.ends_on_constraints()) {
            floors_.find(step, z0, force_size_, V_);  // of x: in a pack, the last pass belonged to the slowest lane
        }
        count(iteration, evaluations);
        combine(z0.q, step.h, V_, z1.q);
        combine(z0.p, S(-step.h), W_, z1.p);
        MapReport<S> report{iteration.converged, iteration.residual, lit<Real<S>>(1)};
        finish(step, z0, z1, report, evaluations);
        last_h_ = step.h;
        return report;
    }

    void accept() override { unknowns_.accept(); }
    // y, z and Lambda of the last application in a slot, which may be replaced by a better solution.
    [[nodiscard]] std::span<S> unknowns(std::size_t slot) { return unknowns_.current(slot); }
    // What the steps before let expect of them; false: nothing.
    bool predict(std::size_t slot, std::span<S> x) const {
        if (!unknowns_.knows(slot)) {
            return false;
        }
        unknowns_.predict(slot, x);
        return true;
    }
    void visit(MemoryVisitor<S>& visitor) override { unknowns_.visit(visitor); }

    [[nodiscard]] StageSlopes<S> slopes() const override {
        slopes_p_.resize(s_ * d_, zero());
        for (std::size_t k = 0; k < slopes_p_.size(); ++k) {
            slopes_p_[k] = -W_[k];
        }
        if (r_ > 0 && column_of_[s_ - 1] == no_column) {
            add_last_reaction<S>(projection_.kick(), S(last_h_ * b_[s_ - 1].high), std::span(slopes_p_).last(d_));
        }
        return {s_, V_, slopes_p_};
    }

  private:
    static constexpr std::size_t no_column = static_cast<std::size_t>(-1);
    static S zero() { return lit<S>(0); }

    [[nodiscard]] std::span<const S> y(std::span<const S> x, std::size_t i) const { return x.subspan(i * d_, d_); }
    [[nodiscard]] std::span<const S> z(std::span<const S> x, std::size_t i) const { return y(x, s_ + i); }
    [[nodiscard]] std::span<S> y(std::span<S> x, std::size_t i) const { return x.subspan(i * d_, d_); }
    [[nodiscard]] std::span<S> z(std::span<S> x, std::size_t i) const { return y(x, s_ + i); }
    template <class T>
    [[nodiscard]] std::span<T> multipliers(std::span<T> x, std::size_t k) const {
        return x.subspan(2 * s_ * d_ + k * m_, m_);
    }
    [[nodiscard]] std::span<S> stage(std::vector<S>& values, std::size_t i) const {
        return std::span(values).subspan(i * d_, d_);
    }
    [[nodiscard]] std::span<const S> jacobian(const State<S>& z0, std::size_t i) const {
        return i == 0 && scheme_.first_is_start ? std::span<const S>(z0.at.G)
                                                : std::span(G_).subspan(i * entries_, entries_);
    }

    // sum_j row_j X_j, with the corrections of the coefficients
    void weigh(const Coefficient<S>* row, std::span<const S> X, std::span<S> sum) const {
        for (std::size_t k = 0; k < d_; ++k) {
            S high = row[0].high * X[k];
            S low = row[0].low * X[k];
            for (std::size_t j = 1; j < s_; ++j) {
                high = mad(row[j].high, X[j * d_ + k], high);
                low = mad(row[j].low, X[j * d_ + k], low);
            }
            sum[k] = high + low;
        }
    }

    void combine(const PairVector<S>& from, const S& h, std::span<const S> slopes, PairVector<S>& to) {
        weigh(b_.data(), slopes, sum_);
        add_scaled<S>(from, h, sum_, to);
    }

    // The first guess of all: the tangent, with the multipliers of the exact solution. [Jay 1996, (3.1f)]
    void guess(const Substep<S>& step, const State<S>& z0, std::span<S> x, Evaluations<S>& evaluations) {
        const auto v = stage(V_, 0), w = stage(W_, 0);
        system_->velocity(step.t, z0.q.high, z0.p.high, v);
        system_->force_gradient(step.t, z0.q.high, z0.p.high, w);
        evaluations.add(Evaluations<S>::force);
        if (m_ > 0) {
            const auto lambda = multipliers(x, 0);
            for (std::size_t k = 0; k < d_; ++k) {
                u_[k] = -w[k];
            }
            system_->velocity_rate(step.t, z0.q.high, z0.p.high, v, u_, u_);
            apply_jacobian<S>(system_->pattern(), z0.at.G, u_, floor_);
            system_->curvature(step.t, z0.q.high, v, lambda);
            for (std::size_t i = 0; i < m_; ++i) {
                lambda[i] = lambda[i] + floor_[i];
            }
            matrix_->solve(z0.at.A, lambda);
            for (std::size_t k = 1; k < r_; ++k) {
                std::copy(lambda.begin(), lambda.end(), multipliers(x, k).begin());
            }
            add_transposed<S>(system_->pattern(), z0.at.G, lambda, w);
        }
        for (std::size_t i = 0; i < s_; ++i) {
            const S ch = c_[i] * step.h;
            for (std::size_t k = 0; k < d_; ++k) {
                y(x, i)[k] = -ch * w[k];
                z(x, i)[k] = ch * v[k];
            }
        }
    }

    void add_sizes(std::span<const S> forces) {
        for (std::size_t k = 0; k < d_; ++k) {
            force_size_[k] = force_size_[k] + magnitude(forces[k]);
        }
    }

    // V_i = H_p, W_i = H_q + G^T Lambda at the stages; leaves g(Q_i) of the constrained stages in rows_.
    void evaluate(const Substep<S>& step, const State<S>& z0, std::span<const S> x) {
        std::size_t row = 0;
        std::fill(force_size_.begin(), force_size_.end(), zero());
        for (std::size_t i = 0; i < s_; ++i) {
            const S t = i + 1 == s_ && last_is_end_ ? step.t1 : mad(c_[i], step.h, step.t);
            add_scaled<S>(z0.q, lit<S>(1), z(x, i), Q_);
            add_scaled<S>(z0.p, lit<S>(1), y(x, i), P_);
            system_->velocity(t, Q_.high, P_.high, stage(V_, i));
            system_->force_gradient(t, Q_.high, P_.high, stage(W_, i));
            add_sizes(stage(W_, i));
            if (r_ == 0) {
                continue;
            }
            if (column_of_[i] != no_column) {
                if (i > 0 || !scheme_.first_is_start) {
                    system_->jacobian(t, Q_.high, std::span(G_).subspan(i * entries_, entries_));
                }
                add_transposed<S>(system_->pattern(), jacobian(z0, i), multipliers(x, column_of_[i]), stage(W_, i));
                // Reactions may cancel, their rounding does not.
                add_transposed_sizes<S>(system_->pattern(), jacobian(z0, i), multipliers(x, column_of_[i]),
                                        force_size_);
            }
            if (row < r_ && scheme_.rows[row] == i) {
                system_->constraint(t, Q_.high, Q_.low, std::span(rows_).subspan(row * m_, m_));
                ++row;
            }
        }
    }

    Real<S> pass(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx) {
        evaluate(step, z0, x);
        const Real<S> worst = residuals(step, z0, x, dx);
        if (r_ > 0) {
            solve_multipliers(step, z0, dx);
        }
        // dy_i = ry_i - h sum_k ahat_ik G^T dLambda_k, then dz_i = rz_i + h H_pp sum_j a_ij dy_j
        for (std::size_t i = 0; i < s_ && r_ > 0; ++i) {
            std::fill(floor_.begin(), floor_.end(), zero());
            for (std::size_t k = 0; k < r_; ++k) {
                const auto delta = multipliers(std::span<const S>(dx), k);
                const S factor = -step.h * ahat_[i * s_ + scheme_.columns[k]].high;
                for (std::size_t l = 0; l < m_; ++l) {
                    floor_[l] = mad(factor, delta[l], floor_[l]);
                }
            }
            add_transposed<S>(system_->pattern(), z0.at.G, floor_, y(dx, i));
        }
        add_responses(step, z0, dx);
        return worst;
    }

    // ry and rz into dx; returns the largest residual of all equations in floors.
    Real<S> residuals(const Substep<S>& step, const State<S>& z0, std::span<const S> x, std::span<S> dx) {
        floors_.find(step, z0, force_size_, V_);
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t i = 0; i < s_; ++i) {
            const auto ry = y(dx, i), rz = z(dx, i);
            weigh(&ahat_[i * s_], W_, ry);
            weigh(&a_[i * s_], V_, rz);
            for (std::size_t k = 0; k < d_; ++k) {
                ry[k] = -step.h * ry[k] - y(x, i)[k];
                rz[k] = step.h * rz[k] - z(x, i)[k];
            }
            worst = worse(worst, floors_.of_momentum(ry));
            worst = worse(worst, floors_.of_position(rz));
        }
        for (std::size_t i = 0; i < r_; ++i) {
            worst = worse(worst, floors_.of_constraints(std::span<const S>(rows_).subspan(i * m_, m_)));
        }
        return worst;
    }

    // h^2 (A0 Ahat0 x G H_pp G^T) dLambda = g + G (rz + h H_pp sum_j a_ij ry_j)
    void solve_multipliers(const Substep<S>& step, const State<S>& z0, std::span<S> dx) {
        for (std::size_t i = 0; i < r_; ++i) {
            response(step, z0, scheme_.rows[i], dx, u_);
            const auto rz = z(std::span<const S>(dx), scheme_.rows[i]);
            for (std::size_t k = 0; k < d_; ++k) {
                u_[k] = rz[k] + u_[k];
            }
            apply_jacobian<S>(system_->pattern(), z0.at.G, u_, floor_);
            const auto row = std::span(rows_).subspan(i * m_, m_);
            for (std::size_t l = 0; l < m_; ++l) {
                row[l] = row[l] + floor_[l];
            }
            matrix_->solve(z0.at.A, row);
        }
        const S scale = lit<S>(1) / (step.h * step.h);
        for (std::size_t k = 0; k < r_; ++k) {
            const auto delta = multipliers(dx, k);
            for (std::size_t l = 0; l < m_; ++l) {
                S sum = inverse_coupling_[k * r_] * rows_[l];
                for (std::size_t i = 1; i < r_; ++i) {
                    sum = mad(inverse_coupling_[k * r_ + i], rows_[i * m_ + l], sum);
                }
                delta[l] = scale * sum;
            }
        }
    }

    // u = h H_pp sum_j a_ij dy_j
    void response(const Substep<S>& step, const State<S>& z0, std::size_t i, std::span<const S> dx, std::span<S> u) {
        for (std::size_t k = 0; k < d_; ++k) {
            S sum = a_[i * s_].high * dx[k];
            for (std::size_t j = 1; j < s_; ++j) {
                sum = mad(a_[i * s_ + j].high, dx[j * d_ + k], sum);
            }
            w_[k] = step.h * sum;
        }
        system_->solve_mass(step.t, z0.q.high, z0.p.high, w_, u);
    }

    void add_responses(const Substep<S>& step, const State<S>& z0, std::span<S> dx) {
        if (!system_->properties().hamiltonian) {
            return;  // a field has no mass; fixed-point iteration
        }
        for (std::size_t i = 0; i < s_; ++i) {
            response(step, z0, i, dx, u_);
            const auto dz = z(dx, i);
            for (std::size_t k = 0; k < d_; ++k) {
                dz[k] = dz[k] + u_[k];
            }
        }
    }

    // Leaves in z1.at what the next step needs.
    void finish(const Substep<S>& step, const State<S>& z0, State<S>& z1, MapReport<S>& report,
                Evaluations<S>& evaluations) {
        if (m_ == 0) {
            return;
        }
        if (scheme_.project_position) {
            z1.at.evaluate_constraints(*system_, *matrix_, step.t1, z1.q.high, z1.p.high, evaluations);
            report.join(projection_.position(step.t1, z1, evaluations));
        }
        z1.at.evaluate_constraints(*system_, *matrix_, step.t1, z1.q.high, z1.p.high, evaluations);
        if (scheme_.ends_on_constraints()) {
            const auto g = std::span(rows_).first(m_);
            system_->constraint(step.t1, z1.q.high, z1.q.low, g);
            evaluations.add(Evaluations<S>::constraint);
            report.residual = floors_.of_constraints(g);
        }
        if (scheme_.project_momentum && step.ending == Ending::on_manifold) {
            report.join(projection_.momentum(step.t1, z1, evaluations));
        }
        // Where the iteration did not arrive, the pivot says nothing about the motion.
        const Real<S> one = lit<Real<S>>(1);
        report.pivot = select(equal(report.converged, one), z1.at.pivot, one);
        if constexpr (!OneTrajectory<S>) {  // who can branch looks closer
            const auto doubtful = either(nearly_dependent(z0.at, z1.at), may_pass_dependence(z0.at));
            report.converged = select(doubtful, lit<Real<S>>(0), report.converged);
        }
    }

    void count(const IterationReport<Real<S>>& iteration, Evaluations<S>& evaluations) {
        const S passes = lit<S>(1) + from_real<S>(iteration.passes);
        const auto stages = static_cast<std::int64_t>(s_), constrained = static_cast<std::int64_t>(r_);
        const std::int64_t jacobians = r_ == 0 ? 0 : constrained - (scheme_.first_is_start ? 1 : 0);
        evaluations.add(Evaluations<S>::force, passes * lit<S>(stages));
        evaluations.add(Evaluations<S>::constraint, passes * lit<S>(constrained));
        evaluations.add(Evaluations<S>::jacobian, passes * lit<S>(jacobians));
        evaluations.add(Evaluations<S>::newton_iterations, from_real<S>(iteration.passes));
    }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    Projection<S> projection_;
    StageScheme scheme_;
    std::size_t s_, d_, m_, r_, entries_;  // stages, dimension, constraints, constrained stages, entries of G
    bool last_is_end_ = false;             // the last stage lies at the end of the step
    std::vector<Coefficient<S>> a_, ahat_, b_;
    std::vector<S> c_, inverse_coupling_;
    std::vector<std::size_t> column_of_;  // the number of the multipliers of a stage
    MultiplierSlots<S> unknowns_;         // y, z, Lambda
    StageFloors<S> floors_;
    std::vector<S> correction_, floor_, force_size_, V_, W_, G_;
    PairVector<S> Q_, P_;
    std::vector<S> u_, w_, rows_, sum_;
    S last_h_ = lit<S>(1);
    mutable std::vector<S> slopes_p_;
};

// Compiled once, in src/methods/lobatto.cpp.
#define LIBRATION_EXTERN(scalar) extern template class StageMap<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
