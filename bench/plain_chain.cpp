// What makes it fast is ordinary: nothing stands in a recurrence that could stand outside it (of the pivots only a
// division and a difference, and the processor does the rest of that loop while it waits for them); solves are fused
// with the loops that use their results; arrays begin on cache lines; zeros before and behind each array, the hinge and
// the rod that is not there, take the place of special cases.
//
// Left out, because a programmer who has other things to do would not go so far (hand_written_chain.cpp does): vector
// types, units in which masses and step disappear, residuals without positions, elimination from both ends, pivots
// without divisions. Tried and of no use: going through the loops of an evaluation in blocks that fit into the first
// cache.
#include <bench/plain_chain.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>

namespace bench {

namespace {

// #pragma GCC ivdep: the arrays do not overlap, which the compiler cannot see and would not test for so many.
constexpr std::size_t pad = 8;    // zeros before and behind each array
constexpr std::size_t line = 64;  // bytes that a cache fetches at once
constexpr std::size_t arrays = 31;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int max_passes = 60;
constexpr double stagnation = 64;

// (high + low) + increment [Knuth's two-sum]
inline void add(double& high, double& low, double increment) {
    const double small = low + increment;
    const double sum = high + small;
    const double back = sum - high;
    low = (high - (sum - back)) + (small - back);
    high = sum;
}

std::vector<double> interleaved(const double* x, const double* y, std::size_t n) {
    std::vector<double> both(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
        both[2 * i] = x[i];
        both[2 * i + 1] = y[i];
    }
    return both;
}

}  // namespace

template <class Build>
PlainChain<Build>::PlainChain(const ChainParameters& given)
    : n_(given.links), gravity_(given.gravity), rod_(given.rod), step_(given.step), half_step_(given.step / 2) {
    share_memory();
    for (std::size_t i = 0; i < n_; ++i) {
        mass_[i] = given.mass;
        inverse_mass_[i] = 1 / given.mass;
    }
    place_at_start();
}

template <class Build>
void PlainChain<Build>::share_memory() {
    // Whole cache lines, but not a multiple of a page: equal places of many arrays must not meet in one set of the
    // cache.
    std::size_t stride = (n_ + 7) / 8 * 8 + 2 * pad;
    stride += (stride % 512 < 64) ? 72 : 0;
    memory_.assign(arrays * stride + pad, 0.0);
    void* start = memory_.data();
    std::size_t space = memory_.size() * sizeof(double);
    auto* next = static_cast<double*>(std::align(line, arrays * stride * sizeof(double), start, space)) + pad;
    const auto take = [&](std::initializer_list<double**> places) {
        for (double** place : places) {
            *place = next;
            next += stride;
        }
    };
    take({&mass_, &inverse_mass_, &ex_, &ey_, &inverse_pivot_, &below_, &size_x_, &size_y_, &rows_, &per_floor_});
    for (Points* points : {&q_, &p_, &next_q_, &next_p_}) {
        take({&points->x, &points->y, &points->x_low, &points->y_low});
    }
    for (double*& past : lambda_) {
        take({&past});
    }
}

// At rest, rod k = 1..n at the angle (pi/6)(1 + k/n) from the downward vertical; multipliers of the exact solution.
template <class Build>
void PlainChain<Build>::place_at_start() {
    long double x = 0;
    long double y = 0;
    const long double sixth = std::acos(-1.0L) / 6;
    for (std::size_t i = 0; i < n_; ++i) {
        const long double angle = sixth * (1 + static_cast<long double>(i + 1) / static_cast<long double>(n_));
        x += rod_ * std::sin(angle);
        y -= rod_ * std::cos(angle);
        next_q_.x[i] = static_cast<double>(x);
        next_q_.y[i] = static_cast<double>(y);
    }
    factor();
    std::swap(q_, next_q_);
    // A lambda = -G M^-1 U_q: all points but the hinge fall alike. correct() divides by h^2/2, as it must in a step.
    std::fill_n(rows_, n_, 0.0);
    rows_[0] = -half_step_ * step_ * 2 * ey_[0] * gravity_;
    correct();
    std::rotate(lambda_.begin(), lambda_.end() - 1, lambda_.end());
    filled_ = 1;
}

template <class Build>
bool PlainChain<Build>::step() {
    predict();
    find_floors();
    double previous = 0;
    double residual = 0;
    bool converged = false;
    for (int k = 0;; ++k) {
        move();
        residual = find_residual();
        converged = residual <= 1 || (k > 0 && previous <= residual && residual <= stagnation);
        if (converged || k == max_passes || !std::isfinite(residual)) {
            break;
        }
        correct();
        ++passes_;
        previous = residual;
    }
    worst_ = std::max(worst_, residual);
    factor();
    project();
    std::swap(q_, next_q_);
    std::swap(p_, next_p_);
    std::rotate(lambda_.begin(), lambda_.end() - 1, lambda_.end());
    filled_ = std::min(filled_ + 1, 4);
    // Comparisons overlook what is not a number, but elimination carries it to the first row.
    return converged && std::isfinite(rows_[0]);
}

// The cubic through the last four multipliers, or what there is.
template <class Build>
void PlainChain<Build>::predict() {
    static constexpr double weights[4][4] = {{1, 0, 0, 0}, {2, -1, 0, 0}, {3, -3, 1, 0}, {4, -6, 4, -1}};
    const double *past1 = lambda_[1], *past2 = lambda_[2], *past3 = lambda_[3], *past4 = lambda_[4];
    const auto& w = weights[filled_ - 1];
    double* lambda = lambda_[0];
#pragma GCC ivdep
    for (std::size_t i = 0; i < n_; ++i) {
        lambda[i] = (w[0] * past1[i] + w[1] * past2[i]) + (w[2] * past3[i] + w[3] * past4[i]);
    }
}

// floor_i = eps (4 l^2 + sum_j |G_ij| size_j): four terms of size l^2 are rounded in |e|^2 - l^2, and size_j is that of
// the numbers that the step adds to a coordinate, with the last digit of its low part. [docs/decisions/0004]
template <class Build>
void PlainChain<Build>::find_floors() {
    const double* lambda = lambda_[0];
#pragma GCC ivdep
    for (std::size_t i = 0; i < n_; ++i) {
        const double pull_x = 2 * (std::abs(lambda[i] * ex_[i]) + std::abs(lambda[i + 1] * ex_[i + 1]));
        const double pull_y = 2 * (std::abs(lambda[i] * ey_[i]) + std::abs(lambda[i + 1] * ey_[i + 1]));
        const double weight = std::abs(mass_[i] * gravity_);
        const double way = step_ * inverse_mass_[i];
        size_x_[i] = way * (std::abs(p_.x[i]) + half_step_ * pull_x) + epsilon * std::abs(q_.x[i]);
        size_y_[i] = way * (std::abs(p_.y[i]) + half_step_ * (pull_y + weight)) + epsilon * std::abs(q_.y[i]);
    }
    const double rounding = 4 * rod_ * rod_;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n_; ++i) {
        const double size =
            std::abs(ex_[i]) * (size_x_[i] + size_x_[i - 1]) + std::abs(ey_[i]) * (size_y_[i] + size_y_[i - 1]);
        per_floor_[i] = (1 / epsilon) / (rounding + 2 * size);
    }
}

