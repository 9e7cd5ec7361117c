// Lagrange's equations for equal masses and rods, C_ik = (3 2 1; 2 2 1; 1 1 1):
//
//     sum_k C_ik cos(a_i - a_k) a_k'' = - sum_k C_ik sin(a_i - a_k) a_k'^2 - (g/l) C_i1 sin a_i    (C_i1 = 3, 2, 1)
//
// Sines and cosines of the differences are products of those of the angles: three calls of sincos an evaluation, which are most of
// its time.
#include <bench/yardsticks/angles.hpp>

#include <cmath>

namespace bench {

namespace {

using Three = std::array<double, 3>;

Three acceleration(double gravity, const Three& angle, const Three& rate) {
    double s1, c1, s2, c2, s3, c3;
    sincos(angle[0], &s1, &c1);
    sincos(angle[1], &s2, &c2);
    sincos(angle[2], &s3, &c3);
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

inline void make_step(double gravity, double h, Three& angle, Three& rate) {
    const Three k1 = acceleration(gravity, angle, rate);
    const Three rate2 = moved(rate, h / 2, k1);
    const Three k2 = acceleration(gravity, moved(angle, h / 2, rate), rate2);
    const Three rate3 = moved(rate, h / 2, k2);
    const Three k3 = acceleration(gravity, moved(angle, h / 2, rate2), rate3);
    const Three rate4 = moved(rate, h, k3);
    const Three k4 = acceleration(gravity, moved(angle, h, rate3), rate4);
    for (std::size_t i = 0; i < 3; ++i) {
        angle[i] += h / 6 * ((rate[i] + rate4[i]) + 2 * (rate2[i] + rate3[i]));
        rate[i] += h / 6 * ((k1[i] + k4[i]) + 2 * (k2[i] + k3[i]));
    }
}

}  // namespace

void TripleAngles::run(std::int64_t steps) {
    Three angle = angle_, rate = rate_;
    for (; steps > 0; --steps) {
        make_step(gravity_, step_, angle, rate);
    }
    angle_ = angle;
    rate_ = rate;
}

double TripleAngles::watched_run(std::int64_t steps) {
    const double start = energy();
    double worst = 0;
    for (; steps > 0; --steps) {
        make_step(gravity_, step_, angle_, rate_);
        const double off = std::abs(energy() - start);
        worst = off <= worst ? worst : off;  // what is not a number stays
        if (!(off < 1)) {
            return HUGE_VAL;
        }
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
