// The triple pendulum of problems/triple-pendulum.toml by RATTLE, in programs that can do nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace bench {

// Points 1, 2, 3: x1, y1, x2, ... as in the model. q + q_low is what the program holds.
struct TripleState {
    std::array<double, 6> q{}, q_low{}, p{};
};

struct TripleParameters {
    double gravity = 1, rod = 1, step = 0.01;
};

// One or several trajectories that a program carries on together.
class TripleProgram {
  public:
    virtual ~TripleProgram() = default;
    // At rest, rods at these angles from the downward vertical.
    virtual void start(std::size_t lane, const std::array<double, 3>& angles) = 0;
    virtual void run(std::int64_t steps) = 0;
    [[nodiscard]] virtual std::size_t lanes() const = 0;
    [[nodiscard]] virtual TripleState state(std::size_t lane) const = 0;
    [[nodiscard]] virtual std::int64_t passes() const = 0;  // corrections of the multipliers, all steps so far
    [[nodiscard]] virtual bool failed() const = 0;
};

enum class TripleForm {
    points,       // positions and momenta as they stand in the model, one force and one factorisation a step
    compensated,  // the same with sums that keep what rounding drops, as the library has them
    rods,         // unknowns are the rods and their ways per step: no positions, masses or steps in the loop
};
enum class TripleLoop {
    full,        // Newton's method, until the residual is at round-off
    simplified,  // with the matrix of the step's beginning, factored in the step before; until round-off
    two_full,    // two corrections by Newton's method, the residual is not looked at
    one_full,    // one
};

// lanes: 1, 8 or 16. Null for combinations that are not built.
std::unique_ptr<TripleProgram> make_triple(TripleForm form, TripleLoop loop, std::size_t lanes,
                                           const TripleParameters& parameters);

}  // namespace bench
