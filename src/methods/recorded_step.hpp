// One step of a running method, recorded: what the code generator compiles.
#pragma once

#include "codegen/step_program.hpp"
#include "system/lane_values.hpp"
#include <libration/kit/stepper.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <optional>

namespace libration {

// The memory of a method as one list of numbers, in the order of `visit`. Entries that no step changes, such as h, are
// parameters of the program, after those of the model that vary from one trajectory to the next; the others are its
// inputs and outputs.
struct RecordedStep {
    StepProgram program;
    std::vector<std::string> varied;             // names of parameters of the model
    std::vector<std::int64_t> integers;          // the same before and after a step
    std::vector<std::uint32_t> fixed, changing;  // numbers of entries
    std::size_t watched = 0;                     // numbers of a StepWatcher, after those that change
};

// Looks at the nodes of a step that is being recorded. What it keeps is then part of the memory of the recorded step,
// though not of the method's.
class StepWatcher {
  public:
    virtual ~StepWatcher() = default;
    virtual void visit(MemoryVisitor<Traced>& visitor) = 0;
    // Changes its numbers. 0: this node is not to be reached, the step is no good.
    virtual Traced watch(System<Traced>& system, const Node<Traced>& before, const Node<Traced>& after) = 0;
};

// The integers of a method's memory once they do not change any more (histories are full, starts are over), found by
// running a method of this kind from `node`. Nothing if it cannot make these steps.
std::optional<std::vector<std::int64_t>> settled_integers(const Method& method, System<double>& system,
                                                          const Node<double>& node, double h);

// A step as it was traced, before anything is made of it.
struct TracedStep {
    struct Entry {
        std::string array;  // as `visit` names it
        std::size_t index = 0;
        Expression before, after;  // `before`: a symbol; equal to `after` if no step changes the entry
    };
    std::vector<Entry> memory;
    std::vector<TracedLoop> loops;
    StepReport<Traced> report;
    std::vector<Entry> watched;  // the numbers of the watcher
    Traced allowed = lit<Traced>(1);
};
// `lanes` names the parameters that vary, whose values do not matter. Nothing, and why not, if it cannot be traced: an
// iteration inside an iteration. `guarded`: of runs, which may change the rows that they carry.
std::optional<TracedStep> trace_step(const Model& model, const Method& method, std::span<const std::int64_t> integers,
                                     std::string& why_not, const LaneValues& lanes = {}, bool guarded = false,
                                     StepWatcher* watcher = nullptr);

// Of a method with lanes; nothing, and why not, if it cannot be recorded.
std::optional<RecordedStep> record_step(const Model& model, const Method& method,
                                        std::span<const std::int64_t> integers, std::string& why_not,
                                        const LaneValues& lanes = {}, StepWatcher* watcher = nullptr);
// Both together.
std::optional<RecordedStep> record_step(const Model& model, const Method& method, System<double>& system,
                                        const Node<double>& node, double h, std::string& why_not,
                                        StepWatcher* watcher = nullptr);

}  // namespace libration
