// Over what time pilots are made, and against what their errors are measured.
#include "choose_steps.hpp"

#include "candidates.hpp"
#include "choice_words.hpp"
#include <libration/text/error.hpp>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// The pilots of all candidates together take about this many times the work of the reference method.
constexpr double pilots_a_choice = 30;
// How often pilots are made over an eighth of the time.
constexpr int most_shorter = 6;
// What double precision can reach at best.
constexpr double least_accuracy = 1e-13;

}  // namespace

// One-step methods of about order 8: higher orders gain little in double precision.
std::vector<Method> Chooser::reference_methods() const {
    auto methods = candidate_methods(runs_.properties(), runs_.constraints());
    if (std::ranges::any_of(methods, [](const Method& m) { return m.is_map(); })) {
        std::erase_if(methods, [](const Method& m) { return !m.is_map(); });
    }
    std::ranges::stable_sort(methods, {}, [&](const Method& m) {
        return std::abs(m.claims(runs_.properties(), runs_.constraints()).order - 8) -
               (m.spec().name == "compose" ? 1 : 0);
    });
    methods.erase(methods.begin() + std::min<std::ptrdiff_t>(3, std::ssize(methods)), methods.end());
    return methods;
}

FineSolution Chooser::reference_over(double window, double step, double accuracy, double most_work) {
    std::optional<FineSolution> best;
    for (const auto& one : reference_methods()) {
        const auto steps = static_cast<std::int64_t>(std::ceil(window / step));
        auto solution = fine_solution(runs_, one, steps, std::copysign(window, duration_),
                                      {.accuracy = accuracy, .asked = error_.value_or(1e-3), .most_work = most_work});
        if (!solution.pilot.q.empty()) {
            return solution;
        }
        best = best ? best : solution;  // the next one may get through
    }
    return *best;
}

double Chooser::growth_factor(double window) const {
    const double ratio = length_ / window;
    if (ratio <= 1) {
        return 1;
    }
    // Measured along a solution over the whole duration, where there is one.
    if (whole_fine_ && error_) {
        const auto& along = whole_fine_->difference;
        double until = 0, all = 0;
        for (std::size_t k = 0; k < along.t.size(); ++k) {
            until = along.t[k] <= window * 1.01 || k == 0 ? std::max(until, along.relative[k]) : until;
            all = std::max(all, along.relative[k]);
        }
        return until > 0 ? std::max(all / until, 1.0) : ratio;
    }
    if (fine_ && fine_->chaotic) {
        return std::exp(fine_->rate * (length_ - window));
    }
    return fine_ && fine_->exponent > 1 ? std::pow(ratio, std::min(fine_->exponent, 3.0)) : ratio;
}

// Errors of positions grow so fast that they cannot be promised at the end.
void Chooser::give_up_positions(const FineSolution& lost) {
    choice_.growth = lost.chaotic ? ErrorGrowthKind::chaotic : choice_.growth;
    choice_.horizon = lost.horizon > 0 ? lost.horizon : window_;
    if (lost.converged && lost.rate > 0) {
        choice_.horizon =
            window_ + std::max(0.0, std::log(*error_ / std::max(lost.accuracy, least_accuracy)) / lost.rate);
    }
    const auto& properties = runs_.properties();
    if (properties.conservative && properties.hamiltonian) {
        const double size = lost.pilot.kinetic > 0 ? lost.pilot.kinetic : 1;
        energy_error_ = std::min(energy_error_.value_or(std::numeric_limits<double>::infinity()), *error_ * size);
        error_.reset();
        fine_.reset();
        whole_fine_.reset();
        find_window();
        return;
    }
    length_ = window_ = 0.7 * choice_.horizon;
    if (!(length_ > 0)) {
        throw InputError(words_of_lost_reference(choice_, lost));
    }
    fine_ = reference_over(length_, lost.pilot.duration / static_cast<double>(lost.pilot.steps), *error_ / 4, budget_);
}

// A number of steps to begin with: of the fastest time scale, unless that is far shorter than what the motion shows.
double Chooser::first_step_over(double window) const {
    constexpr double fewest = 64, most = 4096;
    const double by_scale = fastest_ > 0 ? window / (2 * fastest_) : fewest;
    return window / std::clamp(by_scale, fewest, most);
}

// Where steps are expensive, pilots of fewer steps than some hundred would say nothing.
void Chooser::fit_budget() {
    constexpr std::int64_t tried = 8;
    constexpr double least_steps = 800;
    const double step = first_step_over(std::abs(duration_));
    const auto pilot = runs_.run(reference_methods().front(), tried, std::copysign(tried * step, duration_));
    budget_ = std::max(options_->budget, least_steps * pilot.work / static_cast<double>(tried));
}

