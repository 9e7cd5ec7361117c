// Eigenvalues of the Lax matrix along a run.
#include "toda.hpp"

#include "analysis/list.hpp"
#include "analysis/option_reading.hpp"
#include "integrate/extremes.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

// Turns the plane of rows i and j so that the entry (i, j) vanishes.
void rotate(std::vector<double>& matrix, std::size_t n, std::size_t i, std::size_t j) {
    const auto at = [&](std::size_t row, std::size_t column) -> double& { return matrix[row * n + column]; };
    if (at(i, j) == 0) {
        return;
    }
    // The smaller root of tan^2 + 2 cot(2 phi) tan - 1 = 0.
    const double cotangent = (at(j, j) - at(i, i)) / (2 * at(i, j));
    const double tangent = (cotangent >= 0 ? 1 : -1) / (std::abs(cotangent) + std::hypot(1, cotangent));
    const double cosine = 1 / std::hypot(1, tangent), sine = tangent * cosine;
    for (std::size_t k = 0; k < n; ++k) {
        const double x = at(k, i), y = at(k, j);
        at(k, i) = cosine * x - sine * y;
        at(k, j) = sine * x + cosine * y;
    }
    for (std::size_t k = 0; k < n; ++k) {
        const double x = at(i, k), y = at(j, k);
        at(i, k) = cosine * x - sine * y;
        at(j, k) = sine * x + cosine * y;
    }
    at(i, j) = at(j, i) = 0;
}

}  // namespace

std::vector<double> symmetric_eigenvalues(std::vector<double> matrix, std::size_t n) {
    double size = 0;
    for (const double entry : matrix) {
        size = std::max(size, std::abs(entry));
    }
    if (!std::isfinite(size)) {
        throw InputError("the matrix has entries that are not finite");
    }
    // Convergence is quadratic: a few sweeps do.
    for (int sweep = 0; sweep < 60; ++sweep) {
        double beside = 0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n; ++j) {
                beside = std::max(beside, std::abs(matrix[i * n + j]));
                rotate(matrix, n, i, j);
            }
        }
        if (beside <= 1e-18 * size) {
            break;
        }
    }
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i) {
        values.push_back(matrix[i * n + i]);
    }
    std::ranges::sort(values);
    return values;
}

std::vector<double> lax_matrix(std::span<const double> q, std::span<const double> p) {
    const std::size_t d = q.size();
    std::vector<double> matrix(d * d, 0.0);
    for (std::size_t k = 0; k < d; ++k) {
        const std::size_t next = (k + 1) % d;
        const double b = 0.5 * std::exp(0.5 * (q[k] - q[next]));
        matrix[k * d + k] = -0.5 * p[k];
        matrix[k * d + next] += b;
        matrix[next * d + k] += b;
    }
    return matrix;
}

TodaEigenvalues toda_eigenvalues(const Trajectory& trajectory, std::span<const std::size_t> coordinates) {
    TodaEigenvalues result;
    std::vector<double> q, p;
    for (std::size_t row = 0; row < trajectory.rows(); ++row) {
        q.clear();
        p.clear();
        for (const auto k : coordinates) {
            q.push_back(trajectory.q[row][k]);
            p.push_back(trajectory.p[row][k]);
        }
        const auto matrix = lax_matrix(q, p);
        if (std::ranges::any_of(matrix, [](double entry) { return !(std::abs(entry) < 1e150); })) {
            result.values.emplace_back(coordinates.size(), std::nan(""));  // an exploded state has no eigenvalues
            result.deviation = std::numeric_limits<double>::infinity();
            continue;
        }
        result.values.push_back(symmetric_eigenvalues(matrix, coordinates.size()));
        for (std::size_t k = 0; k < coordinates.size(); ++k) {
            result.deviation = std::max(result.deviation, std::abs(result.values[row][k] - result.values[0][k]));
        }
    }
    result.initial = result.values.front();
    return result;
}

