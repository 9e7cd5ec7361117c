// Pendulums as text, as functions, and as both.
#pragma once

#include <libration/model/builder.hpp>

#include <cmath>
#include <memory>
#include <string>

namespace libration::external_samples {

// n points in the plane below each other, each hanging on the one before by a rod of length 1.
inline std::string text_of(std::size_t n, const std::string& dynamics) {
    std::string names, positions;
    for (std::size_t k = 1; k <= n; ++k) {
        names += (k > 1 ? ", " : "") + ("\"x" + std::to_string(k)) + "\", \"y" + std::to_string(k) + "\"";
        positions += (k > 1 ? ", " : "") + std::to_string(k) + ", 0";
    }
    return "[parameters]\ng = 1\n[coordinates]\nq = [" + names + "]\n[dynamics]\nmass = 1\n" + dynamics +
           "\n[initial]\nq = [" + positions + "]\n";
}

inline const std::string single_potential = "potential = \"y1\"\n";
inline const std::string single_rod = "constraints = [\"x1^2 + y1^2 - 1\"]\n";
inline const std::string double_potential = "potential = \"y1 + y2\"\n";
inline const std::string double_rods = "constraints = [\"x1^2 + y1^2 - 1\", \"(x2 - x1)^2 + (y2 - y1)^2 - 1\"]\n";

inline Model text_pendulum(std::size_t n) {
    return Model::parse(text_of(n, n == 1 ? single_potential + single_rod : double_potential + double_rods),
                        "pendulum");
}

inline ExternalPotential weights() {
    return {.value =
                [](std::span<const double> q) {
                    double sum = 0;
                    for (std::size_t k = 1; k < q.size(); k += 2) {
                        sum += q[k];
                    }
                    return sum;
                },
            .gradient =
                [](std::span<const double> q, std::span<double> out) {
                    for (std::size_t k = 0; k < q.size(); ++k) {
                        out[k] = k % 2 == 1 ? 1 : 0;
                    }
                }};
}

// Rods number first ... last - 1.
inline ExternalConstraints rods(std::size_t first, std::size_t last, bool with_curvature) {
    const auto component = [](std::span<const double> q, std::size_t rod, std::size_t c) {
        return rod == 0 ? q[c] : q[2 * rod + c] - q[2 * rod - 2 + c];
    };
    ExternalConstraints result{.rows = last - first};
    result.value = [=](std::span<const double> q, std::span<double> rows) {
        for (std::size_t k = first; k < last; ++k) {
            const double x = component(q, k, 0), y = component(q, k, 1);
            rows[k - first] = x * x + y * y - 1;
        }
    };
    result.jacobian = [=](std::span<const double> q, std::span<double> G) {
        std::fill(G.begin(), G.end(), 0.0);
        for (std::size_t k = first; k < last; ++k) {
            double* row = G.data() + (k - first) * q.size();
            for (std::size_t c = 0; c < 2; ++c) {
                row[2 * k + c] = 2 * component(q, k, c);
                if (k > 0) {
                    row[2 * k - 2 + c] = -2 * component(q, k, c);
                }
            }
        }
    };
    if (with_curvature) {
        result.curvature = [=](std::span<const double>, std::span<const double> v, std::span<double> rows) {
            for (std::size_t k = first; k < last; ++k) {
                const double x = component(v, k, 0), y = component(v, k, 1);
                rows[k - first] = 2 * (x * x + y * y);
            }
        };
    }
    return result;
}

inline std::shared_ptr<const ExternalFunctions> shared(ExternalFunctions functions) {
    return std::make_shared<const ExternalFunctions>(std::move(functions));
}

inline Model with_functions(std::size_t n, const std::string& dynamics, ExternalFunctions functions) {
    return Model::parse(text_of(n, dynamics), "pendulum", {}, shared(std::move(functions)));
}

// Nothing but masses in the text.
inline Model external_pendulum(std::size_t n, bool with_curvature = false) {
    return with_functions(n, "", {weights(), rods(0, n, with_curvature)});
}

}  // namespace libration::external_samples
