// Events between nodes: where the value of an expression passes through zero, found by dense output.
#pragma once

#include "dense_output.hpp"
#include "monitor.hpp"
#include <libration/integrate/events.hpp>
#include <libration/model/model.hpp>

#include <functional>

namespace libration {

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

}  // namespace libration
