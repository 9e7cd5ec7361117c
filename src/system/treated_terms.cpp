// The treatment of terms as numbers.
#include "model/model_values.hpp"
#include <libration/kit/treated_terms.hpp>

#include "expression/tape.hpp"

#include <algorithm>

namespace libration {

namespace {

// At full precision, and with a sum of exactly 1: the largest weight makes up for the rounding of the others.
LobattoMix mix_of(const LobattoWeights& weights, const ParameterValues<MixWeight>& given) {
    LobattoMix mix{};
    for (std::size_t k = 0; k < lobatto_kinds; ++k) {
        mix[k] = Tape<MixWeight>(compile(std::array{weights[k]}, {}, given.symbols), given.values).output(0);
    }
    auto& largest = *std::ranges::max_element(mix);
    largest = 0;
    MixWeight others = 0;
    for (const auto& weight : mix) {
        others += weight;
    }
    largest = 1 - others;
    return mix;
}

}  // namespace

TreatedTerms treated_terms(const Model& model) {
    TreatedTerms terms{
        .dimension = model.dimension, .forces = {}, .choices = {}, .full_newton = model.treatment.full_newton};
    for (const auto& force : model.forces) {
        terms.forces.push_back({force.name, force.kind});
    }
    if (!model.treatment.choices.empty()) {
        const auto given = parameter_values<MixWeight>(model);
        for (const auto& choice : model.treatment.choices) {
            terms.choices.push_back({choice.term, choice.coordinate, mix_of(choice.weights, given)});
        }
    }
    return terms;
}

}  // namespace libration
