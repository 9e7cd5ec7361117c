// Checking where a run starts.
#include <libration/integrate/start.hpp>

#include <libration/manifold/rank.hpp>
#include <libration/manifold/sparse_product.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

constexpr double tolerance = 1e-10;

// Largest |row| and whether every row is small against the sizes of its terms.
struct RowCheck {
    double largest = 0;
    std::size_t row = 0;
    bool small = true;
    bool finite = true;
};

RowCheck check_rows(const SparsePattern& pattern, std::span<const double> G, std::span<const double> rows,
                    std::span<const double> sizes, double common_size) {
    RowCheck check;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double scale = 0;
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            scale += std::abs(G[e]) * std::max(std::abs(sizes[pattern.column[e]]), common_size);
        }
        const double size = std::abs(rows[i]);
        check.finite = check.finite && std::isfinite(size);
        check.small = check.small && size <= tolerance * std::max(scale, 1e-3);
        if (!(size <= check.largest)) {
            check.largest = size;
            check.row = i;
        }
    }
    return check;
}

double largest_of(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

}  // namespace

Consistency consistency(System<double>& system, double t, std::span<const double> q, std::span<const double> p) {
    Consistency result;
    const std::size_t m = system.constraints();
    if (m == 0) {
        return result;
    }
    std::vector<double> G(system.pattern().entries()), rows(m), v(system.dimension());
    system.jacobian(t, q, G);
    system.constraint(t, q, rows);
    const auto position = check_rows(system.pattern(), G, rows, q, 0);
    system.velocity(t, q, p, v);
    apply_jacobian<double>(system.pattern(), G, v, rows);
    const auto hidden = check_rows(system.pattern(), G, rows, v, largest_of(v));
    result.position = position.largest;
    result.position_row = position.row;
    result.hidden = hidden.largest;
    result.hidden_row = hidden.row;
    result.consistent = position.small && hidden.small;
    result.finite = position.finite && hidden.finite;
    return result;
}

std::string rank_fault(const Model& model, System<double>& system, double t, std::span<const double> q) {
    std::string text;
    for (const auto& dependence : dependent_constraints(system, t, q)) {
        std::vector<std::string> names;
        for (const auto row : dependence.rows) {
            if (names.size() == 8 && dependence.rows.size() > 10) {
                names.push_back(fmt::format("... ({} more)", dependence.rows.size() - names.size()));
                break;
            }
            names.push_back(model.constraint_name(row));
        }
        if (names.size() == 1) {
            text += fmt::format("  the gradient of {} vanishes\n", names[0]);
        } else {
            text += fmt::format("  {} depend on each other\n", fmt::join(names, ", "));
        }
        if (text.size() > 1000) {
            text += "  ...\n";
            break;
        }
    }
    return text;
}

std::string start_fault(const Model& model, System<double>& system, std::span<const double> q,
                        std::span<const double> p) {
    const double t = 0;
    std::vector<double> gradient(system.dimension());
    system.force_gradient(t, q, p, gradient);
    if (!std::isfinite(system.energy(t, q, p))) {
        return "the energy is not a finite number at the initial values; check that every formula is defined there";
    }
    for (std::size_t k = 0; k < gradient.size(); ++k) {
        if (!std::isfinite(gradient[k])) {
            return fmt::format("the force on {} is not a finite number at the initial values",
                               model.coordinate_name(k));
        }
    }
    const auto found = consistency(system, t, q, p);
    if (!found.finite) {
        return fmt::format(
            "the constraint {} is not a finite number at the initial values",
            model.constraint_name(std::isfinite(found.position) ? found.hidden_row : found.position_row));
    }
    if (const auto dependent = rank_fault(model, system, t, q); !dependent.empty()) {
        return "some constraints are redundant at the initial values:\n" + dependent +
               "Remove one constraint of each set, or start where they are independent.";
    }
    if (!found.consistent) {
        return fmt::format("the initial values do not satisfy the constraints: largest |g| = {:.3g} ({}), largest |G "
                           "v| = {:.3g} ({})\n"
                           "Correct them, or let --project move them to the nearest consistent state.",
                           found.position, model.constraint_name(found.position_row), found.hidden,
                           model.constraint_name(found.hidden_row));
    }
    return {};
}

}  // namespace libration
