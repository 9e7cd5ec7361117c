// RATTLE for the triple pendulum with positions and momenta as the model has them. With s = h lambda:
//
//     p_i <- p_i - (h/2) g - s_i e_i + s_(i+1) e_(i+1),    q_i' = q_i + h p_i,    0 = |e_i'|^2 - l^2,    e_i = q_i - q_(i-1)
//     p_i <- p_i - (h/2) g - r_i e_i' + r_(i+1) e_(i+1)',  0 = e_i' . (p_i - p_(i-1))
#pragma once

#include <bench/yardsticks/triple.hpp>
#include <bench/yardsticks/triple_matrix.hpp>

namespace bench {

template <class V, TripleLoop loop, bool compensated>
class TriplePoints final : public TripleProgram {
  public:
    explicit TriplePoints(const TripleParameters& given)
        : square_(given.rod * given.rod), rod_(given.rod), step_(given.step), kick_(given.step / 2 * given.gravity),
          half_over_(1 / (2 * given.step)), tolerance_((compensated ? 1.5e-15 : 4e-15) * square_) {}

    void start(std::size_t k, const std::array<double, 3>& angles) override {
        double x = 0, y = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            put(0, i, k, x += rod_ * std::sin(angles[i]));
            put(1, i, k, y -= rod_ * std::cos(angles[i]));
        }
        started_ = false;
    }

    void run(std::int64_t steps) override {
        prepare();
        TriplePoints now = *this;  // on the stack, so that the compiler may keep in registers what it likes
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
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t c = 0; c < 2; ++c) {
                state.q[2 * i + c] = lane(q_[c].high[i], k);
                state.q_low[2 * i + c] = compensated ? lane(q_[c].low[compensated ? i : 0], k) : 0;
                state.p[2 * i + c] = lane(p_[c].high[i], k);
            }
        }
        return state;
    }

  private:
    struct Sums {
        V high[3]{};
        V low[compensated ? 3 : 1]{};
    };

    void put(std::size_t c, std::size_t i, std::size_t k, double q) {
        set_lane(q_[c].high[i], k, q);
        set_lane(p_[c].high[i], k, 0);
        q_[c].low[compensated ? i : 0] = p_[c].low[compensated ? i : 0] = V{};
    }

    // to = from + increment [Knuth's two-sum]
    BENCH_INLINE static void add(const Sums& from, const V (&increment)[3], Sums& to) {
        for (std::size_t i = 0; i < 3; ++i) {
            if constexpr (compensated) {
                const V high = from.high[i], small = from.low[i] + increment[i];
                const V sum = high + small, back = sum - high;
                to.low[i] = (high - (sum - back)) + (small - back);
                to.high[i] = sum;
            } else {
                to.high[i] = from.high[i] + increment[i];
            }
        }
    }

    BENCH_INLINE static void rods(const Sums& q, V (&e)[3]) {
        e[0] = q.high[0];
        e[1] = q.high[1] - q.high[0];
        e[2] = q.high[2] - q.high[1];
        if constexpr (compensated) {
            e[0] = e[0] + q.low[0];
            e[1] = e[1] + (q.low[1] - q.low[0]);
            e[2] = e[2] + (q.low[2] - q.low[1]);
        }
    }

    // What the multipliers s give to the momenta along rods e.
    BENCH_INLINE static void pull(const V (&s)[3], const V (&e)[3], V (&impulse)[3]) {
        const V second = s[1] * e[1], third = s[2] * e[2];
        impulse[0] = second - s[0] * e[0];
        impulse[1] = third - second;
        impulse[2] = -third;
    }

    void begin() {
        rods(q_[0], e_[0]);
        rods(q_[1], e_[1]);
        inverse_ = inverse(square_, e_[0], e_[1]);
        V rows[3] = {-(2 * kick_) * e_[1][0], V{}, V{}};
        V first[3];
        solve(inverse_, rows, first);
        past_.begin(first);
        started_ = true;
    }

    // A change = g/(2h)
    BENCH_INLINE void correction(const V (&x)[3], const V (&y)[3], const V (&g)[3], V (&change)[3]) const {
        if constexpr (loop == TripleLoop::simplified) {
            const V rows[3] = {half_over_ * g[0], half_over_ * g[1], half_over_ * g[2]};
            solve(inverse_, rows, change);
        } else {
            solve(newton_matrix(x, y, e_[0], e_[1]), half_over_, g, change);
        }
    }

    BENCH_INLINE V gaps(const V (&x)[3], const V (&y)[3], V (&g)[3]) const {
        for (std::size_t i = 0; i < 3; ++i) {
            g[i] = x[i] * x[i] + (y[i] * y[i] - square_);
        }
        return size_of(g[0]) + (size_of(g[1]) + size_of(g[2]));
    }

    // p = p_ + impulse, q = q_ + h p, e = rods of q
    BENCH_INLINE void move(const V (&s)[3], Sums (&p)[2], Sums (&q)[2], V (&e)[2][3]) const {
        for (std::size_t c = 0; c < 2; ++c) {
            V impulse[3], way[3];
            pull(s, e_[c], impulse);
            for (std::size_t i = 0; i < 3 && c == 1; ++i) {
                impulse[i] = impulse[i] - kick_;
            }
            add(p_[c], impulse, p[c]);
            for (std::size_t i = 0; i < 3; ++i) {
                way[i] = step_ * p[c].high[i];
            }
            add(q_[c], way, q[c]);
            rods(q[c], e[c]);
        }
    }

    // The same for a change of s, where p and q need not come from one sum.
    BENCH_INLINE void nudge(const V (&change)[3], Sums (&p)[2], Sums (&q)[2], V (&e)[2][3]) const {
        for (std::size_t c = 0; c < 2; ++c) {
            V impulse[3];
            pull(change, e_[c], impulse);
            for (std::size_t i = 0; i < 3; ++i) {
                p[c].high[i] = p[c].high[i] + impulse[i];
                q[c].high[i] = q[c].high[i] + step_ * impulse[i];
            }
            rods(q[c], e[c]);
        }
    }

    double square_, rod_, step_, kick_, half_over_, tolerance_;
    Sums q_[2], p_[2];  // x and y of the three points
    V e_[2][3]{};       // rods of q_
    MultiplierPast<V> past_;
    RodInverse<V> inverse_{};
    bool started_ = false;
    std::int64_t passes_ = 0;
    bool failed_ = false;
};

