// Deciding which rows of redundant constraints are carried.
#include "redundancy.hpp"

#include "coordinate_scales.hpp"
#include "manifold/independent_rows.hpp"
#include "manifold/least_norm.hpp"
#include "manifold/least_squares.hpp"
#include "manifold/manifold.hpp"
#include "manifold/rank.hpp"
#include "misalignment.hpp"
#include "model/carried.hpp"
#include "row_words.hpp"
#include "start.hpp"
#include <libration/kit/make_system.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace libration {

namespace {

// Rows with a squared sine below this are looked at: data with six digits miss each other by less.
constexpr double looked_at = 1e-8;
constexpr int states_nearby = 3;
constexpr std::size_t most_shown = 8;

bool is_exact(const Dependence& found) { return found.rows.size() < 2 || found.sine < exact_sine; }

class Decision {
  public:
    Decision(const Model& model, double t, std::size_t most_sets)
        : model_(&model), t_(t), most_sets_(most_sets), of_bodies_(rows_of_bodies(model)) {
        result_.model = model;
        result_.system = make_system<double>(model);
    }

    PreparedModel made() {
        auto& system = *result_.system;
        if (system.constraints() < 2 || model_->carried || !model_->carry_redundant || model_->singular_mass ||
            model_->external || model_->field) {
            return std::move(result_);
        }
        const auto start = start_state<double>(*model_, system, t_);
        q_ = start.q;
        p_ = start.p;
        const bool rough = !rows_vanish(system, t_, q_);
        auto found = rough ? on_manifold() : dependent_constraints(system, t_, q_, most_sets_, looked_at);
        if (!found.empty() && !rough && system.constraints() <= most_rows_of_least_squares) {
            // Residuals of the start look like gradients that miss each other.
            static_cast<void>(least_squares_position(system, t_, q_, p_));
            found = dependent_constraints(system, t_, q_, most_sets_, looked_at);
        }
        if (std::ranges::any_of(found, [](const Dependence& set) { return set.rows.size() == 1; })) {
            return std::move(result_);  // a gradient that vanishes is a fault of its own
        }
        if (std::ranges::all_of(found, is_exact)) {
            if (!found.empty()) {
                carry_some(found);
            }
        } else {
            // Which rows an elimination meets first decides whether exact dependences look nearly exact beside others;
            // how many there are does not depend on it.
            const auto exact = dependent_constraints(system, t_, q_, most_sets_, 0).size();
            auto near = near_sets(found, exact);
            // Such models have always been run where no row is redundant.
            if (exact > 0) {
                result_.fault = std::move(near);
            } else if (near_nearby()) {
                result_.warnings.push_back(std::move(near));
            }
        }
        return std::move(result_);
    }

  private:
    // Dependences at the nearest position where all rows hold; none where it is not found.
    std::vector<Dependence> on_manifold() {
        auto& system = *result_.system;
        auto q = q_;
        const bool found = Manifold<double>(system).project_position(t_, q, p_) == 1 && rows_vanish(system, t_, q);
        if (!found) {
            q = q_;
            if (system.constraints() > most_rows_of_least_squares) {
                return {};
            }
            least_squares_position(system, t_, q, p_);
        }
        q_ = q;
        return dependent_constraints(system, t_, q_, most_sets_, looked_at);
    }

    void carry_some(const std::vector<Dependence>& found) {
        auto& system = *result_.system;
        const auto choice = independent_rows(system, t_, q_, of_bodies_);
        if (choice.left_out.empty()) {
            return;
        }
        for (const auto& set : found) {
            if (is_exact(set) && !set.rows.empty()) {
                result_.sets.push_back(set.rows);
            }
        }
        auto carried = carry(*model_, choice.rows);
        auto carried_system = make_system<double>(carried);
        if (contradict(*carried_system, choice) || !hold_nearby(*carried_system, choice)) {
            result_.sets.clear();
            return;
        }
        warn_of_redundant(choice);
        if (!LeastNorm(system, *carried_system, choice.rows).available()) {
            result_.warnings.push_back(
                fmt::format("reactions are not those of least norm: of {} redundant constraints, too many interact to "
                            "find these at each recorded node; multipliers of constraints that are not carried are 0",
                            choice.left_out.size()));
        }
        result_.model = std::move(carried);
        result_.system = std::move(carried_system);
    }

    // Whether rows left out do not hold where the others do.
    bool contradict(System<double>& carried, const RowChoice& choice) {
        auto& system = *result_.system;
        auto q = q_;
        if (rows_vanish(system, t_, q) || Manifold<double>(carried).project_position(t_, q, p_) != 1 ||
            rows_vanish(system, t_, q)) {
            return false;
        }
        if (independent_rows(system, t_, q, of_bodies_).left_out.size() != choice.left_out.size()) {
            return false;  // independent where the others hold: the start is just far from the manifold
        }
        std::vector<double> g(system.constraints());
        system.constraint(t_, q, g);
        std::string text;
        for (const auto& set : result_.sets) {
            const auto worst = *std::ranges::max_element(set, {}, [&](std::size_t row) { return std::abs(g[row]); });
            if (std::abs(g[worst]) > 1e-10) {
                text += fmt::format("  {}: where the others hold, {} is {:.3g} and not 0\n", names_of_set(*model_, set),
                                    model_->constraint_name(worst), g[worst]);
            }
        }
        if (!text.empty()) {
            result_.fault = fmt::format("some constraints contradict each other: their gradients are dependent, but "
                                        "they do not hold at the same positions\n{}Remove or correct one constraint "
                                        "of each set.",
                                        text);
        }
        return !text.empty();
    }

