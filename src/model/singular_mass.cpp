// Whether a mass matrix is singular only, and whether the constraints then make up for it.
#include "dynamics.hpp"

#include "augmented.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Of a matrix with a diagonal of ones: below this rounding decides.
constexpr double smallest_pivot = 1e-12;

// The augmented mass matrix is dense, too.
constexpr std::size_t largest_augmented = 1000;

// P^T A P = L L^T with the largest pivot first, of A scaled to a diagonal of ones where it is not zero.
class PivotedCholesky {
  public:
    PivotedCholesky(std::vector<double> a, std::size_t n) : n_(n), a_(std::move(a)), order_(n), scale_(n, 0.0) {
        for (std::size_t i = 0; i < n; ++i) {
            order_[i] = i;
            const double diagonal = at(i, i);
            sound_ = sound_ && diagonal >= 0 && std::isfinite(diagonal);
            scale_[i] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0;
        }
        double largest = 0;
        for (const double x : a_) {
            largest = std::max(largest, std::abs(x));
        }
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                // What stands beside a zero of the diagonal must be zero, too.
                sound_ = sound_ && std::isfinite(at(i, j)) &&
                         (scale_[i] != 0 || std::abs(at(i, j)) <= smallest_pivot * largest);
                at(i, j) *= scale_[i] * scale_[j];
            }
        }
        eliminate();
    }

    [[nodiscard]] bool semidefinite() const { return sound_; }
    [[nodiscard]] std::size_t rank() const { return rank_; }
    // A direction x with A x = 0; there is one if the rank is smaller than n.
    [[nodiscard]] std::vector<double> kernel_vector() const {
        std::vector<double> x(n_, 0.0);
        const std::size_t free = order_[rank_];
        if (scale_[free] == 0) {
            x[free] = 1;
            return x;
        }
        x[free] = -1;
        std::vector<double> side(rank_);
        for (std::size_t k = 0; k < rank_; ++k) {
            side[k] = a_[free * n_ + order_[k]];
        }
        for (std::size_t k = rank_; k-- > 0;) {  // L_11^T x_1 = L_21^T
            double sum = side[k];
            for (std::size_t l = k + 1; l < rank_; ++l) {
                sum -= a_[order_[l] * n_ + order_[k]] * x[order_[l]];
            }
            x[order_[k]] = sum / a_[order_[k] * n_ + order_[k]];
        }
        for (std::size_t i = 0; i < n_; ++i) {
            x[i] *= scale_[i];
        }
        return x;
    }

  private:
    double& at(std::size_t i, std::size_t j) { return a_[i * n_ + j]; }

    // Columns of L replace those of the lower triangle in the order of elimination.
    void eliminate() {
        for (; rank_ < n_ && sound_; ++rank_) {
            const auto best = std::max_element(order_.begin() + static_cast<std::ptrdiff_t>(rank_), order_.end(),
                                               [&](std::size_t i, std::size_t j) { return at(i, i) < at(j, j); });
            if (!(at(*best, *best) > smallest_pivot)) {
                break;
            }
            std::swap(*best, order_[rank_]);
            const std::size_t pivot = order_[rank_];
            const double root = std::sqrt(at(pivot, pivot));
            at(pivot, pivot) = root;
            for (std::size_t k = rank_ + 1; k < n_; ++k) {
                at(order_[k], pivot) /= root;
            }
            for (std::size_t k = rank_ + 1; k < n_; ++k) {
                for (std::size_t l = rank_ + 1; l < n_; ++l) {
                    at(order_[k], order_[l]) -= at(order_[k], pivot) * at(order_[l], pivot);
                }
            }
        }
        for (std::size_t k = rank_; k < n_; ++k) {
            for (std::size_t l = rank_; l < n_; ++l) {
                sound_ = sound_ && std::abs(at(order_[k], order_[l])) <= smallest_pivot * static_cast<double>(n_);
            }
        }
    }

    std::size_t n_, rank_ = 0;
    std::vector<double> a_;
    std::vector<std::size_t> order_;
    std::vector<double> scale_;
    bool sound_ = true;
};

std::string direction_text(const Model& model, const std::vector<double>& x) {
    constexpr std::size_t most = 8;
    double largest = 0;
    for (const double component : x) {
        largest = std::max(largest, std::abs(component));
    }
    std::vector<std::string> names;
    std::size_t count = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        if (std::abs(x[k]) > 1e-6 * largest && ++count <= most) {
            names.push_back(model.coordinate_name(k));
        }
    }
    if (count == 1) {
        return names[0];
    }
    return fmt::format("a common change of {}{}", fmt::join(names, ", "), count > most ? ", ..." : "");
}

}  // namespace

bool is_singular_mass(const std::vector<double>& matrix, std::size_t d) {
    if (d > largest_augmented) {
        return false;
    }
    const PivotedCholesky decomposition(matrix, d);
    return decomposition.semidefinite() && decomposition.rank() < d;
}

void check_singular_mass(const Model& model) {
    const std::size_t d = model.dimension, m = model.constraint_rows;
    const auto& mass = model.mass;
    const auto place = model.kinetic                                  ? model.kinetic->place
                       : !mass.place.source && !mass.diagonal.empty() ? mass.diagonal[0].place
                                                                      : mass.place;
    const std::string what = "the mass matrix is not positive definite, but singular";
    if (!model.nonholonomic.empty()) {
        refuse(place, what + "; with nonholonomic constraints every coordinate needs a mass");
    }
    if (!model.bodies.empty()) {
        refuse(place, what + "; with rigid bodies every coordinate needs a mass");
    }
    if (std::ranges::any_of(model.constraints, [](const Constraint& c) { return c.term.uses_time; })) {
        refuse(place, what + "; with time-dependent constraints every coordinate needs a mass");
    }
    if (d + m > largest_augmented) {
        refuse(place, fmt::format("{}; the augmented system is dense, for at most {} coordinates and constraints "
                                  "together; the model has {} and {}",
                                  what, largest_augmented, d, m));
    }
    // K = M + gamma G^T G with any gamma > 0 is positive definite just if M v = 0 and G v = 0 imply v = 0. [Jay 1998,
    // (10)]
    auto K = initial_mass_matrix(model);
    const auto G = initial_constraint_jacobian(model);
    double largest_mass = 0, largest_slope = 0;
    for (std::size_t i = 0; i < d; ++i) {
        largest_mass = std::max(largest_mass, K[i * (d + 1)]);
    }
    for (const double slope : G) {
        largest_slope = std::max(largest_slope, slope * slope);
    }
    const double gamma = largest_mass > 0 && largest_slope > 0 ? largest_mass / largest_slope : 1;
    for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                K[i * d + j] += gamma * G[k * d + i] * G[k * d + j];
            }
        }
    }
    if (!std::ranges::all_of(K, [](double x) { return std::isfinite(x); })) {
        return;  // the checks of the start say which formula it is
    }
    const PivotedCholesky decomposition(std::move(K), d);
    if (decomposition.rank() < d) {
        refuse(place, fmt::format("{}: no mass and no constraint acts on {} at the initial values; give it a mass, "
                                  "couple it to other coordinates by a constraint, or remove it",
                                  what, direction_text(model, decomposition.kernel_vector())));
    }
}

}  // namespace libration
