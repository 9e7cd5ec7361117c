// The system of a model made of terms, with constant mass: H = 1/2 p^T M^-1 p + U(q).
#pragma once

#include <libration/expression/scalars.hpp>
#include <libration/system/dense_derivatives.hpp>
#include <libration/system/mass.hpp>
#include <libration/system/term_kernel.hpp>

namespace libration {

template <class S>
class TermSystem final : public System<S> {
  public:
    explicit TermSystem(const Model& model) : dense_(model) {
        const auto given = parameter_values<S>(model);
        this->dimension_ = model.dimension;
        mass_ = ConstantMass<S>(model, given);
        for (const auto& term : model.potential) {
            potential_.emplace_back(term, given, TermKind::potential);
        }
        mark_first_uses(model);
        for (const auto& constraint : model.constraints) {
            rows_.emplace_back(constraint.term, given, TermKind::constraint);
            add_rows(rows_.back());
        }
        this->pattern_.run = longest_run(this->pattern_);
        this->properties_.dense_derivatives = dense_.available();
    }

    S energy(const S&, std::span<const S> q, std::span<const S> p) override {
        S sum = lit<S>(1, 2) * mass_.product(p);
        for (auto& term : potential_) {
            sum = sum + term.sum(q);
        }
        return sum;
    }

    void velocity(const S&, std::span<const S>, std::span<const S> p, std::span<S> v) override { mass_.solve(p, v); }

    void force_gradient(const S&, std::span<const S> q, std::span<const S>, std::span<S> gradient) override {
        for (const auto i : untouched_) {
            gradient[i] = lit<S>(0);
        }
        const std::uint8_t* first_use = first_use_.data();
        for (std::size_t t = 0; t < potential_.size(); ++t) {
            auto& term = potential_[t];
            const auto& index = term.indices();
            const std::size_t slots = term.slots();
            const bool alone = alone_[t];
            term.differentiate(q, [&](std::size_t first, std::size_t count, auto slopes) LIBRATION_TUNED {
                if (alone) {
                    for (std::size_t s = 0; s < slots; ++s) {
                        index.store(s, first, count, slopes(s), gradient.data());
                    }
                    return;
                }
                // Instance after instance: the order of every sum is that of the model, whatever the blocks.
                for (std::size_t l = 0; l < count; ++l) {
                    for (std::size_t s = 0; s < slots; ++s, ++first_use) {
                        const S& slope = slopes(s)[l];
                        S& target = gradient[index(first + l, s)];
                        target = *first_use != 0 ? slope : target + slope;
                    }
                }
            });
        }
    }

    void apply_mass(const S&, std::span<const S>, std::span<const S> v, std::span<S> p) override { mass_.apply(v, p); }
    void solve_mass(const S&, std::span<const S>, std::span<const S>, std::span<const S> x, std::span<S> y) override {
        mass_.solve(x, y);
    }
    [[nodiscard]] std::span<const S> inverse_masses() const override { return mass_.inverse_masses(); }

    using System<S>::constraint;
    using System<S>::jacobian;

    void constraint(const S&, std::span<const S> q, std::span<const S> q_low, std::span<S> g) override {
        std::size_t row = 0;
        for (auto& term : rows_) {
            term.values(q, q_low, g.subspan(row, term.instances()));
            row += term.instances();
        }
    }

    void jacobian(const S&, std::span<const S> q, std::span<S> entries, std::span<S> rounding) override {
        std::size_t row = 0;
        for (std::size_t t = 0; t < rows_.size(); ++t) {
            auto& term = rows_[t];
            const auto& merged = merged_[t];
            S* target = entries.data() + this->pattern_.row_start[row];
            const std::size_t slots = term.slots();
            term.differentiate(q, [&](std::size_t first, std::size_t count, auto slopes) LIBRATION_TUNED {
                if (merged.empty()) {
                    S* place = target + first * slots;
                    if (slots == 4) {  // rods in the plane: the compiler makes it a transposition of vectors
                        store_rows(slopes(0), slopes(1), slopes(2), slopes(3), count, place);
                    } else {
                        for (std::size_t s = 0; s < slots; ++s) {
                            const S* slope = slopes(s);
                            for (std::size_t l = 0; l < count; ++l) {
                                place[l * slots + s] = slope[l];
                            }
                        }
                    }
                } else {
                    const auto* entry = merged.data() + first * slots;
                    for (std::size_t l = 0; l < count; ++l) {
                        for (std::size_t s = 0; s < slots; ++s, ++entry) {
                            const S& slope = slopes(s)[l];
                            entries[entry->place] = entry->first ? slope : entries[entry->place] + slope;
                        }
                    }
                }
                if (!rounding.empty()) {
                    const S* sizes = slopes(slots);
                    for (std::size_t l = 0; l < count; ++l) {
                        rounding[row + first + l] = sizes[l];
                    }
                }
            });
            row += term.instances();
        }
    }

