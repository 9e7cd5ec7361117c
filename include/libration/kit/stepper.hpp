// What the loop sees of a running method: its memory and its nodes.
#pragma once

#include <libration/kit/scalar.hpp>
#include <libration/kit/system.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace [[gnu::visibility("default")]] libration {

// How a step went. The loop judges it; method code does not branch on it.
template <class S>
struct StepReport {
    Real<S> converged;  // 1, or 0 if the iteration did not reach round-off; -1: it did, but an angle turned too far
    Real<S> residual;   // of the constraints, in floors
    Real<S> pivot;      // smallest relative pivot of G M^-1 G^T met in the step; 1 without constraints
    Real<S> size;       // sum of the entries of the new state: not finite if one of them is not
};

// Lists all arrays of a method's memory: saving, loading, comparing and moving to a lane are visits.
template <class S>
class MemoryVisitor {
  public:
    virtual ~MemoryVisitor() = default;
    virtual void array(std::string_view name, std::span<S> values) = 0;
    virtual void integer(std::string_view name, std::int64_t& value) = 0;
    // False: what is visited next is not in this memory, which an earlier version saved.
    [[nodiscard]] virtual bool has(std::string_view /*name*/) { return true; }
};

// A state of one instant. `q_low` holds what rounding dropped from q (empty: nothing is known of it). `turns`: of a
// model with angles that count turns, the angles at this or at a neighboring node (empty: those at the start).
template <class S>
struct Node {
    S t;
    std::span<const S> q, q_low, p;
    std::span<const S> turns = {};
};

// Counts of whole-vector evaluations, kept as scalars because they are memory like the rest.
template <class S>
struct Evaluations {
    enum Kind : std::size_t { force, constraint, jacobian, newton_iterations, factorizations, kinds };
    std::array<S, kinds> count;
    Evaluations() { count.fill(lit<S>(0)); }
    void add(Kind kind, const S& amount) { count[kind] = count[kind] + amount; }
    void add(Kind kind) { add(kind, lit<S>(1)); }
};

template <class S>
class Stepper {
  public:
    virtual ~Stepper() = default;
    // From a node (q, p) at time t0 on the manifold; h may be negative. Steps are numbered from here: node n is at t0 +
    // n h.
    virtual void start(const Node<S>& node, const S& h) = 0;
    void start(const S& t0, std::span<const S> q, std::span<const S> p, const S& h) { start({t0, q, {}, p}, h); }
    // Computes one step without changing the current state, which stays untouched until accept().
    virtual StepReport<S> advance() = 0;
    virtual void accept() = 0;
    // The position at which the last advance() measured the pivot: where to look if constraints became dependent.
    [[nodiscard]] virtual std::span<const S> pivot_position() const = 0;
    // The node that accept() would make available, for inspection beforehand. Valid until the next advance().
    virtual Node<S> trial_node() = 0;
    // The newest available node: number (steps accepted - lag), or 0.
    virtual Node<S> node() = 0;
    virtual void visit(MemoryVisitor<S>& visitor) = 0;
    // Methods with a memory of positions: reverses it, so that the next steps retrace them with the step -h,
    // and the first of these makes the current node available again. False if restarting with -h reverses the
    // run.
    virtual bool turn_round() { return false; }
    [[nodiscard]] virtual const Evaluations<S>& evaluations() const = 0;
};

}  // namespace libration
