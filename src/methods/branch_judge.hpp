// Which of several solutions of a step is the motion.
//
// Near a position where constraints become dependent the manifold {g = 0} has several branches, and the equations of a
// step a solution on each of them, all with residuals at round-off. On the wrong one the velocity jumps: the momenta of
// the step are not those that the steps before let expect, and kinetic energy is lost or made. Neither is divided by
// the small pivot.
#pragma once

#include <libration/kit/stepper.hpp>

namespace libration {

template <class R>
struct Strangeness {
    R surprise;  // distance of the momenta from what was expected, relative to the momenta
    // |change of the energy| relative to the kinetic energies before and after; 0 where energy is not conserved
    R jump;

    [[nodiscard]] R worst() const { return maxv(R(lit<R>(1, 16) * surprise), jump); }
    // Nothing better need be looked for.
    [[nodiscard]] bool is_motion() const {
        return less_equal(surprise, lit<R>(1, 256)) && less_equal(jump, lit<R>(1, 65536));
    }
    // May be taken if there is nothing better: long steps of methods of low order change the energy, too.
    [[nodiscard]] bool is_bearable() const {
        return less_equal(surprise, lit<R>(1, 4)) && less_equal(jump, lit<R>(1, 128));
    }
};

template <class S>
class BranchJudge {
  public:
    explicit BranchJudge(System<S>& system) : system_(&system), v_(system.dimension(), lit<S>(0)) {}

    // `found` and `expected`: changes of the momentum from p, of one or more stages one after another.
    [[nodiscard]] Real<S> surprise(std::span<const S> p, std::span<const S> found, std::span<const S> expected) const {
        const auto inverse = system_->inverse_masses();
        const std::size_t d = p.size();
        R distance = lit<R>(0), size = lit<R>(0);
        for (std::size_t first = 0; first < found.size(); first += d) {
            R off = lit<R>(0), there = lit<R>(0);
            for (std::size_t k = 0; k < d; ++k) {
                const R weight = inverse.empty() ? lit<R>(1) : R(sqrt(real_part(inverse[k])));
                off = off + weight * absv(real_part(S(found[first + k] - expected[first + k])));
                there = there + weight * (absv(real_part(p[k])) + absv(real_part(found[first + k])));
            }
            distance = maxv(distance, off);
            size = maxv(size, there);
        }
        return equal(size, lit<R>(0)) ? size : R(distance / size);
    }

    // Between two states on the manifold.
    [[nodiscard]] Real<S> jump(const Node<S>& before, const Node<S>& after) {
        if (!system_->properties().conservative) {
            return lit<R>(0);
        }
        const R size = twice_kinetic(before) + twice_kinetic(after);
        const R change = absv(real_part(S(energy(after) - energy(before))));
        return equal(size, lit<R>(0)) ? change : R(change / size);
    }

  private:
    using R = Real<S>;

    S energy(const Node<S>& node) { return system_->energy(node.t, node.q, node.p); }
    R twice_kinetic(const Node<S>& node) {
        system_->velocity(node.t, node.q, node.p, v_);
        R sum = lit<R>(0);
        for (std::size_t k = 0; k < v_.size(); ++k) {
            sum = sum + real_part(v_[k]) * real_part(node.p[k]);
        }
        return absv(sum);
    }

    System<S>* system_;
    std::vector<S> v_;
};

}  // namespace libration
