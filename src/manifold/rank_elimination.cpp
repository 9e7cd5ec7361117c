// Elimination with a careful judgement of rows that seem dependent.
#include "rank_elimination.hpp"

#include "constraint_products.hpp"
#include "rank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

constexpr std::uint32_t list_end = std::numeric_limits<std::uint32_t>::max();
constexpr double machine_epsilon = std::numeric_limits<double>::epsilon();

// Relative pivots below this are not believed: rounding spoils them by eps S^2, so combinations up to S = 1e6 are seen.
constexpr double doubtful_relative_pivot = 1e-4;

// rho = |G^T c| / (sum |c_i G_i|^2)^1/2 bounds the smallest singular value of G with rows of length one. Of dependent
// rows only rounding is left, of G and of c: some hundred eps. On the other side, rows with rho < sqrt(eps) = 1.5e-8 do
// not show in G M^-1 G^T any more. The bound is a hundred times nearer to the first, for formulas that lose digits.
constexpr double dependent_share = 1e-11;

// Corrections of c; each gains several digits as long as the factor has any.
constexpr int most_corrections = 6;

// Decisions may cost this many passes through L; beyond that, which takes very many doubtful rows, pivots must do.
constexpr std::size_t most_passes = 200;

}  // namespace

RankElimination::RankElimination(System<double>& system, double t, std::span<const double> q, std::size_t most_sets,
                                 double close)
    : system_(system), t_(t), q_(q), most_sets_(most_sets), close_(close) {
    const std::size_t m = system.constraints(), d = system.dimension();
    const auto [graph, order] = ordered_graph<double>(system);
    structure_ = *eliminate(graph, order, std::numeric_limits<std::size_t>::max());
    position_ = structure_.positions();
    G_.resize(system.pattern().entries());
    L_.assign(structure_.places(), 0.0);
    system.jacobian(t, q, G_);
    ConstraintAssembly<double> assembly(system, L_.size(), PlaceFinder(structure_));
    assembly(system, t, q, std::vector<double>(q.size()), G_, L_);
    diagonal_.resize(m);
    for (std::uint32_t k = 0; k < m; ++k) {
        diagonal_[row(k)] = L_[structure_.start[k]];
    }
    for (auto* numbers : {&pivots_, &update_, &c_, &correction_}) {
        numbers->assign(m, 0.0);
    }
    next_place_.resize(m);
    first_.assign(m, list_end);
    next_.assign(m, list_end);
    met_.assign(m, 0);
    r_.assign(d, 0.0);
    solved_.assign(d, 0.0);
    occurs_.assign(d, 0);
    factor();
}

void RankElimination::factor() {
    const auto& start = structure_.start;
    for (std::uint32_t k = 0; k < structure_.columns(); ++k) {
        update_column(k);
        pivots_[k] = L_[start[k]];
        const double length2 = diagonal_[row(k)];
        bool independent = pivots_[k] > std::max(doubtful_relative_pivot, close_) * length2;
        if (!independent) {
            const bool afford = aside_.size() < most_sets_ || work_ < most_passes * structure_.places();
            independent = afford ? judge(k) : pivots_[k] > rank_tolerance * length2;
        }
        for (std::uint32_t i = start[k] + 1; i < start[k + 1]; ++i) {
            L_[i] = independent ? L_[i] / pivots_[k] : 0.0;
        }
        if (independent) {
            next_place_[k] = start[k] + 1;
            list(k);
        } else {
            aside_.push_back(row(k));
        }
    }
}

void RankElimination::list(std::uint32_t j) {
    if (next_place_[j] < structure_.start[j + 1]) {
        const auto k = position_[structure_.row[next_place_[j]]];
        next_[j] = first_[k];
        first_[k] = j;
    }
}

void RankElimination::update_column(std::uint32_t k) {
    const auto& [start, row] = structure_;
    for (std::uint32_t j = first_[k], after = list_end; j != list_end; j = after) {
        after = next_[j];
        row_entries_.push_back({j, next_place_[j]});
        const double scaled = L_[next_place_[j]] * pivots_[j];
        for (std::uint32_t i = next_place_[j]; i < start[j + 1]; ++i) {
            update_[row[i]] += scaled * L_[i];
        }
        ++next_place_[j];
        list(j);
    }
    row_start_.push_back(row_entries_.size());
    for (std::uint32_t i = start[k]; i < start[k + 1]; ++i) {
        L_[i] -= update_[row[i]];
        update_[row[i]] = 0;
    }
}

bool RankElimination::judge(std::uint32_t k) {
    const auto dependent = [&] {
        return !(residual_ > dependent_share * dependent_share * terms_) || residual_ < close_ * diagonal_[row(k)];
    };
    combine(k);
    measure();
    // c comes from A and is as inexact as its pivots; r, from G, is not. Least squares with the factor of A and
    // residuals from G: the corrected semi-normal equations (Bjorck, Linear Algebra Appl. 88/89, 1987).
    for (int n = 0; n < most_corrections && !dependent(); ++n) {
        const double before = residual_;
        correct(k);
        measure();
        if (!(residual_ < before)) {
            add_correction(k, -1);
            measure();
            break;
        }
        if (residual_ > 0.5 * before) {
            break;
        }
    }
    const bool independent = !dependent();
    if (independent) {
        take_residual_as_column(k);
    } else if (null_vectors_.size() < most_sets_) {
        null_vectors_.push_back(null_vector());
    }
    clear();
    return independent;
}

