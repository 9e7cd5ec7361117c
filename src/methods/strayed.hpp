// Steps that passed a position where constraints become dependent, and went on along a wrong branch.
//
// Such a step leads away from the position again, so that neither of its ends need lie close to it: with long steps
// nearly_dependent() does not see it. The energy and the momenta do. They are asked where one step may reach such a
// position; a step from outside would have to cover half of the way that leads to the largest pivot of the trajectory.
#pragma once

#include "branch_judge.hpp"

namespace libration {

// Whether a step from a may pass such a position.
template <class S>
auto may_pass_dependence(const PositionData<S>& a) {
    return less(Real<S>(lit<Real<S>>(4) * a.standing.now()), a.standing.usual());
}

// Whether the energy changed by more than a step may change it. Momenta need not lie on the manifold: that is looked at
// where it matters.
template <class S>
bool has_jumped(BranchJudge<S>& judge, const Substep<S>& step, const State<S>& z0, const State<S>& z1) {
    if (!may_pass_dependence(z0.at)) {
        return false;
    }
    const auto jump = judge.jump({step.t, z0.q.high, {}, z0.p.high}, {step.t1, z1.q.high, {}, z1.p.high});
    return !Strangeness<Real<S>>{lit<Real<S>>(0), jump}.is_bearable();
}

// The same of the changes of the momenta at the stages.
template <class S>
bool has_surprised(const BranchJudge<S>& judge, const State<S>& z0, std::span<const S> found,
                   std::span<const S> expected) {
    const auto surprise = judge.surprise(z0.p.high, found, expected);
    return !Strangeness<Real<S>>{surprise, lit<Real<S>>(0)}.is_bearable();
}

}  // namespace libration
