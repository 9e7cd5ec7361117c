// Choices against an exhaustive search: every candidate with numbers of steps in ratios of 2^(1/8), over the whole
// duration, for the least work that meets the same goal.
#pragma once

#include "choose/candidates.hpp"
#include "choose/ladder.hpp"
#include <libration/choose/choose.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <algorithm>
#include <cmath>

namespace libration::bench {

struct ChooseCase {
    Choice choice;
    double reached = 0;  // what the chosen run has of what was asked: the error, or the energy error
    double goal = 0;
    std::string best_method;
    double best_step = 0, best_work = 0;
    double work = 0;  // of the chosen run
    [[nodiscard]] double ratio() const { return work / best_work; }
};

class ExhaustiveSearch {
  public:
    ExhaustiveSearch(const Model& model, const Choice& choice, double finest_ratio)
        : runs_(model, options_), choice_(&choice), by_energy_(choice.criterion == "energy_error"),
          duration_(choice.positions_until), ratio_(finest_ratio) {}

    // InputError where no reference solution can be computed.
    ChooseCase search() {
        ChooseCase found{.choice = *choice_};
        found.goal = by_energy_ ? choice_->energy_limit : *choice_->asked.error;
        if (!by_energy_) {
            find_fine_solution();
        }
        const auto steps = static_cast<std::int64_t>(std::llround(duration_ / choice_->step));
        const auto chosen = runs_.run(method(choice_->method), steps, duration_);
        found.reached = error_of(chosen);
        found.work = chosen.work;
        found.best_work = found.reached <= found.goal ? chosen.work : std::numeric_limits<double>::infinity();
        found.best_method = choice_->method;
        found.best_step = choice_->step;
        for (const auto& one : candidate_methods(runs_.properties(), runs_.constraints())) {
            try_all(one, found);
        }
        return found;
    }

  private:
    void find_fine_solution() {
        auto methods = candidate_methods(runs_.properties(), runs_.constraints());
        std::erase_if(methods, [](const Method& m) { return !m.is_map(); });
        std::ranges::stable_sort(methods, std::greater{}, [&](const Method& m) {
            return m.claims(runs_.properties(), runs_.constraints()).order;
        });
        for (const auto& one : methods) {
            const auto steps = static_cast<std::int64_t>(std::abs(duration_ / choice_->step));
            fine_ = fine_solution(runs_, one, steps, duration_,
                                  {.accuracy = *choice_->asked.error / 50,
                                   .asked = *choice_->asked.error,
                                   .most_work = 100 * choice_->work + 1e10});
            if (fine_.accuracy < *choice_->asked.error / 3 && !fine_.pilot.q.empty()) {
                return;
            }
        }
        throw InputError("no reference solution");
    }

    double error_of(const Pilot& pilot) const {
        if (!pilot.completed()) {
            return std::numeric_limits<double>::infinity();
        }
        return by_energy_ ? pilot.energy_error : difference_of(pilot, fine_.pilot).end;
    }

    // From steps that are far too long to those that cost more than the best so far.
    void try_all(const Method& one, ChooseCase& found) {
        const double coarsest =
            4 * relative_step(one) * (choice_->fastest > 0 ? choice_->fastest : std::abs(duration_));
        double steps = std::max(1.0, std::abs(duration_) / coarsest);
        for (std::int64_t last = 0; steps < 1e9; steps *= ratio_) {
            const auto whole = static_cast<std::int64_t>(std::ceil(steps));
            if (whole == last) {
                continue;
            }
            last = whole;
            const auto pilot = runs_.run(one, whole, duration_);
            if (pilot.completed() && error_of(pilot) <= found.goal && pilot.work < found.best_work) {
                found.best_work = pilot.work;
                found.best_method = one.name();
                found.best_step = duration_ / static_cast<double>(whole);
            }
            if (pilot.completed() && pilot.work > 1.3 * found.best_work) {
                return;
            }
        }
    }

    ChooseOptions options_;
    PilotRuns runs_;
    const Choice* choice_;
    bool by_energy_;
    double duration_, ratio_;
    FineSolution fine_;
};

inline ChooseCase choose_case(const Model& model, const ChooseOptions& options,
                              double finest_ratio = std::exp2(0.125)) {
    const auto choice = choose(model, options);
    return ExhaustiveSearch(model, choice, finest_ratio).search();
}

}  // namespace libration::bench
