// One trajectory of a method, step by step, until a step fails; and the moving initial values that all measurements
// share.
#pragma once

#include "integrate/row_exchange.hpp"
#include "integrate/start.hpp"
#include "interruption.hpp"
#include "manifold/manifold.hpp"
#include "methods/good_step.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace libration {

#ifdef LIBRATION_HAS_QUAD
using Fine = Quad;
#else
using Fine = double;
#endif

// Added to the momenta, so that nothing vanishes by symmetry; empty: the model's own initial values.
struct StartKick {
    std::vector<double> momentum;
};
StartKick generic_kick(const Model& model, double step);

template <class S>
StartState<S> kicked_start(const Model& model, System<S>& system, const StartKick& kick) {
    auto start = start_state<S>(model, system);
    for (std::size_t j = 0; j < kick.momentum.size(); ++j) {
        start.p[j] = start.p[j] + from_double<S>(kick.momentum[j]);
    }
    // Initial values of 17 digits are off the manifold by their rounding, which is a lot in higher precision.
    const auto given = start.q;
    Manifold<S> manifold(system);
    manifold.project_position(lit<S>(0), start.q, start.p);
    const bool moved =
        !std::ranges::equal(given, start.q, [](const S& x, const S& y) { return to_double(S(x - y)) == 0; });
    if (moved || !kick.momentum.empty()) {
        manifold.project_momentum(lit<S>(0), start.q, start.p);
    }
    return start;
}

template <class S>
class Walk {
  public:
    // `system` of the model. Redundant rows are exchanged as in a run: those of the start lead astray where they are
    // dependent.
    Walk(const Method& method, const Model& model, System<S>& system)
        : stepper_(model, method, system), lag_(method.lag()), dimension_(system.dimension()) {}

    // The first available node is number 0, for any lag. `turns`: see Node.
    bool begin(const S& t, std::span<const S> q, std::span<const S> p, const S& h, std::span<const S> turns = {}) {
        failure_.clear();
        steps_ = 0;
        h_ = to_double(h);
        stepper_.start({t, q, {}, p, turns}, h);
        return go(lag_);
    }
    bool go(std::int64_t steps) {
        for (std::int64_t n = 0; n < steps; ++n) {
            Interruptible::check();
            const auto report = stepper_.advance();
            if (!good_step(report)) {
                failure_ = fmt::format("fails at step {} of size {:.3g}: {}", steps_ + 1, h_,
                                       !std::isfinite(to_double(report.size)) ? "the result is not finite"
                                       : to_double(report.converged) != 1     ? "the iteration does not converge"
                                                                              : "constraints become dependent");
                return false;
            }
            stepper_.accept();
            ++steps_;
        }
        return true;
    }
    Node<S> node() { return stepper_.node(); }
    // With the rows that are carried now, which may be others than at the start.
    [[nodiscard]] bool changes_rows() const { return stepper_.changes_rows(); }
    System<S>& system() { return stepper_.system(); }
    // See Stepper::turn_round.
    bool turn_round() { return stepper_.turn_round(); }
    [[nodiscard]] const std::string& failure() const { return failure_; }
    [[nodiscard]] double forces() const { return to_double(stepper_.evaluations().count[Evaluations<S>::force]); }
    // Evaluations of all kinds, times coordinates.
    [[nodiscard]] double work() const {
        double sum = static_cast<double>(steps_);
        for (const auto& count : stepper_.evaluations().count) {
            sum += to_double(count);
        }
        return sum * static_cast<double>(dimension_);
    }

  private:
    RowExchange<S> stepper_;
    std::int64_t lag_, steps_ = 0;
    std::size_t dimension_;
    double h_ = 0;
    std::string failure_;
};

// Largest magnitude; not a number stays so.
template <class S>
double largest_of(std::span<const S> values) {
    double most = 0;
    for (const auto& value : values) {
        const double size = std::abs(to_double(value));
        most = std::isnan(size) || size > most ? size : most;
    }
    return most;
}

template <class S>
double distance(std::span<const S> a, std::span<const S> b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double size = std::abs(to_double(S(a[k] - b[k])));
        most = std::isnan(size) || size > most ? size : most;
    }
    return most;
}

// The largest residuals at a node in units of round-off: 16 units of every number that enters a row, the position with
// what its low part holds.
template <class S>
class Residuals {
  public:
    explicit Residuals(System<S>& system)
        : system_(&system), manifold_(system), G_(system.pattern().entries(), lit<S>(0)),
          rows_(system.constraints(), lit<S>(0)), rounding_(rows_), v_(system.dimension(), lit<S>(0)),
          k_(system.properties().nonholonomic, lit<S>(0)), K_(k_.size() * v_.size(), lit<S>(0)),
          lambda_(reaction_count(system), lit<S>(0)), momentum_(v_.size(), 0.0), jitter_(v_.size(), 0.0) {}
    double position = 0, hidden = 0;            // in units of round-off
    double position_size = 0, hidden_size = 0;  // as they are

    // The node of a walk with steps of size h, and the rows that it carries there.
    void see(Walk<S>& walk, double h) {
        if (walk.changes_rows()) {
            system_ = &walk.system();
            manifold_ = Manifold<S>(*system_);
            G_.resize(system_->pattern().entries());
        }
        see(walk.node(), h);
    }

