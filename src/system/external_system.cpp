// Calls of the user's functions, and replacements for the derivatives that they do not provide.
#include "external_system.hpp"

#include <libration/model/force.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace libration {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

bool all_finite(std::span<const double> values) {
    return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

// What a function forgets to write is NaN, and is detected.
std::span<double> blank(std::span<double> values) {
    std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
    return values;
}

double largest_component(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

// The length of q by which steps of differences are measured.
double length(std::span<const double> q) {
    const double most = largest_component(q);
    return most > 0 && std::isfinite(most) ? most : 1;
}

}  // namespace

ExternalSystem::ExternalSystem(std::unique_ptr<System<double>> terms,
                               std::shared_ptr<const ExternalFunctions> functions, std::span<const double> start)
    : SystemView<double>(*terms), terms_(std::move(terms)), functions_(std::move(functions)),
      inner_rows_(pattern_.rows()), inner_entries_(pattern_.entries()), rows_(functions_->rows()), noise_(rows_),
      gradient_(dimension_), moved_(dimension_), G_(rows_ * dimension_) {
    for (std::size_t i = 0; i < rows_; ++i) {
        for (std::uint32_t j = 0; j < dimension_; ++j) {
            pattern_.column.push_back(j);
        }
        pattern_.row_start.push_back(pattern_.column.size());
    }
    pattern_.run = longest_run(pattern_);
    properties_.untraced = functions_->what();
    properties_.dense_derivatives = properties_.couplings = false;
    if (rows_ > 0) {
        measure_noise(start);
    }
}

// Newton's iteration ends where the residual of a row is its round-off. What a program of formulas computes shows in
// its operations; of a function it must be measured: fourth differences of values at nine points so close that a smooth
// function is a parabola to all digits leave the noise alone, sqrt(70) times as large. It is more than round-off where
// the function iterates itself.
void ExternalSystem::measure_noise(std::span<const double> start) {
    constexpr std::size_t points = 9;
    constexpr std::array<double, 5> weights{1, -4, 6, -4, 1};
    constexpr double spacing = 1e-8, amplification = 8.3666002653407556;  // sqrt(70)
    const double way = spacing * length(start);
    std::vector<double> values(points * rows_);
    for (std::size_t k = 0; k < points; ++k) {
        for (std::size_t j = 0; j < dimension_; ++j) {
            const double side = j % 2 == 0 ? 1 : -0.75;
            moved_[j] = start[j] + side * way * (static_cast<double>(k) - 4);
        }
        functions_->constraints->value(moved_, blank(std::span(values).subspan(k * rows_, rows_)));
    }
    for (std::size_t i = 0; i < rows_; ++i) {
        double worst = 0;
        for (std::size_t k = 0; k + weights.size() <= points; ++k) {
            double difference = 0;
            for (std::size_t w = 0; w < weights.size(); ++w) {
                difference += weights[w] * values[(k + w) * rows_ + i];
            }
            worst = std::max(worst, std::abs(difference));
        }
        noise_[i] = std::isfinite(worst) ? worst / amplification / eps : 0;
    }
}

void ExternalSystem::note(const char* function, std::span<const double> q, std::span<const double> values) {
    if (not_finite_.empty() && !all_finite(values) && all_finite(q)) {
        not_finite_ = function;
    }
}

double ExternalSystem::energy(const double& t, std::span<const double> q, std::span<const double> p) {
    const double sum = whole_->energy(t, q, p);
    return functions_->potential ? sum + functions_->potential->value(q) : sum;
}

void ExternalSystem::add_gradient(std::span<const double> q, std::span<double> gradient) {
    functions_->potential->gradient(q, blank(gradient_));
    note("the gradient of the potential", q, gradient_);
    for (std::size_t j = 0; j < dimension_; ++j) {
        gradient[j] += gradient_[j];
    }
}

void ExternalSystem::force_gradient(const double& t, std::span<const double> q, std::span<const double> p,
                                    std::span<double> gradient) {
    whole_->force_gradient(t, q, p, gradient);
    if (functions_->potential) {
        add_gradient(q, gradient);
    }
}

void ExternalSystem::part_gradient(unsigned parts, const double& t, std::span<const double> q,
                                   std::span<double> gradient) {
    whole_->part_gradient(parts, t, q, gradient);
    if (functions_->potential && (parts & slow_part) != 0) {
        add_gradient(q, gradient);
    }
}

// The last one is kept: g at q + q_low and G at the same q follow each other in every step. A function of q alone gives
// the same bits whether it is called again or not.
std::span<const double> ExternalSystem::external_jacobian(std::span<const double> q) {
    if (G_position_.size() != q.size() || std::memcmp(G_position_.data(), q.data(), q.size_bytes()) != 0) {
        G_position_.clear();
        functions_->constraints->jacobian(q, blank(G_));
        G_position_.assign(q.begin(), q.end());
        note("the Jacobian of the constraints", q, G_);
    }
    return G_;
}

// g(q + q_low) = g(q) + G q_low: exact where q_low is below the rounding of q. At q alone g would miss what the state
// holds beyond double precision, half a unit of round-off in every step; the price is one call of the Jacobian.
void ExternalSystem::constraint(const double& t, std::span<const double> q, std::span<const double> q_low,
                                std::span<double> g) {
    whole_->constraint(t, q, q_low, g.first(inner_rows_));
    if (rows_ == 0) {
        return;
    }
    const auto rows = g.subspan(inner_rows_);
    functions_->constraints->value(q, blank(rows));
    note("the value of the constraints", q, rows);
    if (q_low.empty()) {
        return;
    }
    const auto G = external_jacobian(q);
    for (std::size_t i = 0; i < rows_; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < dimension_; ++j) {
            sum += G[i * dimension_ + j] * q_low[j];
        }
        rows[i] += sum;
    }
}