// Kick and drift with the present multipliers.
template <class Build>
void PlainChain<Build>::move() {
    const double* lambda = lambda_[0];
#pragma GCC ivdep
    for (std::size_t i = 0; i < n_; ++i) {
        const double force_x = 2 * (lambda[i + 1] * ex_[i + 1] - lambda[i] * ex_[i]);
        const double force_y = 2 * (lambda[i + 1] * ey_[i + 1] - lambda[i] * ey_[i]) - mass_[i] * gravity_;
        const double way = step_ * inverse_mass_[i];
        double px = p_.x[i], px_low = p_.x_low[i], x = q_.x[i], x_low = q_.x_low[i];
        double py = p_.y[i], py_low = p_.y_low[i], y = q_.y[i], y_low = q_.y_low[i];
        add(px, px_low, half_step_ * force_x);
        add(py, py_low, half_step_ * force_y);
        add(x, x_low, way * px);
        add(y, y_low, way * py);
        next_p_.x[i] = px;
        next_p_.y[i] = py;
        next_p_.x_low[i] = px_low;
        next_p_.y_low[i] = py_low;
        next_q_.x[i] = x;
        next_q_.y[i] = y;
        next_q_.x_low[i] = x_low;
        next_q_.y_low[i] = y_low;
    }
}

