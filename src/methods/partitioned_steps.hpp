// The two halves of a partitioned step, each explicit for separable H and otherwise implicit in the half that moves.
//
//     kick:   p' = p - k H_q(t, q, p')         drift:   q' = q + k H_p(t, q', p)
//
// They are solved by fixed-point iteration for the increment, H_q or H_p, to round-off. Fields without H go the same
// way, with q' = velocity and p' = -force_gradient. [HLW03 (1.22), (1.23); De Vogelaere 1956]
#pragma once

#include <libration/kit/iterate.hpp>
#include <libration/kit/map.hpp>

#include <algorithm>

namespace libration {

template <class S>
class PartitionedSteps {
  public:
    explicit PartitionedSteps(System<S>& system)
        : system_(&system), correction_(system.dimension(), lit<S>(0)), floor_(system.dimension(), lit<S>(0)) {}

    [[nodiscard]] bool separable() const { return system_->properties().separable; }

    // `force` holds U_q(q) where H is separable, otherwise a guess of H_q(t, q, p'), and H_q on return.
    MapReport<S> implicit_kick(const S& t, std::span<const S> q, const PairVector<S>& p, const S& k, std::span<S> force,
                               PairVector<S>& p1, Evaluations<S>& evaluations) {
        MapReport<S> report;
        if (!separable()) {
            const S minus_k = -k;
            const auto done = solve(p, k, force, [&](std::span<const S> x, std::span<S> next) {
                add_scaled<S>(p, minus_k, x, p1);
                system_->force_gradient(t, q, p1.high, next);
            });
            evaluations.add(Evaluations<S>::force, lit<S>(1) + from_real<S>(done.passes));
            report.converged = done.converged;
        }
        add_scaled<S>(p, S(-k), force, p1);
        return report;
    }

    // `velocity` is written, H_p(t, q', p); its guess is that at q.
    MapReport<S> implicit_drift(const S& t, const PairVector<S>& q, std::span<const S> p, const S& k,
                                std::span<S> velocity, PairVector<S>& q1) {
        MapReport<S> report;
        system_->velocity(t, q.high, p, velocity);
        if (!separable()) {
            report.converged = solve(q, k, velocity, [&](std::span<const S> x, std::span<S> next) {
                                   add_scaled<S>(q, k, x, q1);
                                   system_->velocity(t, q1.high, p, next);
                               }).converged;
        }
        add_scaled<S>(q, k, velocity, q1);
        return report;
    }

  private:
    // x = f(x), where from + k x is what moves. Of that, what compensation keeps below the last digit counts by its
    // 64th part, so that an iteration may stagnate at the last digit but not above it.
    template <class Function>
    IterationReport<Real<S>> solve(const PairVector<S>& from, const S& k, std::span<S> x, Function&& function) {
        find_floors(from, k, x);
        return iterate(IterationControl{}, x, std::span<S>(correction_), [&](std::span<const S> at, std::span<S> next) {
            function(at, next);
            Real<S> worst = lit<Real<S>>(0);
            for (std::size_t j = 0; j < next.size(); ++j) {
                next[j] = next[j] - at[j];
                worst = worse(worst, floors(next[j], floor_[j]));
            }
            return worst;
        });
    }

    void find_floors(const PairVector<S>& from, const S& k, std::span<const S> x) {
        const S eps = from_real<S>(epsilon<S>()), digit = lit<S>(1, 64) / magnitude(k);
        S mean = lit<S>(0);
        for (const auto& value : x) {
            mean = mean + magnitude(value);
        }
        mean = mean * lit<S>(1, static_cast<std::int64_t>(x.size()));
        for (std::size_t j = 0; j < x.size(); ++j) {
            floor_[j] = eps * mad(digit, magnitude(from.high[j]), magnitude(x[j]) + mean);
        }
    }

    System<S>* system_;
    std::vector<S> correction_, floor_;
};

}  // namespace libration
