// Second derivatives of a model of any size, as lists of the pairs of coordinates that they couple: for Newton's method
// with sparse matrices. Programs are built at the first call; later calls allocate nothing.
#pragma once

#include "model_copy.hpp"
#include <libration/kit/scalars.hpp>
#include <libration/kit/system.hpp>

namespace libration {

template <class S>
class Couplings {
  public:
    explicit Couplings(std::shared_ptr<const ModelCopy<S>> copy);
    ~Couplings();
    Couplings(Couplings&&) noexcept;
    Couplings& operator=(Couplings&&) noexcept;

    struct Pair {
        std::uint32_t row, column;  // row >= column
        friend auto operator<=>(const Pair&, const Pair&) = default;
    };
    // Those that terms of U or of g couple, ascending; `system` is that of the model.
    [[nodiscard]] std::span<const Pair> pairs(System<S>& system);
    // U_qq of some parts, and sum lambda_i g_i,qq: one value a pair. After pairs().
    void part_hessian(unsigned parts, const S& t, std::span<const S> q, std::span<S> values);
    void reaction_hessian(const S& t, std::span<const S> q, std::span<const S> lambda, std::span<S> values);

    // Nothing before the first call of the others.
    void visit_tapes(TapeVisitor<S>& visitor);

  private:
    struct Programs;
    std::shared_ptr<const ModelCopy<S>> copy_;
    std::unique_ptr<Programs> programs_;
};

// Compiled once, in src/system/scalars/couplings.cpp.
#define LIBRATION_EXTERN(scalar) extern template class Couplings<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
