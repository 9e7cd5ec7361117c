// The terms of p' at one stage, sorted by the mix of coefficients that treats them, and their derivatives.
//
//     p' = T_q (or -H_q as a whole)  -  U_q of each part  +  forces(t, q, v, lambda)  -  G^T lambda  -  k_v^T lambda
//
// The multipliers of the nonholonomic constraints k stand behind those of the holonomic ones.
#pragma once

#include "treatment.hpp"

#include "system/applied_forces.hpp"
#include "system/velocity_constraints.hpp"
#include <libration/kit/sparse_product.hpp>
#include <libration/kit/system.hpp>

namespace libration {

// Where the terms are evaluated.
template <class S>
struct StagePoint {
    S t;
    std::span<const S> q, p, v, lambda, G;
};

// Derivatives of v by q and p, and of each mix's sum of terms by q, p and lambda; row-major, dimension x dimension or
// multipliers. Those of k by q and p, through v, too.
template <class S>
struct StageDerivatives {
    std::vector<S> v_q, v_p;
    std::vector<std::vector<S>> f_q, f_p, f_lambda;
    std::vector<S> k_q, k_p;

    StageDerivatives(std::size_t dimension, std::size_t multipliers, std::size_t mixes, std::size_t rolling)
        : v_q(dimension * dimension, lit<S>(0)), v_p(v_q), f_q(mixes, v_q), f_p(mixes, v_q),
          f_lambda(mixes, std::vector<S>(dimension * multipliers, lit<S>(0))), k_q(dimension * rolling, lit<S>(0)),
          k_p(k_q) {}
};

template <class S>
class SparkTerms {
  public:
    explicit SparkTerms(System<S>& system)
        : system_(&system), treatment_(libration::treatment(system.properties().terms)), d_(system.dimension()),
          m_(system.constraints()), n_(system.properties().nonholonomic), gradient_(d_, zero()), part_(d_, zero()),
          K_(n_ * d_, zero()) {
        const auto& how = treatment();
        const auto& first = how.potential[0];
        const bool alike = how.potential[1] == first && how.potential[2] == first;
        whole_ = alike && (system.properties().separable || first == how.motion);
        if (auto* forces = system.forces()) {
            values_.assign(forces->components().size(), zero());
            slopes_.assign(forces->slopes().size(), zero());
        }
    }

    // slopes(w) is the sum of the terms of mix w, overwritten; their magnitudes are added to `sizes`.
    template <class Slopes>
    void slopes(const StagePoint<S>& at, Slopes slopes, std::span<S> sizes) {
        for (std::size_t w = 0; w < treatment().mixes.size(); ++w) {
            const std::span<S> sum = slopes(w);
            std::fill(sum.begin(), sum.end(), zero());
        }
        const auto add = [&](const ComponentMixes& mixes, std::size_t k, const S& value) {
            S& target = slopes(mixes[k])[k];
            target = target + value;
            sizes[k] = sizes[k] + magnitude(value);
        };
        if (whole_ || !system_->properties().separable) {
            system_->force_gradient(at.t, at.q, at.p, gradient_);
        }
        if (!whole_) {
            for_each_part([&](unsigned part, const ComponentMixes& mixes) {
                system_->part_gradient(part, at.t, at.q, part_);
                for (std::size_t k = 0; k < d_; ++k) {
                    add(mixes, k, S(-part_[k]));
                }
                for (std::size_t k = 0; k < d_ && !system_->properties().separable; ++k) {
                    gradient_[k] = gradient_[k] - part_[k];
                }
            });
        }
        if (whole_ || !system_->properties().separable) {
            const auto& mixes = whole_ ? treatment().potential[0] : treatment().motion;
            for (std::size_t k = 0; k < d_; ++k) {
                add(mixes, k, S(-gradient_[k]));
            }
        }
        if (auto* forces = system_->forces()) {
            forces->values(at.t, at.q, at.v, at.lambda, values_);
            for (std::size_t c = 0; c < values_.size(); ++c) {
                const auto& [force, k] = forces->components()[c];
                add(treatment().forces[force], k, values_[c]);
            }
        }
        if (m_ > 0) {
            std::fill(part_.begin(), part_.end(), zero());
            add_transposed<S>(system_->pattern(), at.G, at.lambda, part_);
            for (std::size_t k = 0; k < d_; ++k) {
                S& target = slopes(treatment().reaction[k])[k];
                target = target - part_[k];
            }
            // Reactions may cancel, their rounding does not.
            add_transposed_sizes<S>(system_->pattern(), at.G, at.lambda, sizes);
        }
        if (n_ > 0) {
            system_->velocity_constraints()->by_velocity(at.t, at.q, at.v, K_);
            for (std::size_t l = 0; l < n_; ++l) {
                for (std::size_t k = 0; k < d_; ++k) {
                    add(treatment().reaction, k, S(-K_[l * d_ + k] * at.lambda[m_ + l]));
                }
            }
        }
    }

