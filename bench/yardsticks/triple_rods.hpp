// RATTLE for the triple pendulum in rods e_i = q_i - q_(i-1) and their ways per step u_i = h (v_i - v_(i-1)). With
// s_i = h^2 lambda_i the step is
//
//     u_i <- u_i - (h^2/2) (g, for the first rod) + sum_k T_ik s_k e_k,    T = (-1 1 0; 1 -2 1; 0 1 -2)
//     e_i' = e_i + u_i,    0 = |e_i'|^2 - l^2
//     u_i <- u_i - (h^2/2) (g, for the first rod) + sum_k T_ik r_k e_k',   0 = e_i' . u_i
//
// All points fall alike, so that only the rod at the hinge feels gravity; both matrices are tridiagonal, and on the
// manifold the diagonal of the second one is l^2, 2 l^2, 2 l^2.
#pragma once

#include <bench/yardsticks/triple.hpp>
#include <bench/yardsticks/triple_matrix.hpp>

namespace bench {

// Round-off of |e|^2 - l^2 in three rods, added up: what Newton's method cannot improve.
constexpr double rod_floor = 1.5e-15;

template <class V, TripleLoop loop>
class TripleRods final : public TripleProgram {
  public:
    explicit TripleRods(const TripleParameters& given)
        : square_(given.rod * given.rod), kick_(given.step * given.step / 2 * given.gravity), rod_(given.rod),
          step_(given.step), tolerance_(rod_floor * square_) {}

    void start(std::size_t k, const std::array<double, 3>& angles) override {
        for (std::size_t i = 0; i < 3; ++i) {
            set_lane(x_[i], k, rod_ * std::sin(angles[i]));
            set_lane(y_[i], k, -rod_ * std::cos(angles[i]));
            set_lane(ux_[i], k, 0);
            set_lane(uy_[i], k, 0);
        }
        started_ = false;
    }

    void run(std::int64_t steps) override {
        prepare();
        TripleRods now = *this;  // on the stack, so that the compiler may keep in registers what it likes
        for (; steps > 0; --steps) {
            now.step();
        }
        *this = now;
    }

    void prepare() {
        if (!started_) {
            begin();
        }
    }
    BENCH_INLINE void step();

    [[nodiscard]] std::size_t lanes() const override { return lanes_of<V>; }
    [[nodiscard]] std::int64_t passes() const override { return passes_; }
    [[nodiscard]] bool failed() const override { return failed_; }
    [[nodiscard]] TripleState state(std::size_t k) const override {
        TripleState state;
        long double x = 0, y = 0, px = 0, py = 0;
        const auto put = [&](std::size_t j, long double q, long double p) {
            state.q[j] = static_cast<double>(q);
            state.q_low[j] = static_cast<double>(q - state.q[j]);
            state.p[j] = static_cast<double>(p / step_);
        };
        for (std::size_t i = 0; i < 3; ++i) {
            put(2 * i, x += lane(x_[i], k), px += lane(ux_[i], k));
            put(2 * i + 1, y += lane(y_[i], k), py += lane(uy_[i], k));
        }
        return state;
    }

  private:
    // T (s e), added up before it meets what comes late.
    BENCH_INLINE static void pull(const V (&s)[3], const V (&e)[3], V (&way)[3]) {
        const V first = s[0] * e[0], second = s[1] * e[1], third = s[2] * e[2];
        way[0] = second - first;
        way[1] = (first + third) - 2 * second;
        way[2] = second - 2 * third;
    }

    // Multipliers of the exact motion at rest: A s = - half of the acceleration along the rods.
    void begin() {
        inverse_ = inverse(square_, x_, y_);
        V rows[3] = {-(2 * kick_) * y_[0], V{}, V{}};
        V first[3];
        solve(inverse_, rows, first);
        past_.begin(first);
        started_ = true;
    }

    // Returns the sum of |g_i|.
    BENCH_INLINE V gaps(const V (&x)[3], const V (&y)[3], V (&g)[3]) const {
        for (std::size_t i = 0; i < 3; ++i) {
            g[i] = x[i] * x[i] + (y[i] * y[i] - square_);
        }
        return size_of(g[0]) + (size_of(g[1]) + size_of(g[2]));
    }

    // A change = g/2
    BENCH_INLINE void correction(const V (&x)[3], const V (&y)[3], const V (&g)[3], V (&change)[3]) const {
        if constexpr (loop == TripleLoop::simplified) {
            const V rows[3] = {0.5 * g[0], 0.5 * g[1], 0.5 * g[2]};
            solve(inverse_, rows, change);
        } else {
            solve(newton_matrix(x, y, x_, y_), 0.5, g, change);
        }
    }

    double square_, kick_, rod_, step_, tolerance_;
    V x_[3]{}, y_[3]{}, ux_[3]{}, uy_[3]{};
    MultiplierPast<V> past_;
    RodInverse<V> inverse_{};
    bool started_ = false;
    std::int64_t passes_ = 0;
    bool failed_ = false;
};

template <class V, TripleLoop loop>
void TripleRods<V, loop>::step() {
    V s[3], x[3], y[3], g[3], change[3], ux[3], uy[3], way_x[3], way_y[3];
    past_.predict(s);
    pull(s, x_, way_x);
    pull(s, y_, way_y);
    way_y[0] = way_y[0] - kick_;
    for (std::size_t i = 0; i < 3; ++i) {
        ux[i] = ux_[i] + way_x[i];
        uy[i] = uy_[i] + way_y[i];
        x[i] = x_[i] + ux[i];
        y[i] = y_[i] + uy[i];
    }
    const auto correct = [&] {
        correction(x, y, g, change);
        pull(change, x_, way_x);
        pull(change, y_, way_y);
        for (std::size_t i = 0; i < 3; ++i) {
            s[i] = s[i] + change[i];
            ux[i] = ux[i] + way_x[i];
            uy[i] = uy[i] + way_y[i];
            x[i] = x[i] + way_x[i];
            y[i] = y[i] + way_y[i];
        }
    };
    if constexpr (loop == TripleLoop::full || loop == TripleLoop::simplified) {
        int pass = 0;
        for (; !all_within(gaps(x, y, g), tolerance_) && pass < most_passes; ++pass) {
            correct();
        }
        passes_ += pass;
        failed_ = failed_ || pass == most_passes;
    } else {
        constexpr int passes = loop == TripleLoop::two_full ? 2 : 1;
        for (int pass = 0; pass < passes; ++pass) {
            gaps(x, y, g);
            correct();
        }
        passes_ += passes;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        x_[i] = x[i];
        y_[i] = y[i];
    }
    past_.add(s);
    uy[0] = uy[0] - kick_;
    const V rows[3] = {dot(x[0], y[0], ux[0], uy[0]), dot(x[1], y[1], ux[1], uy[1]), dot(x[2], y[2], ux[2], uy[2])};
    inverse_ = inverse(square_, x, y);
    solve(inverse_, rows, change);
    pull(change, x, way_x);
    pull(change, y, way_y);
    for (std::size_t i = 0; i < 3; ++i) {
        ux_[i] = ux[i] + way_x[i];
        uy_[i] = uy[i] + way_y[i];
    }
}

}  // namespace bench
