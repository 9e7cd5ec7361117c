// Cholesky's factor of the damped normal matrix, in the order in which it is written: the same bits everywhere.
#include "pose_equations.hpp"

#include "model/augmented.hpp"
#include "model/model_values.hpp"
#include <libration/kit/make_system.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

double dot_of(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

}  // namespace

void RowFactor::assemble(std::span<const double> slopes, std::span<const double> inverse, std::size_t rows) {
    const std::size_t d = inverse.size();
    std::vector<double> matrix(rows * rows), weighted(d);
    std::vector<std::size_t> used;
    std::size_t terms = 1;
    for (std::size_t i = 0; i < rows; ++i) {
        used.clear();
        for (std::size_t j = 0; j < d; ++j) {
            weighted[j] = slopes[i * d + j] * inverse[j];
            if (weighted[j] != 0) {
                used.push_back(j);
            }
        }
        terms = std::max(terms, used.size());
        for (std::size_t k = 0; k <= i; ++k) {
            double sum = 0;
            for (const auto j : used) {
                sum += weighted[j] * slopes[k * d + j];
            }
            matrix[i * rows + k] = matrix[k * rows + i] = sum;
        }
    }
    take(matrix, rows, terms);
}

// An entry is a sum of products, rounded by at most the number of terms times eps times the product of the lengths of
// two rows. The norm of a matrix with such entries, which bounds what rounding does to an eigenvalue, is at most that
// number times eps times the sum of the squared lengths, the trace. [Higham 2002, (3.5)]
void RowFactor::take(std::span<const double> matrix, std::size_t rows, std::size_t terms) {
    rows_ = rows;
    matrix_.assign(matrix.begin(), matrix.end());
    double trace = 0;
    largest_ = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        trace += matrix_[i * rows + i];
        largest_ = std::max(largest_, matrix_[i * rows + i]);
    }
    noise_ = static_cast<double>(terms) * std::numeric_limits<double>::epsilon() * trace;
}

void RowFactor::factor(double damping) {
    const std::size_t m = rows_;
    factor_.assign(m * m, 0.0);
    const double shift = std::max({damping, noise_, std::numeric_limits<double>::min()});
    for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t i = j; i < m; ++i) {
            double sum = matrix_[i * m + j] + (i == j ? shift : 0.0);
            sum -= dot_of(std::span(factor_).subspan(i * m, j), std::span(factor_).subspan(j * m, j));
            if (i == j) {
                factor_[j * m + j] = std::sqrt(std::max(sum, shift));
            } else {
                factor_[i * m + j] = sum / factor_[j * m + j];
            }
        }
    }
}

void RowFactor::solve(std::span<double> rows) const {
    const std::size_t m = rows_;
    for (std::size_t i = 0; i < m; ++i) {
        rows[i] = (rows[i] - dot_of(std::span(factor_).subspan(i * m, i), rows.first(i))) / factor_[i * m + i];
    }
    for (std::size_t i = m; i-- > 0;) {
        for (std::size_t k = i + 1; k < m; ++k) {
            rows[i] -= factor_[k * m + i] * rows[k];
        }
        rows[i] /= factor_[i * m + i];
    }
}

void RowFactor::multiply(std::span<const double> x, std::span<double> y) const {
    for (std::size_t i = 0; i < rows_; ++i) {
        y[i] = dot_of(std::span(matrix_).subspan(i * rows_, rows_), x);
    }
}

std::vector<double> pose_weights(const Model& model) {
    const std::size_t d = model.dimension;
    std::vector<double> weights(d, 0.0);
    const bool has_masses = !model.field && !model.hamiltonian;
    if (has_masses && !model.mass.diagonal.empty()) {
        std::size_t first = 0;
        const auto given = parameter_values<double>(model);
        for (const auto& block : model.mass.diagonal) {
            for (const double value : instance_values(block.value, given)) {
                std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(first), block.repeat, value);
                first += block.repeat;
            }
        }
    } else if (has_masses) {
        const auto matrix = initial_mass_matrix(model);
        for (std::size_t j = 0; j < d; ++j) {
            weights[j] = matrix[j * d + j];
        }
    }
    double sum = 0;
    std::size_t count = 0;
    const auto has_mass = [](double w) { return w > 0 && std::isfinite(w); };
    for (const double w : weights) {
        sum += has_mass(w) ? w : 0.0;
        count += has_mass(w) ? 1 : 0;
    }
    const double mean = count > 0 ? sum / static_cast<double>(count) : 1.0;
    for (double& w : weights) {
        w = has_mass(w) ? w / mean : 1.0;
    }
    return weights;
}

