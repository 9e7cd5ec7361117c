// The potential of a model over one scalar: the sum of its terms and their gradient, in the order of the model.
#pragma once

#include "model/model_values.hpp"
#include "term_kernel.hpp"
#include <libration/kit/scalars.hpp>

namespace libration {

template <class S>
class PotentialTerms {
  public:
    PotentialTerms(const Model& model, const ParameterValues<S>& given) {
        for (const auto& term : model.potential) {
            potential_.emplace_back(term, given, TermKind::potential);
            part_.push_back(term.part == 0 ? slow_part : term.part);
            named_parts_ |= term.part;
            uses_time_ = uses_time_ || term.uses_time;
        }
        mark_first_uses(model);
    }

    // Those that a split potential names; 0: not split.
    [[nodiscard]] unsigned named_parts() const { return named_parts_; }
    [[nodiscard]] bool uses_time() const { return uses_time_; }

    // sum + U(t, q)
    S add_to(S sum, const S& time, std::span<const S> q) {
        for (auto& term : potential_) {
            sum = sum + term.sum(time, q);
        }
        return sum;
    }

    // U_q
    void gradient(const S& time, std::span<const S> q, std::span<S> gradient) {
        for (const auto i : untouched_) {
            gradient[i] = lit<S>(0);
        }
        const std::uint8_t* first_use = first_use_.data();
        for (std::size_t t = 0; t < potential_.size(); ++t) {
            auto& term = potential_[t];
            const auto& index = term.indices();
            const std::size_t slots = term.slots();
            const bool alone = alone_[t];
            term.differentiate(time, q, [&](std::size_t first, std::size_t count, auto slopes) LIBRATION_TUNED {
                if (alone) {
                    for (std::size_t s = 0; s < slots; ++s) {
                        index.store(s, first, count, slopes(s), gradient.data());
                    }
                    return;
                }
                // Instance after instance: the order of every sum is that of the model, whatever the blocks.
                for (std::size_t l = 0; l < count; ++l) {
                    for (std::size_t s = 0; s < slots; ++s, ++first_use) {
                        const S& slope = slopes(s)[l];
                        S& target = gradient[index(first + l, s)];
                        target = *first_use != 0 ? slope : target + slope;
                    }
                }
            });
        }
    }

    // U_q of some parts. A potential that is not split is slow.
    void gradient(unsigned parts, const S& time, std::span<const S> q, std::span<S> gradient) {
        if (std::ranges::all_of(part_, [&](unsigned part) { return (part & parts) != 0; })) {
            this->gradient(time, q, gradient);
            return;
        }
        std::ranges::fill(gradient, lit<S>(0));
        for (std::size_t t = 0; t < potential_.size(); ++t) {
            if ((part_[t] & parts) == 0) {
                continue;
            }
            auto& term = potential_[t];
            const auto& index = term.indices();
            const std::size_t slots = term.slots();
            term.differentiate(time, q, [&](std::size_t first, std::size_t count, auto slopes) LIBRATION_TUNED {
                for (std::size_t l = 0; l < count; ++l) {
                    for (std::size_t s = 0; s < slots; ++s) {
                        S& target = gradient[index(first + l, s)];
                        target = target + slopes(s)[l];
                    }
                }
            });
        }
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        for (auto& term : potential_) {
            term.visit_tapes(visitor);
        }
    }

  private:
    void mark_first_uses(const Model& model) {
        std::vector<bool> used(model.dimension, false);
        for (const auto& term : potential_) {
            const auto before = static_cast<std::ptrdiff_t>(first_use_.size());
            bool alone = true;
            for (std::size_t k = 0; k < term.instances(); ++k) {
                for (std::size_t s = 0; s < term.slots(); ++s) {
                    const auto i = term.indices()(k, s);
                    alone = alone && !used[i];
                    first_use_.push_back(used[i] ? 0 : 1);
                    used[i] = true;
                }
            }
            alone_.push_back(alone);
            if (alone) {
                first_use_.erase(first_use_.begin() + before, first_use_.end());
            }
        }
        for (std::uint32_t i = 0; i < model.dimension; ++i) {
            if (!used[i]) {
                untouched_.push_back(i);
            }
        }
    }

    std::vector<TermKernel<S>> potential_;
    std::vector<unsigned> part_;  // of a term
    unsigned named_parts_ = 0;
    bool uses_time_ = false;
    std::vector<bool> alone_;              // a term: it is the first on each of its coordinates
    std::vector<std::uint8_t> first_use_;  // of the others: [instance][slot]
    std::vector<std::uint32_t> untouched_;
};

// Compiled once, in src/system/term_system.cpp, with the optimisation of the library and not that of its users.
#define LIBRATION_EXTERN(scalar) extern template class PotentialTerms<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
