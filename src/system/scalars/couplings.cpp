// Second derivatives of terms, and the pairs of coordinates that they couple.
#include "system/couplings.hpp"
#include "scalar/second_order.hpp"

#include "system/term_hessian.hpp"
#include "system/windings.hpp"

#include <algorithm>

namespace libration {

template <class S>
struct Couplings<S>::Programs {
    // A term, and the number of the pair of each of its entries.
    struct CoupledTerm {
        TermHessian<S> hessian;
        std::vector<std::uint32_t> numbers;
    };

    explicit Programs(const ModelCopy<S>& copy) {
        for (const auto& term : copy.model.potential) {
            potential.push_back({TermHessian<S>(term, copy.given), {}});
        }
        for (const auto& constraint : copy.model.constraints) {
            constraints.push_back({TermHessian<S>(constraint.term, copy.given), {}});
        }
        for_each_term([&](auto& term) {
            term.hessian.for_each_place(
                [&](std::size_t, std::uint32_t a, std::uint32_t b) { pairs.push_back(pair_of(a, b)); });
        });
        std::ranges::sort(pairs);
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for_each_term([&](auto& term) {
            term.hessian.for_each_place([&](std::size_t, std::uint32_t a, std::uint32_t b) {
                const auto place = std::ranges::lower_bound(pairs, pair_of(a, b));
                term.numbers.push_back(static_cast<std::uint32_t>(place - pairs.begin()));
            });
        });
    }

    static Pair pair_of(std::uint32_t a, std::uint32_t b) { return {std::max(a, b), std::min(a, b)}; }

    template <class Visit>
    void for_each_term(Visit visit) {
        for (auto* terms : {&potential, &constraints}) {
            for (auto& term : *terms) {
                visit(term);
            }
        }
    }

    static void add(CoupledTerm& term, const S& t, std::span<const S> q, std::span<const S> weights,
                    std::span<S> values) {
        std::size_t e = 0;
        term.hessian.run(t, q, [&](std::size_t k, const S& value) {
            S& target = values[term.numbers[e++]];
            target = target + (weights.empty() ? value : S(weights[k] * value));
        });
    }

    std::vector<CoupledTerm> potential, constraints;
    std::vector<Pair> pairs;
};

template <class S>
Couplings<S>::Couplings(std::shared_ptr<const ModelCopy<S>> copy) : copy_(std::move(copy)) {}
template <class S>
Couplings<S>::~Couplings() = default;
template <class S>
Couplings<S>::Couplings(Couplings&&) noexcept = default;
template <class S>
Couplings<S>& Couplings<S>::operator=(Couplings&&) noexcept = default;

template <class S>
std::span<const typename Couplings<S>::Pair> Couplings<S>::pairs(System<S>& system) {
    if (!programs_) {
        programs_ = std::make_unique<Programs>(*copy_);
        if (auto* windings = system.windings()) {
            windings->repeat();
        }
    }
    return programs_->pairs;
}

template <class S>
void Couplings<S>::part_hessian(unsigned parts, const S& t, std::span<const S> q, std::span<S> values) {
    std::ranges::fill(values, lit<S>(0));
    for (auto& term : programs_->potential) {
        if ((term.hessian.part() & parts) != 0) {
            Programs::add(term, t, q, {}, values);
        }
    }
}

template <class S>
void Couplings<S>::reaction_hessian(const S& t, std::span<const S> q, std::span<const S> lambda, std::span<S> values) {
    std::ranges::fill(values, lit<S>(0));
    std::size_t row = 0;
    for (auto& term : programs_->constraints) {
        Programs::add(term, t, q, lambda.subspan(row, term.hessian.instances()), values);
        row += term.hessian.instances();
    }
}

template <class S>
void Couplings<S>::visit_tapes(TapeVisitor<S>& visitor) {
    if (programs_) {
        programs_->for_each_term([&](auto& term) { term.hessian.visit_tapes(visitor); });
    }
}

#define LIBRATION_INSTANTIATE(scalar) template class Couplings<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
LIBRATION_INSTANTIATE_SECOND_ORDER(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
