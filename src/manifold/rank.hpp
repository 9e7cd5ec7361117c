// Which constraints depend on each other at a configuration.
#pragma once

#include <libration/kit/system.hpp>

namespace libration {

// Below this squared sine of the angle between a row and the rows before it, a step cannot be made: pivots are rounded
// at some 1e-16 of the squared lengths of the rows.
inline constexpr double rank_tolerance = 1e-14;

// Of gradients that are dependent in exact arithmetic rounding leaves a sine of some eps, divided by the sine of nearly
// dependent rows among them, which may be as small as 1e-7.
inline constexpr double exact_sine = 1e-9;

struct Dependence {
    std::size_t row;                // the last row of the set, dependent on the others
    std::vector<std::size_t> rows;  // a minimal dependent set, ascending, `row` included; empty beyond `most_sets`
    // Of the angle between the gradient of the row and those of the others in the set: round-off where they are
    // dependent.
    double sine = 0;
};

// One entry for each constraint that is one too many, whatever their numbering: those with their sets first, ascending
// by row, at most `most_sets`; then those without. Independent rows are not named, however close they are to dependent
// ones, unless the squared sine of their angle to rows before them is below `close`. A test of rank costs a
// factorisation; each set costs a solve.
std::vector<Dependence> dependent_constraints(System<double>& system, double t, std::span<const double> q,
                                              std::size_t most_sets = 8, double close = 0);

}  // namespace libration
