// Sets that are merged. [Tarjan 1975]
#include "interacting_rows.hpp"

#include <limits>
#include <numeric>

namespace libration {

namespace {

class MergedSets {
  public:
    explicit MergedSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    void merge(std::size_t a, std::size_t b) { parent_[root(a)] = root(b); }
    std::size_t root(std::size_t k) {
        while (parent_[k] != k) {
            k = parent_[k] = parent_[parent_[k]];
        }
        return k;
    }

  private:
    std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<std::size_t> interacting_rows(const System<double>& system,
                                          const std::vector<std::span<const std::size_t>>& together) {
    const auto& pattern = system.pattern();
    const std::size_t m = pattern.rows();
    if (system.inverse_masses().empty()) {
        return std::vector<std::size_t>(m, 0);
    }
    MergedSets sets(m + system.dimension());
    for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
            sets.merge(row, m + pattern.column[e]);
        }
    }
    for (const auto& rows : together) {
        for (const auto row : rows) {
            sets.merge(row, rows.front());
        }
    }
    constexpr auto none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> number(m + system.dimension(), none), result(m);
    std::size_t count = 0;
    for (std::size_t row = 0; row < m; ++row) {
        auto& known = number[sets.root(row)];
        known = known == none ? count++ : known;
        result[row] = known;
    }
    return result;
}

}  // namespace libration
