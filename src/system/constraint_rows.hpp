// The constraints of a model over one scalar: g, G and what a motion adds, row after row in the order of the model.
#pragma once

#include "model/model_values.hpp"
#include "term_kernel.hpp"
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class ConstraintRows {
  public:
    // Fills the pattern of G.
    ConstraintRows(const Model& model, const ParameterValues<S>& given, SparsePattern& pattern) {
        for (const auto& constraint : model.constraints) {
            rows_.emplace_back(constraint.term, given, TermKind::constraint);
            add_rows(rows_.back(), pattern);
            uses_time_ = uses_time_ || constraint.term.uses_time;
        }
        pattern.run = longest_run(pattern);
    }

    [[nodiscard]] bool uses_time() const { return uses_time_; }

    void values(const S& time, std::span<const S> q, std::span<const S> q_low, std::span<S> g) {
        std::size_t row = 0;
        for (auto& term : rows_) {
            term.values(time, q, q_low, g.subspan(row, term.instances()));
            row += term.instances();
        }
    }

    void jacobian(const S& time, std::span<const S> q, std::span<S> entries, std::span<S> rounding) {
        std::size_t row = 0;
        for (std::size_t t = 0; t < rows_.size(); ++t) {
            auto& term = rows_[t];
            const auto& merged = merged_[t];
            S* target = entries.data() + first_entry_[t];
            const std::size_t slots = term.slots();
            term.differentiate(time, q, [&](std::size_t first, std::size_t count, auto slopes) LIBRATION_TUNED {
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

    // G_q(v, v) + 2 g_qt v + g_tt
    void curvature(const S& time, std::span<const S> q, std::span<const S> v, std::span<S> rows) {
        std::size_t row = 0;
        for (auto& term : rows_) {
            term.curvatures(time, q, v, rows.subspan(row, term.instances()));
            row += term.instances();
        }
    }

    // g_t
    void rates(const S& time, std::span<const S> q, std::span<S> rows) {
        std::size_t row = 0;
        for (auto& term : rows_) {
            term.rates(time, q, rows.subspan(row, term.instances()));
            row += term.instances();
        }
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        for (auto& term : rows_) {
            term.visit_tapes(visitor);
        }
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

    // An instance may name one coordinate through two slots; they share a place in the row. Where none does, the
    // entries of a term lie in the order of its slots and need no list.
    void add_rows(const TermKernel<S>& term, SparsePattern& pattern) {
        first_entry_.push_back(pattern.entries());
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

    std::vector<TermKernel<S>> rows_;
    bool uses_time_ = false;
    std::vector<std::size_t> first_entry_;    // of a term, among those of G
    std::vector<std::vector<Entry>> merged_;  // a term; empty where no instance names a coordinate twice
};

// Compiled once, in src/system/term_system.cpp, with the optimisation of the library and not that of its users.
#define LIBRATION_EXTERN(scalar) extern template class ConstraintRows<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
