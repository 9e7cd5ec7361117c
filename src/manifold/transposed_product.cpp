// Where the entries of each column of G stand.
#include "transposed_product.hpp"

namespace libration {

TransposedProduct::TransposedProduct(const SparsePattern& pattern, std::size_t dimension) : start_(dimension + 1, 0) {
    std::vector<std::uint32_t> start(dimension + 1, 0);
    for (const auto column : pattern.column) {
        ++start[column + 1];
    }
    for (std::size_t j = 0; j < dimension; ++j) {
        start[j + 1] += start[j];
    }
    std::vector<Touch> touches(pattern.entries());
    auto next = start;
    for (std::uint32_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            touches[next[pattern.column[e]]++] = {static_cast<std::uint32_t>(e), i};
        }
    }

    // Whether coordinate j continues what began at coordinate `first`: two touches, which follow those of `first` as
    // the components of a point and the links of a chain do.
    const auto run = static_cast<std::uint32_t>(pattern.run);
    const auto continues = [&](std::size_t first, std::size_t j) {
        const auto* from = touches.data() + start[first];
        const auto* to = touches.data() + start[j];
        const auto offset = static_cast<std::uint32_t>(j - first), point = offset / run, component = offset % run;
        const auto follows = [&](const Touch& a, const Touch& b) {
            return b.row == a.row + point && b.entry == a.entry + 2 * run * point + component;
        };
        return start[j + 1] - start[j] == 2 && follows(from[0], to[0]) && follows(from[1], to[1]);
    };
    constexpr std::size_t least_points = 4;
    for (std::size_t j = 0; j < dimension;) {
        std::size_t end = j;
        while (end < dimension && start[j + 1] - start[j] == 2 && continues(j, end)) {
            ++end;
        }
        end -= (end - j) % run;
        if (end - j >= least_points * run) {
            parts_.push_back({j, end, run, touches[start[j]], touches[start[j] + 1]});
        } else {
            end = j + 1;
            touches_.insert(touches_.end(), touches.begin() + start[j], touches.begin() + start[end]);
            if (parts_.empty() || parts_.back().run != 0) {
                parts_.push_back({j, j, 0, {}, {}});
            }
            parts_.back().end = end;
        }
        for (; j < end; ++j) {
            start_[j + 1] = static_cast<std::uint32_t>(touches_.size());
        }
    }
    touches_.shrink_to_fit();
}

}  // namespace libration
