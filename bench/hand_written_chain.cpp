// Every array is read and written once by a loop, a vector of links at a time; neighbours come from the vector before
// or behind by a shift in registers, because loads that straddle cache lines would cost more than the arithmetic.
#include <bench/hand_written_chain.hpp>
#include <bench/vector.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

namespace bench {

namespace {

constexpr std::size_t pad = 8;  // zeros before and after each array: the hinge, and the rod that is not there
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_passes = 60;
constexpr double stagnation = 64;

// (|e + d|^2 - 1)/2 without large positions that cancel
inline Vector half_gap(Vector gap, Vector ex, Vector ey, Vector dx, Vector dy) {
    return gap + dx * (ex + 0.5 * dx) + dy * (ey + 0.5 * dy);
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
    : n_(given.links), scale_(given.rod), momentum_scale_(given.mass * given.rod / given.step),
      kick_(given.step * given.step * given.gravity / (2 * given.rod)) {
    constexpr std::size_t arrays = 22;
    // A multiple of a cache line, but not of a page: equal places of many arrays must not meet in one set of the cache.
    std::size_t stride = (n_ + 7) / 8 * 8 + 3 * pad;
    stride += (stride % 512 < 64) ? 72 : 0;
    const std::size_t bytes = arrays * stride * sizeof(double);
    memory_.reset(static_cast<double*>(std::aligned_alloc(64, bytes)));
    if (!memory_) {
        throw std::bad_alloc();
    }
    std::fill_n(memory_.get(), arrays * stride, 0.0);
    double* next = memory_.get() + pad;
    for (double** array : {&x_,           &y_,    &x_low_,     &y_low_, &wx_,   &wy_,   &wx_low_,
                           &wy_low_,      &ex_,   &ey_,        &dwx_,   &dwy_,  &gap_,  &matrix_.inverse_pivot,
                           &matrix_.link, &rows_, &per_floor_, &s_[0],  &s_[1], &s_[2], &s_[3],
                           &s_[4]}) {
        *array = next;
        next += stride;
    }
    matrix_.rows = n_;
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
    matrix_.factor();
    // A s = (h^2/2)(curvature - G M^-1 U_q); at rest only gravity on the first rod remains.
    std::fill_n(rows_, n_, 0.0);
    rows_[0] = -kick_ * ey_[0];
    std::fill_n(s_[0], n_, 0.0);
    correct();
    std::rotate(s_.begin(), s_.end() - 1, s_.end());
    filled_ = 1;
}

template <bool compensated>
bool HandWrittenChain<compensated>::step() {
    double residual = predict();
    double previous = 0;
    bool converged = false;
    for (int k = 0;; ++k) {
        converged = residual <= 1 || (k > 0 && previous <= residual && residual <= stagnation);
        if (converged || k == max_passes || !std::isfinite(residual)) {
            break;
        }
        correct();
        ++passes_;
        previous = residual;
        residual = find_residual();
    }
    worst_ = std::max(worst_, residual);
    move();
    matrix_.factor();
    project();
    std::rotate(s_.begin(), s_.end() - 1, s_.end());
    filled_ = std::min(filled_ + 1, 4);
    return converged;
}

// Multipliers by the cubic through the last four; what the passes of a step share, that is differences of w and 1/floor
// of half the residual; and the first residual. Half of what docs/decisions/0004 says:
//
//     floor_i = eps (2 + sum_j |e_ij| size_j)     size = |w| + c + |s_i e_i| + |s_i+1 e_i+1| + (last digit of what is held) |q|
template <bool compensated>
double HandWrittenChain<compensated>::predict() {
    static constexpr double weights[4][4] = {{1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    const double *s1 = s_[1], *s2 = s_[2], *s3 = s_[3], *s4 = s_[4];
    const double w1 = weights[filled_ - 1][0], w2 = weights[filled_ - 1][1];
    const double w3 = weights[filled_ - 1][2], w4 = weights[filled_ - 1][3];
    const auto predicted = [=](std::size_t i) {
        return w1 * load(s1, i) + (w2 * load(s2, i) + (w3 * load(s3, i) + w4 * load(s4, i)));
    };
    const double kick = std::abs(kick_);
    constexpr double held = compensated ? epsilon : 1;
    Vector s = predicted(0), ex = load(ex_, 0), ey = load(ey_, 0);
    Vector pull_x = s * ex, pull_y = s * ey;
    // As if the hinge were pulled like the first point, and kicked upwards as that is downwards: then it stays.
    Vector last_pull_x = all(pull_x[0]), last_pull_y = all(pull_y[0]);
    Vector last_wx{}, last_wy = all(kick_), last_wx_low{}, last_wy_low{}, last_size_x{}, last_size_y{};
    Bits worst{};
    for (std::size_t i = 0; i < n_; i += lanes) {
        store(s_[0], i, s);
        const Vector next_s = predicted(i + lanes), next_ex = load(ex_, i + lanes), next_ey = load(ey_, i + lanes);
        const Vector next_pull_x = next_s * next_ex, next_pull_y = next_s * next_ey;
        const Vector behind_x = behind(pull_x, next_pull_x), behind_y = behind(pull_y, next_pull_y);

        const Vector wx = load(wx_, i), wy = load(wy_, i);
        Vector dwx = wx - before(last_wx, wx), dwy = wy - before(last_wy, wy);
        if constexpr (compensated) {
            const Vector wx_low = load(wx_low_, i), wy_low = load(wy_low_, i);
            dwx += wx_low - before(last_wx_low, wx_low);
            dwy += wy_low - before(last_wy_low, wy_low);
            last_wx_low = wx_low;
            last_wy_low = wy_low;
        }
        store(dwx_, i, dwx);
        store(dwy_, i, dwy);

        const Vector size_x = (held * size(load(x_, i)) + size(wx)) + (size(pull_x) + size(behind_x));
        const Vector size_y = (held * size(load(y_, i)) + size(wy)) + (size(pull_y) + size(behind_y)) + kick;
        const Vector floor_x = size(ex) * (before(last_size_x, size_x) + size_x);
        const Vector floor_y = size(ey) * (before(last_size_y, size_y) + size_y);
        const Vector per_floor = within((1 / epsilon) / (2 + (floor_x + floor_y)), n_ - i);
        store(per_floor_, i, per_floor);

        const Vector dx = dwx + ((before(last_pull_x, pull_x) + behind_x) - 2 * pull_x);
        const Vector dy = dwy + ((before(last_pull_y, pull_y) + behind_y) - 2 * pull_y);
        const Vector row = half_gap(load(gap_, i), ex, ey, dx, dy);
        store(rows_, i, row);
        worst = larger(worst, row * per_floor);

        last_wx = wx;
        last_wy = wy;
        last_size_x = size_x;
        last_size_y = size_y;
        last_pull_x = pull_x;
        last_pull_y = pull_y;
        pull_x = next_pull_x;
        pull_y = next_pull_y;
        s = next_s;
        ex = next_ex;
        ey = next_ey;
    }
    for (double* array : {dwx_, dwy_, rows_}) {
        clear_tail(array);
    }
    return largest(worst);
}

// rows = half the residual. Returns the largest in floors.
template <bool compensated>
double HandWrittenChain<compensated>::find_residual() {
    const double* s = s_[0];
    Vector ex = load(ex_, 0), ey = load(ey_, 0);
    Vector pull_x = load(s, 0) * ex, pull_y = load(s, 0) * ey;
    Vector last_pull_x = all(pull_x[0]), last_pull_y = all(pull_y[0]);
    Bits worst{};
    for (std::size_t i = 0; i < n_; i += lanes) {
        const Vector next_s = load(s, i + lanes), next_ex = load(ex_, i + lanes), next_ey = load(ey_, i + lanes);
        const Vector next_pull_x = next_s * next_ex, next_pull_y = next_s * next_ey;
        const Vector around_x = before(last_pull_x, pull_x) + behind(pull_x, next_pull_x);
        const Vector around_y = before(last_pull_y, pull_y) + behind(pull_y, next_pull_y);
        const Vector dx = load(dwx_, i) + (around_x - 2 * pull_x);
        const Vector dy = load(dwy_, i) + (around_y - 2 * pull_y);
        const Vector row = half_gap(load(gap_, i), ex, ey, dx, dy);
        store(rows_, i, row);
        worst = larger(worst, row * load(per_floor_, i));
        last_pull_x = pull_x;
        last_pull_y = pull_y;
        pull_x = next_pull_x;
        pull_y = next_pull_y;
        ex = next_ex;
        ey = next_ey;
    }
    clear_tail(rows_);
    return largest(worst);
}

// s = s + A^-1 rows
template <bool compensated>
void HandWrittenChain<compensated>::correct() {
    matrix_.solve_forward(rows_);
    double* s = s_[0];
    matrix_.solve_backward(rows_, [s](std::ptrdiff_t i, double value) { s[i] += value; });
}

// w', q', and at q' the gap, the entries of A and the rows of the hidden constraint. The second kick waits for
// project(): it is the same for all points, so only the row of the hinge knows it.
//
//     A_ii = 2 |e_i|^2 (|e_0|^2 at the hinge)     A_i,i-1 = -e_i . e_i-1
template <bool compensated>
void HandWrittenChain<compensated>::move() {
    const double* s = s_[0];
    Vector pull_x = load(s, 0) * load(ex_, 0), pull_y = load(s, 0) * load(ey_, 0);
    Vector last_x{}, last_y{}, last_x_low{}, last_y_low{}, last_wx{}, last_wy{}, last_ex{}, last_ey{};
    for (std::size_t i = 0; i < n_; i += lanes) {
        const Vector next_s = load(s, i + lanes);
        const Vector next_pull_x = next_s * load(ex_, i + lanes), next_pull_y = next_s * load(ey_, i + lanes);
        const Vector force_x = behind(pull_x, next_pull_x) - pull_x;
        const Vector force_y = behind(pull_y, next_pull_y) - pull_y - kick_;
        pull_x = next_pull_x;
        pull_y = next_pull_y;
        const Pair wx = add<compensated>(load(wx_, i), load(wx_low_, i), force_x);
        const Pair wy = add<compensated>(load(wy_, i), load(wy_low_, i), force_y);
        const Pair x = add<compensated>(load(x_, i), load(x_low_, i), wx.high);
        const Pair y = add<compensated>(load(y_, i), load(y_low_, i), wy.high);
        store(wx_, i, wx.high);
        store(wy_, i, wy.high);
        store(x_, i, x.high);
        store(y_, i, y.high);

        const Vector ex = x.high - before(last_x, x.high);
        const Vector ey = y.high - before(last_y, y.high);
        const Vector square = ex * ex + ey * ey;
        Vector gap = 0.5 * (square - 1);
        if constexpr (compensated) {
            gap += ex * (x.low - before(last_x_low, x.low)) + ey * (y.low - before(last_y_low, y.low));
            store(wx_low_, i, wx.low);
            store(wy_low_, i, wy.low);
            store(x_low_, i, x.low);
            store(y_low_, i, y.low);
            last_x_low = x.low;
            last_y_low = y.low;
        }
        store(ex_, i, ex);
        store(ey_, i, ey);
        store(gap_, i, gap);
        store(rows_, i, ex * (wx.high - before(last_wx, wx.high)) + ey * (wy.high - before(last_wy, wy.high)));
        store(matrix_.inverse_pivot, i, 2 * square);
        store(matrix_.link, i, -(ex * before(last_ex, ex) + ey * before(last_ey, ey)));
        last_x = x.high;
        last_y = y.high;
        last_wx = wx.high;
        last_wy = wy.high;
        last_ex = ex;
        last_ey = ey;
    }
    for (double* array : {x_, y_, x_low_, y_low_, wx_, wy_, wx_low_, wy_low_, ex_, ey_, gap_, rows_,
                          matrix_.inverse_pivot, matrix_.link}) {
        clear_tail(array);
    }
    matrix_.inverse_pivot[0] *= 0.5;
    rows_[0] -= ey_[0] * kick_;
}

// w'' from the hidden constraint, which is linear in u: one solve.
template <bool compensated>
void HandWrittenChain<compensated>::project() {
    double* u = rows_;
    matrix_.solve_forward(rows_);
    matrix_.solve_backward(rows_, [u](std::ptrdiff_t i, double value) { u[i] = value; });
    Vector pull_x = load(u, 0) * load(ex_, 0), pull_y = load(u, 0) * load(ey_, 0);
    for (std::size_t k = 0; k < n_; k += lanes) {
        const Vector next_u = load(u, k + lanes);
        const Vector next_pull_x = next_u * load(ex_, k + lanes), next_pull_y = next_u * load(ey_, k + lanes);
        const Vector force_x = behind(pull_x, next_pull_x) - pull_x;
        const Vector force_y = behind(pull_y, next_pull_y) - pull_y - kick_;
        const Pair wx = add<compensated>(load(wx_, k), load(wx_low_, k), force_x);
        const Pair wy = add<compensated>(load(wy_, k), load(wy_low_, k), force_y);
        store(wx_, k, wx.high);
        store(wy_, k, wy.high);
        if constexpr (compensated) {
            store(wx_low_, k, wx.low);
            store(wy_low_, k, wy.low);
        }
        pull_x = next_pull_x;
        pull_y = next_pull_y;
    }
    for (double* array : {wx_, wy_, wx_low_, wy_low_}) {
        clear_tail(array);
    }
}

// Whole vectors write behind the end, where zeros must stand.
template <bool compensated>
void HandWrittenChain<compensated>::clear_tail(double* array) const {
    const std::size_t last = n_ / lanes * lanes;
    store(array, last, within(load(array, last), n_ - last));
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
