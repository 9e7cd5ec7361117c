// The steps that dense output is made of, over any scalar: for runs, and for their tangents.
//
//     z(t_n + tau) = Phi_tau(z_n)
//
// Methods that are not one-step maps have a companion: steps of the pair IIIA-IIIB of at least their order, forward
// from the node before and back from the node after, mixed by 1 - theta and theta and projected.
#pragma once

#include "manifold/manifold.hpp"
#include "methods/good_step.hpp"
#include <libration/kit/compensated.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/kit/stepper.hpp>
#include <libration/methods/method.hpp>

namespace libration {

// What a method needs between its nodes.
struct DenseKind {
    bool companion;
    // What a method keeps at round-off is left as the method gives it; of methods that diverge nothing can be
    // projected.
    bool project_position, project_momentum;
};
DenseKind dense_kind(const Method& method, const SystemProperties& properties, std::size_t constraints);

// The method of the steps: its own, or the companion's. InputError if the companion cannot run this model.
Method dense_method(const Method& method, const SystemProperties& properties, std::size_t constraints);

template <class S>
class DenseSteps {
  public:
    enum class Fault { none, step, projection };

    // `system`: not that of the trajectory, so that no scratch space of it is touched.
    DenseSteps(System<S>& system, const Method& method)
        : system_(&system), manifold_(system), kind_(dense_kind(method, system.properties(), system.constraints())),
          stepper_(make_stepper<S>(dense_method(method, system.properties(), system.constraints()), system)) {}

    [[nodiscard]] const DenseKind& kind() const { return kind_; }

    // So much time after `left`; `right` is needed by companions only. The state is valid until the next call.
    Fault find(const Node<S>& left, const Node<S>& right, const S& elapsed, const S& t) {
        if (!step(left, elapsed, point_)) {
            return Fault::step;
        }
        if (kind_.companion) {
            const S whole = right.t - left.t;
            if (!step(right, elapsed - whole, other_)) {
                return Fault::step;
            }
            mix(point_, other_, elapsed / whole);
        }
        return project(t, point_) ? Fault::none : Fault::projection;
    }
    [[nodiscard]] std::span<const S> q() const { return point_.q; }
    [[nodiscard]] std::span<const S> q_low() const { return point_.q_low; }
    [[nodiscard]] std::span<const S> p() const { return point_.p; }

    // All that were made.
    [[nodiscard]] std::int64_t steps() const { return steps_; }

  private:
    struct Point {
        std::vector<S> q, q_low, p;
    };
    static void copy(std::span<const S> from, std::vector<S>& to) { to.assign(from.begin(), from.end()); }

    // The state after a step of length h from a node.
    bool step(const Node<S>& from, const S& h, Point& to) {
        copy(from.p, start_p_);
        if (kind_.companion) {  // whose momenta may fulfil the hidden constraint up to their order only
            manifold_.project_momentum(from.t, from.q, start_p_);
        }
        ++steps_;
        stepper_->start({from.t, from.q, from.q_low, start_p_, from.turns}, h);
        if (!good_step(stepper_->advance())) {
            return false;
        }
        const auto found = stepper_->trial_node();
        copy(found.q, to.q);
        copy(found.q_low, to.q_low);
        to.q_low.resize(to.q.size(), lit<S>(0));
        copy(found.p, to.p);
        return true;
    }

    // to = (1 - theta) to + theta other
    static void mix(Point& to, const Point& other, const S& theta) {
        for (std::size_t k = 0; k < to.q.size(); ++k) {
            const S apart = (other.q[k] - to.q[k]) + (other.q_low[k] - to.q_low[k]);
            const auto sum = add<S>(to.q[k], to.q_low[k], theta * apart);
            to.q[k] = sum.high;
            to.q_low[k] = sum.low;
            to.p[k] = to.p[k] + theta * (other.p[k] - to.p[k]);
        }
    }

    bool project(const S& t, Point& point) {
        if (kind_.project_position && system_->constraints() > 0) {
            if (to_double(manifold_.project_position(t, point.q, point.p)) != 1) {
                return false;
            }
            manifold_.refine_position(t, point.q, point.q_low, point.p);
        }
        if (kind_.project_momentum) {
            manifold_.project_momentum(t, point.q, point.p);
        }
        return true;
    }

    System<S>* system_;
    Manifold<S> manifold_;
    DenseKind kind_;
    std::unique_ptr<Stepper<S>> stepper_;
    Point point_, other_;
    std::vector<S> start_p_;
    std::int64_t steps_ = 0;
};

}  // namespace libration
