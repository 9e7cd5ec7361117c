// Pivots of the rows carried, against those of the rows that would be chosen now.
#include "row_watch.hpp"

#include "manifold/independent_rows.hpp"
#include "manifold/least_squares.hpp"
#include "model/carried.hpp"
#include "system/windings.hpp"
#include <libration/kit/make_system.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace libration {

namespace {

// Other rows are carried if their pivot is larger by this factor: far from 1, so that sets of equal quality do not
// alternate.
constexpr double worth_while = 4;

// Constraints may contain angles that count turns.
void refer(System<double>& system, const Node<double>& node) {
    if (auto* windings = system.windings()) {
        windings->refer_to(node.turns);
    }
}

double pivot_at(System<double>& system, const Node<double>& node) {
    refer(system, node);
    const double pivot = pivot_of_rows(system, node.t, node.q, node.p);
    return std::isfinite(pivot) ? pivot : 0;
}

// The smaller one of both ends of a step.
double pivot_of_step(System<double>& system, const Node<double>& from, const Node<double>& to) {
    return std::min(pivot_at(system, from), pivot_at(system, to));
}

bool is_finite(std::span<const double> values) {
    return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

}  // namespace

RowWatch::RowWatch(const Model& model, System<double>& system) : model_(&model), system_(&system) {
    if (model.carried) {
        whole_ = make_system<double>(model.carried->whole);
    }
}

double RowWatch::pivot(const Node<double>& node) { return pivot_at(*system_, node); }

// Where more are dependent, the position is singular, and no set of rows helps.
std::optional<RowWatch::Rows> RowWatch::choice_at(const Node<double>& node) {
    refer(*whole_, node);
    auto choice = independent_rows(*whole_, node.t, node.q, rows_of_bodies(model_->carried->whole));
    if (choice.rows.size() != model_->carried->rows.size() || choice.rows == model_->carried->rows) {
        return std::nullopt;
    }
    return std::move(choice.rows);
}

// Rows are compared at both ends of the step. The end is where the step led, if that is on the manifold of all rows;
// otherwise the velocity says where it should have led.
std::optional<double> RowWatch::explained_length(const Node<double>& node, const Node<double>& trial) {
    const auto inverse = system_->inverse_masses();
    double length = 0, before = 0, after = 0;
    for (std::size_t j = 0; j < inverse.size(); ++j) {
        const double moved = trial.q[j] - node.q[j];
        length += moved * moved / inverse[j];
        before += inverse[j] * node.p[j] * node.p[j];
        after += inverse[j] * trial.p[j] * trial.p[j];
    }
    const double way = 2 * (trial.t - node.t);
    return length <= way * way * std::max(before, after) ? std::optional(length) : std::nullopt;
}

std::optional<std::vector<std::size_t>> RowWatch::better_rows(const Node<double>& node, const Node<double>& trial,
                                                              bool is_motion) {
    Node<double> ahead = trial;
    ahead.turns = node.turns;
    std::vector<double> predicted(node.q.size());
    refer(*whole_, node);
    const bool holds = is_motion && is_finite(trial.q) && rows_vanish(*whole_, trial.t, trial.q);
    if (!holds) {
        system_->velocity(node.t, node.q, node.p, predicted);
        for (std::size_t j = 0; j < predicted.size(); ++j) {
            predicted[j] = node.q[j] + (trial.t - node.t) * predicted[j];
        }
        ahead = {trial.t, predicted, {}, node.p, node.turns};
    }
    double best = worth_while * pivot_of_step(*system_, node, ahead);
    std::optional<Rows> found;
    const std::array choices{choice_at(node), holds ? choice_at(ahead) : std::nullopt};
    for (const auto& rows : choices) {
        if (!rows) {
            continue;
        }
        const auto model = carry(model_->carried->whole, *rows);
        const auto system = make_system<double>(model);
        const double pivot = pivot_of_step(*system, node, ahead);
        if (pivot > best) {
            best = pivot;
            found = rows;
        }
    }
    return found;
}

Model with_rows_of_step(const Model& model, const Node<double>& from, const Node<double>& to) {
    if (!model.carried) {
        return model;
    }
    const auto system = make_system<double>(model);
    auto rows = RowWatch(model, *system).better_rows(from, to);
    return rows ? carry(model.carried->whole, std::move(*rows)) : model;
}

}  // namespace libration
