// A = G M^-1 G^T is tridiagonal. It is factored from both ends towards the middle (twisted LDL^T), which makes two
// independent chains of operations out of one. [Parlett and Dhillon, Fernando's solution to Wilkinson's problem, 1997]
//
//     A_ii = 2 |e_i|^2 (|e_0|^2 at the hinge)     A_i,i-1 = -e_i . e_i-1
//
// All arrays stay in the cache between loops only block by block, so loops that share data are fused by blocks.
#include <bench/hand_written_chain.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

namespace bench {

namespace {

constexpr std::size_t block = 64;
constexpr std::size_t pad = 8;  // zeros before and after each array: the hinge, and the rod that is not there
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_passes = 60;
constexpr double stagnation = 64;

struct Pair {
    double high, low;
};

// (high + low) + increment [Knuth's two-sum]
template <bool compensated>
inline Pair add(double high, double low, double increment) {
    if constexpr (!compensated) {
        return {high + increment, 0};
    }
    const double small = low + increment;
    const double sum = high + small;
    const double back = sum - high;
    return {sum, (high - (sum - back)) + (small - back)};
}

std::vector<double> interleaved(const double* x, const double* y, std::size_t n, double scale) {
    std::vector<double> both(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        both[2 * i] = scale * x[i];
        both[2 * i + 1] = scale * y[i];
    }
    return both;
}

}  // namespace

template <bool compensated>
void HandWrittenChain<compensated>::Free::operator()(double* memory) const {
    std::free(memory);
}

template <bool compensated>
HandWrittenChain<compensated>::HandWrittenChain(const ChainParameters& given)
    : n_(given.links), middle_(given.links / 2), scale_(given.rod),
      momentum_scale_(given.mass * given.rod / given.step),
      kick_(given.step * given.step * given.gravity / (2 * given.rod)) {
    constexpr std::size_t arrays = 22;
    // A multiple of a cache line, but not of a page: equal places of many arrays must not meet in one set of the cache.
    std::size_t stride = (n_ + 2 * pad + 7) / 8 * 8;
    stride += (stride % 512 < 64) ? 72 : 0;
    const std::size_t bytes = arrays * stride * sizeof(double);
    memory_.reset(static_cast<double*>(std::aligned_alloc(64, bytes)));
    if (!memory_) {
        throw std::bad_alloc();
    }
    std::fill_n(memory_.get(), arrays * stride, 0.0);
    double* next = memory_.get() + pad;
    for (double** array :
         {&x_,   &y_,   &x_low_,         &y_low_, &wx_,   &wy_,        &wx_low_, &wy_low_, &ex_,   &ey_,   &dwx_,
          &dwy_, &gap_, &inverse_pivot_, &link_,  &rows_, &per_floor_, &s_[0],   &s_[1],   &s_[2], &s_[3], &s_[4]}) {
        *array = next;
        next += stride;
    }
    place_at_start();
}

// At rest, rod k = 1..n at the angle (pi/6)(1 + k/n) from the downward vertical; multipliers of the exact solution.
template <bool compensated>
void HandWrittenChain<compensated>::place_at_start() {
    long double x = 0;
    long double y = 0;
    const long double sixth = std::acos(-1.0L) / 6;
    for (std::size_t i = 0; i < n_; ++i) {
        const long double angle = sixth * (1 + static_cast<long double>(i + 1) / static_cast<long double>(n_));
        x += std::sin(angle);
        y -= std::cos(angle);
        x_[i] = static_cast<double>(x);
        y_[i] = static_cast<double>(y);
    }
    // A "step" that goes nowhere evaluates gap and A; s is still zero.
    const double kick = std::exchange(kick_, 0.0);
    move();
    kick_ = kick;
    factor();
    // A s = (h^2/2)(curvature - G M^-1 U_q); at rest only gravity on the first rod remains.
    std::fill_n(rows_, n_, 0.0);
    rows_[0] = -kick_ * ey_[0];
    solve_forward();
    std::fill_n(s_[0], n_, 0.0);
    correct();
    std::rotate(s_.begin(), s_.end() - 1, s_.end());
    filled_ = 1;
}

template <bool compensated>
bool HandWrittenChain<compensated>::step() {
    predict();
    prepare();
    double previous = 0;
    bool converged = false;
    double residual = 0;
    for (int k = 0;; ++k) {
        residual = find_residual();
        converged = residual <= 1 || (k > 0 && previous <= residual && residual <= stagnation);
        if (converged || k == max_passes || !std::isfinite(residual)) {
            break;
        }
        solve_forward();
        correct();
        ++passes_;
        previous = residual;
    }
    worst_ = std::max(worst_, residual);
    move();
    factor();
    solve_forward();
    project();
    std::rotate(s_.begin(), s_.end() - 1, s_.end());
    filled_ = std::min(filled_ + 1, 4);
    return converged;
}

// The cubic through the last four multipliers, one step ahead.
template <bool compensated>
void HandWrittenChain<compensated>::predict() {
    static constexpr double weights[4][4] = {{1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    const auto& w = weights[filled_ - 1];
    const double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
    double* __restrict s = s_[0];
    const double* __restrict s1 = s_[1], * __restrict s2 = s_[2], * __restrict s3 = s_[3], * __restrict s4 = s_[4];
    for (std::size_t i = 0; i < n_; ++i) {
        s[i] = w0 * s1[i] + (w1 * s2[i] + (w2 * s3[i] + w3 * s4[i]));
    }
}

// What the passes of a step share: differences of w, and 1/floor of half the residual, where
// floor_i = eps sum_j |e_ij| size_j, size = |q| + |w| + c + |s_i e_i| + |s_i+1 e_i+1|.
template <bool compensated>
void HandWrittenChain<compensated>::prepare() {
    const double* __restrict x = x_, * __restrict y = y_, * __restrict ex = ex_, * __restrict ey = ey_;
    const double* __restrict wx = wx_, * __restrict wy = wy_, * __restrict s = s_[0];
    const double* __restrict wx_low = wx_low_, * __restrict wy_low = wy_low_;
    double* __restrict dwx = dwx_, * __restrict dwy = dwy_, * __restrict per_floor = per_floor_;
    double size_x[block + 1], size_y[block + 1];
    size_x[0] = size_y[0] = 0;
    const double kick = std::abs(kick_);
    for (std::size_t from = 0; from < n_; from += block) {
        const std::size_t count = std::min(block, n_ - from);
#pragma GCC ivdep
        for (std::size_t k = 0; k < count; ++k) {
            const auto i = static_cast<std::ptrdiff_t>(from + k);
            size_x[k + 1] =
                (std::abs(x[i]) + std::abs(wx[i])) + (std::abs(s[i] * ex[i]) + std::abs(s[i + 1] * ex[i + 1]));
            size_y[k + 1] =
                (std::abs(y[i]) + std::abs(wy[i])) + (std::abs(s[i] * ey[i]) + std::abs(s[i + 1] * ey[i + 1])) + kick;
        }
#pragma GCC ivdep
        for (std::size_t k = 0; k < count; ++k) {
            const auto i = static_cast<std::ptrdiff_t>(from + k);
            const double floor =
                std::abs(ex[i]) * (size_x[k] + size_x[k + 1]) + std::abs(ey[i]) * (size_y[k] + size_y[k + 1]);
            per_floor[i] = (1 / epsilon) / floor;
            dwx[i] = wx[i] - wx[i - 1];
            dwy[i] = wy[i] - wy[i - 1];
            if constexpr (compensated) {
                dwx[i] += wx_low[i] - wx_low[i - 1];
                dwy[i] += wy_low[i] - wy_low[i - 1];
            }
        }
        size_x[0] = size_x[count];
        size_y[0] = size_y[count];
    }
    // The hinge gets no kick, so that the kick of the first point does not cancel.
    dwy[0] -= kick_;
}

// rows = (|e + d|^2 - 1)/2 = gap + d.(e + d/2): no cancellation of large positions. Returns the largest in floors.
template <bool compensated>
double HandWrittenChain<compensated>::find_residual() {
    const double* __restrict ex = ex_, * __restrict ey = ey_, * __restrict dwx = dwx_, * __restrict dwy = dwy_;
    const double* __restrict s = s_[0], * __restrict gap = gap_, * __restrict per_floor = per_floor_;
    double* __restrict rows = rows_;
    // Sizes of doubles compare as integers do, and what is not a number is larger than all numbers.
    std::int64_t worst = 0;
    const auto evaluate = [&](std::ptrdiff_t i, double own) {
        const double dx = std::fma(own, ex[i], std::fma(s[i + 1], ex[i + 1], std::fma(s[i - 1], ex[i - 1], dwx[i])));
        const double dy = std::fma(own, ey[i], std::fma(s[i + 1], ey[i + 1], std::fma(s[i - 1], ey[i - 1], dwy[i])));
        const double row = gap[i] + dx * (ex[i] + 0.5 * dx) + dy * (ey[i] + 0.5 * dy);
        rows[i] = row;
        const auto size = std::bit_cast<std::int64_t>(std::abs(row * per_floor[i]));
        worst = size > worst ? size : worst;
    };
    evaluate(0, -s[0]);  // the hinge stays where it is
    const auto n = static_cast<std::ptrdiff_t>(n_);
#pragma GCC ivdep
    for (std::ptrdiff_t i = 1; i < n; ++i) {
        evaluate(i, -2 * s[i]);
    }
    return std::bit_cast<double>(worst);
}

// rows = L^-1 rows, from both ends.
template <bool compensated>
void HandWrittenChain<compensated>::solve_forward() {
    double* __restrict rows = rows_;
    const double* __restrict link = link_;
    double top = 0, bottom = 0;
    std::ptrdiff_t i = 0;
    auto j = static_cast<std::ptrdiff_t>(n_) - 1;
    const auto middle = static_cast<std::ptrdiff_t>(middle_);
    for (; i < middle && j > middle; ++i, --j) {
        top = std::fma(-link[i - 1], top, rows[i]);
        bottom = std::fma(-link[j + 1], bottom, rows[j]);
        rows[i] = top;
        rows[j] = bottom;
    }
    for (; i < middle; ++i) {
        top = std::fma(-link[i - 1], top, rows[i]);
        rows[i] = top;
    }
    rows[middle] -= link[middle - 1] * top + link[middle + 1] * bottom;
}

// s = s + L^-T D^-1 rows, from the middle.
template <bool compensated>
void HandWrittenChain<compensated>::correct() {
    const double* __restrict rows = rows_;
    const double* __restrict link = link_;
    const double* __restrict inverse_pivot = inverse_pivot_;
    double* __restrict s = s_[0];
    const auto middle = static_cast<std::ptrdiff_t>(middle_);
    const auto n = static_cast<std::ptrdiff_t>(n_);
    double top = rows[middle] * inverse_pivot[middle];
    double bottom = top;
    s[middle] += top;
    std::ptrdiff_t i = middle - 1;
    std::ptrdiff_t j = middle + 1;
    for (; i >= 0 && j < n; --i, ++j) {
        top = std::fma(-link[i], top, rows[i] * inverse_pivot[i]);
        bottom = std::fma(-link[j], bottom, rows[j] * inverse_pivot[j]);
        s[i] += top;
        s[j] += bottom;
    }
    for (; i >= 0; --i) {
        top = std::fma(-link[i], top, rows[i] * inverse_pivot[i]);
        s[i] += top;
    }
}

// w', q', and at q' the gap, the entries of A and the rows of the hidden constraint. The second kick waits for project():
// it is the same for all points, so only the row of the hinge knows it.
template <bool compensated>
void HandWrittenChain<compensated>::move() {
    double* __restrict x = x_, * __restrict y = y_, * __restrict x_low = x_low_, * __restrict y_low = y_low_;
    double* __restrict wx = wx_, * __restrict wy = wy_, * __restrict wx_low = wx_low_, * __restrict wy_low = wy_low_;
    double* __restrict ex = ex_, * __restrict ey = ey_, * __restrict gap = gap_;
    double* __restrict diagonal = inverse_pivot_, * __restrict beside = link_, * __restrict rows = rows_;
    const double* __restrict s = s_[0];
    const double kick = kick_;
    double pull_x[block + 1], pull_y[block + 1];
    pull_x[0] = s[0] * ex[0];
    pull_y[0] = s[0] * ey[0];
    for (std::size_t from = 0; from < n_; from += block) {
        const std::size_t count = std::min(block, n_ - from);
#pragma GCC ivdep
        for (std::size_t k = 0; k < count; ++k) {
            const auto i = static_cast<std::ptrdiff_t>(from + k);
            pull_x[k + 1] = s[i + 1] * ex[i + 1];
            pull_y[k + 1] = s[i + 1] * ey[i + 1];
        }
#pragma GCC ivdep
        for (std::size_t k = 0; k < count; ++k) {
            const auto i = static_cast<std::ptrdiff_t>(from + k);
            const Pair way_x = add<compensated>(wx[i], wx_low[i], pull_x[k + 1] - pull_x[k]);
            const Pair way_y = add<compensated>(wy[i], wy_low[i], (pull_y[k + 1] - pull_y[k]) - kick);
            const Pair new_x = add<compensated>(x[i], x_low[i], way_x.high);
            const Pair new_y = add<compensated>(y[i], y_low[i], way_y.high);
            wx[i] = way_x.high;
            wy[i] = way_y.high;
            x[i] = new_x.high;
            y[i] = new_y.high;
            if constexpr (compensated) {
                wx_low[i] = way_x.low;
                wy_low[i] = way_y.low;
                x_low[i] = new_x.low;
                y_low[i] = new_y.low;
            }
        }
#pragma GCC ivdep
        for (std::size_t k = 0; k < count; ++k) {
            const auto i = static_cast<std::ptrdiff_t>(from + k);
            const double rod_x = x[i] - x[i - 1];
            const double rod_y = y[i] - y[i - 1];
            const double square = rod_x * rod_x + rod_y * rod_y;
            double off = 0.5 * (square - 1);
            if constexpr (compensated) {
                off += rod_x * (x_low[i] - x_low[i - 1]) + rod_y * (y_low[i] - y_low[i - 1]);
            }
            gap[i] = off;
            diagonal[i] = 2 * square;
            rows[i] = rod_x * (wx[i] - wx[i - 1]) + rod_y * (wy[i] - wy[i - 1]);
            ex[i] = rod_x;
            ey[i] = rod_y;
        }
#pragma GCC ivdep
        for (std::size_t k = 0; k < count; ++k) {
            const auto i = static_cast<std::ptrdiff_t>(from + k);
            beside[i] = -(ex[i] * ex[i - 1] + ey[i] * ey[i - 1]);
        }
        pull_x[0] = pull_x[count];
        pull_y[0] = pull_y[count];
    }
    diagonal[0] *= 0.5;
    rows[0] -= ey[0] * kick_;
}

// Pivots are quotients of leading minors, which need no division in their recurrence: m_i = A_ii m_i-1 - A_i,i-1^2 m_i-2.
// Each rounding is one of an entry of A, as in the usual recurrence. Pivots lie between 1 and 2, so that a block of minors
// stays in range, and each block starts anew from 1.
template <bool compensated>
void HandWrittenChain<compensated>::factor() {
    double* __restrict inverse_pivot = inverse_pivot_;
    double* __restrict link = link_;
    double top[block + 1], bottom[block + 1];
    double top_inverse = 0;     // of the pivot before
    double bottom_inverse = 0;  // of the pivot behind
    double bottom_beside = 0;   // A_i+1,i at the upper end of the bottom block
    auto i = std::ptrdiff_t{0};
    auto j = static_cast<std::ptrdiff_t>(n_) - 1;
    const auto middle = static_cast<std::ptrdiff_t>(middle_);
    while (i < middle) {
        const auto count = std::min<std::ptrdiff_t>(block, middle - i);
        const auto count_below = std::min<std::ptrdiff_t>(block, j - middle);
        const auto both = std::min(count, count_below);
        top[0] = bottom[0] = 1;
        double before = top_inverse, behind = bottom_inverse, beside = bottom_beside;
        for (std::ptrdiff_t k = 0; k < both; ++k) {
            top[k + 1] = std::fma(inverse_pivot[i + k], top[k], -(link[i + k] * link[i + k] * before));
            bottom[k + 1] = std::fma(inverse_pivot[j - k], bottom[k], -(beside * beside * behind));
            before = top[k];
            behind = bottom[k];
            beside = link[j - k];
        }
        for (std::ptrdiff_t k = both; k < count; ++k) {
            top[k + 1] = std::fma(inverse_pivot[i + k], top[k], -(link[i + k] * link[i + k] * before));
            before = top[k];
        }
        for (std::ptrdiff_t k = 0; k < count; ++k) {
            const double inverse = top[k] / top[k + 1];
            inverse_pivot[i + k] = inverse;
            link[i + k] = link[i + k + 1] * inverse;
        }
        for (std::ptrdiff_t k = 0; k < both; ++k) {
            const double inverse = bottom[k] / bottom[k + 1];
            inverse_pivot[j - k] = inverse;
            link[j - k] *= inverse;
        }
        bottom_beside = beside;
        top_inverse = inverse_pivot[i + count - 1];
        bottom_inverse = both > 0 ? inverse_pivot[j - both + 1] : bottom_inverse;
        i += count;
        j -= both;
    }
    // The twist: link[middle] still holds the entry of A, and link[i] * A_i,i+1 is the square over the pivot.
    inverse_pivot[middle] = 1 / (inverse_pivot[middle] - link[middle] * link[middle] * top_inverse -
                                 bottom_beside * bottom_beside * bottom_inverse);
}

// w'' from the hidden constraint, which is linear in u: one solve. Continues a solve_forward() of its rows.
template <bool compensated>
void HandWrittenChain<compensated>::project() {
    const double* __restrict link = link_;
    const double* __restrict inverse_pivot = inverse_pivot_;
    double* __restrict u = rows_;
    const auto middle = static_cast<std::ptrdiff_t>(middle_);
    const auto n = static_cast<std::ptrdiff_t>(n_);
    double top = u[middle] * inverse_pivot[middle];
    double bottom = top;
    u[middle] = top;
    std::ptrdiff_t i = middle - 1;
    std::ptrdiff_t j = middle + 1;
    for (; i >= 0 && j < n; --i, ++j) {
        top = std::fma(-link[i], top, u[i] * inverse_pivot[i]);
        bottom = std::fma(-link[j], bottom, u[j] * inverse_pivot[j]);
        u[i] = top;
        u[j] = bottom;
    }
    for (; i >= 0; --i) {
        top = std::fma(-link[i], top, u[i] * inverse_pivot[i]);
        u[i] = top;
    }
    const double* __restrict ex = ex_, * __restrict ey = ey_;
    double* __restrict wx = wx_, * __restrict wy = wy_, * __restrict wx_low = wx_low_, * __restrict wy_low = wy_low_;
    const double kick = kick_;
#pragma GCC ivdep
    for (i = 0; i < n; ++i) {
        const double pull_x = u[i] * ex[i] - u[i + 1] * ex[i + 1];
        const double pull_y = u[i] * ey[i] - u[i + 1] * ey[i + 1];
        const Pair way_x = add<compensated>(wx[i], wx_low[i], -pull_x);
        const Pair way_y = add<compensated>(wy[i], wy_low[i], -(pull_y + kick));
        wx[i] = way_x.high;
        wy[i] = way_y.high;
        if constexpr (compensated) {
            wx_low[i] = way_x.low;
            wy_low[i] = way_y.low;
        }
    }
}

template <bool compensated>
std::vector<double> HandWrittenChain<compensated>::positions() const {
    return interleaved(x_, y_, n_, scale_);
}

template <bool compensated>
std::vector<double> HandWrittenChain<compensated>::positions_low() const {
    return interleaved(x_low_, y_low_, n_, scale_);
}

template <bool compensated>
std::vector<double> HandWrittenChain<compensated>::momenta() const {
    return interleaved(wx_, wy_, n_, momentum_scale_);
}

template class HandWrittenChain<true>;
template class HandWrittenChain<false>;

}  // namespace bench
