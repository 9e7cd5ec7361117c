// What a closed pose satisfies: g(t, q) = 0, and h(q) = h(rough pose) for formulas h that are held.
#pragma once

#include "expression/tape.hpp"
#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

#include <memory>

namespace libration {

// The constraints come first, then what is held. Owns a system of the constraints alone.
template <class S>
class PoseRows {
  public:
    PoseRows(const Model& model, double t);
    // From now on formulas that are held keep their values at q.
    void hold_at(std::span<const S> q);

    [[nodiscard]] std::size_t count() const { return system_->constraints() + held_.size(); }
    [[nodiscard]] std::size_t constraints() const { return system_->constraints(); }
    [[nodiscard]] std::size_t dimension() const { return system_->dimension(); }

    void values(std::span<const S> q, std::span<S> rows);
    // One row of `dimension` numbers after another.
    void slopes(std::span<const S> q, std::span<S> matrix);
    // G v + g_t; what is held says nothing about velocities.
    void rates(std::span<const S> q, std::span<const S> v, std::span<S> rows);

  private:
    struct Held {
        Tape<S> tape;  // the value, then its derivatives
        std::vector<std::size_t> coordinates;
        S value = lit<S>(0);
    };
    void run(Held& held, std::span<const S> q);

    std::unique_ptr<System<S>> system_;
    S t_;
    std::vector<Held> held_;
    std::vector<S> entries_, rate_;
};

// The model with nothing but coordinates of mass 1, their initial values, and constraints.
Model constraints_alone(const Model& model);

}  // namespace libration
