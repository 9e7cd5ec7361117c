// Second and third derivatives of H without the potential terms, for each way in which a model may give it. With
// constant mass they are numbers; otherwise
//
//     H(q, p) as a whole:      its own derivatives
//     T(q, v), p = T_v:        H = p v - T + U;  H_pp = T_vv^-1,  H_pq = -H_pp T_vq,  H_qq = U_qq - T_qq - T_qv H_pq
//
// The inverse is never an expression: derivatives of H_pp come from those of T by the implicit function theorem.
#pragma once

#include "sparse_tape.hpp"

#include "mass_factor.hpp"
#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

namespace libration {

// Row-major, dimension x dimension; pq[i][j] is the derivative by p_i and q_j.
template <class S>
struct SecondDerivatives {
    std::vector<S> qq, pq, pp;
};

// y += A x, with transposed A if asked for.
enum class Transpose : bool { no, yes };
template <class S>
void add_product(const S& factor, std::span<const S> A, Transpose transpose, std::span<const S> x, std::span<S> y) {
    const std::size_t d = x.size();
    for (std::size_t i = 0; i < d; ++i) {
        S sum = lit<S>(0);
        for (std::size_t j = 0; j < d; ++j) {
            sum = mad(transpose == Transpose::yes ? A[j * d + i] : A[i * d + j], x[j], sum);
        }
        y[i] = mad(factor, sum, y[i]);
    }
}

template <class S>
class MotionDerivatives {
  public:
    virtual ~MotionDerivatives() = default;
    // Writes pq and pp and adds to qq. v = H_p at this place.
    virtual void second(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v,
                        SecondDerivatives<S>& H) = 0;
    // Adds to by_q and by_p the gradient of s^T rate, rate = H_pq x + H_pp z + H_pt, with s, x and z held fixed. H:
    // what second() gave here; u = H_pp s.
    struct Direction {
        std::span<const S> s, x, z, u, rate;
    };
    virtual void third(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S> v,
                       const SecondDerivatives<S>& H, const Direction& along, std::span<S> by_q, std::span<S> by_p) = 0;
    virtual void visit_tapes(TapeVisitor<S>&) {}
};

// H = 1/2 p^T M^-1 p + U
template <class S>
class ConstantMassDerivatives final : public MotionDerivatives<S> {
  public:
    explicit ConstantMassDerivatives(System<S>& system) : inverse_(system.dimension() * system.dimension(), lit<S>(0)) {
        const std::size_t d = system.dimension();
        const std::vector<S> zeros(d, lit<S>(0));
        for (std::size_t i = 0; i < d; ++i) {  // symmetric: rows are columns
            const auto row = std::span(inverse_).subspan(i * d, d);
            row[i] = lit<S>(1);
            system.solve_mass(lit<S>(0), zeros, zeros, row, row);
        }
    }
    void second(const S&, std::span<const S>, std::span<const S>, std::span<const S>,
                SecondDerivatives<S>& H) override {
        H.pp = inverse_;
        std::ranges::fill(H.pq, lit<S>(0));
    }
    void third(const S&, std::span<const S>, std::span<const S>, std::span<const S>, const SecondDerivatives<S>&,
               const typename MotionDerivatives<S>::Direction&, std::span<S>, std::span<S>) override {}

  private:
    std::vector<S> inverse_;
};

// Derivatives of one expression f over (t, q, w), where w is p or v: its Hessian by (q, w), and the gradient of
// f_w,tqw[s; 1, x, z], that is of the second derivative once by w along s, once by all along (1, x, z).
template <class S>
class WholeDerivatives {
  public:
    WholeDerivatives(const Model& model, const Expression& f, std::string_view prefix, const ParameterValues<S>& given)
        : dimension_(model.dimension) {
        const auto q = model.coordinate_symbols(), w = model.coordinate_symbols(prefix);
        Symbols moving{q};
        moving.insert(moving.end(), w.begin(), w.end());
        Symbols inputs = moving;
        inputs.push_back(time_symbol());
        hessian_ = SparseTape<S>(lower_hessian(f, moving), inputs, given);
        const auto s = fresh_symbols("s", dimension_);
        auto along = fresh_symbols("along", 2 * dimension_);
        const auto all = inputs;
        inputs.insert(inputs.end(), s.begin(), s.end());
        inputs.insert(inputs.end(), along.begin(), along.end());
        along.push_back(Expression(1));
        const auto twice = directional_derivative(directional_derivative(f, w, s), all, along);
        third_ = SparseTape<S>(column(gradient(twice, moving)), inputs, given);
    }

    // visit(row, column, value) on and below the diagonal; numbers from dimension on are those of w.
    template <class Visit>
    void hessian(const S& t, std::span<const S> q, std::span<const S> w, Visit visit) {
        load(hessian_, t, q, w);
        hessian_.run(visit);
    }
    // visit(number, value)
    template <class Visit>
    void third(const S& t, std::span<const S> q, std::span<const S> w, std::span<const S> s, std::span<const S> x,
               std::span<const S> z, Visit visit) {
        load(third_, t, q, w);
        third_.set(2 * dimension_ + 1, s);
        third_.set(3 * dimension_ + 1, x);
        third_.set(4 * dimension_ + 1, z);
        third_.run([&](std::size_t number, std::size_t, const S& value) { visit(number, value); });
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        hessian_.visit_tapes(visitor);
        third_.visit_tapes(visitor);
    }

