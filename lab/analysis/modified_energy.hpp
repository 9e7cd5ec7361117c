// Backward error analysis: the energy that a method keeps instead of H.
//
// Verlet's method follows, up to O(h^4), the modified equation y' = F(y) + h^2 F3(y), which is that of H + h^2 H3. With
// f = -M^-1 U_q the two variants have [HLW03 (4.8), (4.9), with the signs of H3 corrected]
//
//     A, kick-drift-kick:   F3 = 1/12 (-2 f'v, f'f + f''(v, v)),       H3 =  1/12 U''(v, v) - 1/24 U_q^T M^-1 U_q
//     B, drift-kick-drift:  F3 = 1/24 (2 f'v, -4 f'f - f''(v, v)),     H3 = -1/24 U''(v, v) + 1/12 U_q^T M^-1 U_q
//
// The positions of SHAKE, RATTLE and symmetric multistep methods lie on a smooth curve y(t) that satisfies, with g(y) =
// 0,
//
//     sum_l gamma_2l h^2l y^(2l+2) = -M^-1 (U_q(y) + G(y)^T mu),      rho(e^x)/(x^2 sigma(e^x)) = sum_l gamma_2l x^2l        [CHL (24)]
//
// so that sum_l gamma_2l h^2l A_l+1[y] + U(y) is constant, where dA_l/dt = y'^T M y^(2l). [HLW03 after (5.2)] Its
// derivatives are centred differences of the recorded positions.
#pragma once

#include "coefficients/multistep.hpp"
#include <libration/integrate/trajectory.hpp>
#include <libration/kit/dual.hpp>
#include <libration/kit/system.hpp>

namespace libration {

enum class VerletVariant { A, B };

// H3 and F3 of a model without constraints, H = 1/2 p^T M^-1 p + U(q).
class VerletModified {
  public:
    // InputError for other models.
    VerletModified(const Model& model, VerletVariant variant);

    double H3(std::span<const double> q, std::span<const double> p);
    // H + h^2 H3
    double energy(double h, std::span<const double> q, std::span<const double> p);
    // F3(q, v): the parts of q' and of v'. InputError for models of more than most_dense_coordinates.
    void F3(std::span<const double> q, std::span<const double> v, std::span<double> dq, std::span<double> dv);
    // The solution of the truncated modified equation q' = v + h^2 F3, v' = f + h^2 F3 after this time, by classical
    // Runge-Kutta steps.
    void flow(double h, double time, std::int64_t steps, std::vector<double>& q, std::vector<double>& p);

  private:
    using D = Dual<double>;
    // U''(q) x
    void hessian_times(std::span<const double> q, std::span<const double> x, std::span<double> y);
    void field(double h, std::span<const double> q, std::span<const double> v, std::span<double> dq,
               std::span<double> dv);

    VerletVariant variant_;
    std::unique_ptr<System<double>> system_;
    std::unique_ptr<System<D>> dual_;
    std::vector<D> x_, zero_, gradient_, hessian_;
    std::vector<double> v_, f_, fv_, ff_;
};

// gamma_0, gamma_2, ..., gamma_2n of a symmetric multistep method; gamma_0 = 1, and the next vanish up to its order.
std::vector<double> modified_energy_coefficients(const MultistepPair& pair, int n);

struct ModifiedEnergy {
    struct Curve {
        std::vector<double> t, energy;
        [[nodiscard]] double spread() const;  // largest - smallest
    };
    std::vector<Curve>
        curves;  // H itself, then with one term, with two, ...; one term is what H has not at the order of the method
    int order = 2;  // of the method: curve k varies by O(h^(order + 2 k))
};

// For verlet, verlet-b, leapfrog, rattle, shake, lobatto(2) and multistep; InputError for other methods, other models,
// or a run of which not every step was recorded. The first term of verlet, verlet-b and leapfrog is H3 at the nodes,
// all others are from differences.
ModifiedEnergy modified_energy(const Trajectory& trajectory, std::int64_t terms = 2);

}  // namespace libration
