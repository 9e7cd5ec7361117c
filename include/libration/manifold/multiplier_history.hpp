// Multipliers of the last steps, extrapolated to predict those of the next: a frozen factorisation then needs one to three
// corrections to reach round-off.
#pragma once

#include <libration/scalar/scalar.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace libration {

template <class S>
class MultiplierHistory {
  public:
    static constexpr std::int64_t depth = 4;

    explicit MultiplierHistory(std::size_t size)
        : size_(size), values_(static_cast<std::size_t>(depth) * size, lit<S>(0)) {}

    void clear() { filled_ = 0; }

    // The polynomial through the last `filled` values, one step ahead.
    void predict(std::span<S> next) const {
        static constexpr std::array<std::array<std::int64_t, depth>, depth> weights{{
            {1, 0, 0, 0},
            {2, -1, 0, 0},
            {3, -3, 1, 0},
            {4, -6, 4, -1},
        }};
        if (filled_ == 0) {
            for (auto& value : next) {
                value = lit<S>(0);
            }
            return;
        }
        const auto& w = weights[static_cast<std::size_t>(filled_ - 1)];
        for (std::size_t i = 0; i < size_; ++i) {
            S sum = lit<S>(w[0]) * values_[i];
            for (std::size_t k = 1; k < static_cast<std::size_t>(filled_); ++k) {
                sum = mad(lit<S>(w[k]), values_[k * size_ + i], sum);
            }
            next[i] = sum;
        }
    }

    void push(std::span<const S> newest) {
        for (std::size_t k = values_.size(); k-- > size_;) {
            values_[k] = values_[k - size_];
        }
        for (std::size_t i = 0; i < size_; ++i) {
            values_[i] = newest[i];
        }
        filled_ = filled_ < depth ? filled_ + 1 : depth;
    }

    template <class Visitor>
    void visit(Visitor& visitor) {
        visitor.array("multiplier_history", std::span<S>(values_));
        visitor.integer("multiplier_history_filled", filled_);
    }

  private:
    std::size_t size_;
    std::vector<S> values_;
    std::int64_t filled_ = 0;
};

}  // namespace libration
