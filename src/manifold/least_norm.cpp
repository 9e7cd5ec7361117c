// Null vectors from the rows left out, and Gram-Schmidt on their wrenches.
#include "least_norm.hpp"

#include <libration/kit/sparse_product.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace libration {

namespace {

constexpr std::size_t most_null_entries = 5'000'000;
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

LeastNorm::LeastNorm(System<double>& whole, System<double>& carried, std::vector<std::size_t> rows)
    : whole_(&whole), carried_(&carried), rows_(std::move(rows)), matrix_(constraint_matrix(carried)),
      G_(whole.pattern().entries()), carried_G_(carried.pattern().entries()), A_(matrix_->entries()),
      length_(whole.constraints()) {
    std::vector<std::size_t> all(whole.constraints());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::ranges::set_difference(all, rows_, std::back_inserter(left_out_));
    available_ = left_out_.size() * all.size() <= most_null_entries;
}

void LeastNorm::find_lengths(double t, std::span<const double> q, std::span<const double> p) {
    const auto& pattern = whole_->pattern();
    std::vector<double> row(q.size()), solved(q.size());
    for (std::size_t i = 0; i < length_.size(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            row[pattern.column[e]] = G_[e];
        }
        whole_->solve_mass(t, q, p, row, solved);
        length_[i] = std::sqrt(product(row, solved));
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            row[pattern.column[e]] = 0;
        }
    }
}

// Each row left out is a combination of those carried: A x = G M^-1 g^T, twice, so that the error is that of the
// products and not of the factorization.
void LeastNorm::find_null_space(double t, std::span<const double> q, std::span<const double> p) {
    const auto& pattern = whole_->pattern();
    carried_->jacobian(t, q, carried_G_);
    matrix_->assemble(*carried_, t, q, p, carried_G_, A_);
    const double pivot = matrix_->factor(A_);
    tolerance_ = 256 * rounding_unit / std::max(pivot, rounding_unit);
    std::vector<double> rest(q.size()), solved(q.size()), x(rows_.size());
    null_.clear();
    for (const auto left_out : left_out_) {
        Column vector(length_.size(), 0.0);
        vector[left_out] = 1;
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
        null_.push_back(std::move(vector));
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
    for (const auto& body : whole_->bodies()) {
        std::fill_n(known.begin() + static_cast<std::ptrdiff_t>(body.first_row), 6, true);
    }
    for (std::size_t row = 0; row < length_.size(); ++row) {
        if (!known[row]) {
            weights_.push_back({{row, length_[row]}});
        }
    }
}

LeastNorm::Column LeastNorm::wrench_of(std::span<const double> lambda) const {
    Column wrench;
    wrench.reserve(weights_.size());
    for (const auto& component : weights_) {
        double sum = 0;
        for (const auto& [row, value] : component) {
            sum += value * lambda[row];
        }
        wrench.push_back(sum);
    }
    return wrench;
}

// The column with the largest wrench first, so that those that change no wrench are left at the end, and omitted.
void LeastNorm::orthogonalize() {
    directions_.clear();
    wrenches_.clear();
    auto rest = null_;
    std::vector<Column> wrenches;
    double first = 0;
    for (const auto& vector : rest) {
        wrenches.push_back(wrench_of(vector));
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
        directions_.push_back(std::move(direction));
        wrenches_.push_back(std::move(wrench));
    }
}

void LeastNorm::set_state(double t, std::span<const double> q, std::span<const double> p,
                          std::span<const WrenchBlock> blocks) {
    whole_->jacobian(t, q, G_);
    find_lengths(t, q, p);
    find_null_space(t, q, p);
    set_weights(blocks);
    orthogonalize();
}

void LeastNorm::distribute(std::span<double> lambda) const {
    auto wrench = wrench_of(lambda);
    for (std::size_t k = 0; k < directions_.size(); ++k) {
        const double share = product(wrenches_[k], wrench);
        subtract_share(wrench, share, wrenches_[k]);
        subtract_share(lambda, share, directions_[k]);
    }
}

double LeastNorm::size_of(const Column& vector) const {
    double largest = 0;
    for (std::size_t i = 0; i < vector.size(); ++i) {
        largest = std::max(largest, std::abs(vector[i]) * length_[i]);
    }
    return largest;
}

std::vector<bool> LeastNorm::determined() const {
    std::vector<bool> result(length_.size(), true);
    for (const auto& vector : null_) {
        const double size = size_of(vector);
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] = result[i] && std::abs(vector[i]) * length_[i] <= tolerance_ * size;
        }
    }
    return result;
}

std::vector<bool> LeastNorm::determined_components() const {
    std::vector<bool> result(weights_.size(), true);
    for (const auto& vector : null_) {
        const double size = size_of(vector);
        const auto wrench = wrench_of(vector);
        for (std::size_t c = 0; c < result.size(); ++c) {
            double terms = 0;
            for (const auto& [row, value] : weights_[c]) {
                terms += std::abs(value) * size / length_[row];
            }
            result[c] = result[c] && std::abs(wrench[c]) <= tolerance_ * terms;
        }
    }
    return result;
}

}  // namespace libration
