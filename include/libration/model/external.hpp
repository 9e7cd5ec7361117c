// Functions that cannot be traced: code for numbers instead of expressions. They provide their own derivatives, are
// available in double precision only, and act in addition to the rest of the model:
//
//     H = 1/2 p^T M^-1 p + U(q) + U_external(q),      rows of g: those of the model, then the external ones.
//
//     ExternalFunctions functions;
//     functions.potential = {.value = [](auto q) { return q[1]; }, .gradient = [](auto, auto out) { out[0] = 0; out[1] = 1; }};
//     Model model = builder.external(functions).build();
//
// Their exceptions end the run and propagate unchanged. An ensemble calls them from several threads at once.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

struct ExternalPotential {
    std::function<double(std::span<const double> q)> value;
    std::function<void(std::span<const double> q, std::span<double> gradient)> gradient;
};

struct ExternalConstraints {
    using Rows = std::function<void(std::span<const double> q, std::span<double> rows)>;
    std::size_t rows = 0;
    std::vector<std::string> names;  // one a row; empty: g1, g2, ... and lambda_1, ..., after those of the model
    Rows value;                      // g(q)
    Rows jacobian;                   // G(q), rows x dimension, row after row
    // G_q(v, v), one number per row. Without it finite differences of the Jacobian are used: the multipliers shown are
    // then accurate to about ten digits.
    std::function<void(std::span<const double> q, std::span<const double> v, std::span<double> rows)> curvature;
};

struct ExternalFunctions {
    std::optional<ExternalPotential> potential;
    std::optional<ExternalConstraints> constraints;

    [[nodiscard]] std::size_t rows() const { return constraints ? constraints->rows : 0; }
    // For messages: "the potential", "the constraints", or both.
    [[nodiscard]] std::string what() const {
        return potential && constraints ? "the potential and the constraints"
               : potential              ? "the potential"
                                        : "the constraints";
    }
};

}  // namespace libration
