// Energy, residuals of both constraints and observables at a node. Reads only.
#pragma once

#include "joint_wrenches.hpp"
#include "monitor_totals.hpp"
#include "thinned_series.hpp"

#include "expression/tape_visitor.hpp"
#include "manifold/least_norm.hpp"
#include "manifold/manifold.hpp"
#include <libration/integrate/run.hpp>
#include <libration/kit/stepper.hpp>
#include <libration/model/model.hpp>

#include <memory>
#include <optional>

namespace libration {

// A formula over q, p_, v_, lambda_ and t, evaluated at nodes; lambda_ of all rows, also where a model carries some.
class NodeFormula {
  public:
    // InputError if the formula uses a symbol that the model does not have.
    NodeFormula(const Model& model, const Expression& formula, const std::string& what);
    double value(const Node<double>& node, std::span<const double> v, std::span<const double> lambda);
    [[nodiscard]] bool needs_multipliers() const { return needs_multipliers_; }
    void visit_tapes(TapeVisitor<double>& visitor) { visitor.tape(tape_); }

    // What a name means at a node.
    struct Input {
        enum class Kind { time, position, momentum, velocity, multiplier, turn } kind;
        std::size_t index;
        template <class S>
        [[nodiscard]] S of(const Node<S>& node, std::span<const S> v, std::span<const S> lambda) const {
            switch (kind) {
                case Kind::time: return node.t;
                case Kind::position: return node.q[index];
                case Kind::momentum: return node.p[index];
                case Kind::velocity: return v[index];
                case Kind::multiplier: return lambda[index];
                case Kind::turn: return node.turns[index];
            }
            return lit<S>(0);
        }
    };
    // Nothing: the model has no such name.
    static std::optional<Input> find(const Model& model, const std::string& name);
    // Of all symbols of a formula that are no parameters; these are `symbols` then.
    static std::vector<Input> find_all(const Model& model, const Expression& formula,
                                       std::span<const Expression> parameters, const std::string& what,
                                       std::vector<Expression>& symbols);

  private:
    Tape<double> tape_;
    std::vector<Input> inputs_;
    bool needs_multipliers_ = false;
};

// Everything there is to know of one node, computed on demand.
class NodeReader {
  public:
    // `before`: the reader of the same run with other rows, whose length of reactions is kept.
    NodeReader(const Model& model, System<double>& system, Manifold<double>& manifold, double start_time = 0,
               const NodeReader* before = nullptr);

    // The sample of a node; its spans stay valid until the next call. Without `complete`, lambda and plain observables
    // are omitted where nothing needs them.
    Sample read(const Node<double>& node, std::int64_t step, bool complete);
    // The invariants of the last sample, in the order of the model's observables.
    [[nodiscard]] const std::vector<double>& invariants() const { return invariants_; }
    double evaluate(NodeFormula& formula, const Node<double>& node);
    // The programs of the observables; those of energy and residuals belong to the system.
    void visit_tapes(TapeVisitor<double>& visitor) {
        for (auto& observable : observables_) {
            observable.formula.visit_tapes(visitor);
        }
    }

  private:
    // Angles of formulas of the system are counted from those of the node.
    void refer(const Node<double>& node);
    struct Watched {
        NodeFormula formula;
        bool invariant;
    };
    void read_residuals(const Node<double>& node);
    void read_multipliers(const Node<double>& node);

    System<double>* system_;
    Manifold<double>* manifold_;
    // Of a model that carries some rows: the one with all, and which rows they are.
    std::unique_ptr<System<double>> whole_;
    std::optional<Manifold<double>> whole_manifold_;
    std::optional<LeastNorm> least_norm_;
    std::optional<JointWrenches> wrenches_;
    std::vector<std::size_t> carried_;
    std::vector<double> carried_lambda_;
    std::vector<Watched> observables_;
    std::vector<double> v_, lambda_, rows_, hidden_, observable_values_, invariants_;
    bool invariants_need_multipliers_ = false;
};

// T / (p v), by which T is measured. Of a whole hamiltonian nothing says what T is: p v takes its place. NaN: there
// is no H.
double kinetic_share(const Model& model);

// Running maxima, part of a checkpoint.
class Monitor {
  public:
    // `every`: as in the options of the run.
    Monitor(const Model& model, std::size_t invariants, std::int64_t every);
    void begin(const Sample& sample, const std::vector<double>& invariants);
    // Of a node whose number is a multiple of `every`: what depends on the order of the nodes. Then update().
    void follow(const Sample& sample);
    // Maxima over nodes.
    void update(const Sample& sample, const std::vector<double>& invariants);
    // The residual that a step left behind, in units of its own round-off: only the step knows how large its terms
    // were.
    void note_floors(double floors);
    // Where the energy is not conserved: the history is that of H minus the work done since the start, which is known
    // of one monitored node after another.
    void expect_balance() { balanced_ = true; }
    void note_balance(double t, double error);
    // Of the last node of a run.
    void note_last_balance(double error);
    void visit_balance(MemoryVisitor<double>& visitor);
    [[nodiscard]] double initial_energy() const { return totals_.total[Totals::initial_energy]; }
    // Maxima are NaN where `run.monitor` says that nothing was monitored.
    void summarize(Run& run, const Sample& last, const std::vector<double>& invariants, const Model& model) const;
    void visit(MemoryVisitor<double>& visitor);
    // In recorded steps the same is done by a MonitorInStep: these are its numbers,
    void visit_for_steps(MemoryVisitor<double>& visitor);
    // and this is told where such steps led to. They may not pass a node whose energy is kept.
    void arrive(std::int64_t n);
    [[nodiscard]] std::int64_t next_kept(std::int64_t n) const { return energy_errors_.next(n); }
    // Whether follow() compares nodes with the one before, and whether that is known; otherwise remember() takes it.
    // After a checkpoint was read it is the node where the run stopped.
    [[nodiscard]] bool compares_nodes() const { return every_ == 1 && totals_.has_energy(); }
    [[nodiscard]] bool knows_node_before() const { return knows_node_before_; }
    void remember(const Sample& sample);

  private:
    using Totals = MonitorTotals<double>;
    void keep_energy(std::int64_t n, double t, double energy);

    Totals totals_;
    bool balanced_ = false;
    std::array<double, 1> balance_{};  // the largest error
    std::int64_t balanced_nodes_ = 0;
    ThinnedSeries energy_errors_;
    std::int64_t every_;
    std::vector<double> p_, v_;  // of the node before
    bool knows_node_before_ = false;
};

}  // namespace libration
