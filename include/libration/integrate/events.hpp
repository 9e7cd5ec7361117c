// Events: zero crossings of an expression, located between nodes by dense output.
#pragma once

#include <libration/integrate/run.hpp>

namespace [[gnu::visibility("default")]] libration {

struct Model;  // model.hpp

// "EXPR", "EXPR rising terminal", "name: EXPR falling": an event from a text, as the command line takes it. Without a
// name it is event<number>. Throws an InputError.
Event read_event(const Model& model, const std::string& text, std::size_t number);

// All events of a run, those of the model first. InputError for a name that is used twice.
std::vector<Event> all_events(const Model& model, const std::vector<Event>& more);

// Keeps the states of all events in memory, up to a maximum number of values.
class EventRecorder final : public Observer {
  public:
    struct State {
        std::size_t event;
        bool rising;
        double t, energy, constraint, hidden;
        std::vector<double> q, p, v, lambda;
        std::int64_t step = 0;
        // Without observables; valid as long as the state.
        [[nodiscard]] Sample sample() const { return {step, t, q, p, v, lambda, {}, energy, constraint, hidden}; }
    };
    explicit EventRecorder(std::size_t most_numbers = static_cast<std::size_t>(-1)) : most_numbers_(most_numbers) {}
    void see(const Sample&) override {}
    void happen(std::size_t event, bool rising, const Sample& sample) override;

    std::vector<State> states;
    bool complete = true;  // false: there were more, and none is kept

  private:
    std::size_t most_numbers_, numbers_ = 0;
};

}  // namespace libration
