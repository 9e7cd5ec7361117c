// Derivatives of the whole motion from those of the terms, of H and of the constraints.
//
// Letters: v = H_p, s = G^T y, a = H_q + G^T lambda, u = H_pp s, Y and L = sum of y_i and lambda_i times g_i,qq. Then
//
//     y^T r - y^T A lambda = sum y_i c_i + s^T b,     c_i = g_i,qq(v, v) + 2 g_i,qt v + g_i,tt,     b = H_pq v - H_pp a + H_pt,
//
// and by the chain rule, where third derivatives of H act in d[s^T b] with s, v and a held fixed,
//
//     by q:  sum y_i c_i,q + d_q[s^T b] + H_qp w + Y b - (H_qq + L) u
//     by p:                  d_p[s^T b] + H_pp w - H_pq u,               w = 2 Y v + 2 sum y_i g_i,qt + H_qp s.
#include "system/dense_derivatives.hpp"
#include "model/model_values.hpp"
#include "scalar/second_order.hpp"

#include "system/motion_derivatives.hpp"
#include "system/term_derivatives.hpp"
#include "system/windings.hpp"

#include <algorithm>

namespace libration {

namespace {

// (q', v') of a field by (q, v); rows and columns of a field in q alone end at the dimension.
template <class S>
SparseTape<S> field_tape(const Model& model, const ParameterValues<S>& given) {
    const auto q = model.coordinate_symbols(), v = model.coordinate_symbols("v_");
    auto inputs = q;
    inputs.insert(inputs.end(), v.begin(), v.end());
    const auto all = inputs;
    inputs.push_back(time_symbol());
    auto outputs = model.field->q;
    outputs.insert(outputs.end(), model.field->v.begin(), model.field->v.end());
    std::vector<MatrixEntry> entries;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto row = gradient(outputs[i].value, all);
        for (std::size_t j = 0; j < row.size(); ++j) {
            entries.push_back({i, j, row[j]});
        }
    }
    return SparseTape<S>(entries, inputs, given);
}

}  // namespace

template <class S>
struct DenseDerivatives<S>::Programs {
    Programs(const Model& model, const ParameterValues<S>& given, System<S>& system) {
        const std::size_t d = model.dimension;
        for (const auto& term : model.potential) {
            potential.emplace_back(term, given);
        }
        for (const auto& constraint : model.constraints) {
            constraints.emplace_back(constraint.term, given);
        }
        if (model.field) {
            field = field_tape(model, given);
        } else if (model.hamiltonian) {
            motion = std::make_unique<HamiltonianDerivatives<S>>(model, given);
        } else if (model.kinetic) {
            motion = std::make_unique<KineticDerivatives<S>>(model, given);
        } else {
            motion = std::make_unique<ConstantMassDerivatives<S>>(system);
        }
        G.resize(system.pattern().entries(), lit<S>(0));
        for (auto* matrix : {&H.qq, &H.pq, &H.pp, &Y, &L}) {
            matrix->resize(d * d, lit<S>(0));
        }
        for (auto* vector : {&v, &a, &minus_a, &s, &u, &b, &w}) {
            vector->resize(d, lit<S>(0));
        }
    }

    void second(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p) {
        system.velocity(t, q, p, v);
        std::ranges::fill(H.qq, lit<S>(0));
        for (auto& term : potential) {
            term.add_hessian(t, q, {}, H.qq);
        }
        motion->second(t, q, p, v, H);
    }

    // G^T x
    void transposed_product(const SparsePattern& pattern, std::span<const S> x, std::span<S> y) const {
        std::ranges::fill(y, lit<S>(0));
        for (std::size_t i = 0; i < pattern.rows(); ++i) {
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                y[pattern.column[e]] = mad(G[e], x[i], y[pattern.column[e]]);
            }
        }
    }

    std::vector<TermDerivatives<S>> potential, constraints;
    std::unique_ptr<MotionDerivatives<S>> motion;
    SparseTape<S> field;
    SecondDerivatives<S> H;
    std::vector<S> G, Y, L;
    std::vector<S> v, a, minus_a, s, u, b, w;
};

template <class S>
DenseDerivatives<S>::DenseDerivatives() = default;

template <class S>
DenseDerivatives<S>::DenseDerivatives(std::shared_ptr<const ModelCopy<S>> copy)
    : copy_(copy && copy->model.dimension <= most_dense_coordinates ? std::move(copy) : nullptr) {}

template <class S>
DenseDerivatives<S>::~DenseDerivatives() = default;
template <class S>
DenseDerivatives<S>::DenseDerivatives(DenseDerivatives&&) noexcept = default;
template <class S>
DenseDerivatives<S>& DenseDerivatives<S>::operator=(DenseDerivatives&&) noexcept = default;

