// With y generic, y^T g and y^T (G v + g_t) at the start must not change with any parameter.
//
// Their gradients by (x, theta) and p are sparse products with the transposed G, by the symmetry of second derivatives
// also for the second one; ParameterAdjoint carries them on from the initial values to the parameters.
#include "start_check.hpp"

namespace libration {

namespace {

using D = Dual<double>;

// The gradient of a sum over rows: by coordinates of the extended model, and by their momenta.
struct RowGradient {
    std::vector<double> x, p;
};

// How much it changes with each parameter.
std::vector<double> changes_of(const Model& model, const ExtendedModel& extended, const StartPoint& start,
                               std::span<const Unknown> parameters, const RowGradient& gradient,
                               ParameterAdjoint::Result result) {
    ParameterAdjoint adjoint(model, result);
    adjoint.add_start(start, gradient.x, gradient.p);
    auto changes = adjoint.by(parameters);
    for (std::size_t j = 0; j < extended.owner.size(); ++j) {
        if (extended.owner[j] < changes.size()) {
            changes[extended.owner[j]] += gradient.x[model.dimension + j];
        }
    }
    return changes;
}

class StartCheck {
  public:
    StartCheck(const Model& model, const ExtendedModel& extended, System<double>& system, const StartPoint& start)
        : model_(&model), extended_(&extended), system_(&system), start_(&start), n_(system.dimension()),
          G_(system.pattern().entries()) {
        q_ = start.q;
        q_.resize(n_, 1.0);
        p_ = start.p;
        p_.resize(n_, 0.0);
        v_.resize(n_);
        system.jacobian(start.t, q_, G_);
        system.velocity(start.t, q_, p_, v_);
    }

    std::optional<std::size_t> first_leaving(System<D>& dual, std::span<const Unknown> parameters) {
        RowGradient of_g{std::vector<double>(n_), std::vector<double>(n_)}, of_f = of_g, g_size = of_g, f_size = of_g;
        const auto moving = moving_jacobian(dual);
        double g_values = 0, f_values = 0;
        const auto& pattern = system_->pattern();
        for (std::size_t i = 0; i < system_->constraints(); ++i) {
            const double y = 1 + 0.5 * std::sin(1 + 3 * static_cast<double>(i));  // nothing is special about it
            double g_row = 0, f_row = 0;
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                const auto j = pattern.column[e];
                of_g.x[j] += y * G_[e];
                g_size.x[j] += y * std::abs(G_[e]);
                of_f.x[j] += y * moving[e].tangent[0];
                f_size.x[j] += y * std::abs(moving[e].tangent[0]);
                g_row += std::abs(G_[e] * q_[j]);
                f_row += std::abs(G_[e] * v_[j]);
            }
            g_values = std::max(g_values, y * g_row);
            f_values = std::max(f_values, y * f_row);
        }
        system_->solve_mass(start_->t, q_, p_, of_g.x, of_f.p);
        system_->solve_mass(start_->t, q_, p_, g_size.x, f_size.p);
        const auto g = leaving(parameters, of_g, g_size, g_values), f = leaving(parameters, of_f, f_size, f_values);
        return g && f ? std::min(g, f) : (g ? g : f);
    }

  private:
    // G, along (v, 1) in (q, t).
    std::vector<D> moving_jacobian(System<D>& dual) {
        std::vector<D> q(n_, lit<D>(0)), moving(G_.size(), lit<D>(0));
        for (std::size_t j = 0; j < n_; ++j) {
            q[j].value = q_[j];
            q[j].tangent[0] = v_[j];
        }
        dual.jacobian({start_->t, {1}}, q, moving);
        return moving;
    }

    std::optional<std::size_t> leaving(std::span<const Unknown> parameters, const RowGradient& gradient,
                                       const RowGradient& size, double values) const {
        using Result = ParameterAdjoint::Result;
        const auto sums = changes_of(*model_, *extended_, *start_, parameters, gradient, Result::exact);
        const auto sizes = changes_of(*model_, *extended_, *start_, parameters, size, Result::size);
        const auto given = parameter_values<D>(*model_);
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            const double unit = direction_detail::unit_of<double>(given, parameters[k]);
            if (!direction_detail::vanishes(sums[k], {sizes[k], values}, unit)) {
                return k;
            }
        }
        return std::nullopt;
    }

    const Model* model_;
    const ExtendedModel* extended_;
    System<double>* system_;
    const StartPoint* start_;
    std::size_t n_;
    std::vector<double> G_, q_, p_, v_;
};

}  // namespace

std::optional<std::size_t> leaving_parameter(const Model& model, const ExtendedModel& extended, System<double>& system,
                                             System<D>& dual, const StartPoint& start,
                                             std::span<const Unknown> parameters) {
    return StartCheck(model, extended, system, start).first_leaving(dual, parameters);
}

}  // namespace libration
