// The matrix of Newton's method for small systems of any kind: dense, with exact derivatives of all terms. Rows are
// scaled to 1: stiffness of 1e16 stands beside 1.
#pragma once

#include "manifold/dense_lu.hpp"
#include "spark_matrix.hpp"

namespace libration {

template <class S>
class SparkNewton final : public SparkMatrix<S> {
  public:
    SparkNewton(System<S>& system, const SparkLayout& layout)
        : system_(&system), treatment_(libration::treatment(system.properties().terms)), terms_(system),
          s_(layout.stages), d_(layout.dimension), m_(layout.constraints), rolling_(layout.nonholonomic),
          per_stage_(layout.multipliers()), r_(layout.stages_with_multipliers), n_(layout.unknowns()),
          matrix_(n_ * n_, lit<S>(0)), scale_(n_, lit<S>(1)), row_(2 * d_, lit<S>(0)),
          G_(s_, std::vector<S>(system.pattern().entries(), lit<S>(0))), pivots_(n_) {
        const StageDerivatives<S> none(d_, per_stage_, treatment_.mixes.size(), rolling_);
        at_.assign(s_, none);
    }

    void linearise(std::size_t stage, const StagePoint<S>& at) override {
        terms_.derivatives(at, at_[stage]);
        std::ranges::copy(at.G, G_[stage].begin());
    }

    void assemble(const typename SparkMatrix<S>::Scheme& scheme) override {
        const auto& [h, all_mixes, constraint_weights, rolling_conditions, same] = scheme;
        const auto& mixes = *all_mixes;
        const auto& constraint = *constraint_weights;
        std::fill(matrix_.begin(), matrix_.end(), lit<S>(0));
        const auto& how = treatment_;
        for (std::size_t i = 0; i < s_; ++i) {
            for (std::size_t l = 0; l < s_; ++l) {
                const auto& D = at_[same ? 0 : l];
                for (std::size_t k = 0; k < d_; ++k) {
                    const S factor = -h * mixes[how.position[k]].a(i, l);
                    S* row = entry(i * d_ + k, l * d_);
                    add(row, factor, &D.v_q[k * d_], d_);
                    add(row + s_ * d_, factor, &D.v_p[k * d_], d_);
                }
                for (std::size_t w = 0; w < mixes.size(); ++w) {
                    add_momentum(y(i), l, S(-h * mixes[w].a(i, l)), D, w);
                }
            }
        }
        for (std::size_t k = 0; k < 2 * s_ * d_; ++k) {
            S& diagonal = *entry(k, k);
            diagonal = diagonal + lit<S>(1);
        }
        for (std::size_t i = 1; i < s_ && m_ > 0; ++i) {
            for (std::size_t l = 0; l < s_; ++l) {
                const auto& D = at_[same ? 0 : l];
                add_constraint(G_[same ? 0 : i], multiplier_row(i - 1), l, S(h * constraint.a(i, l)), D);
            }
        }
        if (m_ > 0 && r_ == s_) {
            add_hidden(h, mixes.size(), constraint, same);
        }
        if (rolling_ > 0) {
            add_rolling(h, mixes.size(), constraint, *rolling_conditions, same);
        }
        scale_rows();
        factor_dense<S>(matrix_, pivots_);
    }

    void solve(std::span<S> x) override {
        for (std::size_t k = 0; k < n_; ++k) {
            x[k] = scale_[k] * x[k];
        }
        solve_dense<S>(matrix_, pivots_, x);
    }

    void noise(std::span<const S> q, std::span<const S> p, std::span<S> of_momentum,
               std::span<S> of_position) const override {
        const auto& D = at_[0];
        for (std::size_t k = 0; k < d_; ++k) {
            S momentum = lit<S>(0), position = lit<S>(0);
            for (std::size_t j = 0; j < d_; ++j) {
                const S qj = magnitude(q[j]), pj = magnitude(p[j]);
                position = position + magnitude(D.v_q[k * d_ + j]) * qj + magnitude(D.v_p[k * d_ + j]) * pj;
                for (std::size_t w = 0; w < D.f_q.size(); ++w) {
                    momentum = momentum + magnitude(D.f_q[w][k * d_ + j]) * qj + magnitude(D.f_p[w][k * d_ + j]) * pj;
                }
            }
            of_momentum[k] = momentum;
            of_position[k] = position;
        }
    }

  private:
    [[nodiscard]] S* entry(std::size_t row, std::size_t column) { return &matrix_[row * n_ + column]; }
    [[nodiscard]] std::size_t y(std::size_t i) const { return (s_ + i) * d_; }
    [[nodiscard]] std::size_t multiplier_row(std::size_t i) const { return 2 * s_ * d_ + i * per_stage_; }

    static void add(S* target, const S& factor, const S* values, std::size_t count) {
        for (std::size_t j = 0; j < count; ++j) {
            target[j] = mad(factor, values[j], target[j]);
        }
    }