// Rounding spoils g by that of its arguments at least, sum_j |G_ij q_j|, and by the noise of its values.
void ExternalSystem::jacobian(const double& t, std::span<const double> q, std::span<double> entries,
                              std::span<double> rounding) {
    whole_->jacobian(t, q, entries.first(inner_entries_), rounding.empty() ? rounding : rounding.first(inner_rows_));
    if (rows_ == 0) {
        return;
    }
    const auto G = external_jacobian(q);
    std::ranges::copy(G, entries.begin() + static_cast<std::ptrdiff_t>(inner_entries_));
    if (rounding.empty()) {
        return;
    }
    for (std::size_t i = 0; i < rows_; ++i) {
        double size = 0;
        for (std::size_t j = 0; j < dimension_; ++j) {
            size += std::abs(G[i * dimension_ + j] * q[j]);
        }
        rounding[inner_rows_ + i] = std::max(size, 2 * noise_[i]);
    }
}

void ExternalSystem::curvature(const double& t, std::span<const double> q, std::span<const double> v,
                               std::span<double> rows) {
    whole_->curvature(t, q, v, rows.first(inner_rows_));
    if (rows_ == 0) {
        return;
    }
    const auto own = rows.subspan(inner_rows_);
    if (functions_->constraints->curvature) {
        functions_->constraints->curvature(q, v, blank(own));
    } else {
        differenced_curvature(q, v, own);
    }
    note("the curvature of the constraints", q, own);
}

// G_q(v, v) = (G(q + s v) v - G(q - s v) v) / 2s + O(s^2). With d = s |v| / |q| the rounding of G v is magnified to eps
// / d, and the remainder is d^2 / 6 where G changes over lengths of q; both are about 4e-11 at d = eps^(1/3), of |G|
// |v|^2 / |q|. For rods, whose G is linear, rounding alone is left.
void ExternalSystem::differenced_curvature(std::span<const double> q, std::span<const double> v,
                                           std::span<double> rows) {
    std::ranges::fill(rows, 0.0);
    const double speed = largest_component(v);
    if (!(speed > 0)) {
        return;
    }
    const double s = std::cbrt(eps) * length(q) / speed;
    std::vector<double> G(G_.size());
    for (const double side : {1.0, -1.0}) {
        for (std::size_t j = 0; j < dimension_; ++j) {
            moved_[j] = q[j] + side * s * v[j];
        }
        functions_->constraints->jacobian(moved_, blank(G));
        for (std::size_t i = 0; i < rows_; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < dimension_; ++j) {
                sum += G[i * dimension_ + j] * v[j];
            }
            rows[i] += side * sum / (2 * s);
        }
    }
}

void ExternalSystem::constraint_rate(const double& t, std::span<const double> q, std::span<double> rows) {
    whole_->constraint_rate(t, q, rows.first(inner_rows_));
    std::ranges::fill(rows.subspan(inner_rows_), 0.0);
}

void ExternalSystem::refuse_derivatives() const {
    throw InputError(fmt::format("second derivatives are needed, but {} cannot be traced and does not provide them",
                                 properties_.untraced));
}

void ExternalSystem::field_jacobian(const double&, std::span<const double>, std::span<const double>,
                                    std::span<double>) {
    refuse_derivatives();
}
void ExternalSystem::part_hessian(unsigned, const double&, std::span<const double>, std::span<double>) {
    refuse_derivatives();
}
void ExternalSystem::reaction_gradient(const double&, std::span<const double>, std::span<const double>,
                                       std::span<const double>, std::span<const double>, std::span<double>,
                                       std::span<double>) {
    refuse_derivatives();
}
void ExternalSystem::reaction_hessian(const double&, std::span<const double>, std::span<const double>,
                                      std::span<double>) {
    refuse_derivatives();
}

}  // namespace libration
