// Forces that depend on reactions which redundant constraints leave undetermined.
#include "force_checks.hpp"

#include "manifold/least_norm.hpp"
#include "manifold/manifold.hpp"
#include "model/carried.hpp"
#include "monitor.hpp"
#include "system/windings.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/kit/make_system.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// A formula does not notice what the constraints leave open if its derivative along that is round-off of its terms.
constexpr double cancelled = 1e-9;

std::vector<std::pair<Expression, std::size_t>> multipliers_in(const Model& model, const Expression& formula) {
    std::vector<std::pair<Expression, std::size_t>> found;
    const auto all = model.multiplier_symbols();
    for (const auto& s : symbols_of(std::array{formula})) {
        if (const auto at = std::ranges::find(all, s); at != all.end()) {
            found.emplace_back(s, static_cast<std::size_t>(at - all.begin()));
        }
    }
    return found;
}

}  // namespace

std::vector<std::string> undetermined_force_warnings(const Model& model, System<double>& system,
                                                     const StartState<double>& start, double t) {
    std::vector<std::string> warnings;
    if (!model.carried || !system.properties().reactions_in_forces) {
        return warnings;
    }
    const auto& whole = model.carried->whole;
    const auto whole_system = make_system<double>(whole);
    LeastNorm reactions(*whole_system, system, model.carried->rows);
    if (!reactions.available()) {
        return warnings;
    }
    reactions.set_state(t, start.q, start.p);
    Manifold<double> manifold(system);
    NodeReader reader(model, system, manifold, t);
    const auto* windings = system.windings();
    const Node<double> node{
        t, start.q, {}, start.p, windings != nullptr ? windings->start() : std::span<const double>()};
    const auto notices = [&](const Expression& formula) {
        const auto multipliers = multipliers_in(whole, formula);
        std::vector<double> slopes;
        for (const auto& [symbol, row] : multipliers) {
            NodeFormula slope(model, derivative(formula, symbol), "a force");
            slopes.push_back(reader.evaluate(slope, node));
        }
        bool noticed = false;
        std::vector<double> open(whole_system->constraints());
        reactions.for_null_vectors([&](std::span<const std::size_t> rows, std::span<const double> values) {
            std::ranges::fill(open, 0.0);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                open[rows[i]] = values[i];
            }
            double sum = 0, terms = 0;
            for (std::size_t k = 0; k < multipliers.size(); ++k) {
                const double term = slopes[k] * open[multipliers[k].second];
                sum += term;
                terms += std::abs(term);
            }
            noticed = noticed || std::abs(sum) > cancelled * terms;
        });
        return noticed;
    };
    for (const auto& force : whole.forces) {
        if (std::ranges::any_of(force.on, [&](const Force::Component& on) { return notices(on.value.value); })) {
            warnings.push_back(fmt::format("the force '{}' depends on reactions that the redundant constraints do not "
                                           "determine; within steps, multipliers of constraints that are not carried "
                                           "are zero. Use components that `libration check` does not list, or remove "
                                           "redundant constraints",
                                           force.name));
        }
    }
    return warnings;
}

}  // namespace libration