    void curvature(const S&, std::span<const S> q, std::span<const S> v, std::span<S> rows) override {
        std::size_t row = 0;
        for (auto& term : rows_) {
            term.curvatures(q, v, rows.subspan(row, term.instances()));
            row += term.instances();
        }
    }

    void constraint_rate(const S&, std::span<const S>, std::span<S> rows) override {
        for (auto& row : rows) {
            row = lit<S>(0);
        }
    }

    void field_jacobian(const S& t, std::span<const S> q, std::span<const S> p, std::span<S> J) override {
        dense_.field_jacobian(*this, t, q, p, J);
    }
    void part_hessian(unsigned parts, const S& t, std::span<const S> q, std::span<S> hessian) override {
        dense_.part_hessian(*this, parts, t, q, hessian);
    }
    void reaction_gradient(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> y,
                           std::span<const S> lambda, std::span<S> by_q, std::span<S> by_p) override {
        dense_.reaction_gradient(*this, t, q, p, y, lambda, by_q, by_p);
    }

  private:
    LIBRATION_INLINE static void store_rows(const S* __restrict a, const S* __restrict b, const S* __restrict c,
                                            const S* __restrict d, std::size_t count, S* __restrict place) {
        for (std::size_t l = 0; l < count; ++l) {
            place[4 * l] = a[l];
            place[4 * l + 1] = b[l];
            place[4 * l + 2] = c[l];
            place[4 * l + 3] = d[l];
        }
    }

    struct Entry {
        std::uint32_t place;
        bool first;  // the first contribution to this place is assigned, later ones are added
    };

    void mark_first_uses(const Model& model) {
        std::vector<bool> used(model.dimension, false);
        for (const auto& term : potential_) {
            const auto before = static_cast<std::ptrdiff_t>(first_use_.size());
            bool alone = true;
            for (std::size_t k = 0; k < term.instances(); ++k) {
                for (std::size_t s = 0; s < term.slots(); ++s) {
                    const auto i = term.indices()(k, s);
                    alone = alone && !used[i];
                    first_use_.push_back(used[i] ? 0 : 1);
                    used[i] = true;
                }
            }
            alone_.push_back(alone);
            if (alone) {
                first_use_.erase(first_use_.begin() + before, first_use_.end());
            }
        }
        for (std::uint32_t i = 0; i < model.dimension; ++i) {
            if (!used[i]) {
                untouched_.push_back(i);
            }
        }
    }

    // An instance may name one coordinate through two slots; they share a place in the row. Where none does, the entries of
    // a term lie in the order of its slots and need no list.
    void add_rows(const TermKernel<S>& term) {
        auto& pattern = this->pattern_;
        std::vector<Entry> entry;
        bool distinct = true;
        for (std::size_t k = 0; k < term.instances(); ++k) {
            const std::size_t start = pattern.column.size();
            for (std::size_t s = 0; s < term.slots(); ++s) {
                const auto column = term.indices()(k, s);
                std::size_t place = start;
                while (place < pattern.column.size() && pattern.column[place] != column) {
                    ++place;
                }
                const bool first = place == pattern.column.size();
                if (first) {
                    pattern.column.push_back(column);
                }
                distinct = distinct && first;
                entry.push_back({static_cast<std::uint32_t>(place), first});
            }
            pattern.row_start.push_back(pattern.column.size());
        }
        merged_.push_back(distinct ? std::vector<Entry>{} : std::move(entry));
    }

    DenseDerivatives<S> dense_;
    ConstantMass<S> mass_;
    std::vector<TermKernel<S>> potential_, rows_;
    std::vector<bool> alone_;              // a potential term: it is the first on each of its coordinates
    std::vector<std::uint8_t> first_use_;  // of the others: [instance][slot]
    std::vector<std::uint32_t> untouched_;
    std::vector<std::vector<Entry>> merged_;  // a term; empty where no instance names a coordinate twice
};

// Compiled once, in src/system/term_system.cpp.
#define LIBRATION_EXTERN(scalar) extern template class TermSystem<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
