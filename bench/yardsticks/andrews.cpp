// One step of the pair, with h^2 or h in front of everything that the multipliers move:
//
//     Q_i = q0 + h sum_j a_ij V_j,   P_i = p0 + h sum_j b_ij (F_j - G_j^T Lambda_j),   V_i = M(Q_i)^-1 P_i,   0 = g(Q_i)
//     p1 = p0 + h sum_j b_j (F_j - G_j^T Lambda_j),   0 = G(q1) M(q1)^-1 p1                  a: IIIA, b_ij: IIIB [HLW VII.1.4]
//
// Q_1 = q0 and b_i4 = 0: three stages and three multipliers are unknown, the last multiplier follows from a linear
// system. A sweep computes V from the present Q and Lambda, and corrects Lambda so that the constraints, linearised,
// hold at the new Q.
#include <bench/yardsticks/andrews.hpp>
#include <bench/yardsticks/andrews_stage.hpp>

#include <algorithm>
#include <utility>

namespace bench {

namespace {

constexpr std::size_t stages = 4;
constexpr int most_sweeps = 60;

struct Lobatto {
    double c[4], b[4], a[4][4], b3[4][4];  // b3: IIIB
    double move[3][4][3];                  // a_ij b3_jk for i = 2..4
    double inverse[3][3];                  // of sum_j a_ij b3_jk
    double ahead_v[4][4], ahead_l[3][3];   // polynomials of the last step, one step later

    Lobatto() {
        const double root = std::sqrt(5.0) / 10;
        const double nodes[4] = {0, 0.5 - root, 0.5 + root, 1};
        const double weights[4] = {1.0 / 12, 5.0 / 12, 5.0 / 12, 1.0 / 12};
        std::copy_n(nodes, 4, c);
        std::copy_n(weights, 4, b);
        for (std::size_t j = 0; j < 4; ++j) {
            // The Lagrange polynomial of node j, as coefficients.
            long double poly[4] = {1, 0, 0, 0};
            int degree = 0;
            for (std::size_t k = 0; k < 4; ++k) {
                if (k == j) {
                    continue;
                }
                ++degree;
                for (int n = degree; n >= 0; --n) {
                    poly[n] = ((n > 0 ? poly[n - 1] : 0) - c[k] * poly[n]) / (c[j] - c[k]);
                }
            }
            for (std::size_t i = 0; i < 4; ++i) {
                const long double x = c[i], y = 1 + x;
                a[i][j] = static_cast<double>(x * (poly[0] + x * (poly[1] / 2 + x * (poly[2] / 3 + x * poly[3] / 4))));
                ahead_v[i][j] = static_cast<double>(poly[0] + y * (poly[1] + y * (poly[2] + y * poly[3])));
            }
        }
        std::copy_n(b, 4, a[3]);
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = 0; j < 4; ++j) {
                b3[i][j] = b[j] * (1 - a[j][i] / b[i]);
            }
            b3[i][3] = 0;
        }
        double m[3][3] = {};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                for (std::size_t j = 0; j < 4; ++j) {
                    move[i][j][k] = a[i + 1][j] * b3[j][k];
                    m[i][k] += move[i][j][k];
                }
                ahead_l[i][k] = 1;
                for (std::size_t n = 0; n < 3; ++n) {
                    ahead_l[i][k] *= n == k ? 1 : (1 + c[i] - c[n]) / (c[k] - c[n]);
                }
            }
        }
        const auto minor = [&](std::size_t i, std::size_t k) {
            const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            return m[i1][k1] * m[i2][k2] - m[i1][k2] * m[i2][k1];
        };
        const double determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                inverse[k][i] = minor(i, k) / determinant;
            }
        }
    }
};
// Made when it is first asked for, not before main: a processor that lacks these instructions may still run the rest.
const Lobatto& coefficients() {
    static const Lobatto lobatto;
    return lobatto;
}

