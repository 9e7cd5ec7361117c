// Several trajectories that step together, one per lane. What a lane holds is the memory of the running method, exactly
// as a run of its own has it: a lane is filled from a stepper of double and read by one.
#pragma once

#include "codegen/machine_code.hpp"
#include "system/lane_values.hpp"
#include <libration/kit/stepper.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <memory>
#include <string>
#include <vector>

namespace libration {

// The arrays and integers of a stepper, in the order of its visit. Integers count steps and are the same in all lanes.
struct LaneMemory {
    std::vector<double> entries;
    std::vector<std::int64_t> integers;
};
LaneMemory memory_of(Stepper<double>& stepper);
void put_memory(const LaneMemory& memory, Stepper<double>& stepper);

// How far the lanes came together.
struct LaneSteps {
    std::int64_t made = 0;
    std::vector<bool> refused;  // one per lane, if a step failed: those whose step was not good; else empty
};

class LaneStepper {
  public:
    virtual ~LaneStepper() = default;
    [[nodiscard]] virtual std::size_t lanes() const = 0;
    // All lanes must be loaded before the first run.
    virtual void load(std::size_t lane, const LaneMemory& memory) = 0;
    virtual void store(std::size_t lane, LaneMemory& memory) = 0;
    // Up to `steps` steps of all lanes; ends before the first step that is not good in every lane. After that all lanes
    // hold the memory of before, but the stepper must not be used further.
    virtual LaneSteps run(std::int64_t steps) = 0;
    // The largest residual in floors of the lane's steps since it was asked last.
    virtual double take_worst(std::size_t lane) = 0;
};

// Makes lane steppers of one kind. Used by several threads at once.
class LaneBackend {
  public:
    virtual ~LaneBackend() = default;
    [[nodiscard]] virtual std::size_t lanes() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;  // "interpreted, 8 lanes"
    // `values`: those of varied parameters, one per lane. The model must outlive what is made. InputError if it cannot
    // be run in lanes.
    [[nodiscard]] virtual std::unique_ptr<LaneStepper> make(const Model& model, const LaneValues& values) const = 0;
};

// The interpreted template on packs, for methods with lanes.
std::unique_ptr<LaneBackend> pack_backend(const Method& method);
// Null: no lanes, trajectories run one after the other. `why` then says why, in words for the user.
std::unique_ptr<LaneBackend> lane_backend(const Model& model, const Method& method, std::string* why);

}  // namespace libration
