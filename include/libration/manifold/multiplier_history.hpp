// Multipliers of the last steps, extrapolated to predict those of the next: a frozen factorisation then needs one to three
// corrections to reach round-off.
#pragma once

#include <libration/scalar/scalar.hpp>
#include <libration/scalar/tuned.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace libration {

template <class S>
class MultiplierHistory {
  public:
    static constexpr std::int64_t depth = 4;

    explicit MultiplierHistory(std::size_t size) { rows_.fill(std::vector<S>(size, lit<S>(0))); }

    void clear() { filled_ = 0; }
    [[nodiscard]] std::int64_t filled() const { return filled_; }

    // The polynomial through the last `filled` values, one step ahead.
    void predict(std::span<S> next) const {
        static constexpr std::array<std::array<std::int64_t, depth>, depth> weights{{
            {1, 0, 0, 0},
            {2, -1, 0, 0},
            {3, -3, 1, 0},
            {4, -6, 4, -1},
        }};
        tuned<S>([&]() LIBRATION_TUNED {
            if (filled_ == 0) {
                for (auto& value : next) {
                    value = lit<S>(0);
                }
                return;
            }
            const auto& w = weights[static_cast<std::size_t>(filled_ - 1)];
            if (filled_ == depth) {
                extrapolate(lit<S>(w[0]), lit<S>(w[1]), lit<S>(w[2]), lit<S>(w[3]), next);
                return;
            }
            for (std::size_t age = 0; age < static_cast<std::size_t>(filled_); ++age) {
                const S weight = lit<S>(w[age]);
                const S* __restrict past = rows_[age].data();
                S* __restrict sum = next.data();
                for (std::size_t i = 0; i < next.size(); ++i) {
                    sum[i] = age == 0 ? weight * past[i] : mad(weight, past[i], sum[i]);
                }
            }
        });
    }

    // The oldest gives way. Rows change places, no number moves, and the newest is always row 0: a recorded step fits the
    // next one too.
    void push(std::span<const S> newest) {
        std::rotate(rows_.begin(), rows_.end() - 1, rows_.end());
        std::copy(newest.begin(), newest.end(), rows_[0].begin());
        filled_ = filled_ < depth ? filled_ + 1 : depth;
    }

    template <class Visitor>
    void visit(Visitor& visitor) {
        static constexpr std::array<std::string_view, depth> names{"multipliers", "multipliers_before_1",
                                                                   "multipliers_before_2", "multipliers_before_3"};
        for (std::size_t k = 0; k < depth; ++k) {
            visitor.array(names[k], std::span<S>(rows_[k]));
        }
        visitor.integer("multiplier_history_filled", filled_);
    }

  private:
    // All rows in one loop; the same operations in the same order as row by row.
    LIBRATION_INLINE void extrapolate(const S w0, const S w1, const S w2, const S w3, std::span<S> next) const {
        const S *r0 = rows_[0].data(), *r1 = rows_[1].data(), *r2 = rows_[2].data(), *r3 = rows_[3].data();
        S* sum = next.data();
        for (std::size_t i = 0; i < next.size(); ++i) {
            sum[i] = mad(w3, r3[i], mad(w2, r2[i], mad(w1, r1[i], S(w0 * r0[i]))));
        }
    }

    std::array<std::vector<S>, depth> rows_;
    std::int64_t filled_ = 0;
};

}  // namespace libration
