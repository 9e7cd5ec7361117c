// Defects of short runs, each measured with the largest step that works; and how much round-off such runs have.
#pragma once

#include "measuring.hpp"

namespace libration {

// Of the size of the state.
inline constexpr double roundings_a_step = 20;

// Steps 2 H, H, H/2, ... down to H/2048: the largest that works shows most. A defect that is clear there may come from
// stages with several solutions: it is one of the method only if it does not vanish at once with smaller steps, which
// no power h^24 does.
template <class Attempt>
Defect with_largest_step(const Subject& subject, double largest, Attempt attempt) {
    constexpr double fastest_decay = 2.8e14;  // 4^24
    Defect defect;
    double h = 2 * largest;
    bool undecidable = false;
    for (int halvings = 0; halvings < 12 && !defect.measured; ++halvings) {
        h /= 2;
        defect = attempt(h);
        undecidable = undecidable || defect.undecidable;
    }
    defect.undecidable = undecidable || !resolves(subject, h);
    auto coarser = defect;
    for (int k = 0; k < 6 && coarser.is_clear() && !resolves(subject, h); ++k) {
        h /= 4;
        const auto finer = attempt(h);
        if (finer.measured && finer.is_round_off() &&
            coarser.size > fastest_decay * std::max(finer.size, finer.tolerance)) {
            return finer;
        }
        coarser = finer;
    }
    return defect;
}

}  // namespace libration
