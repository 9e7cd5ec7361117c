// The modified equation of Verlet's method by derivatives of U: along directions by dual numbers.
#include "modified_energy.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <algorithm>
#include <array>

namespace libration {

VerletModified::VerletModified(const Model& model, VerletVariant variant)
    : variant_(variant), system_(make_system<double>(model)), dual_(make_system<Dual<double>>(model)) {
    const auto& properties = system_->properties();
    if (!properties.hamiltonian || !properties.separable || properties.forced || properties.depends_on_time ||
        system_->constraints() > 0 || properties.nonholonomic > 0) {
        throw InputError(
            "H3 and F3 of Verlet's method are known for H = 1/2 p^T M^-1 p + U(q) with constant M, without "
            "constraints, time or other forces");
    }
    const std::size_t d = system_->dimension();
    x_.assign(d, lit<D>(0));
    zero_ = gradient_ = x_;
    v_.assign(d, 0.0);
    f_ = fv_ = ff_ = v_;
}

void VerletModified::hessian_times(std::span<const double> q, std::span<const double> x, std::span<double> y) {
    for (std::size_t k = 0; k < q.size(); ++k) {
        x_[k] = from_double<D>(q[k]);
        x_[k].tangent[0] = x[k];
    }
    dual_->force_gradient(lit<D>(0), x_, zero_, gradient_);
    for (std::size_t k = 0; k < q.size(); ++k) {
        y[k] = gradient_[k].tangent[0];
    }
}

double VerletModified::H3(std::span<const double> q, std::span<const double> p) {
    const std::size_t d = q.size();
    system_->velocity(0, q, p, v_);
    hessian_times(q, v_, fv_);
    system_->force_gradient(0, q, p, f_);
    system_->solve_mass(0, q, p, f_, ff_);
    double by_v = 0, by_force = 0;
    for (std::size_t k = 0; k < d; ++k) {
        by_v += v_[k] * fv_[k];
        by_force += f_[k] * ff_[k];
    }
    return variant_ == VerletVariant::A ? by_v / 12 - by_force / 24 : -by_v / 24 + by_force / 12;
}

double VerletModified::energy(double h, std::span<const double> q, std::span<const double> p) {
    return system_->energy(0, q, p) + h * h * H3(q, p);
}

void VerletModified::F3(std::span<const double> q, std::span<const double> v, std::span<double> dq,
                        std::span<double> dv) {
    if (!dual_->properties().dense_derivatives) {
        throw InputError("F3 needs the matrix of second derivatives, which is available for small models only");
    }
    const std::size_t d = q.size();
    // -f'v
    hessian_times(q, v, fv_);
    system_->solve_mass(0, q, v, fv_, fv_);
    // f'f
    system_->force_gradient(0, q, v, f_);
    system_->solve_mass(0, q, v, f_, f_);
    hessian_times(q, f_, ff_);
    system_->solve_mass(0, q, v, ff_, ff_);
    // -f''(v, v): the derivative of U''(q) v along v, from the matrix at q + eps v.
    hessian_.assign(d * d, lit<D>(0));
    for (std::size_t k = 0; k < d; ++k) {
        x_[k] = from_double<D>(q[k]);
        x_[k].tangent[0] = v[k];
    }
    dual_->part_hessian(all_parts, lit<D>(0), x_, hessian_);
    for (std::size_t i = 0; i < d; ++i) {
        f_[i] = 0;
        for (std::size_t j = 0; j < d; ++j) {
            f_[i] += hessian_[i * d + j].tangent[0] * v[j];
        }
    }
    system_->solve_mass(0, q, v, f_, f_);
    for (std::size_t k = 0; k < d; ++k) {
        const bool a = variant_ == VerletVariant::A;
        dq[k] = a ? fv_[k] / 6 : -fv_[k] / 12;
        dv[k] = a ? (ff_[k] - f_[k]) / 12 : (-4 * ff_[k] + f_[k]) / 24;
    }
}

void VerletModified::field(double h, std::span<const double> q, std::span<const double> v, std::span<double> dq,
                           std::span<double> dv) {
    F3(q, v, dq, dv);
    system_->force_gradient(0, q, v, f_);
    system_->solve_mass(0, q, v, f_, f_);
    for (std::size_t k = 0; k < q.size(); ++k) {
        dq[k] = v[k] + h * h * dq[k];
        dv[k] = -f_[k] + h * h * dv[k];
    }
}

void VerletModified::flow(double h, double time, std::int64_t steps, std::vector<double>& q, std::vector<double>& p) {
    const std::size_t d = q.size();
    std::vector<double> v(d), stage_q(d), stage_v(d), dq(d), dv(d), sum_q(d), sum_v(d);
    system_->velocity(0, q, p, v);
    const double step = time / static_cast<double>(steps);
    for (std::int64_t n = 0; n < steps; ++n) {
        std::ranges::fill(sum_q, 0.0);
        std::ranges::fill(sum_v, 0.0);
        constexpr std::array place{0.0, 0.5, 0.5, 1.0}, weight{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        for (std::size_t i = 0; i < place.size(); ++i) {
            for (std::size_t k = 0; k < d; ++k) {
                stage_q[k] = q[k] + (i == 0 ? 0 : place[i] * step * dq[k]);
                stage_v[k] = v[k] + (i == 0 ? 0 : place[i] * step * dv[k]);
            }
            field(h, stage_q, stage_v, dq, dv);
            for (std::size_t k = 0; k < d; ++k) {
                sum_q[k] += weight[i] * step * dq[k];
                sum_v[k] += weight[i] * step * dv[k];
            }
        }
        for (std::size_t k = 0; k < d; ++k) {
            q[k] += sum_q[k];
            v[k] += sum_v[k];
        }
    }
    system_->apply_mass(0, q, v, p);
}

}  // namespace libration
