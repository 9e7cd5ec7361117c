// The equations of the mechanism at one position: sines and cosines once, everything else from them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace bench {

using Seven = std::array<double, 7>;
using Six = std::array<double, 6>;

struct AndrewsData {
    static constexpr double torque = 0.033;
    static constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706,
                            m7 = 0.05498;
    static constexpr double i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7, i5 = 1.169e-5, i6 = 5.667e-7,
                            i7 = 1.912e-5;
    static constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
    static constexpr double c0 = 4530, l0 = 0.07785;
    static constexpr double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092, ss = 0.035,
                            sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04,
                            ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421;
    // Two bodies that turn about a common point: T = a/2 x'^2 + c(y - x) x' y' + b/2 y'^2.
    static constexpr double a1 = m1 * ra * ra + i1 + m2 * rr * rr, b1 = i2 + m2 * da * da, k1 = m2 * da * rr;
    static constexpr double a2 = m4 * zt * zt + m5 * (ta * ta + tb * tb) + i5, b2 = i4 + m4 * (e - ea) * (e - ea),
                            k2 = m4 * zt * (e - ea);
    static constexpr double a3 = m6 * u * u + m7 * (ua * ua + ub * ub) + i7, b3 = i6 + m6 * (zf - fa) * (zf - fa),
                            k3 = m6 * u * (zf - fa);
    static constexpr double m_gamma = m3 * (sa * sa + sb * sb) + i3;
};

// M^-1: three symmetric 2 x 2 blocks (xx, xy, yy) for (beta, psi), (delta, chi), (epsilon, kappa), and 1/m of gamma.
struct InverseMass {
    double block[3][3];
    double gamma;
    [[nodiscard]] Seven times(const Seven& p) const {
        return {block[0][0] * p[0] + block[0][1] * p[1],
                block[0][1] * p[0] + block[0][2] * p[1],
                gamma * p[2],
                block[1][0] * p[3] + block[1][1] * p[4],
                block[1][1] * p[3] + block[1][2] * p[4],
                block[2][0] * p[5] + block[2][1] * p[6],
                block[2][1] * p[5] + block[2][2] * p[6]};
    }
};

class AndrewsStage : private AndrewsData {
  public:
    void evaluate(const Seven& q) {
        for (std::size_t k = 0; k < 7; ++k) {
            sincos(q[k], &sin_[k], &cos_[k]);
        }
        const double cos1 = cos_[1] * cos_[0] + sin_[1] * sin_[0], sin1 = sin_[1] * cos_[0] - cos_[1] * sin_[0];
        const double cos2 = cos_[4] * cos_[3] + sin_[4] * sin_[3], sin2 = sin_[4] * cos_[3] - cos_[4] * sin_[3];
        const double cos3 = cos_[6] * cos_[5] + sin_[6] * sin_[5], sin3 = sin_[6] * cos_[5] - cos_[6] * sin_[5];
        couple(0, a1, b1, -k1 * cos1);
        couple(1, a2, b2, k2 * sin2);
        couple(2, a3, b3, -k3 * sin3);
        slope_[0] = k1 * sin1;
        slope_[1] = k2 * cos2;
        slope_[2] = -k3 * cos3;
        inverse_.gamma = 1 / m_gamma;
        const double x = sd * cos_[2] + sc * sin_[2] + (xb - xc), y = sd * sin_[2] - sc * cos_[2] + (yb - yc);
        const double x1 = sc * cos_[2] - sd * sin_[2], y1 = sd * cos_[2] + sc * sin_[2];
        stretch_ = std::sqrt(x * x + y * y);
        pull_ = -c0 * (1 - l0 / stretch_) * (x * x1 + y * y1);
    }

    [[nodiscard]] const InverseMass& inverse_mass() const { return inverse_; }
    [[nodiscard]] double spring_energy() const { return c0 / 2 * (stretch_ - l0) * (stretch_ - l0); }

    // T_q - U_q at these velocities.
    [[nodiscard]] Seven force(const Seven& v) const {
        const double f1 = slope_[0] * v[0] * v[1], f2 = slope_[1] * v[3] * v[4], f3 = slope_[2] * v[5] * v[6];
        return {torque - f1, f1, pull_, -f2, f2, -f3, f3};
    }

    [[nodiscard]] Six gaps() const {
        const double x = rr * cos_[0] - d * cos_[1], y = rr * sin_[0] - d * sin_[1];
        return {x - ss * sin_[2] - xb,
                y + ss * cos_[2] - yb,
                x - e * sin_[4] - zt * cos_[3] - xa,
                y + e * cos_[4] - zt * sin_[3] - ya,
                x - zf * cos_[6] - u * sin_[5] - xa,
                y - zf * sin_[6] + u * cos_[5] - ya};
    }

    // G v
    [[nodiscard]] Six rows(const Seven& v) const {
        const double x = d * sin_[1] * v[1] - rr * sin_[0] * v[0], y = rr * cos_[0] * v[0] - d * cos_[1] * v[1];
        return {x - ss * cos_[2] * v[2],
                y - ss * sin_[2] * v[2],
                x - e * cos_[4] * v[4] + zt * sin_[3] * v[3],
                y - e * sin_[4] * v[4] - zt * cos_[3] * v[3],
                x + zf * sin_[6] * v[6] - u * cos_[5] * v[5],
                y - zf * cos_[6] * v[6] - u * sin_[5] * v[5]};
    }

    // G^T lambda
    [[nodiscard]] Seven columns(const Six& l) const {
        const double x = l[0] + l[2] + l[4], y = l[1] + l[3] + l[5];
        return {rr * (cos_[0] * y - sin_[0] * x),        d * (sin_[1] * x - cos_[1] * y),
                -ss * (cos_[2] * l[0] + sin_[2] * l[1]), zt * (sin_[3] * l[2] - cos_[3] * l[3]),
                -e * (cos_[4] * l[2] + sin_[4] * l[3]),  -u * (cos_[5] * l[4] + sin_[5] * l[5]),
                zf * (sin_[6] * l[4] - cos_[6] * l[5])};
    }

  private:
    void couple(std::size_t k, double a, double b, double c) {
        const double over = 1 / (a * b - c * c);
        inverse_.block[k][0] = b * over;
        inverse_.block[k][1] = -c * over;
        inverse_.block[k][2] = a * over;
    }

    double sin_[7], cos_[7], slope_[3], stretch_, pull_;
    InverseMass inverse_;
};

}  // namespace bench
