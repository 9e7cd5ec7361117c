// A start from a rough pose: loops are closed, velocities made consistent. See docs/model-format.md, "Assembly".
#pragma once

#include <libration/kit/scalars.hpp>
#include <libration/model/model.hpp>

#include <optional>
#include <string>
#include <vector>

namespace libration {

#ifdef LIBRATION_HAS_QUAD
using FinestReal = Quad;
#else
using FinestReal = double;
#endif

// As precise as S can hold it.
template <class S>
S from_finest(const FinestReal& x) {
    if constexpr (std::is_same_v<Real<S>, FinestReal>) {
        return from_real<S>(x);
    } else {
        return from_double<S>(to_double(x));
    }
}

// A coordinate outside of bodies, or a body: how far its center moved, and by which angle it turned.
struct MovedPart {
    std::string name;
    double by = 0, angle = 0;
    bool body = false;
};

// A closed pose next to the rough one; `distance` is the root of the mean square of what moved, weighted by masses.
struct ClosingWay {
    std::vector<double> q;
    double distance = 0;
    std::size_t reversed = 0;  // hinges whose axes are parallel in one of both poses, antiparallel in the other
};

struct Assembly {
    std::vector<double> rough, q;
    bool moved = false;             // false: the rough pose is closed
    double rough_gap = 0, gap = 0;  // largest |g|
    int steps = 0;                  // least-squares solves
    std::vector<MovedPart> parts;   // the largest first
    std::vector<ClosingWay>
        ways;  // the first one is the one to which the rough pose leads; the others by `reversed`, then by distance
    std::size_t branch = 1;  // the one that was chosen, from 1
};

enum class WaysWanted { chosen, all };
// Of a model with an assembly; positions only. InputError if nothing closes, with the smallest gap and where it is.
Assembly assemble(const Model& model, double t, WaysWanted wanted);

// Closed to the precision of the numbers, with momenta on the hidden constraints; or velocities, where M is singular.
// Nothing: the initial values satisfy all constraints and are used as they are given.
struct AssembledStart {
    std::vector<FinestReal> q, p, v;
};
std::optional<AssembledStart> assembled_start(const Model& model, double t);
// The same model that starts there, with numbers in the place of rough values, and without an assembly.
Model with_assembled_start(const Model& model, double t);

}  // namespace libration
