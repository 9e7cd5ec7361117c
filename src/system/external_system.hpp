// The system of a model with functions that cannot be traced: a system of terms, and besides it
//
//     U_external(q),   U_external,q,      rows g(q), G(q), G_q(v, v) after those of the terms
//
// as the user's functions give them, in double precision only and without higher derivatives. Rows of external
// constraints are dense. Calls allocate where the functions do, and their exceptions propagate.
#pragma once

#include "system_view.hpp"
#include <libration/model/external.hpp>

#include <string>

namespace libration {

class ExternalSystem final : public SystemView<double> {
  public:
    using System<double>::constraint;
    using System<double>::jacobian;

    // `start`: initial positions, where the noise of the constraints is measured.
    ExternalSystem(std::unique_ptr<System<double>> terms, std::shared_ptr<const ExternalFunctions> functions,
                   std::span<const double> start);

    double energy(const double& t, std::span<const double> q, std::span<const double> p) override;
    void force_gradient(const double& t, std::span<const double> q, std::span<const double> p,
                        std::span<double> gradient) override;
    // An external potential is slow.
    void part_gradient(unsigned parts, const double& t, std::span<const double> q, std::span<double> gradient) override;
    void constraint(const double& t, std::span<const double> q, std::span<const double> q_low,
                    std::span<double> g) override;
    void jacobian(const double& t, std::span<const double> q, std::span<double> entries,
                  std::span<double> rounding) override;
    void curvature(const double& t, std::span<const double> q, std::span<const double> v,
                   std::span<double> rows) override;
    void constraint_rate(const double& t, std::span<const double> q, std::span<double> rows) override;

    void field_jacobian(const double&, std::span<const double>, std::span<const double>, std::span<double>) override;
    void part_hessian(unsigned, const double&, std::span<const double>, std::span<double>) override;
    void reaction_gradient(const double&, std::span<const double>, std::span<const double>, std::span<const double>,
                           std::span<const double>, std::span<double>, std::span<double>) override;
    void reaction_hessian(const double&, std::span<const double>, std::span<const double>, std::span<double>) override;

    // A function that gave a number that is not finite at a finite position since forget(), for messages; empty: none.
    [[nodiscard]] const std::string& not_finite() const { return not_finite_; }
    void forget() { not_finite_.clear(); }

  private:
    void add_gradient(std::span<const double> q, std::span<double> gradient);
    [[nodiscard]] std::span<const double> external_jacobian(std::span<const double> q);
    void differenced_curvature(std::span<const double> q, std::span<const double> v, std::span<double> rows);
    void measure_noise(std::span<const double> start);
    void note(const char* function, std::span<const double> q, std::span<const double> values);
    [[noreturn]] void refuse_derivatives() const;

    std::unique_ptr<System<double>> terms_;
    std::shared_ptr<const ExternalFunctions> functions_;
    std::size_t inner_rows_, inner_entries_, rows_;
    std::vector<double> noise_;                 // of each external row, in units of epsilon
    std::vector<double> gradient_, moved_, G_;  // G_ at G_position_
    std::vector<double> G_position_;            // empty: G_ is not known
    std::string not_finite_;
};

}  // namespace libration