// G M^-1 G^T = L D L^T at one position.
class Cholesky6 {
  public:
    explicit Cholesky6(const AndrewsStage& stage) {
        double m[6][6];
        for (std::size_t k = 0; k < 6; ++k) {
            Six unit{};
            unit[k] = 1;
            const Six column = stage.rows(stage.inverse_mass().times(stage.columns(unit)));
            for (std::size_t i = k; i < 6; ++i) {
                m[i][k] = column[i];
            }
        }
        for (std::size_t k = 0; k < 6; ++k) {
            over_[k] = 1 / m[k][k];
            for (std::size_t i = k + 1; i < 6; ++i) {
                below_[i][k] = m[i][k] * over_[k];
            }
            for (std::size_t j = k + 1; j < 6; ++j) {
                for (std::size_t i = j; i < 6; ++i) {
                    m[i][j] -= below_[i][k] * m[j][k];
                }
            }
        }
    }
    void solve(Six& x) const {
        for (std::size_t k = 0; k < 6; ++k) {
            for (std::size_t i = k + 1; i < 6; ++i) {
                x[i] -= below_[i][k] * x[k];
            }
        }
        for (std::size_t k = 6; k-- > 0;) {
            x[k] *= over_[k];
            for (std::size_t i = k + 1; i < 6; ++i) {
                x[k] -= below_[i][k] * x[i];
            }
        }
    }

  private:
    double below_[6][6], over_[6];
};

// 18 x 18 with a search for pivots, by columns, so that all inner loops run along memory.
class Dense18 {
  public:
    double column[18][18];
    void factor() {
        for (std::size_t k = 0; k < 18; ++k) {
            double* pivots = column[k];
            std::size_t best = k;
            for (std::size_t i = k + 1; i < 18; ++i) {
                best = std::abs(pivots[i]) > std::abs(pivots[best]) ? i : best;
            }
            pivot_[k] = best;
            for (std::size_t j = 0; j < 18 && best != k; ++j) {
                std::swap(column[j][best], column[j][k]);
            }
            over_[k] = 1 / pivots[k];
            for (std::size_t i = k + 1; i < 18; ++i) {
                pivots[i] *= over_[k];
            }
            for (std::size_t j = k + 1; j < 18; ++j) {
                const double factor = column[j][k];
                for (std::size_t i = k + 1; i < 18; ++i) {
                    column[j][i] -= factor * pivots[i];
                }
            }
        }
    }
    void solve(double (&x)[18]) const {
        for (std::size_t k = 0; k < 18; ++k) {
            std::swap(x[k], x[pivot_[k]]);
        }
        for (std::size_t k = 0; k < 18; ++k) {
            for (std::size_t i = k + 1; i < 18; ++i) {
                x[i] -= column[k][i] * x[k];
            }
        }
        for (std::size_t k = 18; k-- > 0;) {
            x[k] *= over_[k];
            for (std::size_t i = 0; i < k; ++i) {
                x[i] -= column[k][i] * x[k];
            }
        }
    }

  private:
    double over_[18];
    std::size_t pivot_[18];
};

// Block ik: G_i (sum_j a_ij b_jk M_j^-1) G_k^T for stages i = 2..4 and multipliers k = 1..3.
void assemble(const Lobatto& lobatto, const std::array<AndrewsStage, stages>& at, Dense18& matrix) {
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            InverseMass mix{};
            for (std::size_t j = 0; j < stages; ++j) {
                const double weight = lobatto.move[i][j][k];
                const auto& one = at[j].inverse_mass();
                for (std::size_t n = 0; n < 3; ++n) {
                    for (std::size_t l = 0; l < 3; ++l) {
                        mix.block[n][l] += weight * one.block[n][l];
                    }
                }
                mix.gamma += weight * one.gamma;
            }
            for (std::size_t l = 0; l < 6; ++l) {
                Six unit{};
                unit[l] = 1;
                const Six rows = at[i + 1].rows(mix.times(at[k].columns(unit)));
                std::copy_n(rows.begin(), 6, matrix.column[6 * k + l] + 6 * i);
            }
        }
    }
    matrix.factor();
}