template <class V, TripleLoop loop, bool compensated>
void TriplePoints<V, loop, compensated>::step() {
    V s[3], g[3], change[3], e[2][3];
    Sums p[2], q[2];
    past_.predict(s);
    move(s, p, q, e);
    const auto correct = [&] {
        correction(e[0], e[1], g, change);
        for (std::size_t i = 0; i < 3; ++i) {
            s[i] = s[i] + change[i];
        }
        if constexpr (compensated) {
            move(s, p, q, e);
        } else {
            nudge(change, p, q, e);
        }
    };
    if constexpr (loop == TripleLoop::full || loop == TripleLoop::simplified) {
        int pass = 0;
        for (; !all_within(gaps(e[0], e[1], g), tolerance_) && pass < most_passes; ++pass) {
            correct();
        }
        passes_ += pass;
        failed_ = failed_ || pass == most_passes;
    } else {
        constexpr int passes = loop == TripleLoop::two_full ? 2 : 1;
        for (int pass = 0; pass < passes; ++pass) {
            gaps(e[0], e[1], g);
            correct();
        }
        passes_ += passes;
    }
    past_.add(s);
    V rows[3];
    // The second kick changes no difference of momenta but the one to the hinge.
    rows[0] = dot(e[0][0], e[1][0], p[0].high[0], V(p[1].high[0] - kick_));
    for (std::size_t i = 1; i < 3; ++i) {
        rows[i] = dot(e[0][i], e[1][i], V(p[0].high[i] - p[0].high[i - 1]), V(p[1].high[i] - p[1].high[i - 1]));
    }
    inverse_ = inverse(square_, e[0], e[1]);
    solve(inverse_, rows, change);
    for (std::size_t c = 0; c < 2; ++c) {
        V impulse[3];
        pull(change, e[c], impulse);
        for (std::size_t i = 0; i < 3; ++i) {
            impulse[i] = c == 1 ? impulse[i] - kick_ : impulse[i];
            e_[c][i] = e[c][i];
        }
        add(p[c], impulse, p_[c]);
        q_[c] = q[c];
    }
}

}  // namespace bench
