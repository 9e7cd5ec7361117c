// Nonholonomic constraints in a SPARK step. With V_j the velocities of the stages,
//
//     0 = sum_j b_j c_j^(i-1) k(t_j, Q_j, V_j),  i = 1..s-1,     0 = k(t1, q1, v1),
//
// fix the multipliers Lambda_1..Lambda_s: k vanishes in the mean against every polynomial of degree s-2, and at the
// end. To ask for k = 0 at the stages themselves costs the order, s-1 instead of 2s-2. [Jay 1998, section 6.1]
//
// Instead of powers of c stand the Legendre polynomials of the same degrees: they span the same conditions, well apart
// from each other for many stages too, and c -> 1-c changes their signs only, so that a step back undoes a step.
#pragma once

#include "manifold/solve.hpp"
#include "stage_weights.hpp"
#include "system/velocity_constraints.hpp"

namespace libration {

template <class S>
class SparkRolling {
  public:
    // The last row of `weights` is b: that of IIIA.
    SparkRolling(System<S>& system, const StageWeights<S>& weights)
        : constraints_(system.velocity_constraints()), n_(system.properties().nonholonomic), d_(system.dimension()),
          s_(weights.stages()), rows_(s_ * n_, lit<S>(0)), k_(n_, lit<S>(0)), floors_(n_, lit<S>(0)),
          K_(n_ * d_, lit<S>(0)), k_q_(K_) {
        for (std::size_t i = 0; i + 1 < s_ && n_ > 0; ++i) {
            for (std::size_t j = 0; j < s_; ++j) {
                const S x = lit<S>(2) * weights.c(j) - lit<S>(1);
                S before = lit<S>(0), now = lit<S>(1);  // (l+1) P_(l+1) = (2l+1) x P_l - l P_(l-1)
                for (std::size_t l = 0; l < i; ++l) {
                    const auto number = static_cast<std::int64_t>(l);
                    const S next = (lit<S>(2 * number + 1) * x * now - lit<S>(number) * before) / lit<S>(number + 1);
                    before = now;
                    now = next;
                }
                weights_.push_back(weights.a(s_ - 1, j) * now);
            }
        }
    }

    [[nodiscard]] std::size_t count() const { return n_; }
    // What stage j counts in condition i = 0..s-2.
    [[nodiscard]] const S& weight(std::size_t i, std::size_t j) const { return weights_[i * s_ + j]; }
    // What is missing in condition i; the last is k(t1, q1, v1).
    [[nodiscard]] std::span<S> rows(std::size_t i) { return std::span(rows_).subspan(i * n_, n_); }

    void begin() { std::fill(rows_.begin(), rows_.end(), lit<S>(0)); }
    void add_stage(std::size_t j, const S& t, std::span<const S> q, std::span<const S> v) {
        constraints_->values(t, q, v, k_);
        for (std::size_t i = 0; i + 1 < s_; ++i) {
            for (std::size_t l = 0; l < n_; ++l) {
                rows(i)[l] = mad(weight(i, j), k_[l], rows(i)[l]);
            }
        }
    }
    void set_end(const S& t, std::span<const S> q, std::span<const S> v) {
        constraints_->values(t, q, v, rows(s_ - 1));
        constraints_->by_velocity(t, q, v, K_);
        constraints_->by_position(t, q, v, k_q_);
    }

    // The largest of all conditions in units of the rounding of k, where velocities are known to the digits of `speed`
    // and besides to `noise`, a number each component.
    Real<S> residual(std::span<const S> q, const S& speed, std::span<const S> noise) {
        const S eps = from_real<S>(epsilon<S>());
        for (std::size_t l = 0; l < n_; ++l) {
            S sum = lit<S>(0), rest = lit<S>(0);
            for (std::size_t k = 0; k < d_; ++k) {
                const S size = magnitude(K_[l * d_ + k]);
                sum = mad(size, speed, mad(magnitude(k_q_[l * d_ + k]), magnitude(q[k]), sum));
                rest = mad(size, magnitude(noise[k]), rest);
            }
            floors_[l] = mad(eps, sum, rest);
        }
        Real<S> worst = lit<Real<S>>(0);
        for (std::size_t i = 0; i < s_; ++i) {
            worst = worse(worst, largest_in_floors<S>(rows(i), floors_));
        }
        return worst;
    }

    // Whether k(t1, q1, v1) is larger than the rounding of such velocities: q1 is rounded, too, an angle of many turns
    // coarsely.
    [[nodiscard]] bool end_is_rough(const S& speed) requires OneTrajectory<S> {
        const Real<S> unit = lit<Real<S>>(4) * epsilon<S>() * real_part(speed);
        for (std::size_t l = 0; l < n_; ++l) {
            Real<S> sum = lit<Real<S>>(0);
            for (std::size_t k = 0; k < d_; ++k) {
                sum = sum + absv(real_part(K_[l * d_ + k]));
            }
            if (!less_equal(absv(real_part(rows(s_ - 1)[l])), Real<S>(unit * sum))) {
                return true;
            }
        }
        return false;
    }

  private:
    VelocityConstraints<S>* constraints_;
    std::size_t n_, d_, s_;
    std::vector<S> weights_, rows_, k_, floors_, K_, k_q_;
};

}  // namespace libration
