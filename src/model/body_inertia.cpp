// Moments of inertia: principal axes, kinds of bodies, what no body can have.
#include "body_inertia.hpp"

#include "dynamics.hpp"

#include <libration/kit/scalar.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

using Real = InertiaScalar;
using Moments = std::array<Real, 3>;
using RealMatrix = std::array<Real, 9>;

// Moments come as decimal numbers: differences this small, relative to the moments, are rounding.
constexpr double flat = 1e-12;

// All digits, so that every precision reads its nearest number.
Expression constant_of(Real x) {
    if (x == 0) {
        return 0;
    }
#ifdef LIBRATION_HAS_QUAD
    std::array<char, 64> text{};
    quadmath_snprintf(text.data(), text.size(), "%.36Qg", absv(x));
    std::ranges::replace(text, ',', '.');  // of some locales
    const auto size = constant(text.data());
    return x < 0 ? -size : size;  // as a text is read
#else
    return {x};
#endif
}

double number_of(Real x) { return to_double(x); }

// One rotation of Jacobi's method, which makes entry (i, j) zero: by the smaller angle, so that axes stay close to
// where they were.
void rotate(RealMatrix& A, RealMatrix& R, std::size_t i, std::size_t j) {
    const Real off = A[3 * i + j];
    if (off == 0) {
        return;
    }
    const Real ratio = (A[4 * j] - A[4 * i]) / (2 * off);
    const Real t = (ratio < 0 ? Real(-1) : Real(1)) / (absv(ratio) + sqrt(1 + ratio * ratio));
    const Real c = 1 / sqrt(1 + t * t), s = t * c;
    for (std::size_t k = 0; k < 3; ++k) {
        for (auto* columns : {&A, &R}) {
            const Real x = (*columns)[3 * k + i], y = (*columns)[3 * k + j];
            (*columns)[3 * k + i] = c * x - s * y;
            (*columns)[3 * k + j] = s * x + c * y;
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const Real x = A[3 * i + k], y = A[3 * j + k];
        A[3 * i + k] = c * x - s * y;
        A[3 * j + k] = s * x + c * y;
    }
    A[3 * i + j] = A[3 * j + i] = 0;
}

// Eigenvalues and, as the columns of R, eigenvectors: a rotation, the identity if A is diagonal.
Moments principal_moments(RealMatrix A, RealMatrix& R) {
    R = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    constexpr int sweeps = 12;  // convergence is quadratic: five are enough in quadruple precision
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        rotate(A, R, 0, 1);
        rotate(A, R, 0, 2);
        rotate(A, R, 1, 2);
    }
    return {A[0], A[4], A[8]};
}

void require_symmetric(const BodyProperties& given, const std::vector<Real>& values) {
    double scale = 0;
    for (const auto& value : values) {
        scale = std::max(scale, std::abs(number_of(value)));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double a = number_of(values[3 * i + j]), b = number_of(values[3 * j + i]);
            if (std::abs(a - b) > flat * scale) {
                refuse(
                    given.inertia_place,
                    fmt::format("the inertia of {} is not symmetric: entry ({},{}) is {:.6g}, entry ({},{}) is {:.6g}",
                                given.name, i + 1, j + 1, a, j + 1, i + 1, b));
            }
        }
    }
}

void require_moment(const BodyProperties& given, std::size_t k, double moment, double scale, bool turned) {
    if (moment < -flat * scale || !std::isfinite(moment)) {
        refuse(given.inertia_place,
               fmt::format("{} I_{} of {} is {:.6g}; it must be positive and finite, or zero about the axis of a "
                           "slender body",
                           turned ? "the principal moment of inertia" : "the moment of inertia", k + 1, given.name,
                           moment));
    }
}

void require_possible(const BodyProperties& given, std::size_t k, double d, const std::array<double, 3>& moments,
                      bool turned) {
    const std::size_t a = (k + 1) % 3 + 1, b = (k + 2) % 3 + 1;
    const auto found =
        turned ? fmt::format("principal moments {:.6g}, {:.6g} and {:.6g}", moments[0], moments[1], moments[2])
               : "moments of inertia";
    refuse(
        given.inertia_place,
        fmt::format("no body has these {5}: I_{1} is larger than I_{2} + I_{3} (d_{1} = {0:.6g}); each moment of {4} "
                    "must be less than the sum of the other two, or equal to it if the body is flat",
                    d, k + 1, std::min(a, b), std::max(a, b), given.name, found));
}

bool is_diagonal(const std::vector<Expression>& inertia) {
    for (std::size_t k = 0; k < 9; ++k) {
        if (k % 4 != 0 && !inertia[k].is_constant(0)) {
            return false;
        }
    }
    return true;
}

// Which of d_1, d_2, d_3 are zero decides.
void settle_kind(Body& body, const BodyProperties& given, const Moments& moments, double scale) {
    std::array<double, 3> shown{};
    std::ranges::transform(moments, shown.begin(), number_of);
    for (std::size_t k = 0; k < 3; ++k) {
        require_moment(given, k, shown[k], scale, body.turned);
    }
    body.columns.clear();
    for (std::size_t k = 0; k < 3; ++k) {
        const Real d = (moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k]) / 2;
        if (number_of(d) < -flat * scale) {
            require_possible(given, k, number_of(d), shown, body.turned);
        }
        if (number_of(d) > flat * scale) {
            body.columns.push_back(k);
        }
    }
    switch (body.columns.size()) {
        case 3: body.kind = BodyKind::spatial; break;
        case 2: body.kind = BodyKind::flat; break;
        case 1: body.kind = BodyKind::slender; break;
        default:
            refuse(given.inertia_place,
                   fmt::format("the body {0} has no moment of inertia, so that its rotation means nothing: describe it "
                               "as a point with mass, under `[points]`",
                               given.name));
    }
}

}  // namespace

void settle_inertia(Body& body, const BodyProperties& given, const std::vector<InertiaScalar>& values) {
    std::vector<Expression> moments = given.inertia;
    Moments numbers{};
    if (values.size() == 3) {
        std::ranges::copy(values, numbers.begin());
    } else {
        require_symmetric(given, values);
        body.turned = !is_diagonal(given.inertia);
        moments = {moments[0], moments[4], moments[8]};
        RealMatrix A{}, R{};
        for (std::size_t k = 0; k < 9; ++k) {
            A[k] = (values[k] + values[k % 3 * 3 + k / 3]) / 2;
        }
        numbers = principal_moments(A, R);
        for (std::size_t k = 0; body.turned && k < 9; ++k) {
            body.principal[k] = constant_of(R[k]);
        }
    }
    double scale = 0;
    for (const auto& moment : numbers) {
        scale = std::max(scale, std::abs(number_of(moment)));
    }
    settle_kind(body, given, numbers, scale);
    for (const auto k : body.columns) {
        const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
        body.d[k] = body.turned ? constant_of((numbers[a] + numbers[b] - numbers[k]) / 2)
                                : (moments[a] + moments[b] - moments[k]) / 2;
    }
}

}  // namespace libration
