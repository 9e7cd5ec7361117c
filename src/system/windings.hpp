// Angles that count turns, of a system: which branches its programs take, the angles of a state, and their rates.
//
// A formula of such an angle takes the branch that is nearest to a reference, the angle at the last node. Between two
// nodes the references do not change, so that the formula has derivatives, and iterations see one branch. Whoever calls
// the system says before which references are meant: references belong to a trajectory, and many may share a system.
#pragma once

#include "whole_tape.hpp"
#include <libration/kit/system.hpp>

namespace libration {

// Gives the references to all programs that contain them.
template <class S>
class TurnSetter final : public TapeVisitor<S> {
  public:
    explicit TurnSetter(std::span<const S> angles) : angles_(angles) {}
    void tape(Tape<S>& tape) override { tape.set_turns(angles_); }
    void block(BlockTape<S>& tape, std::size_t) override { tape.set_turns(angles_); }

  private:
    std::span<const S> angles_;
};

template <class S>
class Windings {
  public:
    Windings(const Model& model, const ParameterValues<S>& given, System<S>& system)
        : system_(&system),
          start_(given.values.end() - static_cast<std::ptrdiff_t>(model.windings.size()), given.values.end()),
          references_(start_) {
        const auto q = model.coordinate_symbols(), v = model.coordinate_symbols("v_");
        std::vector<Expression> angles, rates;
        for (const auto& winding : model.windings) {
            angles.push_back(winding.angle);
            rates.push_back(winding.rate);
        }
        angles_ = WholeTape<S>(angles, {q}, given);
        rates_ = WholeTape<S>(rates, {q, v}, given);
    }

    [[nodiscard]] std::size_t count() const { return start_.size(); }
    // Where the model says that the angles are before the first node.
    [[nodiscard]] std::span<const S> start() const { return start_; }
    // The references of all calls of the system from now on; none: those at the start.
    void refer_to(std::span<const S> references) {
        const auto from = references.empty() ? std::span<const S>(start_) : references;
        std::copy(from.begin(), from.end(), references_.begin());
        repeat();
    }
    [[nodiscard]] std::span<const S> references() const { return references_; }
    // The same once more, for programs that were made after it.
    void repeat() {
        TurnSetter<S> setter(references_);
        system_->visit_tapes(setter);
        angles_.visit_tapes(setter);
    }
    void angles(const S& t, std::span<const S> q, std::span<S> out) { angles_.run(t, {q.first(coordinates())}, out); }
    void rates(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> out) {
        rates_.run(t, {q.first(coordinates()), v.first(coordinates())}, out);
    }

  private:
    // Those that the formulas know; an augmented system has more.
    [[nodiscard]] std::size_t coordinates() const { return system_->dimension() - system_->properties().added; }

    System<S>* system_;
    std::vector<S> start_, references_;
    WholeTape<S> angles_, rates_;
};

}  // namespace libration