// sum + factor x
inline void add(Seven& sum, double factor, const Seven& x) {
    for (std::size_t k = 0; k < 7; ++k) {
        sum[k] += factor * x[k];
    }
}

// The seven angles of the model and back: relative angles are differences.
Seven relative(const Seven& q) { return {q[0], q[1] - q[0], q[2], q[4] - q[3], q[3], q[6] - q[5], q[5]}; }

}  // namespace

Andrews::Andrews(AndrewsMatrix matrix, double step, double tolerance)
    : matrix_(matrix), step_(step), tolerance_(tolerance > 0 ? tolerance : 8e-15) {
    start();
}

void Andrews::start() {
    constexpr double beta = -0.0617138900142764496358948458001, gamma = 0.455279819163070380255912382449,
                     phi = 0.222668390165885884674473185609, delta = 0.487364979543842550225598953530,
                     omega = -0.222668390165885884674473185609, epsilon = 1.23054744454982119249735015568;
    q_ = {beta, beta, gamma, delta, phi + delta, epsilon, omega + epsilon};
    p_ = {};
    passes_ = 0;
    has_past_ = failed_ = false;
}

void Andrews::run(std::int64_t steps) {
    for (; steps > 0; --steps) {
        step();
    }
}

void Andrews::step() {
    const Lobatto& lobatto = coefficients();
    const double h = step_;
    std::array<AndrewsStage, stages> at;
    std::array<Seven, stages> q, v;
    std::array<Six, 3> lambda{};
    at[0].evaluate(q_);
    if (has_past_) {
        for (std::size_t i = 0; i < stages; ++i) {
            v[i] = {};
            for (std::size_t j = 0; j < stages; ++j) {
                add(v[i], lobatto.ahead_v[i][j], velocity_[j]);
            }
        }
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                for (std::size_t l = 0; l < 6; ++l) {
                    lambda[i][l] += lobatto.ahead_l[i][k] * lambda_[k][l];
                }
            }
        }
    } else {
        v.fill(at[0].inverse_mass().times(p_));
    }
    const auto move = [&] {
        double largest = 0;
        for (std::size_t i = 1; i < stages; ++i) {
            Seven moved = q_;
            for (std::size_t j = 0; j < stages; ++j) {
                add(moved, h * lobatto.a[i][j], v[j]);
            }
            for (std::size_t k = 0; k < 7; ++k) {
                const double change = std::abs(moved[k] - q[i][k]);
                largest = change <= largest ? largest : change;  // what is not a number stays
            }
            q[i] = moved;
        }
        return largest;
    };
    q.fill(q_);
    move();
    Dense18 dense;
    const Cholesky6 frozen(at[0]);
    std::array<Seven, stages> kick;
    double change = 0, before = HUGE_VAL;
    for (int sweep = 0;; ++sweep) {
        for (std::size_t i = 1; i < stages; ++i) {
            at[i].evaluate(q[i]);
        }
        if (sweep == 0 && matrix_ == AndrewsMatrix::stages) {
            assemble(lobatto, at, dense);
        }
        for (std::size_t j = 0; j < 3; ++j) {
            kick[j] = at[j].force(v[j]);
            add(kick[j], -1, at[j].columns(lambda[j]));
        }
        std::array<Seven, stages> shift;
        for (std::size_t i = 0; i < stages; ++i) {
            Seven p = p_;
            for (std::size_t j = 0; j < 3; ++j) {
                add(p, h * lobatto.b3[i][j], kick[j]);
            }
            shift[i] = at[i].inverse_mass().times(p);
            add(shift[i], -1, v[i]);
        }
        // g + G (Q* - Q) = h^2 sum_k (block ik) dLambda_k
        double rows[18];
        for (std::size_t i = 1; i < stages; ++i) {
            Seven way{};
            for (std::size_t j = 0; j < stages; ++j) {
                add(way, h * lobatto.a[i][j], shift[j]);
            }
            const Six gaps = at[i].gaps(), slope = at[i].rows(way);
            for (std::size_t l = 0; l < 6; ++l) {
                rows[6 * (i - 1) + l] = (gaps[l] + slope[l]) / (h * h);
            }
        }
        if (matrix_ == AndrewsMatrix::stages) {
            dense.solve(rows);
        } else {
            double mixed[18] = {};
            for (std::size_t i = 0; i < 3; ++i) {
                Six one{};
                for (std::size_t k = 0; k < 3; ++k) {
                    for (std::size_t l = 0; l < 6; ++l) {
                        one[l] += lobatto.inverse[i][k] * rows[6 * k + l];
                    }
                }
                frozen.solve(one);
                std::copy_n(one.begin(), 6, mixed + 6 * i);
            }
            std::copy_n(mixed, 18, rows);
        }
        std::array<Seven, 3> pull;
        for (std::size_t k = 0; k < 3; ++k) {
            Six change_k;
            for (std::size_t l = 0; l < 6; ++l) {
                change_k[l] = rows[6 * k + l];
                lambda[k][l] += change_k[l];
            }
            pull[k] = at[k].columns(change_k);
        }
        for (std::size_t i = 0; i < stages; ++i) {
            Seven p{};
            for (std::size_t k = 0; k < 3; ++k) {
                add(p, -h * lobatto.b3[i][k], pull[k]);
            }
            add(v[i], 1, shift[i]);
            add(v[i], 1, at[i].inverse_mass().times(p));
        }
        change = move();
        ++passes_;
        if (change <= tolerance_ || (change >= before && change < 64 * tolerance_)) {
            break;
        }
        before = change;
        if (sweep == most_sweeps || !std::isfinite(change)) {
            failed_ = true;
            break;
        }
    }
    // The end: forces at the last stages, the last multiplier from the hidden constraint.
    Seven p = p_;
    for (std::size_t j = 0; j < stages; ++j) {
        if (j > 0) {
            at[j].evaluate(q[j]);
        }
        add(p, h * lobatto.b[j], at[j].force(v[j]));
        if (j < 3) {
            add(p, -h * lobatto.b[j], at[j].columns(lambda[j]));
        }
    }
    Six hidden = at[3].rows(at[3].inverse_mass().times(p));
    Cholesky6(at[3]).solve(hidden);
    add(p, -1, at[3].columns(hidden));
    q_ = q[3];
    p_ = p;
    velocity_ = v;
    lambda_ = lambda;
    has_past_ = true;
}

