// Which entries of G are multiplied into which place of A.
#include "constraint_products.hpp"

#include "ordering.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace libration {

ConstraintProducts::ConstraintProducts(const SparsePattern& pattern, std::size_t dimension, std::size_t places,
                                       const PlaceOf& place)
    : linked_rows_(find_linked_rows(pattern)) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    if (places >= none) {
        throw InputError(fmt::format("the factor of G M^-1 G^T for {} constraints needs {} numbers, more than {}; "
                                     "reduce the coupling between the constraints",
                                     pattern.rows(), places, none - 1));
    }
    const auto uses = coordinate_uses(pattern, dimension);
    // The newest run of the pair (i, j), while row i is worked on.
    struct Newest {
        std::uint32_t row = none;
        bool later = false;
        std::size_t run = 0;
    };
    std::vector<Newest> newest(pattern.rows());
    diagonal_place_.reserve(pattern.rows());
    auto links = linked_rows_.begin();
    for (std::uint32_t i = 0; i < pattern.rows(); ++i) {
        const std::size_t end = pattern.row_start[i + 1];
        diagonal_place_.push_back(static_cast<std::uint32_t>(place(i, i)));
        if (links != linked_rows_.end() && i == links->end) {
            ++links;
        }
        // Linked rows share one point with the row before, and all its coordinates.
        const bool linked = links != linked_rows_.end() && i > links->first;
        if (linked) {
            beside_place_.push_back(static_cast<std::uint32_t>(place(i, i - 1)));
        }
        for (std::size_t e = pattern.row_start[i]; e < end; ++e) {
            const auto c = pattern.column[e];
            const auto a = static_cast<std::uint32_t>(e);
            std::uint32_t length = 1;
            while (e + length < end && uses.joined[pattern.column[e + length]] != 0) {
                ++length;
            }
            for (auto u = uses.start[c]; u < uses.start[c + 1] && uses.row[u] < i; ++u) {
                const auto j = uses.row[u], b = uses.entry[u];
                if (linked && j == i - 1) {
                    continue;
                }
                auto& pair = newest[j];
                if (pair.row != i) {
                    pair = {i, false, first_runs_.size()};
                    first_runs_.push_back({static_cast<std::uint32_t>(place(i, j)), a, b, length});
                    continue;
                }
                auto& run = (pair.later ? later_runs_ : first_runs_)[pair.run];
                if (a == run.a + run.length && b == run.b + run.length) {
                    run.length += length;
                } else {
                    const auto same_place = run.place;
                    pair = {i, true, later_runs_.size()};
                    later_runs_.push_back({same_place, a, b, length});
                }
            }
        }
    }
    first_runs_.shrink_to_fit();
    later_runs_.shrink_to_fit();
    has_zeros_ = diagonal_place_.size() + beside_place_.size() + first_runs_.size() < places;
}

}  // namespace libration
