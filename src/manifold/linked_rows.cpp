// Links of chains among the rows of G.
#include "linked_rows.hpp"

namespace libration {

std::vector<LinkedRows> find_linked_rows(const SparsePattern& pattern) {
    constexpr std::size_t least = 4;
    const auto column = [&](std::size_t row) { return pattern.column[pattern.row_start[row]]; };
    const auto is_link = [&](std::size_t i) {
        const std::size_t first = pattern.row_start[i];
        return pattern.row_start[i + 1] - first == 2 * pattern.run &&
               pattern.column[first + pattern.run] == column(i) + pattern.run;
    };
    std::vector<LinkedRows> result;
    for (std::size_t i = 0, end = 0; i < pattern.rows(); i = end) {
        end = i + 1;
        if (!is_link(i)) {
            continue;
        }
        while (end < pattern.rows() && is_link(end) && column(end) == column(end - 1) + pattern.run) {
            ++end;
        }
        if (end - i >= least) {
            result.push_back({i, end, column(i)});
        }
    }
    return result;
}

}  // namespace libration
