// A composition: substeps gamma_1 h, gamma_2 h, ... of a base map make one step of higher order.
//
//     Psi_h = Phi_(gamma_n h) o ... o Phi_(gamma_1 h)
//
// With constraints the momenta at inner points are not projected: the correction has the direction of the first kick of
// the next substep, which takes it up in its multipliers. [Reich 1996, (13), (27), Thm 3.3]
#pragma once

#include "coefficients/wide.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <utility>

namespace libration {

// What a specification `compose(BASE, SCHEME)` means: lengths as fractions of h, and which of them the adjoint takes.
struct Composition {
    struct Part {
        Wide fraction;
        bool adjoint;
    };
    MethodSpec base, adjoint;  // the second is empty where the base is symmetric
    int order = 0;
    std::vector<Part> parts;
};

// Throws an InputError if the base cannot be composed or the scheme is unknown.
Composition composition_of(const MethodSpec& spec);

template <class S>
class ComposeMap final : public Map<S> {
  public:
    ComposeMap(System<S>& system, const MethodSpec& spec) : ComposeMap(system, composition_of(spec)) {}

    void reserve(std::size_t slots) override {
        for (auto& map : maps_) {
            map->reserve(slots * parts_.size());
        }
    }

    void prepare(const S& t, State<S>& z, Evaluations<S>& evaluations) override {
        for (auto& map : maps_) {
            map->prepare(t, z, evaluations);
        }
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        MapReport<S> report;
        const State<S>* from = &z0;
        S t = step.t;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const auto& part = parts_[i];
            const bool last = i + 1 == parts_.size();
            State<S>& to = last ? z1 : between_[i % 2];
            const S t1 = last ? step.t1 : mad(part.end, step.h, step.t);
            const auto ending = last ? step.ending : Ending::inner;
            to.at.standing.follow(from->at.standing);
            report.join(maps_[part.map]->apply({t, t1, S(part.length * step.h), step.slot * parts_.size() + i, ending},
                                               *from, to, evaluations));
            from = &to;
            t = t1;
        }
        return report;
    }

    [[nodiscard]] bool ends_late() const override { return maps_[parts_.back().map]->ends_late(); }
    void momentum_on_manifold(const S& t, const State<S>& z, std::span<S> p) override {
        maps_[parts_.back().map]->momentum_on_manifold(t, z, p);
    }

    void accept() override {
        for (auto& map : maps_) {
            map->accept();
        }
    }

    void visit(MemoryVisitor<S>& visitor) override {
        for (auto& map : maps_) {
            map->visit(visitor);
        }
    }

  private:
    struct Part {
        S length, end;  // as fractions of the step
        std::size_t map;
    };

    ComposeMap(System<S>& system, const Composition& composition)
        : matrix_(constraint_matrix(system)), between_{State<S>(system, *matrix_), State<S>(system, *matrix_)} {
        maps_.push_back(make_map<S>(method(composition.base), system));
        if (!composition.adjoint.name.empty()) {
            maps_.push_back(make_map<S>(method(composition.adjoint), system));
        }
        Wide end = 0;
        for (const auto& part : composition.parts) {
            end += part.fraction;
            parts_.push_back({as_scalar<S>(part.fraction), as_scalar<S>(end), part.adjoint ? 1U : 0U});
        }
    }

    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    std::vector<std::unique_ptr<Map<S>>> maps_;  // the base, and its adjoint if it is another map
    std::vector<Part> parts_;
    std::array<State<S>, 2> between_;
};

}  // namespace libration