  private:
    void see(const Node<S>& node, double h) {
        if (rows_.empty() && k_.empty()) {
            return;
        }
        const double unit = 16 * to_double(epsilon<S>());
        system_->jacobian(node.t, node.q, G_, rounding_);
        system_->velocity(node.t, node.q, node.p, v_);
        // Momenta are rounded at the size that they have during a step; near a rest that is not the size at the node.
        fastest_ = std::max(fastest_, largest_of<S>(v_));
        farthest_ = std::max(farthest_, largest_of<S>(node.q));
        see_momenta(node, std::abs(h));
        see_rolling(node, unit);
        system_->constraint(node.t, node.q, node.q_low, rows_);
        for (int kind = 0; kind < 2; ++kind) {
            const auto& pattern = system_->pattern();
            for (std::size_t i = 0; i < rows_.size(); ++i) {
                const std::size_t first = pattern.row_start[i], last = pattern.row_start[i + 1];
                // A row such as Q_:1 . Q_:2 has products that all vanish at times, and a row such as Q[2,1] a
                // coordinate that is always zero: they are spoiled by what moves the other coordinates.
                double size = kind == 0 ? std::abs(to_double(rounding_[i])) : 0;
                for (std::size_t e = first; e < last; ++e) {
                    size += std::abs(to_double(G_[e])) * (kind == 0 ? farthest_ : jitter_[pattern.column[e]]);
                }
                const double row = std::abs(to_double(rows_[i]));
                keep(kind == 0 ? position_size : hidden_size, row);
                keep(kind == 0 ? position : hidden, row == 0 ? 0 : row / (unit * size));
            }
            if (kind == 0) {
                manifold_.hidden_residual(node.t, node.q, node.p, rows_);
            }
        }
    }
    static void keep(double& most, double value) { most = std::isnan(value) || value > most ? value : most; }
    // v = M^-1 p is as uncertain as the momenta are, and each of them is rounded at the size that it has during a step,
    // when forces and reactions have acted and not yet cancelled: a light mass between heavy ones makes much of that.
    void see_momenta(const Node<S>& node, double h) {
        const std::size_t d = v_.size();
        constexpr std::size_t most_columns = 32;  // of a dense M^-1
        std::vector<S> push(d, lit<S>(0)), column(d, lit<S>(0));
        manifold_.multipliers(node.t, node.q, node.p, lambda_);
        system_->force_gradient(node.t, node.q, node.p, push);
        std::vector<double> impulse(d);
        for (std::size_t j = 0; j < d; ++j) {
            impulse[j] = h * std::abs(to_double(push[j]));
        }
        const auto& pattern = system_->pattern();
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                impulse[pattern.column[e]] += h * std::abs(to_double(G_[e]) * to_double(lambda_[i]));
            }
        }
        for (std::size_t j = 0; j < d; ++j) {
            const double size = std::abs(to_double(node.p[j])) + impulse[j];
            momentum_[j] = std::isfinite(size) ? std::max(momentum_[j], size) : momentum_[j];
            jitter_[j] = fastest_;
        }
        if (const auto inverse = system_->inverse_masses(); !inverse.empty()) {
            for (std::size_t j = 0; j < d; ++j) {
                jitter_[j] = std::max(jitter_[j], std::abs(to_double(inverse[j])) * momentum_[j]);
            }
        } else if (d <= most_columns) {
            std::vector<double> sum(d, 0);
            for (std::size_t k = 0; k < d; ++k) {
                std::ranges::fill(push, lit<S>(0));
                push[k] = from_double<S>(momentum_[k]);
                system_->solve_mass(node.t, node.q, node.p, push, column);
                for (std::size_t j = 0; j < d; ++j) {
                    sum[j] += std::abs(to_double(column[j]));
                }
            }
            for (std::size_t j = 0; j < d; ++j) {
                jitter_[j] = std::isfinite(sum[j]) ? std::max(jitter_[j], sum[j]) : jitter_[j];
            }
        }
    }
    // Nonholonomic constraints count as hidden ones.
    void see_rolling(const Node<S>& node, double unit) {
        if (k_.empty()) {
            return;
        }
        const std::size_t d = v_.size();
        system_->velocity_constraints()->values(node.t, node.q, v_, k_);
        system_->velocity_constraints()->by_velocity(node.t, node.q, v_, K_);
        for (std::size_t i = 0; i < k_.size(); ++i) {
            double size = 0;
            for (std::size_t j = 0; j < d; ++j) {
                size += std::abs(to_double(K_[i * d + j])) * jitter_[j];
            }
            const double row = std::abs(to_double(k_[i]));
            keep(hidden_size, row);
            keep(hidden, row == 0 ? 0 : row / (unit * size));
        }
    }

    System<S>* system_;
    Manifold<S> manifold_;
    std::vector<S> G_, rows_, rounding_, v_, k_, K_, lambda_;
    std::vector<double> momentum_, jitter_;  // largest sizes of p during steps; what their rounding means for v
    double fastest_ = 0, farthest_ = 0;
};

}  // namespace libration
