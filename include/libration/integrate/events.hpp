// Events: where the value of an expression passes through zero, found between nodes by dense output.
#pragma once

#include <libration/integrate/dense_output.hpp>
#include <libration/integrate/monitor.hpp>

#include <functional>

namespace libration {

// "EXPR", "EXPR rising terminal", "name: EXPR falling": an event from a text, as the command line takes it. Without a name it is
// event<number>. Throws an InputError.
Event read_event(const Model& model, const std::string& text, std::size_t number);

// All events of a run, those of the model first. InputError for a name that is used twice.
std::vector<Event> all_events(const Model& model, const std::vector<Event>& more);

// A zero of f between a and b, where f has the signs of fa and fb, to a few units of the last place of the larger end.
double find_zero(const std::function<double(double)>& f, double a, double fa, double b, double fb);

// Follows the values of all events from node to node. Reads only.
class EventWatch {
  public:
    struct Found {
        std::size_t event;
        bool rising;
        double t;
        double elapsed;  // since the node before: the place itself, of which t is the rounded time
    };

    EventWatch(const Model& model, std::vector<Event> events);
    [[nodiscard]] const std::vector<Event>& events() const { return events_; }

    // The first node. Throws DenseFailure if a value is not a number, as does the next.
    void begin(NodeReader& reader, const Node<double>& node);
    // What happened after `left` and up to `right`, in the order of time.
    std::vector<Found> pass(NodeReader& reader, DenseOutput& dense, const Node<double>& left,
                            const Node<double>& right);
    // Counts and extremes, and a warning for each event that never happened.
    void summarize(std::vector<EventSummary>& summaries, std::vector<std::string>& warnings) const;
    void visit(MemoryVisitor<double>& visitor);

  private:
    // What is known of one event, kept in checkpoints.
    struct Track {
        double count = 0, first = 0, last = 0, smallest = 0, largest = 0;
        double value = 0;      // at the newest node
        double slope = 0;      // mean, over the last step
        double length = 0;     // of that step; 0: there was none
        double curvature = 0;  // |second derivative|, the larger of the last two estimates
        double last_curvature = 0;
    };
    struct Interval;  // the two nodes, and how to look between them

    double value_at(NodeReader& reader, std::size_t event, const Node<double>& node);
    void look(const Interval& interval, std::size_t event, double next, std::vector<Found>& found);
    // Crossings there and back inside a step at whose ends the value has one sign.
    void look_for_pair(const Interval& interval, std::size_t event, double next, std::vector<Found>& found);
    // Where the value changes its sign between two times; nothing if it does so through infinity.
    std::optional<double> crossing(const Interval& interval, std::size_t event, double from, double value, double to,
                                   double next);
    void note(const Interval& interval, std::size_t event, bool rising, double elapsed,
              std::vector<Found>& found) const;
    void follow(Track& track, double next, double length);

    std::vector<Event> events_;
    std::vector<NodeFormula> formulas_;
    std::vector<Track> tracks_;
    std::vector<std::optional<double>> poles_;  // the time of the first, of each event
};

// Keeps the states of all events in memory, until they are more than so many numbers.
class EventRecorder final : public Observer {
  public:
    struct State {
        std::size_t event;
        bool rising;
        double t, energy, constraint, hidden;
        std::vector<double> q, p, v, lambda;
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
