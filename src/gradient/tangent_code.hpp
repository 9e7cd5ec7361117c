// Machine code for the tangent steps of a backward run, beside the interpreted method: that one makes the first steps,
// until its memory has settled, and the steps that the code refuses.
#pragma once

#include "tangent_step.hpp"

#include "codegen/machine_code.hpp"
#include "expression/tape.hpp"
#include "scalar/aligned.hpp"
#include <libration/integrate/run.hpp>
#include <libration/kit/dual.hpp>

namespace libration {

class TangentCode {
  public:
    using D = Dual<double>;

    // What is compiled, and for how many steps.
    struct Request {
        const Model* extended;
        std::size_t dimension;  // of the model itself
        const Method* method;
        System<double>* system;  // of the extended model
        Node<double> node;       // from which the steps start
        double h = 0;
        std::int64_t steps = 0;
        Backend backend = Backend::automatic;
    };
    // `backend` says what it is; or, of null, why there is none: not recordable, too large, too few steps to repay it,
    // or no code on this machine.
    static std::unique_ptr<TangentCode> make(const Request& request, std::string& backend);

    TangentCode(TangentStep step, std::shared_ptr<const StepCode> code);

    // Takes the state and the tangent of a lane from the method; false, and nothing happens, while its memory has not
    // settled.
    bool enter(Stepper<D>& method, std::size_t lane);
    // Makes up to this many steps, stops before one that is not good; returns how many.
    std::int64_t leap(std::int64_t steps);
    // Writes both back; the method can then tell its node, and must be started again from there.
    void leave(Stepper<D>& method, std::size_t lane);
    // Of its own memory, between enter() and leave(): saves it or takes it.
    template <class Bytes>
    void visit(Bytes& bytes) {
        for (std::size_t k = 0; k < step_.changing.size(); ++k) {
            bytes(state()[k]);
        }
    }

    // Of the model, between steps: the largest difference from a position, and the size of the tangent. Momenta may
    // lack a kick, which is enough for a size.
    [[nodiscard]] double distance(std::span<const double> q) const;
    [[nodiscard]] double tangent_size() const;

  private:
    double* state() { return memory_[current_].data(); }

    TangentStep step_;
    std::shared_ptr<const StepCode> code_;
    Tape<double> prepare_;
    AlignedVector<double> constants_;
    std::array<AlignedVector<double>, 2> memory_;
    std::size_t current_ = 0;
};

}  // namespace libration