    // Needs dense derivatives of the system.
    void derivatives(const StagePoint<S>& at, StageDerivatives<S>& D) {
        if (J_.empty()) {
            J_.assign(4 * d_ * d_, zero());
            hessian_.assign(d_ * d_, zero());
        }
        for (std::size_t w = 0; w < D.f_q.size(); ++w) {
            for (auto* matrix : {&D.f_q[w], &D.f_p[w], &D.f_lambda[w]}) {
                std::fill(matrix->begin(), matrix->end(), zero());
            }
        }
        add_motion(at, D);
        add_forces(at, D);
        if (m_ > 0) {
            add_reaction(at, D);
        }
        if (n_ > 0) {
            add_rolling(at, D);
        }
    }

  private:
    static S zero() { return lit<S>(0); }
    [[nodiscard]] const Treatment& treatment() const { return treatment_; }

    template <class Visit>
    void for_each_part(Visit visit) {
        const unsigned named = system_->properties().parts == 0 ? slow_part : system_->properties().parts;
        const std::array<unsigned, 3> parts{slow_part, fast_part, stiff_part};
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if ((named & parts[k]) != 0) {
                visit(parts[k], treatment().potential[k]);
            }
        }
    }

    void add_row(std::vector<std::vector<S>>& to, const ComponentMixes& mixes, std::size_t i, const S& factor,
                 const S* row) const {
        S* target = to[mixes[i]].data() + i * d_;
        for (std::size_t j = 0; j < d_; ++j) {
            target[j] = mad(factor, row[j], target[j]);
        }
    }

    void add_motion(const StagePoint<S>& at, StageDerivatives<S>& D) {
        system_->field_jacobian(at.t, at.q, at.p, J_);
        const std::size_t width = 2 * d_;
        for (std::size_t i = 0; i < d_; ++i) {
            std::copy_n(&J_[i * width], d_, &D.v_q[i * d_]);
            std::copy_n(&J_[i * width + d_], d_, &D.v_p[i * d_]);
        }
        if (!whole_) {
            for_each_part([&](unsigned part, const ComponentMixes& mixes) {
                system_->part_hessian(part, at.t, at.q, hessian_);
                for (std::size_t i = 0; i < d_; ++i) {
                    add_row(D.f_q, mixes, i, lit<S>(-1), &hessian_[i * d_]);
                    for (std::size_t j = 0; j < d_; ++j) {
                        S& rest = J_[(d_ + i) * width + j];
                        rest = rest + hessian_[i * d_ + j];
                    }
                }
            });
        }
        if (whole_ || !system_->properties().separable) {
            const auto& mixes = whole_ ? treatment().potential[0] : treatment().motion;
            for (std::size_t i = 0; i < d_; ++i) {
                add_row(D.f_q, mixes, i, lit<S>(1), &J_[(d_ + i) * width]);
                add_row(D.f_p, mixes, i, lit<S>(1), &J_[(d_ + i) * width + d_]);
            }
        }
    }