PoseEquations::PoseEquations(PoseRows<double>& rows, std::vector<double> weights)
    : rows_(&rows), weights_(std::move(weights)), scale_(rows.count(), 1.0), slopes_(rows.count() * rows.dimension()),
      y_(rows.count()), work_(rows.count()) {
    for (const double w : weights_) {
        inverse_.push_back(1 / w);
        total_ += w;
    }
}

// A gradient that nearly vanishes says nothing about the size of its row.
void PoseEquations::scale_at(std::span<const double> q) {
    rows_->slopes(q, slopes_);
    const std::size_t d = rows_->dimension();
    double longest = 0;
    for (std::size_t i = 0; i < scale_.size(); ++i) {
        double square = 0;
        for (std::size_t j = 0; j < d; ++j) {
            square += slopes_[i * d + j] * slopes_[i * d + j] * inverse_[j];
        }
        scale_[i] = std::sqrt(square);
        longest = std::max(longest, scale_[i]);
    }
    for (double& scale : scale_) {
        scale = 1 / (longest > 0 && std::isfinite(longest) ? std::max(scale, 1e-3 * longest) : 1.0);
    }
}

void PoseEquations::values(std::span<const double> q, std::span<double> scaled) {
    rows_->values(q, scaled);
    for (std::size_t i = 0; i < scaled.size(); ++i) {
        scaled[i] *= scale_[i];
    }
}

void PoseEquations::linearize(std::span<const double> q) {
    const std::size_t d = rows_->dimension();
    rows_->slopes(q, slopes_);
    for (std::size_t i = 0; i < scale_.size(); ++i) {
        for (std::size_t j = 0; j < d; ++j) {
            slopes_[i * d + j] *= scale_[i];
        }
    }
    factor_.assemble(slopes_, inverse_, scale_.size());
}

double PoseEquations::length(std::span<const double> dq) const {
    double sum = 0;
    for (std::size_t j = 0; j < dq.size(); ++j) {
        sum += weights_[j] * dq[j] * dq[j];
    }
    return std::sqrt(sum / total_);
}

double PoseEquations::distance(std::span<const double> a, std::span<const double> b) const {
    std::vector<double> difference(a.size());
    for (std::size_t j = 0; j < a.size(); ++j) {
        difference[j] = a[j] - b[j];
    }
    return length(difference);
}

double PoseEquations::step(std::span<const double> change, std::span<double> dq) {
    const std::size_t d = dq.size();
    std::ranges::copy(change, y_.begin());
    factor_.solve(y_);
    std::ranges::fill(dq, 0.0);
    for (std::size_t i = 0; i < y_.size(); ++i) {
        for (std::size_t j = 0; j < d; ++j) {
            dq[j] += slopes_[i * d + j] * y_[i];
        }
    }
    for (std::size_t j = 0; j < d; ++j) {
        dq[j] *= inverse_[j];
    }
    return length(dq);
}

double PoseEquations::tangential(std::span<double> dq) {
    const std::size_t d = dq.size();
    std::vector<double> normal(d);
    for (int pass = 0; pass < 2; ++pass) {  // the second one removes what rounding and damping left
        for (std::size_t i = 0; i < work_.size(); ++i) {
            work_[i] = dot_of(std::span(slopes_).subspan(i * d, d), dq);
        }
        step(work_, normal);
        for (std::size_t j = 0; j < d; ++j) {
            dq[j] -= normal[j];
        }
    }
    return length(dq);
}

// Of the squared rows by the last step, as their linearization predicts it.
double PoseEquations::reduction(std::span<const double> rows) {
    double before = 0, after = 0;
    factor_.multiply(y_, work_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        before += rows[i] * rows[i];
        after += (rows[i] + work_[i]) * (rows[i] + work_[i]);
    }
    return before - after;
}

bool PoseEquations::closed(std::span<const double> q) {
    constexpr double tolerance = 1e-10;  // of a run
    const std::size_t d = q.size();
    rows_->values(q, work_);
    rows_->slopes(q, slopes_);
    for (std::size_t i = 0; i < work_.size(); ++i) {
        double size = 0;
        for (std::size_t j = 0; j < d; ++j) {
            size += std::abs(slopes_[i * d + j] * q[j]);
        }
        if (!(std::abs(work_[i]) <= tolerance * std::max(size, 1e-3))) {
            return false;
        }
    }
    return true;
}

}  // namespace libration
