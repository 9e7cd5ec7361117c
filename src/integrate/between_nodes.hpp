// What a run shows of the time between its nodes: output at given times, and events.
#pragma once

#include "event_watch.hpp"
#include "output_times.hpp"
#include <libration/integrate/events.hpp>
#include <libration/model/model.hpp>

namespace libration {

class BetweenNodes {
  public:
    // Nothing where neither times nor events are wanted.
    static std::unique_ptr<BetweenNodes> make(const Model& model, const Method& method,
                                              const IntegrationOptions& options, double end,
                                              std::vector<std::string>& warnings);

    struct Watchers {
        NodeReader& reader;
        std::span<Observer* const> observers;
    };

    // Before the run: InputError if the value of an event is not a number.
    void start(const Node<double>& node, NodeReader& reader);
    // Outputs at the very start.
    void begin(const Node<double>& node, const Watchers& watchers) { show_until(node.t, node, 0, watchers); }
    // From the node that was last given to this one, of number n: all outputs and events, in the order of time. A
    // message if a value or a state was not found; the run cannot continue then.
    std::optional<std::string> pass(const Node<double>& node, std::int64_t n, const Watchers& watchers);
    // From now on in steps of a model that differs in the rows that it carries.
    void use(const Model& model, const Method& method) { dense_ = DenseOutput(model, method); }
    // A run continues from this node.
    void restore(const Node<double>& node);
    // A terminal event happened.
    [[nodiscard]] bool ended() const { return ended_ != 0; }
    void visit(MemoryVisitor<double>& visitor);
    void summarize(Run& run) const;

  private:
    struct Kept {
        double t = 0;
        std::vector<double> q, q_low, p, turns;
        [[nodiscard]] Node<double> view() const { return {t, q, q_low, p, turns}; }
    };
    BetweenNodes(const Model& model, const Method& method, const IntegrationOptions& options, double end,
                 std::vector<std::string>& warnings);
    void keep(const Node<double>& node);
    void show_until(double t, const Node<double>& right, std::int64_t n, const Watchers& watchers);
    void pass_events(const Node<double>& right, std::int64_t n, const Watchers& watchers);

    DenseOutput dense_;
    OutputTimes times_;
    EventWatch watch_;
    Kept left_;
    std::int64_t ended_ = 0, left_out_ = 0;
    std::string first_fault_;
};

}  // namespace libration
