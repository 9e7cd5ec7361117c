// Pilots: short runs of one model by different methods, with states at common times.
#pragma once

#include "work.hpp"
#include <libration/choose/choose.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

namespace libration {

// What a pilot found.
struct Pilot {
    std::int64_t steps = 0;
    double duration = 0;
    std::string failure;  // empty: it completed
    // States at equal distances, the last one at the end; the start is not among them.
    std::vector<std::vector<double>> q, p;
    double energy_error = 0;  // NaN where energy is not conserved
    double kinetic = 0;       // largest |p v| / 2 of these states
    double work = 0, seconds = 0;

    [[nodiscard]] bool completed() const { return failure.empty(); }
};

// The relative difference of two states as comparisons define it, of the states that both pilots have.
struct PilotDifference {
    std::vector<double> t;         // since the start
    std::vector<double> relative;  // to the largest values of all states up to then
    double end = 0;                // of the last states, relative to these themselves
};
PilotDifference difference_of(const Pilot& coarse, const Pilot& fine);

class PilotRuns {
  public:
    PilotRuns(const Model& model, const ChooseOptions& options);

    // The number of common times is at most this.
    static constexpr std::int64_t most_states = 32;
    // `states`: at how many times states are kept; it divides the number of steps.
    Pilot run(const Method& method, std::int64_t steps, double duration, std::int64_t states = 1);

    [[nodiscard]] const Model& model() const { return model_; }
    [[nodiscard]] const SystemProperties& properties() const { return system_->properties(); }
    [[nodiscard]] System<double>& system() { return *system_; }
    [[nodiscard]] std::size_t constraints() const { return system_->constraints(); }
    [[nodiscard]] double spent() const { return spent_; }
    // As many states as a model of this size allows to keep.
    [[nodiscard]] std::int64_t usual_states() const;
    void tell(const std::string& text) const;

  private:
    Model model_;
    const ChooseOptions* options_;
    std::unique_ptr<System<double>> system_;
    WorkCount work_;
    double spent_ = 0;
};

}  // namespace libration
