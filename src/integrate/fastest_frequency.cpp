// The largest frequency by Lanczos' iteration, which needs nothing but differences of forces.
#include "fastest_frequency.hpp"

#include "manifold/manifold.hpp"

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// The operator K y = P M^-1 d/de (U_q + G^T lambda)(q + e y), symmetric in the scalar product x^T M y on the tangent
// space, onto which P projects.
class Stiffness {
  public:
    Stiffness(System<double>& system, double t, std::span<const double> q, std::span<const double> p)
        : system_(&system), matrix_(constraint_matrix(system)), t_(t), q_(q.begin(), q.end()), p_(p.begin(), p.end()),
          lambda_(system.constraints()), G_(system.pattern().entries()), G_there_(G_), A_(matrix_->entries()),
          rows_(lambda_), x_(q_), force_(q_), back_(q_) {
        Manifold<double>(system).multipliers(t, q, p, lambda_);
        if (!lambda_.empty()) {
            system.jacobian(t, q, G_);
            matrix_->assemble(system, t, q, p, G_, A_);
            matrix_->factor(A_);
        }
        for (const double value : q_) {
            size_ = std::max(size_, std::abs(value));
        }
    }

    void project(std::span<double> y) {
        if (lambda_.empty()) {
            return;
        }
        apply_jacobian<double>(system_->pattern(), G_, y, rows_);
        matrix_->solve(A_, rows_);
        std::ranges::fill(force_, 0.0);
        add_transposed<double>(system_->pattern(), G_, rows_, force_);
        system_->solve_mass(t_, q_, p_, force_, force_);
        for (std::size_t j = 0; j < y.size(); ++j) {
            y[j] -= force_[j];
        }
    }

    // Central differences: the result is good to ten digits, and two are asked for.
    void apply(std::span<const double> y, std::span<double> Ky) {
        double most = 0;
        for (const double value : y) {
            most = std::max(most, std::abs(value));
        }
        const double e = 1e-5 * (size_ > 0 ? size_ : 1) / most;
        reaction(y, e, Ky);
        reaction(y, -e, back_);
        for (std::size_t j = 0; j < y.size(); ++j) {
            Ky[j] = (Ky[j] - back_[j]) / (2 * e);
        }
        system_->solve_mass(t_, q_, p_, Ky, Ky);
        project(Ky);
    }

    double product(std::span<const double> x, std::span<const double> y) {
        system_->apply_mass(t_, q_, y, force_);
        double sum = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            sum += x[j] * force_[j];
        }
        return sum;
    }

  private:
    void reaction(std::span<const double> y, double e, std::span<double> R) {
        for (std::size_t j = 0; j < y.size(); ++j) {
            x_[j] = q_[j] + e * y[j];
        }
        system_->force_gradient(t_, x_, p_, R);
        if (!lambda_.empty()) {
            system_->jacobian(t_, x_, G_there_);
            add_transposed<double>(system_->pattern(), G_there_, lambda_, R);
        }
    }

    System<double>* system_;
    std::shared_ptr<ConstraintMatrix<double>> matrix_;
    double t_, size_ = 0;
    std::vector<double> q_, p_, lambda_, G_, G_there_, A_, rows_, x_, force_, back_;
};

// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection on the number of eigenvalues above.
double largest_eigenvalue(std::span<const double> diagonal, std::span<const double> beside) {
    double low = diagonal[0], high = diagonal[0];
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        const double radius = (i > 0 ? std::abs(beside[i - 1]) : 0) + (i < beside.size() ? std::abs(beside[i]) : 0);
        low = std::min(low, diagonal[i] - radius);
        high = std::max(high, diagonal[i] + radius);
    }
    const auto is_above_all = [&](double x) {
        double pivot = 1;
        for (std::size_t i = 0; i < diagonal.size(); ++i) {
            pivot = x - diagonal[i] - (i > 0 ? beside[i - 1] * beside[i - 1] / pivot : 0);
            if (!(pivot > 0)) {
                return false;
            }
        }
        return true;
    };
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (is_above_all(middle) ? high : low) = middle;
    }
    return high;
}

}  // namespace

double fastest_frequency(System<double>& system, double t, std::span<const double> q, std::span<const double> p) {
    constexpr std::size_t most_steps = 30;
    const std::size_t d = system.dimension();
    Stiffness stiffness(system, t, q, p);
    std::vector<double> y(d), before(d), Ky(d), diagonal, beside;
    for (std::size_t j = 0; j < d; ++j) {
        y[j] = std::sin(1.0 + 3.0 * static_cast<double>(j));  // no direction is missing
    }
    stiffness.project(y);
    double norm = std::sqrt(stiffness.product(y, y));
    while (diagonal.size() < std::min(most_steps, d) && norm > 0 && std::isfinite(norm)) {
        for (auto& value : y) {
            value /= norm;
        }
        stiffness.apply(y, Ky);
        const double overlap = stiffness.product(y, Ky);
        if (!std::isfinite(overlap)) {
            return 0;
        }
        const double link = diagonal.empty() ? 0 : beside.back();
        diagonal.push_back(overlap);
        double size = 0;
        for (std::size_t j = 0; j < d; ++j) {
            const double rest = Ky[j] - overlap * y[j] - link * before[j];
            size = std::max(size, std::abs(Ky[j]));
            before[j] = y[j];
            y[j] = rest;
        }
        norm = std::sqrt(stiffness.product(y, y));
        if (!(norm > 1e-8 * std::abs(size))) {  // the space is exhausted
            break;
        }
        beside.push_back(norm);
    }
    if (diagonal.empty()) {
        return 0;
    }
    beside.resize(diagonal.size() - 1);
    return std::sqrt(std::max(0.0, largest_eigenvalue(diagonal, beside)));
}

}  // namespace libration