std::array<double, 7> Andrews::angles() const { return relative(q_); }

// p of the model: beta = q0, psi = beta + theta give p_beta = p0 + p1, p_theta = p1.
std::array<double, 7> Andrews::momenta() const {
    return {p_[0] + p_[1], p_[1], p_[2], p_[4], p_[3] + p_[4], p_[6], p_[5] + p_[6]};
}

double Andrews::energy() const {
    AndrewsStage here;
    here.evaluate(q_);
    const Seven v = here.inverse_mass().times(p_);
    double kinetic = 0;
    for (std::size_t k = 0; k < 7; ++k) {
        kinetic += v[k] * p_[k] / 2;
    }
    return kinetic + here.spring_energy() - AndrewsData::torque * q_[0];
}

double Andrews::largest_gap() const {
    using D = AndrewsData;
    const auto s = [&](std::size_t k) { return std::sin(static_cast<long double>(q_[k])); };
    const auto c = [&](std::size_t k) { return std::cos(static_cast<long double>(q_[k])); };
    const long double x = D::rr * c(0) - D::d * c(1), y = D::rr * s(0) - D::d * s(1);
    const long double gaps[] = {x - D::ss * s(2) - D::xb,
                                y + D::ss * c(2) - D::yb,
                                x - D::e * s(4) - D::zt * c(3) - D::xa,
                                y + D::e * c(4) - D::zt * s(3) - D::ya,
                                x - D::zf * c(6) - D::u * s(5) - D::xa,
                                y - D::zf * s(6) + D::u * c(5) - D::ya};
    long double worst = 0;
    for (const long double gap : gaps) {
        worst = std::abs(gap) <= worst ? worst : std::abs(gap);
    }
    return static_cast<double>(worst);
}

}  // namespace bench