  private:
    void load(SparseTape<S>& tape, const S& t, std::span<const S> q, std::span<const S> w) const {
        tape.set(0, q);
        tape.set(dimension_, w);
        tape.input(2 * dimension_) = t;
    }

    std::size_t dimension_;
    SparseTape<S> hessian_, third_;
};

template <class S>
class HamiltonianDerivatives final : public MotionDerivatives<S> {
  public:
    HamiltonianDerivatives(const Model& model, const ParameterValues<S>& given)
        : whole_(model, model.hamiltonian->value, "p_", given) {}

    void second(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S>,
                SecondDerivatives<S>& H) override {
        const std::size_t d = q.size();
        std::ranges::fill(H.pq, lit<S>(0));
        std::ranges::fill(H.pp, lit<S>(0));
        whole_.hessian(t, q, p, [&](std::size_t i, std::size_t j, const S& value) {
            if (i < d) {
                H.qq[i * d + j] = H.qq[j * d + i] = value;  // there are no potential terms beside it
            } else if (j < d) {
                H.pq[(i - d) * d + j] = value;
            } else {
                H.pp[(i - d) * d + j - d] = H.pp[(j - d) * d + i - d] = value;
            }
        });
    }
    void third(const S& t, std::span<const S> q, std::span<const S> p, std::span<const S>, const SecondDerivatives<S>&,
               const typename MotionDerivatives<S>::Direction& along, std::span<S> by_q, std::span<S> by_p) override {
        const std::size_t d = q.size();
        whole_.third(t, q, p, along.s, along.x, along.z, [&](std::size_t k, const S& value) {
            S& target = k < d ? by_q[k] : by_p[k - d];
            target = target + value;
        });
    }

    void visit_tapes(TapeVisitor<S>& visitor) override { whole_.visit_tapes(visitor); }

  private:
    WholeDerivatives<S> whole_;
};

template <class S>
class KineticDerivatives final : public MotionDerivatives<S> {
  public:
    KineticDerivatives(const Model& model, const ParameterValues<S>& given)
        : whole_(model, model.kinetic->value, "v_", given), vq_(model.dimension * model.dimension, lit<S>(0)),
          mass_(model), by_v_(model.dimension, lit<S>(0)) {}

    void second(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> v,
                SecondDerivatives<S>& H) override {
        const std::size_t d = q.size();
        std::ranges::fill(vq_, lit<S>(0));
        const auto mass = mass_.matrix();
        std::ranges::fill(mass, lit<S>(0));
        std::ranges::fill(H.pp, lit<S>(0));
        std::ranges::fill(H.pq, lit<S>(0));
        whole_.hessian(t, q, v, [&](std::size_t i, std::size_t j, const S& value) {
            if (i < d) {
                H.qq[i * d + j] = H.qq[i * d + j] - value;
                if (i != j) {
                    H.qq[j * d + i] = H.qq[j * d + i] - value;
                }
            } else if (j < d) {
                vq_[(i - d) * d + j] = value;
            } else {
                mass[(i - d) * d + j - d] = value;
            }
        });
        mass_.factor();
        for (std::size_t i = 0; i < d; ++i) {  // symmetric: rows are columns
            H.pp[i * d + i] = lit<S>(1);
            mass_.solve(std::span(H.pp).subspan(i * d, d));
        }
        subtract_product(d, Transpose::no, H.pp, H.pq);   // H_pq = -H_pp T_vq
        subtract_product(d, Transpose::yes, H.pq, H.qq);  // H_qq - H_qp T_vq, as T_qv H_pq is symmetric
    }

    // With v(q, p) from T_v = p, s^T rate = s^T M^-1 (z - T_vq x - T_vt) changes by -u^T d(T_vq x + T_vv rate + T_vt).
    void third(const S& t, std::span<const S> q, std::span<const S>, std::span<const S> v,
               const SecondDerivatives<S>& H, const typename MotionDerivatives<S>::Direction& along, std::span<S> by_q,
               std::span<S> by_p) override {
        const std::size_t d = q.size();
        std::ranges::fill(by_v_, lit<S>(0));
        whole_.third(t, q, v, along.u, along.x, along.rate, [&](std::size_t k, const S& value) {
            if (k < d) {
                by_q[k] = by_q[k] - value;
            } else {
                by_v_[k - d] = value;
            }
        });
        add_product<S>(lit<S>(-1), H.pq, Transpose::yes, by_v_, by_q);
        add_product<S>(lit<S>(-1), H.pp, Transpose::no, by_v_, by_p);
    }

    void visit_tapes(TapeVisitor<S>& visitor) override { whole_.visit_tapes(visitor); }

  private:
    // target -= A T_vq
    void subtract_product(std::size_t d, Transpose transpose, std::span<const S> A, std::span<S> target) const {
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t k = 0; k < d; ++k) {
                const S factor = -(transpose == Transpose::yes ? A[k * d + i] : A[i * d + k]);
                for (std::size_t j = 0; j < d; ++j) {
                    target[i * d + j] = mad(factor, vq_[k * d + j], target[i * d + j]);
                }
            }
        }
    }

    WholeDerivatives<S> whole_;
    std::vector<S> vq_;
    MassFactor<S> mass_;
    std::vector<S> by_v_;
};

}  // namespace libration