// c with L^T c = the unit vector of column k: only columns with a share are visited, so that local sets cost little.
void RankElimination::combine(std::uint32_t k) {
    double largest = 0;
    c_[row(k)] = 1;
    met_[k] = 1;
    heap_.assign(1, k);
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end());
        const std::uint32_t column = heap_.back();
        heap_.pop_back();
        met_[column] = 0;
        double& share = c_[row(column)];
        const double size = std::abs(share) * std::sqrt(diagonal_[row(column)]);
        if (column != k && size <= 0.01 * machine_epsilon * largest) {
            share = 0;  // rounding of a share that cancelled
            continue;
        }
        largest = std::max(largest, size);
        reach_.push_back(column);
        work_ += row_start_[column + 1] - row_start_[column] + 1;
        for (std::size_t e = row_start_[column]; e < row_start_[column + 1]; ++e) {
            const auto [j, place] = row_entries_[e];
            c_[row(j)] -= L_[place] * share;
            if (met_[j] == 0) {
                met_[j] = 1;
                heap_.push_back(j);
                std::push_heap(heap_.begin(), heap_.end());
            }
        }
    }
}

void RankElimination::clear_residual() {
    for (const auto x : coordinates_) {
        r_[x] = solved_[x] = 0;
        occurs_[x] = 0;
    }
    coordinates_.clear();
}

void RankElimination::add_residual_of(std::size_t row) {
    const auto& pattern = system_.pattern();
    for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
        const auto x = pattern.column[e];
        if (occurs_[x] == 0) {
            occurs_[x] = 1;
            coordinates_.push_back(x);
        }
        r_[x] += G_[e] * c_[row];
    }
}

void RankElimination::measure() {
    clear_residual();
    terms_ = 0;
    for (const auto column : reach_) {
        const auto i = row(column);
        terms_ += c_[i] * c_[i] * diagonal_[i];
        add_residual_of(i);
    }
    const auto inverse_masses = system_.inverse_masses();
    if (inverse_masses.empty()) {
        for (std::uint32_t x = 0; x < occurs_.size(); ++x) {  // M^-1 r may be full
            if (occurs_[x] == 0) {
                occurs_[x] = 1;
                coordinates_.push_back(x);
            }
        }
        system_.solve_mass(t_, q_, std::vector<double>(q_.size()), r_, solved_);
    } else {
        for (const auto x : coordinates_) {
            solved_[x] = inverse_masses[x] * r_[x];
        }
    }
    residual_ = 0;
    for (const auto x : coordinates_) {
        residual_ += r_[x] * solved_[x];
    }
    work_ += coordinates_.size();
}

double RankElimination::product_with_residual(std::size_t row) const {
    const auto& pattern = system_.pattern();
    double sum = 0;
    for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
        sum += G_[e] * solved_[pattern.column[e]];
    }
    return sum;
}

// c - x with A x = G M^-1 r over the rows of the combination.
void RankElimination::correct(std::uint32_t k) {
    const auto& start = structure_.start;
    for (const auto j : reach_) {
        met_[j] = j != k ? 1 : 0;
        correction_[row(j)] = j != k ? product_with_residual(row(j)) : 0;
    }
    const auto below = [&](std::uint32_t j, auto&& body) {
        for (std::uint32_t i = start[j] + 1; i < start[j + 1]; ++i) {
            if (met_[position_[structure_.row[i]]] != 0) {
                body(L_[i], correction_[structure_.row[i]]);
            }
        }
        work_ += start[j + 1] - start[j];
    };
    for (auto j = reach_.rbegin(); j != reach_.rend(); ++j) {
        if (*j != k) {
            const double value = correction_[row(*j)];
            below(*j, [&](double l, double& x) { x -= l * value; });
        }
    }
    for (const auto j : reach_) {
        if (j != k) {
            double value = correction_[row(j)] / pivots_[j];
            below(j, [&](double l, const double& x) { value -= l * x; });
            correction_[row(j)] = value;
        }
    }
    for (const auto j : reach_) {
        met_[j] = 0;
    }
    add_correction(k, 1);
}

void RankElimination::add_correction(std::uint32_t k, double sign) {
    for (const auto j : reach_) {
        if (j != k) {
            c_[row(j)] -= sign * correction_[row(j)];
        }
    }
}

// r is what is left of the row, so that its products with the rows to come are the column, without the loss of A.
void RankElimination::take_residual_as_column(std::uint32_t k) {
    pivots_[k] = residual_;
    for (std::uint32_t i = structure_.start[k] + 1; i < structure_.start[k + 1]; ++i) {
        L_[i] = product_with_residual(structure_.row[i]);
    }
}

NullVector RankElimination::null_vector() const {
    NullVector v;
    for (const auto column : reach_) {
        const auto i = row(column);
        v.push_back({i, c_[i] * std::sqrt(diagonal_[i])});
    }
    if (v.size() == 1) {
        v.front().value = 1;  // a row that vanishes is a set of its own
    }
    std::ranges::sort(v, {}, &RowShare::row);
    return v;
}

void RankElimination::clear() {
    for (const auto column : reach_) {
        c_[row(column)] = 0;
    }
    reach_.clear();
    clear_residual();
}

}  // namespace libration