    // By q and p through v, too.
    void add_forces(const StagePoint<S>& at, StageDerivatives<S>& D) {
        auto* forces = system_->forces();
        if (forces == nullptr) {
            return;
        }
        forces->slope_values(at.t, at.q, at.v, at.lambda, slopes_);
        // Without a derivative, as |v| v has none at rest by the chain rule, the iteration is slower; the step is the
        // same.
        for (auto& slope : slopes_) {
            const auto size = real_part(slope);
            slope = equal(Real<S>(size - size), lit<Real<S>>(0)) ? slope : zero();
        }
        for (std::size_t c = 0; c < slopes_.size(); ++c) {
            const auto& [component, column] = forces->slopes()[c];
            const auto& [force, k] = forces->components()[component];
            const auto& mixes = treatment().forces[force];
            if (column < d_) {
                S& target = D.f_q[mixes[k]][k * d_ + column];
                target = target + slopes_[c];
            } else if (column < 2 * d_) {
                add_row(D.f_q, mixes, k, slopes_[c], &D.v_q[(column - d_) * d_]);
                add_row(D.f_p, mixes, k, slopes_[c], &D.v_p[(column - d_) * d_]);
            } else {
                S& target = D.f_lambda[mixes[k]][k * (m_ + n_) + column - 2 * d_];
                target = target + slopes_[c];
            }
        }
    }

    void add_reaction(const StagePoint<S>& at, StageDerivatives<S>& D) {
        system_->reaction_hessian(at.t, at.q, at.lambda.first(m_), hessian_);
        const auto& mixes = treatment().reaction;
        for (std::size_t i = 0; i < d_; ++i) {
            add_row(D.f_q, mixes, i, lit<S>(-1), &hessian_[i * d_]);
        }
        const auto& pattern = system_->pattern();
        for (std::size_t row = 0; row < m_; ++row) {
            for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
                const auto k = pattern.column[e];
                S& target = D.f_lambda[mixes[k]][k * (m_ + n_) + row];
                target = target - at.G[e];
            }
        }
    }

    // -K^T mu, and k itself.
    void add_rolling(const StagePoint<S>& at, StageDerivatives<S>& D) {
        auto& rolling = *system_->velocity_constraints();
        const auto& mixes = treatment().reaction;
        const auto mu = at.lambda.subspan(m_);
        rolling.reaction_by_position(at.t, at.q, at.v, mu, hessian_);
        for (std::size_t i = 0; i < d_; ++i) {
            add_row(D.f_q, mixes, i, lit<S>(-1), &hessian_[i * d_]);
        }
        rolling.reaction_by_velocity(at.t, at.q, at.v, mu, hessian_);
        for (std::size_t i = 0; i < d_; ++i) {
            for (std::size_t j = 0; j < d_; ++j) {
                add_row(D.f_q, mixes, i, S(-hessian_[i * d_ + j]), &D.v_q[j * d_]);
                add_row(D.f_p, mixes, i, S(-hessian_[i * d_ + j]), &D.v_p[j * d_]);
            }
        }
        rolling.by_velocity(at.t, at.q, at.v, K_);
        rolling.by_position(at.t, at.q, at.v, D.k_q);
        std::fill(D.k_p.begin(), D.k_p.end(), zero());
        for (std::size_t l = 0; l < n_; ++l) {
            for (std::size_t k = 0; k < d_; ++k) {
                const S& slope = K_[l * d_ + k];
                S& target = D.f_lambda[mixes[k]][k * (m_ + n_) + m_ + l];
                target = target - slope;
                for (std::size_t j = 0; j < d_; ++j) {
                    D.k_q[l * d_ + j] = mad(slope, D.v_q[k * d_ + j], D.k_q[l * d_ + j]);
                    D.k_p[l * d_ + j] = mad(slope, D.v_p[k * d_ + j], D.k_p[l * d_ + j]);
                }
            }
        }
    }

    System<S>* system_;
    Treatment treatment_;
    std::size_t d_, m_, n_;  // coordinates, holonomic and nonholonomic constraints
    bool whole_;             // -H_q is one term
    std::vector<S> gradient_, part_, K_, values_, slopes_, J_, hessian_;
};

}  // namespace libration
