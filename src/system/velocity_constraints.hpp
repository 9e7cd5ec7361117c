// The nonholonomic constraints of a model over one scalar: 0 = k(t, q, v) with the reaction -K^T lambda, K = k_v, and
// their derivatives. [Jay 1998, section 6.1]
#pragma once

#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/kit/scalars.hpp>
#include <libration/kit/system.hpp>

#include <cstdint>

namespace libration {

template <class S>
class VelocityConstraints {
  public:
    VelocityConstraints(const Model& model, const ParameterValues<S>& given);

    [[nodiscard]] std::size_t count() const { return count_; }
    // Whether the reactions do no work, k_v v = 0 wherever k = 0; known where all k are linear in v without a rest.
    [[nodiscard]] bool without_work() const { return without_work_; }
    void values(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> k) { values_.run(t, {q, v}, k); }

    // A dense matrix of which only the entries that are not identically zero are computed.
    struct Entries {
        std::vector<std::size_t> place;
        WholeTape<S> tape;
    };
    // k_v, k_q (run with q, v; count x dimension), and the derivatives of K^T mu by q and by v (q, v, mu; dimension x
    // dimension), row-major.
    [[nodiscard]] Entries& by_velocity() { return by_velocity_; }
    [[nodiscard]] Entries& by_position() { return by_position_; }
    [[nodiscard]] Entries& reaction_by_position() { return reaction_by_position_; }
    [[nodiscard]] Entries& reaction_by_velocity() { return reaction_by_velocity_; }

    // The same as dense matrices.
    void by_velocity(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> K) {
        fill(K, by_velocity_, t, q, v);
    }
    void by_position(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> k_q) {
        fill(k_q, by_position_, t, q, v);
    }
    // k_q v + k_t: what K v' must cancel along a motion.
    void rates(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> rows) {
        rates_.run(t, {q, v}, rows);
    }
    // The derivatives of K^T mu by q and by v, mu fixed; dimension x dimension.
    void reaction_by_position(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> mu,
                              std::span<S> matrix) {
        fill(matrix, reaction_by_position_, t, q, v, mu);
    }
    void reaction_by_velocity(const S& t, std::span<const S> q, std::span<const S> v, std::span<const S> mu,
                              std::span<S> matrix) {
        fill(matrix, reaction_by_velocity_, t, q, v, mu);
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        for (auto* tape : {&values_, &rates_, &by_velocity_.tape, &by_position_.tape, &reaction_by_position_.tape,
                           &reaction_by_velocity_.tape}) {
            tape->visit_tapes(visitor);
        }
    }

  private:
    template <class... Vectors>
    static void fill(std::span<S> matrix, Entries& entries, const S& t, const Vectors&... vectors) {
        entries.tape.run(t, {vectors...});
        std::fill(matrix.begin(), matrix.end(), lit<S>(0));
        for (std::size_t e = 0; e < entries.place.size(); ++e) {
            matrix[entries.place[e]] = entries.tape.output(e);
        }
    }

    std::size_t count_;
    bool without_work_ = true;
    WholeTape<S> values_, rates_;
    Entries by_velocity_, by_position_, reaction_by_position_, reaction_by_velocity_;
};

// How many multipliers a system has: of holonomic constraints, then of nonholonomic ones.
template <class S>
std::size_t reaction_count(const System<S>& system) {
    return system.constraints() + system.properties().nonholonomic;
}

// Compiled once, in src/system/velocity_constraints.cpp.
#define LIBRATION_EXTERN(scalar) extern template class VelocityConstraints<scalar>;
LIBRATION_FOR_SCALARS(LIBRATION_EXTERN)
#undef LIBRATION_EXTERN

}  // namespace libration
