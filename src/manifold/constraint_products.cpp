// Which entries of G are multiplied into which place of A.
#include <libration/manifold/constraint_products.hpp>

#include <libration/manifold/ordering.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace libration {

ConstraintProducts::ConstraintProducts(const SparsePattern& pattern, std::size_t dimension, std::size_t places,
                                       const PlaceOf& place)
    : places_(places) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    if (places >= none) {
        throw InputError(
            fmt::format("the factor of G M^-1 G^T for {} constraints needs {} numbers, more than {}; let the "
                        "constraints couple less densely",
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
    for (std::uint32_t i = 0; i < pattern.rows(); ++i) {
        diagonal_place_.push_back(static_cast<std::uint32_t>(place(i, i)));
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            const auto a = static_cast<std::uint32_t>(e);
            const auto c = pattern.column[e];
            for (auto u = uses.start[c]; u < uses.start[c + 1] && uses.row[u] < i; ++u) {
                const auto j = uses.row[u], b = uses.entry[u];
                auto& pair = newest[j];
                if (pair.row != i) {
                    pair = {i, false, first_runs_.size()};
                    first_runs_.push_back({static_cast<std::uint32_t>(place(i, j)), a, b, 1});
                    continue;
                }
                auto& run = (pair.later ? later_runs_ : first_runs_)[pair.run];
                if (a == run.a + run.length && b == run.b + run.length) {
                    ++run.length;
                } else {
                    const auto same_place = run.place;
                    pair.later = true;
                    pair.run = later_runs_.size();
                    later_runs_.push_back({same_place, a, b, 1});
                }
            }
        }
    }
    first_runs_.shrink_to_fit();
    later_runs_.shrink_to_fit();
    has_zeros_ = first_runs_.size() + diagonal_place_.size() < places;
}

}  // namespace libration
