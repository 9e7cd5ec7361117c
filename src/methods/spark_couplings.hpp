// Derivatives of the terms of p' at one stage, entry by entry, for systems of any size with constant, diagonal masses:
// by q, by v and by the multipliers, each with the mix of coefficients that treats the term; and those of nonholonomic
// constraints k(t, q, v).
#pragma once

#include "spark_terms.hpp"
#include "system/couplings.hpp"

namespace libration {

template <class S>
class SparkCouplings {
  public:
    // The derivative of component `row` of a term, or of k, by variable `column`.
    struct Entry {
        std::uint32_t row, column, mix = 0;
    };
    struct Values {
        std::vector<S> by_position, by_velocity, by_multiplier, G, k_by_position, k_by_velocity;
    };

    explicit SparkCouplings(System<S>& system)
        : system_(&system), treatment_(libration::treatment(system.properties().terms)), m_(system.constraints()),
          pairs_(system.couplings()->pairs(system)), pair_values_(pairs_.size(), lit<S>(0)) {
        for_each_part([&](unsigned, const ComponentMixes& mixes) { list_pairs(mixes); });
        if (m_ > 0) {
            list_pairs(treatment_.reaction);
            const auto& pattern = system.pattern();
            for (std::uint32_t row = 0; row < m_; ++row) {
                for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
                    by_multiplier_.push_back({pattern.column[e], row, treatment_.reaction[pattern.column[e]]});
                }
            }
        }
        if (auto* forces = system.forces()) {
            list_forces(*forces);
        }
        if (auto* rolling = system.velocity_constraints()) {
            list_rolling(*rolling);
        }
    }

    [[nodiscard]] std::span<const Entry> by_position() const { return by_position_; }
    [[nodiscard]] std::span<const Entry> by_velocity() const { return by_velocity_; }
    // Multipliers of holonomic constraints, then those of nonholonomic ones.
    [[nodiscard]] std::span<const Entry> by_multiplier() const { return by_multiplier_; }
    [[nodiscard]] std::span<const Entry> k_by_position() const { return k_by_position_; }
    [[nodiscard]] std::span<const Entry> k_by_velocity() const { return k_by_velocity_; }

    [[nodiscard]] Values room() const {
        const auto zeros = [](std::size_t count) { return std::vector<S>(count, lit<S>(0)); };
        return {zeros(by_position_.size()),          zeros(by_velocity_.size()),   zeros(by_multiplier_.size()),
                zeros(system_->pattern().entries()), zeros(k_by_position_.size()), zeros(k_by_velocity_.size())};
    }

    void find(const StagePoint<S>& at, Values& values) {
        auto q = values.by_position.begin(), v = values.by_velocity.begin(), lambda = values.by_multiplier.begin();
        auto& couplings = *system_->couplings();
        for_each_part([&](unsigned parts, const ComponentMixes&) {
            couplings.part_hessian(parts, at.t, at.q, pair_values_);
            q = write_pairs(q);
        });
        if (m_ > 0) {
            couplings.reaction_hessian(at.t, at.q, at.lambda.first(m_), pair_values_);
            q = write_pairs(q);
            std::ranges::copy(at.G, values.G.begin());
            for (const auto& entry : at.G) {
                *lambda++ = -entry;
            }
        }
        if (auto* forces = system_->forces()) {
            forces->slope_values(at.t, at.q, at.v, at.lambda, slopes_);
            for (std::size_t e = 0; e < slopes_.size(); ++e) {
                // Without a derivative, as |v| v has none at rest by the chain rule, the iteration is slower; the step
                // is the same.
                const auto size = real_part(slopes_[e]);
                const S slope = equal(Real<S>(size - size), lit<Real<S>>(0)) ? slopes_[e] : lit<S>(0);
                *(kinds_[e] == Kind::position ? q : kinds_[e] == Kind::velocity ? v : lambda)++ = slope;
            }
        }
        if (auto* rolling = system_->velocity_constraints()) {
            const auto mu = at.lambda.subspan(m_);
            const auto minus = [](auto from, auto to) {
                return std::ranges::transform(from, to, [](const S& x) { return S(-x); }).out;
            };
            q = minus(run(rolling->reaction_by_position(), at.t, at.q, at.v, mu), q);
            v = minus(run(rolling->reaction_by_velocity(), at.t, at.q, at.v, mu), v);
            std::ranges::copy(run(rolling->by_position(), at.t, at.q, at.v), values.k_by_position.begin());
            const auto K = run(rolling->by_velocity(), at.t, at.q, at.v);
            std::ranges::copy(K, values.k_by_velocity.begin());
            lambda = minus(K, lambda);
        }
    }