namespace {

// Whether masses are 1 and the forces at the state are those of the lattice.
bool is_lattice(System<double>& system, const Trajectory& trajectory, std::size_t row,
                std::span<const std::size_t> coordinates) {
    const auto inverse = system.inverse_masses();
    if (!system.properties().hamiltonian || system.constraints() > 0 || inverse.empty()) {
        return false;
    }
    const auto& q = trajectory.q[row];
    std::vector<double> gradient(system.dimension());
    system.force_gradient(trajectory.t[row], q, trajectory.p[row], gradient);
    const std::size_t n = coordinates.size();
    for (std::size_t k = 0; k < n; ++k) {
        const auto at = coordinates[k], next = coordinates[(k + 1) % n], before = coordinates[(k + n - 1) % n];
        const double right = std::exp(q[at] - q[next]), left = std::exp(q[before] - q[at]);
        // Both exponentials and their difference are rounded, in the model perhaps in another order.
        if (inverse[at] != 1 || !(std::abs(gradient[at] - (right - left)) <= 1e-12 * (right + left))) {
            return false;
        }
    }
    return true;
}

AnalysisResult run_toda(const Trajectory& trajectory, const AnalysisOptions& options) {
    const auto coordinates = coordinates_option(trajectory.model, options, "coordinates");
    if (coordinates.size() < 3) {
        throw InputError(
            "a Toda lattice has at least three particles: give their coordinates with the option 'coordinates'");
    }
    const auto system = make_system<double>(trajectory.model);
    // At two states: in one of them the forces of another model might agree.
    if (!is_lattice(*system, trajectory, 0, coordinates) || !is_lattice(*system, trajectory, 1, coordinates)) {
        throw InputError("the eigenvalues are those of a periodic Toda lattice: H = sum p_k^2/2 + exp(q_k - q_k+1) in "
                         "the order of the option 'coordinates'; the forces of this model are different");
    }
    const auto found = toda_eigenvalues(trajectory, coordinates);
    AnalysisResult result{.what = "toda"};
    result.verdict = fmt::format("the {} eigenvalues of the Lax matrix change by at most {} over {} units of time",
                                 coordinates.size(), shown(found.deviation),
                                 shown(std::abs(trajectory.t.back() - trajectory.t.front())));
    result.numbers.push_back(
        {"deviation", found.deviation, "maximum deviation of an eigenvalue from its initial value"});
    plot::Figure figure;
    figure.title = "Eigenvalues of the Lax matrix";
    figure.x.label = "t";
    figure.y.label = "eigenvalues";
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        result.numbers.push_back(
            {fmt::format("initial_{}", k + 1), found.initial[k], fmt::format("eigenvalue {} at the start", k + 1)});
        plot::Series series{fmt::format("{}", k + 1), trajectory.t, {}};
        double most = 0;
        for (const auto& row : found.values) {
            series.y.push_back(row[k]);
            most = std::max(most, finite_or_infinite(std::abs(row[k] - found.initial[k])));
        }
        result.numbers.push_back(
            {fmt::format("deviation_{}", k + 1), most, fmt::format("deviation of eigenvalue {}", k + 1)});
        figure.series.push_back(std::move(series));
    }
    if (const double width = found.initial.back() - found.initial.front(); found.deviation > 2 * width) {
        figure.y.low = found.initial.front() - width;  // an explosion is shown as far as there is something to see
        figure.y.high = found.initial.back() + width;
    }
    result.figures.push_back(std::move(figure));
    return result;
}

}  // namespace

AnalysisRecord toda_analysis() {
    return {.name = "toda",
            .summary = "Eigenvalues of the Lax matrix of a periodic Toda lattice, all of which are invariants.",
            .options = {{"coordinates", "",
                         "coordinates of the particles in ring order, such as \"q1, q2, q3\"; default: all"}},
            .run = run_toda,
            .needs = AnalysisRecord::Needs::model};
}

}  // namespace libration
