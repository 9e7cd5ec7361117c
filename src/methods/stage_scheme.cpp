// The schemes for constrained systems.
#include "stage_scheme.hpp"

#include <numeric>

namespace libration {

std::vector<Wide> StageScheme::inverse_coupling() const {
    const std::size_t n = rows.size(), s = q.stages;
    std::vector<Wide> product(n * n, Wide{0});
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t j = 0; j < s; ++j) {
                product[i * n + k] += q.a(rows[i], j) * p.a(j, columns[k]);
            }
        }
    }
    return inverse(std::move(product), n);
}

bool StageScheme::ends_on_constraints() const {
    const std::size_t last = q.stages - 1;
    for (std::size_t j = 0; j < q.stages; ++j) {
        if (q.a(last, j) != q.b[j]) {
            return project_position;
        }
    }
    return true;
}

StageScheme lobatto_scheme(std::size_t stages) {
    StageScheme scheme{tableau(Family::lobatto_a, stages), tableau(Family::lobatto_b, stages), {}, {}};
    for (std::size_t i = 1; i < stages; ++i) {
        scheme.rows.push_back(i);
        scheme.columns.push_back(i - 1);
    }
    scheme.first_is_start = true;
    return scheme;
}

StageScheme collocation_scheme(Family family, std::size_t stages, bool projected) {
    const auto table = tableau(family, stages);
    StageScheme scheme{table, table, std::vector<std::size_t>(stages), {}};
    std::iota(scheme.rows.begin(), scheme.rows.end(), std::size_t{0});
    scheme.columns = scheme.rows;
    scheme.project_position = projected;
    scheme.project_momentum = projected;
    return scheme;
}

}  // namespace libration