  private:
    enum class Kind : std::uint8_t { position, velocity, multiplier };

    // visit(parts, mixes): all parts at once where they are treated alike.
    template <class Visit>
    void for_each_part(Visit visit) {
        const auto& how = treatment_.potential;
        const unsigned named = system_->properties().parts == 0 ? slow_part : system_->properties().parts;
        const std::array<unsigned, 3> parts{slow_part, fast_part, stiff_part};
        if (how[1] == how[0] && how[2] == how[0]) {
            visit(slow_part | fast_part | stiff_part, how[0]);
            return;
        }
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if ((named & parts[k]) != 0) {
                visit(parts[k], how[k]);
            }
        }
    }

    void list_pairs(const ComponentMixes& mixes) {
        for (const auto& [row, column] : pairs_) {
            by_position_.push_back({row, column, mixes[row]});
            if (row != column) {
                by_position_.push_back({column, row, mixes[column]});
            }
        }
    }
    template <class Place>
    Place write_pairs(Place to) const {
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            *to++ = -pair_values_[k];
            if (pairs_[k].row != pairs_[k].column) {
                *to++ = -pair_values_[k];
            }
        }
        return to;
    }

    void list_forces(AppliedForces<S>& forces) {
        slopes_.assign(forces.slopes().size(), lit<S>(0));
        const auto d = static_cast<std::uint32_t>(system_->dimension());
        for (const auto& [component, column] : forces.slopes()) {
            const auto& [force, row] = forces.components()[component];
            const auto mix = treatment_.forces[force][row];
            if (column < d) {
                kinds_.push_back(Kind::position);
                by_position_.push_back({row, column, mix});
            } else if (column < 2 * d) {
                kinds_.push_back(Kind::velocity);
                by_velocity_.push_back({row, column - d, mix});
            } else {
                kinds_.push_back(Kind::multiplier);
                by_multiplier_.push_back({row, column - 2 * d, mix});
            }
        }
    }

    void list_rolling(VelocityConstraints<S>& rolling) {
        const std::size_t d = system_->dimension();
        const auto add = [&](const typename VelocityConstraints<S>::Entries& entries, std::vector<Entry>& to,
                             bool is_force) {
            for (const auto place : entries.place) {
                const auto row = static_cast<std::uint32_t>(place / d), column = static_cast<std::uint32_t>(place % d);
                to.push_back({row, column, is_force ? treatment_.reaction[row] : 0});
            }
        };
        add(rolling.reaction_by_position(), by_position_, true);
        add(rolling.reaction_by_velocity(), by_velocity_, true);
        add(rolling.by_position(), k_by_position_, false);
        add(rolling.by_velocity(), k_by_velocity_, false);
        for (const auto& [condition, coordinate, none] : k_by_velocity_) {
            by_multiplier_.push_back(
                {coordinate, static_cast<std::uint32_t>(m_) + condition, treatment_.reaction[coordinate]});
        }
    }

    template <class... Vectors>
    std::span<const S> run(typename VelocityConstraints<S>::Entries& entries, const S& t, const Vectors&... vectors) {
        rolling_values_.resize(entries.place.size(), lit<S>(0));
        entries.tape.run(t, {vectors...}, rolling_values_);
        return rolling_values_;
    }

    System<S>* system_;
    Treatment treatment_;
    std::size_t m_;
    std::span<const typename Couplings<S>::Pair> pairs_;
    std::vector<S> pair_values_, slopes_, rolling_values_;
    std::vector<Kind> kinds_;  // of the slopes of forces
    std::vector<Entry> by_position_, by_velocity_, by_multiplier_, k_by_position_, k_by_velocity_;
};

}  // namespace libration