    // Rows first..first + d - 1 += factor times the derivatives of the terms of one mix at stage l.
    void add_momentum(std::size_t first, std::size_t l, const S& factor, const StageDerivatives<S>& D, std::size_t w) {
        for (std::size_t k = 0; k < d_; ++k) {
            add(entry(first + k, l * d_), factor, &D.f_q[w][k * d_], d_);
            add(entry(first + k, y(l)), factor, &D.f_p[w][k * d_], d_);
            if (l < r_) {
                add(entry(first + k, multiplier_row(l)), factor, &D.f_lambda[w][k * per_stage_], per_stage_);
            }
        }
    }

    // Rows first..first + m - 1 += factor G (v_q, v_p) of stage l
    void add_constraint(const std::vector<S>& G, std::size_t first, std::size_t l, const S& factor,
                        const StageDerivatives<S>& D) {
        const auto& pattern = system_->pattern();
        for (std::size_t i = 0; i < m_; ++i) {
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                const S weight = factor * G[e];
                add(entry(first + i, l * d_), weight, &D.v_q[pattern.column[e] * d_], d_);
                add(entry(first + i, y(l)), weight, &D.v_p[pattern.column[e] * d_], d_);
            }
        }
    }

    // G (v_q dq1 + v_p dp1)
    void add_hidden(const S& h, std::size_t mixes, const StageWeights<S>& constraint, bool same) {
        const auto& pattern = system_->pattern();
        const auto& G = G_[same ? 0 : s_ - 1];
        const auto& end = at_[same ? 0 : s_ - 1];
        for (std::size_t i = 0; i < m_; ++i) {
            std::fill(row_.begin(), row_.end(), lit<S>(0));
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                add(row_.data(), G[e], &end.v_q[pattern.column[e] * d_], d_);
                add(row_.data() + d_, G[e], &end.v_p[pattern.column[e] * d_], d_);
            }
            add_end_row(multiplier_row(s_ - 1) + i, h, mixes, constraint, same);
        }
    }

    // row_ (dq1, dp1), dq1 = h sum_l b_l (v_q dz_l + v_p dy_l), dp1 = h sum_l b_l (f_q dz_l + f_p dy_l + f_lambda
    // dLambda_l)
    void add_end_row(std::size_t number, const S& h, std::size_t mixes, const StageWeights<S>& constraint, bool same) {
        for (std::size_t l = 0; l < s_; ++l) {
            const auto& D = at_[same ? 0 : l];
            const S hb = h * constraint.a(s_ - 1, l);  // the last row of IIIA is b
            for (std::size_t k = 0; k < d_; ++k) {
                add(entry(number, l * d_), S(hb * row_[k]), &D.v_q[k * d_], d_);
                add(entry(number, y(l)), S(hb * row_[k]), &D.v_p[k * d_], d_);
                for (std::size_t w = 0; w < mixes; ++w) {
                    const S weight = hb * row_[d_ + k];
                    add(entry(number, l * d_), weight, &D.f_q[w][k * d_], d_);
                    add(entry(number, y(l)), weight, &D.f_p[w][k * d_], d_);
                    add(entry(number, multiplier_row(l)), weight, &D.f_lambda[w][k * per_stage_], per_stage_);
                }
            }
        }
    }

    void add_rolling(const S& h, std::size_t mixes, const StageWeights<S>& constraint, const SparkRolling<S>& rolling,
                     bool same) {
        const auto& end = at_[same ? 0 : s_ - 1];
        for (std::size_t c = 0; c < rolling_; ++c) {
            for (std::size_t i = 0; i + 1 < s_; ++i) {
                for (std::size_t l = 0; l < s_; ++l) {
                    const auto& D = at_[same ? 0 : l];
                    add(entry(multiplier_row(i) + m_ + c, l * d_), rolling.weight(i, l), &D.k_q[c * d_], d_);
                    add(entry(multiplier_row(i) + m_ + c, y(l)), rolling.weight(i, l), &D.k_p[c * d_], d_);
                }
            }
            std::copy_n(&end.k_q[c * d_], d_, row_.data());
            std::copy_n(&end.k_p[c * d_], d_, row_.data() + d_);
            add_end_row(multiplier_row(s_ - 1) + m_ + c, h, mixes, constraint, same);
        }
    }

    void scale_rows() {
        for (std::size_t i = 0; i < n_; ++i) {
            Real<S> largest = lit<Real<S>>(0);
            for (std::size_t j = 0; j < n_; ++j) {
                largest = maxv(largest, absv(real_part(matrix_[i * n_ + j])));
            }
            const Real<S> one = lit<Real<S>>(1);
            scale_[i] = from_real<S>(equal(largest, lit<Real<S>>(0)) ? one : Real<S>(one / largest));
            for (std::size_t j = 0; j < n_; ++j) {
                matrix_[i * n_ + j] = scale_[i] * matrix_[i * n_ + j];
            }
        }
    }

    System<S>* system_;
    Treatment treatment_;
    SparkTerms<S> terms_;
    std::size_t s_, d_, m_, rolling_;  // stages, dimension, holonomic and nonholonomic constraints
    std::size_t per_stage_, r_, n_;    // multipliers of a stage, stages with multipliers, unknowns
    std::vector<S> matrix_, scale_, row_;
    std::vector<std::vector<S>> G_;
    std::vector<std::size_t> pivots_;
    std::vector<StageDerivatives<S>> at_;
};

}  // namespace libration
