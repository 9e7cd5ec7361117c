// Multipliers of the last steps, extrapolated to predict those of the next: a frozen factorisation then needs one to
// three corrections to reach round-off.
#pragma once

#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

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
    static constexpr std::size_t deepest = 6;

    // `depth`: how many are kept, 4 or 6. Six predict multipliers that are known to round-off to a few tens of floors.
    explicit MultiplierHistory(std::size_t size, std::size_t depth = 4)
        : rows_(depth, std::vector<S>(size, lit<S>(0))) {}

    void clear() { filled_ = 0; }
    [[nodiscard]] std::int64_t filled() const { return filled_; }

    // The polynomial through the last `filled` values, one step ahead.
    void predict(std::span<S> next) const {
        static constexpr std::array<std::array<std::int64_t, deepest>, deepest> weights{{
            {1, 0, 0, 0, 0, 0},
            {2, -1, 0, 0, 0, 0},
            {3, -3, 1, 0, 0, 0},
            {4, -6, 4, -1, 0, 0},
            {5, -10, 10, -5, 1, 0},
            {6, -15, 20, -15, 6, -1},
        }};
        tuned<S>([&]() LIBRATION_TUNED {
            if (filled_ == 0) {
                for (auto& value : next) {
                    value = lit<S>(0);
                }
                return;
            }
            const auto& w = weights[static_cast<std::size_t>(filled_ - 1)];
            if (filled_ == 4 && rows_.size() == 4) {
                extrapolate(lit<S>(w[0]), lit<S>(w[1]), lit<S>(w[2]), lit<S>(w[3]), next);
                return;
            }
            if (filled_ == deepest) {
                extrapolate(lit<S>(w[0]), lit<S>(w[1]), lit<S>(w[2]), lit<S>(w[3]), lit<S>(w[4]), lit<S>(w[5]), next);
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

    // The oldest gives way. Rows change places, no number moves, and the newest is always row 0: a recorded step fits
    // the next one too.
    void push(std::span<const S> newest) {
        std::rotate(rows_.begin(), rows_.end() - 1, rows_.end());
        std::copy(newest.begin(), newest.end(), rows_[0].begin());
        filled_ = std::min(filled_ + 1, static_cast<std::int64_t>(rows_.size()));
    }

    template <class Visitor>
    void visit(Visitor& visitor) {
        static constexpr std::array<std::string_view, deepest> names{"multipliers",          "multipliers_before_1",
                                                                     "multipliers_before_2", "multipliers_before_3",
                                                                     "multipliers_before_4", "multipliers_before_5"};
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            visitor.array(names[k], std::span<S>(rows_[k]));
        }
        visitor.integer("multiplier_history_filled", filled_);
    }

  private:
    // All rows in one loop. The newest comes last: nothing else has to wait for it.
    LIBRATION_INLINE void extrapolate(const S w0, const S w1, const S w2, const S w3, std::span<S> next) const {
        const S *r0 = rows_[0].data(), *r1 = rows_[1].data(), *r2 = rows_[2].data(), *r3 = rows_[3].data();
        S* sum = next.data();
        for (std::size_t i = 0; i < next.size(); ++i) {
            sum[i] = mad(w0, r0[i], mad(w1, r1[i], mad(w2, r2[i], S(w3 * r3[i]))));
        }
    }
    LIBRATION_INLINE void extrapolate(const S w0, const S w1, const S w2, const S w3, const S w4, const S w5,
                                      std::span<S> next) const {
        const S *r0 = rows_[0].data(), *r1 = rows_[1].data(), *r2 = rows_[2].data(), *r3 = rows_[3].data(),
                *r4 = rows_[4].data(), *r5 = rows_[5].data();
        S* sum = next.data();
        for (std::size_t i = 0; i < next.size(); ++i) {
            sum[i] = mad(w0, r0[i], mad(w1, r1[i], mad(w2, r2[i], mad(w3, r3[i], mad(w4, r4[i], S(w5 * r5[i]))))));
        }
    }

    std::vector<std::vector<S>> rows_;
    std::int64_t filled_ = 0;
};

}  // namespace libration
