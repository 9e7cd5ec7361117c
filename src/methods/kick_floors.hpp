// When a constraint is met: the round-off of each row of g in a kick and drift, and residuals in units of it (decisions
// 4, 16, 25).
#pragma once

#include "manifold/rigid_bodies.hpp"
#include "manifold/solve.hpp"
#include <libration/kit/reduce.hpp>
#include <libration/kit/state.hpp>

namespace libration {

// Lengths of the kicks by the force and by the multipliers.
template <class S>
struct Kick {
    S force, reaction;
};

template <class S>
class KickFloors {
  public:
    // Both must outlive it.
    KickFloors(System<S>& system, const RigidBodies<S>& bodies)
        : system_(&system), bodies_(&bodies), linked_rows_(find_linked_rows(system.pattern())),
          w_(system.dimension(), lit<S>(0)), v_(system.inverse_masses().empty() ? system.dimension() : 0, lit<S>(0)),
          floor_(system.constraints(), lit<S>(0)), inverse_floor_(floor_) {
        S lightest = lit<S>(0);
        for (const auto& inverse : system.inverse_masses()) {
            weight_.push_back(sqrt(magnitude(inverse)));
            lightest = larger_parts(lightest, weight_.back());
        }
        if (!weight_.empty()) {
            least_way_ = least_correction<S>() / lightest;
        }
    }

    // The round-off of each row, from what is added to q in this step: the way of the momentum, and of the kick by
    // multipliers, each by its size even where they cancel, among each other or with the force. Lengths are compared in
    // coordinates weighted by the square root of the mass, because a light one moves far, and all count like the one
    // that moves most: a correction moves them all. `momentum`: after the kick with these multipliers.
    void find(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at_q,
              const Kick<S>& kick, const S& h, std::span<const S> lambda, std::span<const S> momentum) {
        if constexpr (!is_real) {
            find_in_parts(t1, q, p, at_q, kick, h, lambda);
        } else {
            if (weight_.empty() || bodies_->complete()) {
                find_in_parts(t1, q, p, at_q, kick, h, lambda);
            } else {
                find_weighted(at_q, kick, h, lambda, momentum);
            }
            const S nothing = from_double<S>(1e-290);  // so that 0 times the inverse is 0
            tuned<S>([&]() LIBRATION_TUNED {
                for (std::size_t i = 0; i < floor_.size(); ++i) {
                    inverse_floor_[i] = lit<S>(1) / (floor_[i] + nothing);
                }
            });
        }
    }

    // The largest residual in floors. Numbers with tangents are compared part by part.
    [[nodiscard]] Real<S> largest(std::span<const S> residual) const {
        if constexpr (!is_real) {
            return largest_in_floors<S>(residual, floor_);
        } else {
            Real<S> worst = lit<S>(0);
            tuned<S>([&]() LIBRATION_TUNED {
                worst = largest_of<S>(residual.size(), [&](std::size_t i) LIBRATION_TUNED {
                    return S(magnitude(residual[i]) * inverse_floor_[i]);
                });
            });
            return worst;
        }
    }

  private:
    static constexpr bool is_real = std::is_same_v<S, Real<S>>;

    void find_weighted(const PositionData<S>& at_q, const Kick<S>& kick, const S& h, std::span<const S> lambda,
                       std::span<const S> momentum) {
        const S eps = from_real<S>(epsilon<S>());
        const auto& pattern = system_->pattern();
        tuned<S>([&]() LIBRATION_TUNED {
            sparse_detail::for_rows(
                pattern, linked_rows_,
                [&](std::size_t i, std::size_t first, auto length, auto run, auto column) LIBRATION_TUNED {
                    std::array<S, run> sums;
                    for (std::size_t c = 0; c < run; ++c) {
                        sums[c] = magnitude(at_q.G[first + c]) * weight_[column(0) + c];
                    }
                    for (std::size_t e = first + run; e < first + length; e += run) {
                        for (std::size_t c = 0; c < run; ++c) {
                            sums[c] = mad(magnitude(at_q.G[e + c]), weight_[column(e - first) + c], sums[c]);
                        }
                    }
                    floor_[i] = sparse_detail::total(sums);
                });
            const S moved = largest_of<S>(
                weight_.size(), [&](std::size_t j) LIBRATION_TUNED { return S(weight_[j] * magnitude(momentum[j])); });
            // Two rows or so pull at a coordinate.
            const S pulled = largest_of<S>(
                floor_.size(), [&](std::size_t i) LIBRATION_TUNED { return S(floor_[i] * magnitude(lambda[i])); });
            const S way =
                larger_parts(S(magnitude(h) * mad(S(lit<S>(2) * magnitude(kick.reaction)), pulled, moved)), least_way_);
            for (std::size_t i = 0; i < floor_.size(); ++i) {
                floor_[i] = eps * mad(floor_[i], way, at_q.rounding[i]);
            }
        });
    }

    // The same, where a mass that is not diagonal, a rigid body or a tangent asks for each coordinate by itself; one
    // that rests counts an eighth of the one that moves most.
    void find_in_parts(const S& t1, const PairVector<S>& q, const PairVector<S>& p, const PositionData<S>& at_q,
                       const Kick<S>& kick, const S& h, std::span<const S> lambda) {
        const auto& pattern = system_->pattern();
        const std::size_t d = w_.size();
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        if (bodies_->complete()) {
            bodies_->add_transposed_sizes(q.high, lambda, w_);
        } else {
            add_transposed_sizes<S>(pattern, at_q.G, lambda, w_);
        }
        const auto inverse = system_->inverse_masses();
        const S force_kick = magnitude(kick.force), reaction_kick = magnitude(kick.reaction), step_size = magnitude(h);
        if (!inverse.empty()) {
            // Compared in weighted coordinates, too.
            tuned<S>([&]() LIBRATION_TUNED {
                for (std::size_t j = 0; j < d; ++j) {
                    const S moved =
                        mad(reaction_kick, w_[j], mad(force_kick, magnitude(at_q.force[j]), magnitude(p.high[j])));
                    w_[j] = step_size * (weight_[j] * moved);
                }
            });
            const S least = larger_parts(least_size<S>(w_), least_way_);
            tuned<S>([&]() LIBRATION_TUNED {
                for (std::size_t j = 0; j < d; ++j) {
                    w_[j] = mad(weight_[j], larger_parts(w_[j], least), held_size(q.high[j]));
                }
            });
        } else {
            for (std::size_t j = 0; j < d; ++j) {
                w_[j] = mad(reaction_kick, w_[j], mad(force_kick, magnitude(at_q.force[j]), magnitude(p.high[j])));
            }
            system_->velocity(t1, q.high, w_, v_);
            const S least = larger_parts(least_size<S>(v_), S(least_correction<S>() / step_size));
            for (std::size_t j = 0; j < d; ++j) {
                w_[j] = mad(step_size, larger_parts(magnitude(v_[j]), least), held_size(q.high[j]));
            }
        }
        if (bodies_->complete()) {
            bodies_->floors(q.high, w_, floor_);
        } else {
            constraint_floors<S>(pattern, at_q.G, w_, at_q.rounding, floor_);
        }
    }

    System<S>* system_;
    const RigidBodies<S>* bodies_;
    std::vector<LinkedRows> linked_rows_;
    std::vector<S> w_, v_, floor_, inverse_floor_;
    std::vector<S> weight_;    // 1/sqrt(m), where the mass is diagonal
    S least_way_ = lit<S>(0);  // of the lightest coordinate, which corrections move most
};

}  // namespace libration