// rows = |e'|^2 - l^2. Returns the largest in floors.
template <class Build>
double PlainChain<Build>::find_residual() {
    constexpr std::size_t group = 8;  // several maxima side by side: one alone would be a recurrence
    double worst[group] = {};
    const auto& q = next_q_;
    const double square = rod_ * rod_;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n_; ++i) {
        const double ex = (q.x[i] - q.x[i - 1]) + (q.x_low[i] - q.x_low[i - 1]);
        const double ey = (q.y[i] - q.y[i - 1]) + (q.y_low[i] - q.y_low[i - 1]);
        rows_[i] = (ex * ex + ey * ey) - square;
    }
    // rows and 1/floor are zero behind the end.
    for (std::size_t first = 0; first < n_; first += group) {
        for (std::size_t k = 0; k < group; ++k) {
            const double floors = std::abs(rows_[first + k]) * per_floor_[first + k];
            worst[k] = floors > worst[k] ? floors : worst[k];
        }
    }
    return *std::max_element(worst, worst + group);
}

// lambda = lambda + A^-1 rows / (h^2/2), because lambda enters q' with the derivative -(h^2/2) M^-1 G^T.
template <class Build>
void PlainChain<Build>::correct() {
    double eliminated = 0;
    for (std::size_t i = 0; i < n_; ++i) {
        eliminated = rows_[i] - below_[i] * eliminated;
        rows_[i] = eliminated;
    }
    const double scale = 1 / (4 * half_step_ * step_);
    double* lambda = lambda_[0];
    double solved = 0;
    for (std::size_t i = n_; i-- > 0;) {
        solved = rows_[i] * inverse_pivot_[i] - below_[i + 1] * solved;
        lambda[i] += scale * solved;
    }
}

// Rods and A = G M^-1 G^T at q', factored, and the rows of the hidden constraint, already eliminated:
//
//     A_ii/4 = |e_i|^2 (1/m_i + 1/m_i-1)     A_i,i-1/4 = -e_i . e_i-1 / m_i-1
template <class Build>
void PlainChain<Build>::factor() {
    const auto& q = next_q_;
    const auto& p = next_p_;
    double last_ex = 0, last_ey = 0, last_vx = 0, last_vy = 0;
    double pivot = 1, inverse = 1, eliminated = 0;
    // The second kick changes no difference of velocities but the one to the hinge, which does not fall.
    double kick = half_step_ * gravity_;
    for (std::size_t i = 0; i < n_; ++i) {
        const double ex = (q.x[i] - q.x[i - 1]) + (q.x_low[i] - q.x_low[i - 1]);
        const double ey = (q.y[i] - q.y[i - 1]) + (q.y_low[i] - q.y_low[i - 1]);
        const double vx = inverse_mass_[i] * p.x[i], vy = inverse_mass_[i] * p.y[i];
        const double beside = -(ex * last_ex + ey * last_ey) * inverse_mass_[i - 1];
        // The only operations that wait for the link before are those of the next line.
        pivot = (ex * ex + ey * ey) * (inverse_mass_[i] + inverse_mass_[i - 1]) - beside * beside / pivot;
        const double below = beside * inverse;
        inverse = 1 / pivot;
        eliminated = ex * (vx - last_vx) + ey * (vy - last_vy - kick) - below * eliminated;
        ex_[i] = ex;
        ey_[i] = ey;
        below_[i] = below;
        inverse_pivot_[i] = inverse;
        rows_[i] = eliminated;
        last_ex = ex;
        last_ey = ey;
        last_vx = vx;
        last_vy = vy;
        kick = 0;
    }
}

// p'' from the hidden constraint, which is linear in mu: one solve. rows = 2 mu.
template <class Build>
void PlainChain<Build>::project() {
    const auto& p = next_p_;
    double after = 0;  // the solution at i + 1
    for (std::size_t i = n_; i-- > 0;) {
        const double solved = rows_[i] * inverse_pivot_[i] - below_[i + 1] * after;
        double px = p.x[i], px_low = p.x_low[i], py = p.y[i], py_low = p.y_low[i];
        add(px, px_low, after * ex_[i + 1] - solved * ex_[i]);
        add(py, py_low, after * ey_[i + 1] - solved * ey_[i] - half_step_ * (mass_[i] * gravity_));
        p.x[i] = px;
        p.y[i] = py;
        p.x_low[i] = px_low;
        p.y_low[i] = py_low;
        rows_[i] = solved;
        after = solved;
    }
}

template <class Build>
std::vector<double> PlainChain<Build>::positions() const {
    return interleaved(q_.x, q_.y, n_);
}

template <class Build>
std::vector<double> PlainChain<Build>::positions_low() const {
    return interleaved(q_.x_low, q_.y_low, n_);
}

template <class Build>
std::vector<double> PlainChain<Build>::momenta() const {
    return interleaved(p_.x, p_.y, n_);
}

template class PlainChain<BENCH_BUILD>;

}  // namespace bench
