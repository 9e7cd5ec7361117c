// A number along a run, from a text: what observables may use, and besides
//
//     energy, energy_error (H - H0), constraint (max |g_i|), hidden (max |(G v)_i|), and the observables of the model
//
//     Quantity radius(model, "sqrt(x^2 + y^2)");
//     radius.value(sample);
#pragma once

#include "expression/tape.hpp"
#include "monitor.hpp"
#include <libration/model/model.hpp>

#include <string>
#include <variant>

namespace libration {

class Quantity {
  public:
    // InputError if the text is not a formula of such names; `what` names it in messages.
    Quantity(const Model& model, const std::string& text, const std::string& what = "the quantity");

    // The sample must be complete, as observers get it. `initial_energy` is the H0 of energy_error.
    double value(const Sample& sample, double initial_energy);

  private:
    // What a node alone does not know.
    struct OfRun {
        enum class Kind { observable, energy, energy_error, constraint, hidden } kind;
        std::size_t index = 0;
    };
    using Input = std::variant<NodeFormula::Input, OfRun>;
    static Input find(const Model& model, const std::string& name, const std::string& what);

    Tape<double> tape_;
    std::vector<Input> inputs_;
    std::size_t turns_;  // angles that count turns, the first observables
};

}  // namespace libration
