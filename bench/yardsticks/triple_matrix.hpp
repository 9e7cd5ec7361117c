// The tridiagonal 3 x 3 systems of the triple pendulum, and the prediction of its multipliers.
#pragma once

#include <bench/yardsticks/lanes.hpp>

namespace bench {

constexpr int most_passes = 20;

template <class V>
BENCH_INLINE V dot(const V& ax, const V& ay, const V& bx, const V& by) {
    return ax * bx + ay * by;
}

// (a b 0; b1 c d; 0 d1 f)
template <class V>
struct RodMatrix {
    V a, b, b1, c, d, d1, f;
};

// Rods (x, y) after the step, (x0, y0) before: entry ik is e_i . e0_k times 1 or 2 on the diagonal, -1 beside it.
template <class V>
BENCH_INLINE RodMatrix<V> newton_matrix(const V (&x)[3], const V (&y)[3], const V (&x0)[3], const V (&y0)[3]) {
    return {.a = dot(x[0], y[0], x0[0], y0[0]),
            .b = -dot(x[0], y[0], x0[1], y0[1]),
            .b1 = -dot(x[1], y[1], x0[0], y0[0]),
            .c = 2 * dot(x[1], y[1], x0[1], y0[1]),
            .d = -dot(x[1], y[1], x0[2], y0[2]),
            .d1 = -dot(x[2], y[2], x0[1], y0[1]),
            .f = 2 * dot(x[2], y[2], x0[2], y0[2])};
}

// m solution = factor rows, by determinants: one division, and no step of an elimination waits for another.
template <class V>
BENCH_INLINE void solve(const RodMatrix<V>& m, double factor, const V (&rows)[3], V (&solution)[3]) {
    const V cf = m.c * m.f - m.d * m.d1, af = m.a * m.f, ac = m.a * m.c - m.b * m.b1;
    const V over = factor / (m.a * cf - (m.b * m.b1) * m.f);
    const V upper = m.b1 * rows[0], lower = m.d * rows[2];
    solution[0] = (rows[0] * cf - m.b * (m.f * rows[1] - lower)) * over;
    solution[1] = (af * rows[1] - (m.f * upper + m.a * lower)) * over;
    solution[2] = (rows[2] * ac - m.d1 * (m.a * rows[1] - upper)) * over;
}

// The inverse, symmetric, for rods on the manifold: there the diagonal is l^2, 2 l^2, 2 l^2.
template <class V>
struct RodInverse {
    V m00, m01, m02, m11, m12, m22;
};

template <class V>
BENCH_INLINE RodInverse<V> inverse(double a, const V (&x)[3], const V (&y)[3]) {
    const V b = -dot(x[0], y[0], x[1], y[1]), d = -dot(x[1], y[1], x[2], y[2]);
    const V bb = b * b, cf = 4 * a * a - d * d;
    const V over = 1 / (a * cf - (2 * a) * bb);
    return {cf * over, (-2 * a) * b * over, (b * d) * over, 2 * a * a * over, (-a) * d * over, (2 * a * a - bb) * over};
}

template <class V>
BENCH_INLINE void solve(const RodInverse<V>& m, const V (&rows)[3], V (&solution)[3]) {
    solution[0] = m.m00 * rows[0] + (m.m01 * rows[1] + m.m02 * rows[2]);
    solution[1] = m.m11 * rows[1] + (m.m01 * rows[0] + m.m12 * rows[2]);
    solution[2] = m.m22 * rows[2] + (m.m02 * rows[0] + m.m12 * rows[1]);
}

// The cubic through the last four multipliers. Tried with 3, 5 and 6 of them too: fewer cost corrections, more gain
// none.
template <class V>
class MultiplierPast {
  public:
    void begin(const V (&s)[3]) {
        for (auto& one : past_) {
            for (std::size_t i = 0; i < 3; ++i) {
                one[i] = s[i];
            }
        }
    }
    BENCH_INLINE void predict(V (&s)[3]) const {
        for (std::size_t i = 0; i < 3; ++i) {
            s[i] = 4 * (past_[0][i] + past_[2][i]) - (6 * past_[1][i] + past_[3][i]);
        }
    }
    BENCH_INLINE void add(const V (&s)[3]) {
        for (std::size_t i = 0; i < 3; ++i) {
            past_[3][i] = past_[2][i];
            past_[2][i] = past_[1][i];
            past_[1][i] = past_[0][i];
            past_[0][i] = s[i];
        }
    }

  private:
    V past_[4][3]{};
};

}  // namespace bench
