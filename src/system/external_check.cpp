// Central differences of three lengths: their own error, noise of the values included, shows in how they differ.
#include "external_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace libration {

namespace {

constexpr double tolerance = 1e-4;
// Larger models are tried along a few directions that mix all coordinates, and one by one only if that shows a fault.
constexpr std::size_t small_dimension = 64, mixed_directions = 4;

using Vector = std::vector<double>;
using Function = std::function<Vector(std::span<const double>)>;

double largest_entry(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

class Comparison {
  public:
    Comparison(Function value, std::span<const double> q)
        : value_(std::move(value)), q_(q.begin(), q.end()), size_(largest_entry(value_(q_))) {}

    // The first row whose slope along the direction is not the one that is claimed; size() if all are.
    std::size_t wrong_row(std::span<const double> direction, std::span<const double> claimed) {
        const double most = largest_entry(q_);
        // Truncation d^2 / 6 and rounding eps / d are alike at d = eps^(1/3).
        const double d =
            std::cbrt(std::numeric_limits<double>::epsilon()) * (most > 0 ? most : 1) / largest_entry(direction);
        const auto near = slope(direction, d), between = slope(direction, 1.5 * d), far = slope(direction, 2 * d);
        std::size_t wrong = claimed.size();
        for (std::size_t i = 0; i < claimed.size(); ++i) {
            const double difference = std::abs(claimed[i] - near[i]), given = std::abs(claimed[i]);
            const double spread = std::max(std::abs(near[i] - far[i]), std::abs(near[i] - between[i]));
            const double doubt = 10 * (spread + std::numeric_limits<double>::epsilon() * size_ / d);
            largest_slope_ = std::max({largest_slope_, given, std::abs(near[i])});
            largest_difference_ = std::max(largest_difference_, difference);
            if (wrong == claimed.size() && !(difference <= tolerance * std::max(given, std::abs(near[i])) + doubt)) {
                wrong = i;
                seen_ = near[i];
            }
        }
        return wrong;
    }

    [[nodiscard]] double seen() const { return seen_; }  // the slope of the last wrong row
    [[nodiscard]] double relative() const {
        const double most = largest_entry(q_), slope = std::max(largest_slope_, size_ / (most > 0 ? most : 1));
        return slope > 0 ? largest_difference_ / slope : 0;
    }

  private:
    [[nodiscard]] Vector slope(std::span<const double> direction, double d) const {
        Vector ahead = q_, behind = q_;
        for (std::size_t j = 0; j < q_.size(); ++j) {
            ahead[j] += d * direction[j];
            behind[j] -= d * direction[j];
        }
        auto result = value_(ahead);
        const auto other = value_(behind);
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] = (result[i] - other[i]) / (2 * d);
        }
        return result;
    }

    Function value_;
    Vector q_;
    double size_, seen_ = 0, largest_slope_ = 0, largest_difference_ = 0;
};

// One derivative: rows x coordinates.
struct Derivative {
    Function value;
    Vector matrix;
    std::function<std::string(std::size_t row, std::size_t coordinate)> name;
    std::function<std::string(std::size_t row)> row_name;  // in any direction
};

void compare(const Derivative& derivative, std::span<const double> q, ExternalCheck& check) {
    const std::size_t n = q.size(), rows = derivative.matrix.size() / n;
    Comparison comparison(derivative.value, q);
    std::string mixed;
    Vector direction(n), claimed(rows);
    for (std::size_t k = 0; n > small_dimension && k < mixed_directions && mixed.empty(); ++k) {
        std::ranges::fill(claimed, 0.0);
        for (std::size_t j = 0; j < n; ++j) {
            direction[j] = std::cos(static_cast<double>((k + 1) * (j % 1009) + j % 31));
            for (std::size_t i = 0; i < rows; ++i) {
                claimed[i] += derivative.matrix[i * n + j] * direction[j];
            }
        }
        if (const auto row = comparison.wrong_row(direction, claimed); row < rows) {
            mixed = fmt::format("{} is inconsistent with its value: along a direction that mixes all coordinates it "
                                "gives {:.6g}, finite differences of the value give {:.6g}",
                                derivative.row_name(row), claimed[row], comparison.seen());
        }
    }
    std::ranges::fill(direction, 0.0);
    for (std::size_t j = 0; (n <= small_dimension || !mixed.empty()) && j < n && check.fault.empty(); ++j) {
        direction[j] = 1;
        for (std::size_t i = 0; i < rows; ++i) {
            claimed[i] = derivative.matrix[i * n + j];
        }
        if (const auto row = comparison.wrong_row(direction, claimed); row < rows) {
            check.fault = fmt::format("{} is inconsistent with its value: the function gives {:.6g}, finite "
                                      "differences of the value give {:.6g}",
                                      derivative.name(row, j), claimed[row], comparison.seen());
        }
        direction[j] = 0;
    }
    if (check.fault.empty()) {
        check.fault = mixed;
    }
    check.largest_error = std::max(check.largest_error, comparison.relative());
}

