// Null vectors from the rows left out, and Gram-Schmidt on their wrenches.
#include "least_norm.hpp"

#include "interacting_rows.hpp"

#include <libration/kit/sparse_product.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace libration {

namespace {

// Of Gram-Schmidt with n vectors over m rows, n^2 m: some seconds per node.
constexpr double most_work = 1e9;
// Of a wrench that vanishes along a null vector, elimination leaves less than this part.
constexpr double no_wrench = 1e-9;
constexpr double rounding_unit = std::numeric_limits<double>::epsilon();

double product(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract_share(std::span<double> a, double factor, std::span<const double> b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] -= factor * b[i];
    }
}

}  // namespace

LeastNorm::LeastNorm(System<double>& whole, System<double>& carried, std::vector<std::size_t> rows,
                     std::vector<std::size_t> of_bodies)
    : whole_(&whole), carried_(&carried), rows_(std::move(rows)), of_bodies_(std::move(of_bodies)),
      matrix_(constraint_matrix(carried)), G_(whole.pattern().entries()), carried_G_(carried.pattern().entries()),
      A_(matrix_->entries()), length_(whole.constraints()) {
    std::vector<std::size_t> all(whole.constraints());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::ranges::set_difference(all, rows_, std::back_inserter(left_out_));
    find_parts({});
    double work = 0;
    for (const auto& part : parts_) {
        const auto vectors = static_cast<double>(part.left_out.size());
        work += vectors * vectors * static_cast<double>(part.rows.size());
    }
    available_ = work <= most_work;
}

void LeastNorm::find_parts(std::span<const WrenchBlock> blocks) {
    std::vector<std::span<const std::size_t>> together;
    for (const auto& block : blocks) {
        if (!block.rows.empty()) {
            together.emplace_back(block.rows);
        }
    }
    part_of_ = interacting_rows(*whole_, together);
    place_.assign(part_of_.size(), 0);
    parts_.assign(part_of_.empty() ? 0 : *std::ranges::max_element(part_of_) + 1, {});
    for (std::size_t row = 0; row < part_of_.size(); ++row) {
        auto& part = parts_[part_of_[row]];
        place_[row] = part.rows.size();
        part.rows.push_back(row);
    }
    for (const auto row : left_out_) {
        parts_[part_of_[row]].left_out.push_back(row);
    }
}

// One row of each part at a time: the others do not notice.
void LeastNorm::find_lengths(double t, std::span<const double> q, std::span<const double> p) {
    const auto& pattern = whole_->pattern();
    std::size_t rounds = 0;
    for (const auto& part : parts_) {
        rounds = std::max(rounds, part.rows.size());
    }
    std::vector<double> sum(q.size()), solved(q.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        std::ranges::fill(sum, 0.0);
        const auto for_entries = [&](auto see) {
            for (const auto& part : parts_) {
                if (round < part.rows.size()) {
                    const auto row = part.rows[round];
                    for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
                        see(row, e);
                    }
                }
            }
        };
        for_entries([&](std::size_t row, std::size_t e) {
            sum[pattern.column[e]] = G_[e];
            length_[row] = 0;
        });
        whole_->solve_mass(t, q, p, sum, solved);
        for_entries([&](std::size_t row, std::size_t e) { length_[row] += G_[e] * solved[pattern.column[e]]; });
    }
    for (auto& length : length_) {
        length = std::sqrt(length);
    }
}

// Each row left out is a combination of those carried: A x = G M^-1 g^T, twice, so that the error is that of the
// products and not of the factorization. One row of each part at a time.
void LeastNorm::find_null_space(double t, std::span<const double> q, std::span<const double> p) {
    const auto& pattern = whole_->pattern();
    carried_->jacobian(t, q, carried_G_);
    matrix_->assemble(*carried_, t, q, p, carried_G_, A_);
    const double pivot = matrix_->factor(A_);
    tolerance_ = 256 * rounding_unit / std::max(pivot, rounding_unit);
    std::vector<double> rest(q.size()), solved(q.size()), x(rows_.size());
    std::size_t rounds = 0;
    for (auto& part : parts_) {
        part.null.clear();
        rounds = std::max(rounds, part.left_out.size());
    }
    for (std::size_t round = 0; round < rounds; ++round) {
        Column vector(length_.size(), 0.0);
        for (const auto& part : parts_) {
            if (round < part.left_out.size()) {
                vector[part.left_out[round]] = 1;
            }
        }
        for (int pass = 0; pass < 2; ++pass) {
            std::ranges::fill(rest, 0.0);
            add_transposed<double>(pattern, G_, vector, rest);
            whole_->solve_mass(t, q, p, rest, solved);
            apply_jacobian<double>(carried_->pattern(), carried_G_, solved, x);
            matrix_->solve(A_, x);
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                vector[rows_[i]] -= x[i];
            }
        }
        for (auto& part : parts_) {
            if (round < part.left_out.size()) {
                auto& own = part.null.emplace_back();
                std::ranges::transform(part.rows, std::back_inserter(own),
                                       [&](std::size_t row) { return vector[row]; });
            }
        }
    }
}