template <class S>
typename DenseDerivatives<S>::Programs& DenseDerivatives<S>::programs(System<S>& system) {
    assert(available() && "no dense derivatives");
    if (!programs_) {
        programs_ = std::make_unique<Programs>(copy_->model, copy_->given, system);
        if (auto* windings = system.windings()) {
            windings->repeat();
        }
    }
    return *programs_;
}

template <class S>
void DenseDerivatives<S>::field_jacobian(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p,
                                         std::span<S> J) {
    auto& all = programs(system);
    const std::size_t d = q.size(), width = 2 * d;
    if (!all.motion) {
        std::ranges::fill(J, lit<S>(0));
        all.field.set(0, q);
        all.field.set(d, p);
        all.field.input(width) = t;
        all.field.run([&](std::size_t i, std::size_t j, const S& value) { J[i * width + j] = value; });
        return;
    }
    all.second(system, t, q, p);
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j) {
            J[i * width + j] = all.H.pq[i * d + j];
            J[i * width + d + j] = all.H.pp[i * d + j];
            J[(d + i) * width + j] = -all.H.qq[i * d + j];
            J[(d + i) * width + d + j] = -all.H.pq[j * d + i];
        }
    }
}

template <class S>
void DenseDerivatives<S>::part_hessian(System<S>& system, unsigned parts, const S& t, std::span<const S> q,
                                       std::span<S> hessian) {
    std::ranges::fill(hessian, lit<S>(0));
    for (auto& term : programs(system).potential) {
        if ((term.part() & parts) != 0) {
            term.add_hessian(t, q, {}, hessian);
        }
    }
}

template <class S>
void DenseDerivatives<S>::reaction_hessian(System<S>& system, const S& t, std::span<const S> q,
                                           std::span<const S> lambda, std::span<S> hessian) {
    std::ranges::fill(hessian, lit<S>(0));
    std::size_t row = 0;
    for (auto& term : programs(system).constraints) {
        term.add_hessian(t, q, lambda.subspan(row, term.instances()), hessian);
        row += term.instances();
    }
}

template <class S>
void DenseDerivatives<S>::reaction_gradient(System<S>& system, const S& t, std::span<const S> q, std::span<const S> p,
                                            std::span<const S> y, std::span<const S> lambda, std::span<S> by_q,
                                            std::span<S> by_p) {
    auto& all = programs(system);
    assert(all.motion && "a field has no H");
    auto& [potential, constraints, motion, field, H, G, Y, L, v, a, minus_a, s, u, b, w] = all;
    const S one = lit<S>(1), zero = lit<S>(0);
    all.second(system, t, q, p);
    system.jacobian(t, q, G);
    system.force_gradient(t, q, p, w);
    all.transposed_product(system.pattern(), lambda, a);
    all.transposed_product(system.pattern(), y, s);
    for (std::size_t i = 0; i < q.size(); ++i) {
        minus_a[i] = -(w[i] + a[i]);
    }
    for (auto* sum : {&Y, &L, &u, &w}) {
        std::ranges::fill(*sum, zero);
    }
    std::ranges::fill(by_q, zero);
    std::ranges::fill(by_p, zero);
    std::size_t row = 0;
    for (auto& term : constraints) {
        const auto weights = y.subspan(row, term.instances());
        term.add_hessian(t, q, weights, Y);
        term.add_hessian(t, q, lambda.subspan(row, term.instances()), L);
        term.add_third(t, q, weights, v, by_q);
        term.add_twice_mixed(t, q, weights, w);
        row += term.instances();
    }
    add_product<S>(one, H.pp, Transpose::no, s, u);
    system.velocity_rate(t, q, p, v, minus_a, b);
    add_product<S>(lit<S>(2), Y, Transpose::no, v, w);
    add_product<S>(one, H.pq, Transpose::yes, s, w);
    motion->third(t, q, p, v, H, {s, v, minus_a, u, b}, by_q, by_p);
    add_product<S>(one, H.pq, Transpose::yes, w, by_q);
    add_product<S>(one, Y, Transpose::no, b, by_q);
    add_product<S>(lit<S>(-1), H.qq, Transpose::no, u, by_q);
    add_product<S>(lit<S>(-1), L, Transpose::no, u, by_q);
    add_product<S>(one, H.pp, Transpose::no, w, by_p);
    add_product<S>(lit<S>(-1), H.pq, Transpose::no, u, by_p);
}

template <class S>
void DenseDerivatives<S>::visit_tapes(TapeVisitor<S>& visitor) {
    if (!programs_) {
        return;
    }
    for (auto* terms : {&programs_->potential, &programs_->constraints}) {
        for (auto& term : *terms) {
            term.visit_tapes(visitor);
        }
    }
    if (programs_->motion) {
        programs_->motion->visit_tapes(visitor);
    }
    programs_->field.visit_tapes(visitor);
}

#define LIBRATION_INSTANTIATE(scalar) template class DenseDerivatives<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
LIBRATION_INSTANTIATE_SECOND_ORDER(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
