// Lagrange's equations for equal masses and rods, C_ik = (3 2 1; 2 2 1; 1 1 1):
//
//     sum_k C_ik cos(a_i - a_k) a_k'' = - sum_k C_ik sin(a_i - a_k) a_k'^2 - (g/l) C_i1 sin a_i    (C_i1 = 3, 2, 1)
//
// Sines and cosines of the differences are products of those of the angles. Three calls of sincos an evaluation are two
// thirds of its time.
#include <bench/yardsticks/angles.hpp>

#include <algorithm>
#include <cmath>

namespace bench {

namespace {

using Three = std::array<double, 3>;

using Four = double __attribute__((vector_size(32)));
using FourBits = std::int64_t __attribute__((vector_size(32)));

// Sines and cosines of four angles: a multiple n of pi/2 is taken off, Taylor's series do the rest, and n mod 4 says
// which is which.
inline void sines(Four x, Four& sine, Four& cosine) {
    constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52: the sum holds n in its last bits
    constexpr double quarter = 1.5707963267948966, quarter_low = 6.123233995736766e-17;
    const Four shifted = x * (1 / quarter) + shift;
    const Four n = shifted - shift;
    const Four r = (x - n * quarter) - n * quarter_low;
    const Four z = r * r, z2 = z * z, z4 = z2 * z2;
    const Four odd = ((-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880))) +
                     z4 * ((-1.0 / 39916800 + z * (1.0 / 6227020800)) - z2 * (1.0 / 1307674368000));
    const Four even = ((1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800))) +
                      z4 * ((1.0 / 479001600 - z * (1.0 / 87178291200)) + z2 * (1.0 / 20922789888000));
    const Four s = r + r * z * odd, c = 1 - (0.5 * z - z2 * even);
    const FourBits bits = reinterpret_cast<FourBits>(shifted);
    const FourBits swapped = (bits & 1) != 0;
    const FourBits sine_sign = (bits & 2) << 62, cosine_sign = ((bits + 1) & 2) << 62;
    sine = reinterpret_cast<Four>(reinterpret_cast<FourBits>(swapped ? c : s) ^ sine_sign);
    cosine = reinterpret_cast<Four>(reinterpret_cast<FourBits>(swapped ? s : c) ^ cosine_sign);
}

template <Sines choice>
Three acceleration(double gravity, const Three& angle, const Three& rate) {
    double s1, c1, s2, c2, s3, c3;
    if constexpr (choice == Sines::vector) {
        Four sine, cosine;
        sines(Four{angle[0], angle[1], angle[2], 0}, sine, cosine);
        s1 = sine[0], s2 = sine[1], s3 = sine[2];
        c1 = cosine[0], c2 = cosine[1], c3 = cosine[2];
    } else {
        sincos(angle[0], &s1, &c1);
        sincos(angle[1], &s2, &c2);
        sincos(angle[2], &s3, &c3);
    }
    const double c12 = c1 * c2 + s1 * s2, c13 = c1 * c3 + s1 * s3, c23 = c2 * c3 + s2 * s3;
    const double s12 = s1 * c2 - c1 * s2, s13 = s1 * c3 - c1 * s3, s23 = s2 * c3 - c2 * s3;
    const double w1 = rate[0] * rate[0], w2 = rate[1] * rate[1], w3 = rate[2] * rate[2];
    const double r1 = -(2 * s12 * w2 + s13 * w3) - 3 * gravity * s1;
    const double r2 = 2 * s12 * w1 - s23 * w3 - 2 * gravity * s2;
    const double r3 = s13 * w1 + s23 * w2 - gravity * s3;
    // (3 b e; b 2 d; e d 1) by cofactors: one division.
    const double b = 2 * c12, e = c13, d = c23;
    const double m11 = 2 - d * d, m12 = e * d - b, m13 = b * d - 2 * e;
    const double m22 = 3 - e * e, m23 = b * e - 3 * d, m33 = 6 - b * b;
    const double over = 1 / (3 * m11 + b * m12 + e * m13);
    return {(m11 * r1 + m12 * r2 + m13 * r3) * over, (m12 * r1 + m22 * r2 + m23 * r3) * over,
            (m13 * r1 + m23 * r2 + m33 * r3) * over};
}

// x + h y
Three moved(const Three& x, double h, const Three& y) { return {x[0] + h * y[0], x[1] + h * y[1], x[2] + h * y[2]}; }

template <Sines choice>
void make_step(double gravity, double h, Three& angle, Three& rate) {
    const Three k1 = acceleration<choice>(gravity, angle, rate);
    const Three rate2 = moved(rate, h / 2, k1);
    const Three k2 = acceleration<choice>(gravity, moved(angle, h / 2, rate), rate2);
    const Three rate3 = moved(rate, h / 2, k2);
    const Three k3 = acceleration<choice>(gravity, moved(angle, h / 2, rate2), rate3);
    const Three rate4 = moved(rate, h, k3);
    const Three k4 = acceleration<choice>(gravity, moved(angle, h, rate3), rate4);
    for (std::size_t i = 0; i < 3; ++i) {
        angle[i] += h / 6 * ((rate[i] + rate4[i]) + 2 * (rate2[i] + rate3[i]));
        rate[i] += h / 6 * ((k1[i] + k4[i]) + 2 * (k2[i] + k3[i]));
    }
}

}  // namespace

void TripleAngles::run(std::int64_t steps) {
    Three angle = angle_, rate = rate_;
    if (sines_ == Sines::vector) {
        for (; steps > 0; --steps) {
            make_step<Sines::vector>(gravity_, step_, angle, rate);
        }
    }
    for (; steps > 0; --steps) {
        make_step<Sines::library>(gravity_, step_, angle, rate);
    }
    angle_ = angle;
    rate_ = rate;
}

double TripleAngles::watched_run(std::int64_t steps) {
    const double start = energy();
    double worst = 0;
    for (; steps > 0; --steps) {
        run(1);
        const double off = std::abs(energy() - start);
        if (!(off < 1)) {
            return HUGE_VAL;
        }
        worst = std::max(worst, off);
    }
    return worst;
}

double TripleAngles::energy() const {
    double kinetic = 0, height = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        x += std::cos(angle_[i]) * rate_[i];
        y += std::sin(angle_[i]) * rate_[i];
        kinetic += (x * x + y * y) / 2;
        height -= static_cast<double>(3 - i) * std::cos(angle_[i]);
    }
    return kinetic + gravity_ * height;
}

}  // namespace bench