void LeastNorm::set_weights(std::span<const WrenchBlock> blocks) {
    weights_.clear();
    std::vector<bool> known(length_.size());
    for (const auto& block : blocks) {
        for (const auto row : block.rows) {
            known[row] = true;
        }
        for (std::size_t c = 0; c < block.components; ++c) {
            weights_.emplace_back();
            for (std::size_t i = 0; i < block.rows.size(); ++i) {
                weights_.back().push_back({block.rows[i], block.map[c * block.rows.size() + i]});
            }
        }
    }
    for (const auto row : of_bodies_) {
        known[row] = true;
    }
    for (std::size_t row = 0; row < length_.size(); ++row) {
        if (!known[row]) {
            weights_.push_back({{row, length_[row]}});
        }
    }
    for (auto& part : parts_) {
        part.components.clear();
    }
    for (std::size_t c = 0; c < weights_.size(); ++c) {
        if (!weights_[c].empty()) {
            parts_[part_of_[weights_[c].front().row]].components.push_back(c);
        }
    }
}

LeastNorm::Column LeastNorm::wrench_of(const Part& part, std::span<const double> lambda) const {
    Column wrench;
    wrench.reserve(part.components.size());
    for (const auto c : part.components) {
        double sum = 0;
        for (const auto& [row, value] : weights_[c]) {
            sum += value * lambda[place_[row]];
        }
        wrench.push_back(sum);
    }
    return wrench;
}

// The column with the largest wrench first, so that those that change no wrench are left at the end, and omitted.
void LeastNorm::orthogonalize(Part& part) const {
    part.directions.clear();
    part.wrenches.clear();
    auto rest = part.null;
    std::vector<Column> wrenches;
    double first = 0;
    for (const auto& vector : rest) {
        wrenches.push_back(wrench_of(part, vector));
        first = std::max(first, std::sqrt(product(wrenches.back(), wrenches.back())));
    }
    while (!rest.empty()) {
        std::size_t best = 0;
        double most = 0;
        for (std::size_t k = 0; k < rest.size(); ++k) {
            const double size = std::sqrt(product(wrenches[k], wrenches[k]));
            if (size > most) {
                most = size;
                best = k;
            }
        }
        if (!(most > no_wrench * first)) {
            return;
        }
        auto direction = std::move(rest[best]), wrench = std::move(wrenches[best]);
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(best));
        wrenches.erase(wrenches.begin() + static_cast<std::ptrdiff_t>(best));
        for (auto* column : {&direction, &wrench}) {
            for (auto& value : *column) {
                value /= most;
            }
        }
        for (std::size_t k = 0; k < rest.size(); ++k) {
            const double share = product(wrench, wrenches[k]);
            subtract_share(wrenches[k], share, wrench);
            subtract_share(rest[k], share, direction);
        }
        part.directions.push_back(std::move(direction));
        part.wrenches.push_back(std::move(wrench));
    }
}

void LeastNorm::set_state(double t, std::span<const double> q, std::span<const double> p,
                          std::span<const WrenchBlock> blocks) {
    find_parts(blocks);
    whole_->jacobian(t, q, G_);
    find_lengths(t, q, p);
    find_null_space(t, q, p);
    set_weights(blocks);
    for (auto& part : parts_) {
        orthogonalize(part);
    }
}

void LeastNorm::for_null_vectors(
    const std::function<void(std::span<const std::size_t>, std::span<const double>)>& see) const {
    for (const auto& part : parts_) {
        for (const auto& vector : part.null) {
            see(part.rows, vector);
        }
    }
}

void LeastNorm::distribute(std::span<double> lambda) const {
    for (const auto& part : parts_) {
        if (part.directions.empty()) {
            continue;
        }
        Column own;
        std::ranges::transform(part.rows, std::back_inserter(own), [&](std::size_t row) { return lambda[row]; });
        auto wrench = wrench_of(part, own);
        for (std::size_t k = 0; k < part.directions.size(); ++k) {
            const double share = product(part.wrenches[k], wrench);
            subtract_share(wrench, share, part.wrenches[k]);
            subtract_share(own, share, part.directions[k]);
        }
        for (std::size_t i = 0; i < own.size(); ++i) {
            lambda[part.rows[i]] = own[i];
        }
    }
}

double LeastNorm::size_of(const Part& part, const Column& vector) const {
    double largest = 0;
    for (std::size_t i = 0; i < vector.size(); ++i) {
        largest = std::max(largest, std::abs(vector[i]) * length_[part.rows[i]]);
    }
    return largest;
}

std::vector<bool> LeastNorm::determined() const {
    std::vector<bool> result(length_.size(), true);
    for (const auto& part : parts_) {
        for (const auto& vector : part.null) {
            const double size = size_of(part, vector);
            for (std::size_t i = 0; i < vector.size(); ++i) {
                const auto row = part.rows[i];
                result[row] = result[row] && std::abs(vector[i]) * length_[row] <= tolerance_ * size;
            }
        }
    }
    return result;
}

std::vector<bool> LeastNorm::determined_components() const {
    std::vector<bool> result(weights_.size(), true);
    for (const auto& part : parts_) {
        for (const auto& vector : part.null) {
            const double size = size_of(part, vector);
            const auto wrench = wrench_of(part, vector);
            for (std::size_t k = 0; k < wrench.size(); ++k) {
                const auto c = part.components[k];
                double terms = 0;
                for (const auto& [row, value] : weights_[c]) {
                    terms += std::abs(value) * size / length_[row];
                }
                result[c] = result[c] && std::abs(wrench[k]) <= tolerance_ * terms;
            }
        }
    }
    return result;
}

}  // namespace libration
