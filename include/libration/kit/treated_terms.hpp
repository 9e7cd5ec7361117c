// The treatment of individual terms that a model specifies, as numbers, for methods that treat terms individually.
#pragma once

#include <libration/kit/scalar.hpp>
#include <libration/model/model.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

#ifdef LIBRATION_HAS_QUAD
using MixWeight = Quad;
#else
using MixWeight = double;
#endif

// Weights of A, B, C, C* and D; they sum to 1.
using LobattoMix = std::array<MixWeight, lobatto_kinds>;

struct TreatedTerms {
    struct Force {
        std::string name;
        ForceClass kind;
    };
    struct Choice {
        std::string term;                       // as in TreatmentChoice
        std::optional<std::size_t> coordinate;  // nothing: all
        LobattoMix weights;
    };
    std::size_t dimension = 0;
    std::vector<Force> forces;    // in the order of the model
    std::vector<Choice> choices;  // a later one replaces an earlier one
    bool full_newton = false;
};

TreatedTerms treated_terms(const Model& model);

}  // namespace libration
