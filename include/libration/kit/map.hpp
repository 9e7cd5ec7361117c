// A one-step method is a map (q, p) -> Phi_h(q, p). Maps are what compositions, projections and constraints are built
// on; MapStepper turns one into a running method.
#pragma once

#include <libration/kit/state.hpp>

namespace [[gnu::visibility("default")]] libration {

// Where a map ends: on the manifold, or at an inner point of a composition, whose hidden constraint need not be solved,
// because the first kick of the next map has the direction of the correction. [Reich 1996, (27)] If only the position
// is requested, only q is read, so a map may skip what only p and `at` need.
enum class Ending { on_manifold, inner, position };

// One application of a map, from t to t1 = t + h. `slot` numbers the applications within a step, so that each may
// remember its own multipliers from step to step.
template <class S>
struct Substep {
    S t, t1, h;
    std::size_t slot = 0;
    Ending ending = Ending::on_manifold;
    // The same application again with another h: the previous result is the initial guess.
    bool again = false;
};

// q' and p' of the stages of the last application, one stage after another.
template <class S>
struct StageSlopes {
    std::size_t stages = 0;
    std::span<const S> q, p;
};

template <class S>
struct MapReport {
    Real<S> converged = lit<Real<S>>(1);  // 1, or 0 if an iteration did not reach round-off
    Real<S> residual = lit<Real<S>>(0);   // of the constraints, in floors
    Real<S> pivot = lit<Real<S>>(1);      // smallest relative pivot

    // Both happened.
    void join(const MapReport& other) {
        converged = minv(converged, other.converged);
        residual = worse(residual, other.residual);
        pivot = minv(pivot, other.pivot);
    }
};

template <class S>
class Map {
  public:
    virtual ~Map() = default;
    // How many applications a step will have; called once, before all others.
    virtual void reserve(std::size_t slots) = 0;
    // Forgets the past and fills z.at with what apply() expects there.
    virtual void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) = 0;
    // z1 = Phi_h(z0), z0 stays as it is; leaves in z1.at what apply() expects. Memory does not change before accept().
    virtual MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1,
                               Evaluations<S>& evaluations) = 0;
    // True: steps may end like inner points, and the momentum of a node is computed on request. Later steps do not
    // depend on it.
    [[nodiscard]] virtual bool ends_late() const { return false; }
    // p of the node that z would have been with Ending::on_manifold.
    virtual void momentum_on_manifold(const S&, const State<S>& z, std::span<S> p) {
        std::copy(z.p.high.begin(), z.p.high.end(), p.begin());
    }
    // The step of which these applications were part is taken.
    virtual void accept() = 0;
    virtual void visit(MemoryVisitor<S>& visitor) = 0;
    // Nothing (0 stages) of maps that are not made of stages.
    [[nodiscard]] virtual StageSlopes<S> slopes() const { return {}; }
};

}  // namespace libration
