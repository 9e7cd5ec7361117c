// Formulas of the state, over any scalar.
#pragma once

#include "expression/tape.hpp"
#include "integrate/monitor.hpp"
#include "manifold/manifold.hpp"
#include "model/model_values.hpp"
#include "system/windings.hpp"

namespace libration {

// One formula or several: what is read at points of a run.
struct Loss {
    std::vector<Expression> formulas;
    std::vector<Expression> symbols;         // all but parameters
    std::vector<NodeFormula::Input> inputs;  // what they mean
    bool needs_multipliers = false;
};

// A formula of q, p_, v_, lambda_, t, parameters and observables. InputError if the text is none; `what` names it.
// `more`: other names, which stand for themselves.
Expression state_formula(const Model& model, const std::string& text, const std::string& what,
                         std::span<const std::string> more = {});
Loss loss_of(const Model& model, std::vector<Expression> formulas, const std::string& what);
Loss read_loss(const Model& model, const std::string& text);

// Values of formulas over the symbols of a loss, at nodes.
template <class S>
class LossReader {
  public:
    LossReader(const Loss& loss, std::span<const Expression> formulas, System<S>& system,
               const ParameterValues<S>& given)
        : loss_(&loss), system_(&system), manifold_(system),
          tape_(compile(formulas, loss.symbols, constants_of(system, given.symbols)),
                constants_of(system, std::span<const S>(given.values))),
          v_(system.dimension(), lit<S>(0)), lambda_(reaction_count(system), lit<S>(0)) {}
    // Of the formulas of the loss.
    LossReader(const Loss& loss, System<S>& system, const ParameterValues<S>& given)
        : LossReader(loss, loss.formulas, system, given) {}

    // `turns`: as in a node; empty: as the system was told last.
    void read(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> turns = {}) {
        if (!turns.empty()) {
            system_->windings()->refer_to(turns);
        }
        system_->velocity(t, q, p, v_);
        if (loss_->needs_multipliers) {
            manifold_.multipliers(t, q, p, lambda_);
        }
        for (std::size_t i = 0; i < loss_->inputs.size(); ++i) {
            tape_.input(i) = input(loss_->inputs[i], t, q, p);
        }
        tape_.run();
    }
    [[nodiscard]] const S& value(std::size_t k = 0) const { return tape_.output(k); }

  private:
    // Without angles that count turns, which are read.
    template <class T>
    static std::span<const T> constants_of(System<S>& system, std::span<const T> all) {
        return all.first(all.size() - (system.windings() != nullptr ? system.windings()->count() : 0));
    }
    static std::span<const Expression> constants_of(System<S>& system, const std::vector<Expression>& all) {
        return constants_of(system, std::span<const Expression>(all));
    }

    S input(const NodeFormula::Input& wanted, const S& t, std::span<const S> q, std::span<const S> p) const {
        using Kind = NodeFormula::Input::Kind;
        switch (wanted.kind) {
            case Kind::time: return t;
            case Kind::position: return q[wanted.index];
            case Kind::momentum: return p[wanted.index];
            case Kind::velocity: return v_[wanted.index];
            case Kind::multiplier: return lambda_[wanted.index];
            case Kind::turn: return system_->windings()->references()[wanted.index];
        }
        return t;
    }

    const Loss* loss_;
    System<S>* system_;
    Manifold<S> manifold_;
    Tape<S> tape_;
    std::vector<S> v_, lambda_;
};

// Where a formula has a kink or a jump just at a state, it has no derivative there.
class KinkWatch {
  public:
    KinkWatch(const Loss& loss, const Model& model);
    // What of the formula is not smooth at this state; nothing: it has a derivative.
    std::optional<std::string> kink(const Node<double>& node, std::size_t formula);

  private:
    struct Place {
        std::size_t formula;
        Expression node;
    };
    std::unique_ptr<System<double>> system_;
    ParameterValues<double> given_;
    std::vector<Place> places_;
    std::optional<LossReader<double>> reader_;
};

}  // namespace libration