// Solutions over the whole duration that are too coarse for their errors still show how differences grow after the
// window: until they are as large as the motion.
bool Chooser::fit_growth(FineSolution& solution, const PilotDifference& along) const {
    constexpr double saturated = 0.1, regular = 3;
    double in_window = 0, most = 0, until = 0;
    for (std::size_t k = 0; k < along.t.size() && most < saturated; ++k) {
        most = std::max(most, along.relative[k]);
        until = along.t[k];
        in_window = until <= window_ * 1.01 ? most : in_window;
    }
    if (!(in_window > 0) || in_window >= saturated || until <= window_ * 1.5) {
        return false;
    }
    const double growth = std::log(most / in_window);
    solution.exponent = growth / std::log(until / window_);
    if (solution.exponent > regular && growth > regular) {
        solution.chaotic = true;
        solution.rate = growth / (until - window_);
    }
    return true;
}

// With positions: over the whole duration if that is affordable, otherwise over the longest part that is.
void Chooser::find_reference() {
    const double whole_time = std::abs(duration_), share = budget_ / 2;
    const auto accuracy_over = [&](double window) {
        return std::max(*error_ * window / whole_time / 4, least_accuracy / 10);
    };
    window_ = whole_time;
    fine_ = reference_over(window_, first_step_over(window_), accuracy_over(window_), share);
    if (!fine_->converged && !fine_->lost) {
        attempt_ = fine_->difference;
    }
    for (int shorter = 0; !fine_->converged && !fine_->lost && shorter < most_shorter; ++shorter) {
        window_ /= 8;
        fine_ = reference_over(window_, first_step_over(window_), accuracy_over(window_), share / 2);
    }
    if (fine_->pilot.q.empty() || (!fine_->converged && !fine_->lost)) {
        throw InputError(words_of_lost_reference(choice_, *fine_));
    }
    if (!whole() && !fit_growth(*fine_, attempt_)) {
        // The same two solutions over a longer time.
        const double longer = std::min(whole_time, 4 * window_);
        const auto steps = static_cast<double>(fine_->pilot.steps) * longer / window_;
        const auto further = reference_over(longer, 2 * longer / steps, 1, budget_);
        (void)fit_growth(*fine_, further.difference);
    }
    choice_.growth = fine_->chaotic          ? ErrorGrowthKind::chaotic
                     : fine_->exponent > 1.6 ? ErrorGrowthKind::quadratic
                                             : ErrorGrowthKind::linear;
    const bool enough = fine_->converged || (whole() && fine_->accuracy <= *error_ / 2);
    if (!enough && !fine_->chaotic) {
        throw InputError(words_of_lost_reference(choice_, *fine_));
    }
    if (!enough || (fine_->chaotic && *error_ / growth_factor(window_) < least_accuracy)) {
        const auto solution = *fine_;
        give_up_positions(solution);
        return;
    }
    const double step = window_ / static_cast<double>(fine_->pilot.steps);
    first_step_ = 2 * step / relative_step(method(fine_->method));
    const double affordable = budget_ / (pilots_a_choice * fine_->pilot.work / window_);
    if (affordable < window_ / 1.3) {
        if (whole()) {
            whole_fine_ = std::move(fine_);
        }
        window_ = std::max(affordable, 32 * step);
        fine_ = reference_over(window_, 4 * step, accuracy_over(window_), budget_);
    }
}

// Without positions: as long as pilots of all candidates are affordable.
void Chooser::find_window() {
    window_ = std::abs(duration_);
    const auto methods = reference_methods();
    for (int shorter = 0; shorter < most_shorter; ++shorter) {
        const double before = runs_.spent();
        auto steps = static_cast<std::int64_t>(std::ceil(window_ / first_step_over(window_)));
        while (runs_.spent() - before < budget_ / 10) {
            const auto pilot = runs_.run(methods.front(), steps, std::copysign(window_, duration_));
            if (pilot.completed() && pilot.energy_error <= *energy_error_) {
                first_step_ = window_ / static_cast<double>(steps) / relative_step(methods.front());
                const double affordable = window_ * budget_ / (pilots_a_choice * pilot.work);
                window_ = affordable < window_ / 1.3 ? affordable : window_;
                return;
            }
            steps *= 2;
        }
        window_ /= 8;
    }
    first_step_ = first_step_over(window_);
}

}  // namespace libration
