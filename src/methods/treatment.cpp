// From the classes of forces and what a model says of single terms to mixes of Lobatto matrices.
#include "treatment.hpp"

#include <algorithm>

namespace libration {

namespace {

LobattoMix pure(Lobatto kind) {
    LobattoMix mix{};
    mix[static_cast<std::size_t>(kind)] = 1;
    return mix;
}

Lobatto default_of(ForceClass kind) {
    switch (kind) {
        case ForceClass::conservative: return Lobatto::b;
        case ForceClass::driving: return Lobatto::cstar;
        case ForceClass::dissipative:
        case ForceClass::stiff: break;
    }
    return Lobatto::c;
}

class TreatmentMaker {
  public:
    explicit TreatmentMaker(const TreatedTerms& given) : given_(&given) {
        number(pure(Lobatto::a));
        number(pure(Lobatto::b));
    }

    Treatment make() {
        result_.position.set_all(number(pure(Lobatto::a)));
        const auto b = number(pure(Lobatto::b));
        result_.reaction.set_all(b);
        result_.motion.set_all(b);
        for (auto& part : result_.potential) {
            part.set_all(b);
        }
        for (const auto& force : given_->forces) {
            result_.forces.emplace_back(number(pure(default_of(force.kind))));
        }
        for (const auto& choice : given_->choices) {
            const auto mix = number(choice.weights);
            for (auto* term : terms(choice.term)) {
                if (choice.coordinate) {
                    term->set(*choice.coordinate, mix, given_->dimension);
                } else {
                    term->set_all(mix);
                }
            }
        }
        result_.full_newton = given_->full_newton;
        return std::move(result_);
    }

  private:
    std::uint32_t number(const LobattoMix& mix) {
        const auto found = std::ranges::find(result_.mixes, mix);
        const auto index = static_cast<std::uint32_t>(found - result_.mixes.begin());
        if (found == result_.mixes.end()) {
            result_.mixes.push_back(mix);
        }
        return index;
    }

    std::vector<ComponentMixes*> terms(const std::string& name) {
        auto& [slow, fast, stiff] = result_.potential;
        if (name == "position") {
            return {&result_.position};
        }
        if (name == "reaction") {
            return {&result_.reaction};
        }
        if (name == "inertia" || name == "hamiltonian") {
            return {&result_.motion};
        }
        if (name == "potential") {
            return {&slow, &fast, &stiff};
        }
        if (name == "slow" || name == "fast" || name == "stiff") {
            return {name == "slow" ? &slow : name == "fast" ? &fast : &stiff};
        }
        for (std::size_t k = 0; k < given_->forces.size(); ++k) {
            if (given_->forces[k].name == name) {
                return {&result_.forces[k]};
            }
        }
        return {};
    }

    const TreatedTerms* given_;
    Treatment result_;
};

}  // namespace

void ComponentMixes::set(std::size_t k, std::uint32_t mix, std::size_t dimension) {
    if (each_.empty()) {
        each_.assign(dimension, all_);
    }
    each_[k] = mix;
    if (std::ranges::all_of(each_, [&](std::uint32_t other) { return other == mix; })) {
        set_all(mix);
    }
}

Treatment treatment(const TreatedTerms& terms) { return TreatmentMaker(terms).make(); }

}  // namespace libration
