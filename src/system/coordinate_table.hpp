// Which coordinates an instance of a term touches. A term over a range, such as the rods of a chain, touches
// coordinates at equal distances from one instance to the next: then no table is kept, and loading is a strided copy.
#pragma once

#include <libration/kit/tuned.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace libration {

class CoordinateTable {
  public:
    CoordinateTable() = default;
    // indices[instance][given slot]; slot s here is the given slot order[s].
    CoordinateTable(std::span<const std::uint32_t> indices, std::span<const std::size_t> order) : slots_(order.size()) {
        const bool equal_distances = find_stride(indices);
        const std::size_t instances = slots_ > 0 ? indices.size() / slots_ : 0;
        for (std::size_t k = 0; k < (equal_distances ? std::min<std::size_t>(instances, 1) : instances); ++k) {
            for (const auto slot : order) {
                (equal_distances ? base_ : table_).push_back(indices[k * slots_ + slot]);
            }
        }
        base_.resize(slots_);
    }

    [[nodiscard]] LIBRATION_INLINE std::uint32_t operator()(std::size_t instance, std::size_t slot) const {
        return table_.empty() ? base_[slot] + static_cast<std::uint32_t>(instance * stride_)
                              : table_[instance * slots_ + slot];
    }

    // row[l] = x[coordinate of `slot` in instance first + l]
    template <class S>
    LIBRATION_INLINE void load(std::size_t slot, std::size_t first, std::size_t count, const S* x,
                               S* __restrict row) const {
        if (!table_.empty()) {
            const auto* index = table_.data() + first * slots_ + slot;
            for (std::size_t l = 0; l < count; ++l) {
                row[l] = x[index[l * slots_]];
            }
            return;
        }
        const S* from = x + base_[slot] + first * stride_;
        // The compiler vectorises strides that it knows.
        switch (stride_) {
            case 1: return load_strided<1>(from, count, row);
            case 2: return load_strided<2>(from, count, row);
            case 3: return load_strided<3>(from, count, row);
            default:
                for (std::size_t l = 0; l < count; ++l) {
                    row[l] = from[l * stride_];
                }
        }
    }

    // x[coordinate of `slot` in instance first + l] = row[l]
    template <class S>
    LIBRATION_INLINE void store(std::size_t slot, std::size_t first, std::size_t count, const S* row, S* x) const {
        if (!table_.empty()) {
            const auto* index = table_.data() + first * slots_ + slot;
            for (std::size_t l = 0; l < count; ++l) {
                x[index[l * slots_]] = row[l];
            }
            return;
        }
        S* to = x + base_[slot] + first * stride_;
        for (std::size_t l = 0; l < count; ++l) {
            to[l * stride_] = row[l];
        }
    }

  private:
    template <std::size_t stride, class S>
    LIBRATION_INLINE static void load_strided(const S* from, std::size_t count, S* __restrict row) {
        for (std::size_t l = 0; l < count; ++l) {
            row[l] = from[l * stride];
        }
    }

    // True if every slot advances by the same distance from each instance to the next.
    bool find_stride(std::span<const std::uint32_t> indices) {
        if (slots_ == 0 || indices.size() <= slots_) {
            return true;
        }
        const std::size_t stride = indices[slots_] - indices[0];
        for (std::size_t k = slots_; k < indices.size(); ++k) {
            if (indices[slots_] < indices[0] || indices[k] != indices[k - slots_] + stride) {
                return false;
            }
        }
        stride_ = stride;
        return true;
    }

    std::size_t slots_ = 0, stride_ = 0;
    std::vector<std::uint32_t> base_, table_;
};

}  // namespace libration