// Empty if all is finite.
std::string undefined(const Vector& values, const std::string& what) {
    return std::ranges::all_of(values, [](double x) { return std::isfinite(x); })
               ? std::string()
               : fmt::format("{} is not a finite number at the initial values, or the function does not set it", what);
}

Vector blank_vector(std::size_t size) { return Vector(size, std::numeric_limits<double>::quiet_NaN()); }

}  // namespace

ExternalCheck check_external_derivatives(const Model& model, std::span<const double> q, std::span<const double> v) {
    ExternalCheck check;
    const std::size_t n = q.size(), m = model.external_rows(), first = model.constraint_rows - m;
    if (const auto& potential = model.external->potential) {
        const auto value = [&](std::span<const double> at) { return Vector{potential->value(at)}; };
        auto gradient = blank_vector(n);
        potential->gradient(q, gradient);
        check.fault = undefined(value(q), "the external potential");
        for (std::size_t j = 0; j < n && check.fault.empty(); ++j) {
            check.fault = undefined({gradient[j]}, "the gradient of the external potential with respect to " +
                                                       model.coordinate_name(j));
        }
        if (check.fault.empty()) {
            compare({value, gradient,
                     [&](std::size_t, std::size_t j) {
                         return "the gradient of the external potential with respect to " + model.coordinate_name(j);
                     },
                     [](std::size_t) { return std::string("the gradient of the external potential"); }},
                    q, check);
        }
    }
    const auto& constraints = model.external->constraints;
    if (!constraints || !check.fault.empty()) {
        return check;
    }
    const auto name = [&](std::size_t i) { return model.constraint_name(first + i); };
    const auto value = [&](std::span<const double> at) {
        auto rows = blank_vector(m);
        constraints->value(at, rows);
        return rows;
    };
    auto G = blank_vector(m * n);
    constraints->jacobian(q, G);
    const auto g = value(q);
    for (std::size_t i = 0; i < m && check.fault.empty(); ++i) {
        check.fault = undefined({g[i]}, fmt::format("the external constraint {}", name(i)));
        for (std::size_t j = 0; j < n && check.fault.empty(); ++j) {
            check.fault =
                undefined({G[i * n + j]}, fmt::format("the Jacobian of the external constraint {} with respect to {}",
                                                      name(i), model.coordinate_name(j)));
        }
    }
    if (!check.fault.empty()) {
        return check;
    }
    compare({value, G,
             [&](std::size_t i, std::size_t j) {
                 return fmt::format("the Jacobian of the external constraint {} with respect to {}", name(i),
                                    model.coordinate_name(j));
             },
             [&](std::size_t i) { return fmt::format("the Jacobian of the external constraint {}", name(i)); }},
            q, check);
    if (!constraints->curvature || !check.fault.empty()) {
        return check;
    }
    Vector direction(v.begin(), v.end());
    for (std::size_t j = 0; largest_entry(v) == 0 && j < n; ++j) {
        direction[j] = std::cos(static_cast<double>(3 * j));
    }
    auto claimed = blank_vector(m);
    constraints->curvature(q, direction, claimed);
    Comparison curvature(
        [&](std::span<const double> at) {
            auto there = blank_vector(m * n);
            constraints->jacobian(at, there);
            Vector rows(m);
            for (std::size_t e = 0; e < m * n; ++e) {
                rows[e / n] += there[e] * direction[e % n];
            }
            return rows;
        },
        q);
    if (const auto row = curvature.wrong_row(direction, claimed); row < m) {
        check.fault = fmt::format("the curvature of the external constraint {} is inconsistent with its Jacobian: the "
                                  "function gives {:.6g}, finite differences of the Jacobian give {:.6g}",
                                  name(row), claimed[row], curvature.seen());
    }
    check.largest_error = std::max(check.largest_error, curvature.relative());
    return check;
}

}  // namespace libration