    // Whether the same number of rows is dependent at states near the start, and the rows left out hold there.
    bool hold_nearby(System<double>& carried, const RowChoice& choice) {
        auto& system = *result_.system;
        std::mt19937_64 random(1);
        std::vector<double> direction(q_.size());
        for (int n = 0; n < states_nearby; ++n) {
            for (auto& x : direction) {
                x = static_cast<double>(random() >> 11U) * 0x1p-52 - 1;
            }
            const auto q = state_nearby(carried, direction);
            if (!q || !rows_vanish(system, t_, *q) ||
                independent_rows(system, t_, *q, of_bodies_).left_out.size() != choice.left_out.size()) {
                return false;
            }
        }
        return true;
    }

    // A state on the manifold of these rows, near the start in a direction in units of the scales of the coordinates.
    // Where bodies are small beside the mechanism, what moves them by a thousandth of it may turn them to another
    // branch: then less.
    std::optional<std::vector<double>> state_nearby(System<double>& rows, std::span<const double> direction) {
        constexpr double first_step = 1e-3, least_step = 1e-8, far = 0.1;
        Manifold<double> manifold(rows);
        const auto scales = coordinate_scales(*model_, q_);
        auto q = q_;
        for (double step = first_step; step > least_step; step /= 10) {
            for (std::size_t j = 0; j < q.size(); ++j) {
                q[j] = q_[j] + step * scales[j] * direction[j];
            }
            bool near = manifold.project_position(t_, q, p_) == 1;
            for (std::size_t j = 0; j < q.size() && near; ++j) {
                near = std::abs(q[j] - q_[j]) < far * scales[j];
            }
            if (near) {
                return q;
            }
        }
        return std::nullopt;
    }

    // Whether rows are nearly dependent at a state near the start, too: otherwise it is the position that is special.
    bool near_nearby() {
        auto& system = *result_.system;
        std::vector<double> direction(q_.size());
        for (std::size_t j = 0; j < direction.size(); ++j) {
            direction[j] = std::sin(1 + 2.0 * static_cast<double>(j));
        }
        const auto q = state_nearby(system, direction);
        return !q || !dependent_constraints(system, t_, *q, most_sets_, looked_at).empty();
    }

    void warn_of_redundant(const RowChoice& choice) {
        std::string text = fmt::format("some constraints are redundant: {} of {} are independent, and these are "
                                       "carried; residuals of all are watched\n",
                                       choice.rows.size(), choice.rows.size() + choice.left_out.size());
        const auto shown = std::min(result_.sets.size(), most_shown);
        text += lines_of_sets(*model_, std::span(result_.sets).first(shown));
        if (const auto unnamed = choice.left_out.size() - shown; unnamed > 0) {
            text += fmt::format("  and {} more sets\n", unnamed);
        }
        result_.warnings.push_back(text + "Not carried: " + names_of_rows(*model_, choice.left_out));
        warn_of_rigid(choice);
    }

    // A motor may move what is rigid otherwise.
    void warn_of_rigid(const RowChoice& choice) {
        if (choice.rows.size() < model_->dimension || !model_->nonholonomic.empty() ||
            result_.system->properties().moving_constraints) {
            return;
        }
        const auto misalignment = smallest_misalignment(*model_, q_);
        result_.warnings.push_back(
            fmt::format("the mechanism cannot move: its mobility is 0, although constraints are redundant{}{}",
                        misalignment.empty() ? "" : "\n", misalignment));
    }

    // Those that are nearly dependent beside so many exact dependences, in words; the smallest sets say most.
    [[nodiscard]] std::string near_sets(const std::vector<Dependence>& found, std::size_t exact) const {
        std::vector<const Dependence*> sets;
        for (const auto& set : found) {
            if (!is_exact(set) && !set.rows.empty()) {
                sets.push_back(&set);
            }
        }
        std::ranges::stable_sort(sets, {}, [](const Dependence* set) { return set->rows.size(); });
        const auto near = found.size() - std::min(exact, found.size());
        sets.resize(std::min(sets.size(), std::max<std::size_t>(near, 1)));
        std::string text = "some constraints are nearly dependent; exact redundancy was probably meant\n";
        for (const auto* set : sets) {
            text += fmt::format("  {}: the sine of the angle between their gradients is {:.1e}\n",
                                names_of_set(*model_, set->rows), set->sine);
        }
        const auto independent = model_->constraint_rows - exact;
        const auto mobility = static_cast<std::int64_t>(model_->dimension) - static_cast<std::int64_t>(independent);
        if (mobility <= 0) {
            text += "They leave no motion: the mechanism is rigid, by inexact data.\n";
        } else {
            text += fmt::format("They reduce the mobility to {}; with exact data it would be {}.\n", mobility,
                                mobility + static_cast<std::int64_t>(near));
        }
        return text + "Give axes and points with all digits, or let `[assembly] snap = 1e-5` align them.";
    }

    const Model* model_;
    double t_;
    std::size_t most_sets_;
    std::vector<std::size_t> of_bodies_;
    PreparedModel result_;
    std::vector<double> q_, p_;
};

}  // namespace

PreparedModel prepared(const Model& model, double t, std::size_t most_sets) {
    auto ready = Decision(model, t, most_sets).made();
    if (model.assembly && !model.assembly->aligned.empty()) {
        ready.warnings.push_back(
            fmt::format("`[assembly] snap` aligned joints: {}", fmt::join(model.assembly->aligned, "; ")));
    }
    return ready;
}

Model carrying(const Model& model, double t) {
    return model.constraint_rows < 2 || model.carried ? model : prepared(model, t).model;
}

}  // namespace libration
