// Rows that are not carried, and do not hold.
#include "row_watch.hpp"

#include "manifold/least_norm.hpp"
#include "model/carried.hpp"
#include "row_words.hpp"
#include "system/windings.hpp"
#include <libration/kit/sparse_product.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Relative to the terms of a row. Data count as redundant if their gradients are dependent up to sines of 1e-9 and the
// start satisfies them up to 1e-10; a long way leads to some times as much. What contradicts is far beyond: data with
// six digits, or another branch of the manifold of the rows carried.
constexpr double explained = 1e-7;
// Of methods that do not keep the hidden constraints, or drift, rows that are not carried miss by as much as the
// others.
constexpr double times_carried = 1e3;

struct Missed {
    std::size_t row = 0;
    double size = 0, relative = 0;
    bool of_rates = false;
};

double largest_of(std::span<const double> values) {
    double most = 0;
    for (const double x : values) {
        most = std::max(most, std::abs(x));
    }
    return most;
}

// |row| in units of its terms G_j x_j, with all x at least of a common size.
std::vector<double> relative_sizes(const SparsePattern& pattern, std::span<const double> G,
                                   std::span<const double> rows, std::span<const double> x, double common,
                                   std::span<const double> more) {
    std::vector<double> sizes(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double scale = more.empty() ? 0 : std::abs(more[i]);
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            scale += std::abs(G[e]) * std::max(std::abs(x[pattern.column[e]]), common);
        }
        sizes[i] = rows[i] == 0 ? 0 : std::abs(rows[i]) / scale;
    }
    return sizes;
}

// The row not carried that misses by most, if that is not explained.
std::optional<Missed> worst_of(std::span<const double> rows, std::span<const double> relative,
                               std::span<const std::size_t> carried, bool of_rates) {
    Missed worst;
    double among_carried = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (std::ranges::binary_search(carried, i)) {
            among_carried = std::max(among_carried, relative[i]);
        } else if (relative[i] > worst.relative) {
            worst = {i, std::abs(rows[i]), relative[i], of_rates};
        }
    }
    if (worst.relative <= std::max(explained, times_carried * among_carried)) {
        return std::nullopt;
    }
    return worst;
}

}  // namespace

std::optional<std::string> RowWatch::contradiction(const Node<double>& node) {
    auto& whole = *whole_;
    for (auto* system : {system_, whole_.get()}) {
        if (auto* windings = system->windings()) {
            windings->refer_to(node.turns);
        }
    }
    const std::size_t m = whole.constraints();
    const auto& pattern = whole.pattern();
    const auto& carried = model_->carried->rows;
    std::vector<double> G(pattern.entries()), rows(m), rate(m), v(node.q.size());
    whole.jacobian(node.t, node.q, G);
    whole.constraint(node.t, node.q, node.q_low, rows);
    // Angles of many turns need not make the others coarse.
    const double unit = std::min(1.0, largest_of(node.q));
    auto worst = worst_of(rows, relative_sizes(pattern, G, rows, node.q, unit, {}), carried, false);
    if (!worst) {
        whole.velocity(node.t, node.q, node.p, v);
        apply_jacobian<double>(pattern, G, v, rows);
        whole.constraint_rate(node.t, node.q, rate);
        for (std::size_t i = 0; i < m; ++i) {
            rows[i] += rate[i];
        }
        worst = worst_of(rows, relative_sizes(pattern, G, rows, v, largest_of(v), rate), carried, true);
    }
    if (!worst) {
        return std::nullopt;
    }
    // The rows with which it is dependent.
    std::vector<std::size_t> set{worst->row};
    LeastNorm dependence(whole, *system_, carried);
    if (dependence.available()) {
        dependence.set_state(node.t, node.q, node.p);
        dependence.for_null_vectors([&](std::span<const std::size_t> rows_there, std::span<const double> values) {
            const auto place = std::ranges::lower_bound(rows_there, worst->row) - rows_there.begin();
            if (place == std::ssize(rows_there) || values[static_cast<std::size_t>(place)] != 1 || set.size() > 1) {
                return;
            }
            const double largest = largest_of(values);
            set.clear();
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (rows_there[i] == worst->row || std::abs(values[i]) > 1e-3 * largest) {
                    set.push_back(rows_there[i]);
                }
            }
        });
    }
    const auto& model = model_->carried->whole;
    // Rows that hold bodies together take part in many dependences, and nobody can change them.
    std::vector<std::size_t> of_user;
    std::ranges::set_difference(set, rows_of_bodies(model), std::back_inserter(of_user));
    set = of_user.empty() ? set : of_user;
    const auto joints = joints_of_rows(model, set);
    return fmt::format("redundant constraints contradict each other: they were dependent and held at the start, but "
                       "they do not hold together on the way\n"
                       "  {}: where the others hold, {} of {} is {:.3g} and not 0\n"
                       "{}If they are to hold together, make their formulas and data agree with all digits; otherwise "
                       "remove one of them.",
                       names_of_set(model, set), worst->of_rates ? "the rate" : "the value",
                       model.constraint_name(worst->row), worst->size,
                       joints.empty() ? std::string()
                                      : fmt::format("Look at the axes, points and motions of the joint{} {}.\n",
                                                    joints.size() == 1 ? "" : "s", fmt::join(joints, ", ")));
}

}  // namespace libration
