// Levenberg-Marquardt with rows of length one.
#include "least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr int most_iterations = 200;
// A step that leaves more than this of the sum of squares is one of rounding, or rows contradict each other.
constexpr double stall = 0.99;
// Damping in units of the squared lengths of the rows. At its end it is far above the squares of rounding and of the
// residuals of dependent rows, and far below the squared sines of rows that a step can tell apart (1e-14 is refused).
constexpr double first_damping = 1e-3, least_damping = 1e-13, most_damping = 1e6;

class LeastSquares {
  public:
    LeastSquares(System<double>& system, double t, std::span<const double> p)
        : system_(&system), t_(t), p_(p), m_(system.constraints()), d_(system.dimension()),
          G_(system.pattern().entries()), rows_(m_), length_(m_), scaled_(m_ * d_), solved_(m_ * d_), matrix_(m_ * m_),
          step_(d_) {}

    // The sum of squares of the rows, at the lengths of the last linearization.
    double size(std::span<const double> q) {
        system_->constraint(t_, q, rows_);
        double sum = 0;
        for (std::size_t i = 0; i < m_; ++i) {
            rows_[i] /= length_[i];
            sum += rows_[i] * rows_[i];
        }
        return sum;
    }

    void linearize(std::span<const double> q) {
        const auto& pattern = system_->pattern();
        system_->jacobian(t_, q, G_);
        std::ranges::fill(scaled_, 0.0);
        for (std::size_t i = 0; i < m_; ++i) {
            const auto row = std::span(scaled_).subspan(i * d_, d_), solved = std::span(solved_).subspan(i * d_, d_);
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                row[pattern.column[e]] = G_[e];
            }
            system_->solve_mass(t_, q, p_, row, solved);
            double length2 = 0;
            for (std::size_t j = 0; j < d_; ++j) {
                length2 += row[j] * solved[j];
            }
            length_[i] = length2 > 0 ? std::sqrt(length2) : 1.0;
            for (std::size_t j = 0; j < d_; ++j) {
                row[j] /= length_[i];
                solved[j] /= length_[i];
            }
        }
    }

    // -M^-1 G^T (G M^-1 G^T + damping)^-1 g; nothing if the matrix is not positive.
    bool solve(double damping) {
        for (std::size_t i = 0; i < m_; ++i) {
            for (std::size_t k = 0; k <= i; ++k) {
                double sum = i == k ? damping : 0;
                for (std::size_t j = 0; j < d_; ++j) {
                    sum += scaled_[i * d_ + j] * solved_[k * d_ + j];
                }
                for (std::size_t l = 0; l < k; ++l) {
                    sum -= matrix_[i * m_ + l] * matrix_[k * m_ + l];
                }
                if (i == k && !(sum > 0)) {
                    return false;
                }
                matrix_[i * m_ + k] = i == k ? std::sqrt(sum) : sum / matrix_[k * m_ + k];
            }
        }
        auto x = rows_;
        for (std::size_t i = 0; i < m_; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                x[i] -= matrix_[i * m_ + k] * x[k];
            }
            x[i] /= matrix_[i * m_ + i];
        }
        for (std::size_t i = m_; i-- > 0;) {
            for (std::size_t k = i + 1; k < m_; ++k) {
                x[i] -= matrix_[k * m_ + i] * x[k];
            }
            x[i] /= matrix_[i * m_ + i];
        }
        std::ranges::fill(step_, 0.0);
        for (std::size_t i = 0; i < m_; ++i) {
            for (std::size_t j = 0; j < d_; ++j) {
                step_[j] -= solved_[i * d_ + j] * x[i];
            }
        }
        return true;
    }

    [[nodiscard]] const std::vector<double>& step() const { return step_; }

  private:
    System<double>* system_;
    double t_;
    std::span<const double> p_;
    std::size_t m_, d_;
    std::vector<double> G_, rows_, length_, scaled_, solved_, matrix_, step_;
};

}  // namespace

bool rows_vanish(System<double>& system, double t, std::span<const double> q) {
    constexpr double tolerance = 1e-10, least_scale = 1e-3;
    const auto& pattern = system.pattern();
    std::vector<double> G(pattern.entries()), rows(system.constraints());
    system.jacobian(t, q, G);
    system.constraint(t, q, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double scale = 0;
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            scale += std::abs(G[e] * q[pattern.column[e]]);
        }
        if (!(std::abs(rows[i]) <= tolerance * std::max(scale, least_scale))) {
            return false;
        }
    }
    return true;
}

bool least_squares_position(System<double>& system, double t, std::span<double> q, std::span<const double> p) {
    LeastSquares equations(system, t, p);
    std::vector<double> trial(q.size());
    double damping = first_damping;
    for (int n = 0; n < most_iterations && damping < most_damping; ++n) {
        equations.linearize(q);
        const double before = equations.size(q);
        if (before == 0) {
            break;
        }
        bool better = false;
        double after = before;
        while (!better && damping < most_damping) {
            const bool solved = equations.solve(damping);
            for (std::size_t j = 0; j < q.size(); ++j) {
                trial[j] = q[j] + equations.step()[j];
            }
            after = equations.size(trial);
            better = solved && after < before;
            damping = better ? std::max(damping / 10, least_damping) : damping * 10;
            if (!better) {
                static_cast<void>(equations.size(q));  // the rows of the position, for the next attempt
            }
        }
        if (better) {
            std::ranges::copy(trial, q.begin());
        }
        if (!(after < stall * before)) {
            break;
        }
    }
    return rows_vanish(system, t, q);
}

}  // namespace libration
