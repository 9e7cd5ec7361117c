// The step, with h for -h and x for the coordinates of the model, and its tangent (dx, dp, dpi), pi the momenta of
// parameters theta, whose own tangent is zero:
//
//     p_m = p - h/2 U_x - G^T l,     x1 = x + h W p_m,   0 = g(x1);       p1 = p_m - h/2 U_x(x1) - G1^T m,  0 = G1 W p1
//     dp_m = a - G^T dl,  a = dp - (h/2 U_xx + l g_xx) dx,  dx1 = dx + h W dp_m,      h G1 W G^T dl = G1 (dx + h W a)
//     dp1 = b - G1^T dm,  b = dp_m - (h/2 U_xx + m g_xx) dx1,          G1 W G1^T dm = G1 W b + (g_xx dx1) . W p1
//     dpi1 = dpi - (h/2 U_theta x + l g_theta x) dx - g_theta^T dl, and the same at x1 with m
//
// W = M^-1. What belongs to a node, as the end of a step and the start of the next, is evaluated once. [HLW03 (6.12)]
#include "rattle_tangent.hpp"
#include "backward_run.hpp"
#include "parameter_adjoint.hpp"
#include "term_tangent.hpp"

#include "codegen/tape_code.hpp"
#include "manifold/multiplier_history.hpp"
#include "methods/kick_drift.hpp"
#include <libration/kit/make_system.hpp>

namespace libration {

namespace {

// Dual numbers and recorded steps serve smaller models.
constexpr std::size_t least_dimension = 200;

}  // namespace

class RattleTangent::Steps {
  public:
    Steps(const TangentTask& task, const ExtendedModel& extended)
        : task_(&task), d_(task.model->dimension), system_(make_system<double>(*task.model)), m_(system_->constraints()),
          matrix_(constraint_matrix(*system_)), manifold_(*system_), kick_drift_(*system_, *matrix_),
          transposed_(system_->pattern(), d_), here_(*system_, *matrix_), there_(*system_, *matrix_), q_(d_), p_(d_),
          next_q_(d_), next_p_(d_), history_(m_, KickDrift<double>::depth), of_lambda_(m_, KickDrift<double>::depth) {
        const auto given = parameter_values<double>(*task.model);
        for (const auto& term : extended.model.potential) {
            potential_.emplace_back(term, d_, given);
        }
        for (const auto& constraint : extended.model.constraints) {
            rows_.emplace_back(constraint.term, d_, given);
            slopes_.emplace_back(rows_.back().instances() * rows_.back().parameter_slots());
        }
        for (auto* x : {&v_, &w_, &arriving_, &leaving_, &force_}) {
            x->resize(d_);
        }
        for (auto* row : {&lambda_, &mu_, &d_lambda_, &d_mu_, &rhs_, &hidden_, &change_}) {
            row->resize(m_);
        }
        TapeCode code;
        system_->visit_tapes(code);
        for (auto* terms : {&potential_, &rows_}) {
            for (auto& term : *terms) {
                term.visit_tapes(code);
            }
        }
        std::string why_not;
        static_cast<void>(code.generate(why_not));  // what is interpreted is only slower
    }

    std::optional<TangentFailure> go_back(const RunState& from, const RunState& to, std::span<double> q,
                                          std::span<double> p) {
        dq_ = q.first(d_);
        dp_ = p.first(d_);
        dpi_ = p.subspan(d_);
        h_ = -task_->step;
        start(from);
        for (std::int64_t n = from.step; n > to.step; --n) {
            if (task_->stop != nullptr && task_->stop->requested()) {
                throw GradientStopped{};
            }
            const double t = from.t - static_cast<double>(from.step - n) * task_->step;
            if (!step(t, t + h_, n < from.step)) {
                return TangentFailure{n, t, "the tangents of this step could not be computed; a smaller step may help"};
            }
            note_size();
        }
        arrive(from.t - static_cast<double>(from.step - to.step) * task_->step);
        note_size();
        return std::nullopt;
    }

    [[nodiscard]] std::span<const double> q() const { return q_.high; }
    [[nodiscard]] std::span<const double> p() const { return p_.high; }
    [[nodiscard]] double largest() const { return largest_; }

  private:
    void start(const RunState& from) {
        std::vector<double> low(d_);
        auto q = from.q;
        manifold_.refine_position(from.t, q, low, from.p);
        q_.assign(q, low);
        p_.assign(from.p, {});
        kick_drift_.evaluate(from.t, q_.high, p_.high, here_, evaluations_);
        history_.clear();
        of_lambda_.clear();
        std::ranges::fill(mu_, 0.0);
        std::ranges::fill(d_mu_, 0.0);
    }

    void note_size() {
        double sum = 0;
        for (std::size_t j = 0; j < d_; ++j) {
            sum += dq_[j] * dq_[j] + dp_[j] * dp_[j];
        }
        largest_ = std::max(largest_, std::sqrt(sum));
    }

    // The step of the state from this node to the next, then that of the tangent. `inner`: the tangent has not arrived.
    bool step(double t, double t1, bool inner) {
        const double half = h_ / 2;
        if (history_.filled() > 0) {
            history_.predict(lambda_);
        } else {
            manifold_.multipliers(t, q_.high, p_.high, lambda_);
        }
        const auto report = kick_drift_.run(t1, q_, p_, here_, {half, half}, h_, lambda_, next_p_, next_q_, evaluations_);
        if (report.converged != 1) {
            return false;
        }
        history_.push(lambda_);
        kick_drift_.evaluate(t1, next_q_.high, next_p_.high, there_, evaluations_);
        differentiate(t, inner ? 1.0 : 0.0, 1.0);
        if (inner) {
            finish_arrival();
        }
        if (!leave()) {
            return false;
        }
        arrive_state(t1);
        return true;
    }

    // The rest of the step of the state: the second half of the kick, and the hidden constraint.
    void arrive_state(double t1) {
        add_scaled<double>(next_p_, -h_ / 2, there_.force, next_p_);
        system_->velocity(t1, next_q_.high, next_p_.high, v_);
        kick_drift_.find_hidden_multipliers(t1, next_q_.high, there_, v_, mu_);
        transposed_.apply<double>(there_.G, mu_, w_);
        add_scaled<double>(next_p_, -1.0, w_, next_p_);
        swap(q_, next_q_);
        swap(p_, next_p_);
        swap(here_, there_);
    }

    // The tangent at the last node.
    void arrive(double t) {
        std::ranges::fill(lambda_, 0.0);
        differentiate(t, 1, 0);
        finish_arrival();
        collect_parameters(d_mu_);
    }

    // Second derivatives at this node: of the end of the last step and the start of the next, each with its multipliers.
    void differentiate(double t, double ends, double starts) {
        std::ranges::fill(arriving_, 0.0);
        std::ranges::fill(leaving_, 0.0);
        std::ranges::fill(force_, 0.0);
        system_->velocity(t, q_.high, p_.high, v_);
        for (auto& term : potential_) {
            term.along(t, q_.high, dq_, [&](std::size_t first, std::size_t count) {
                for (std::size_t s = 0; s < term.slots(); ++s) {
                    const double* curvature = term.curvature(s);
                    for (std::size_t l = 0; l < count; ++l) {
                        force_[term.coordinate(first + l, s)] += curvature[l];
                    }
                }
                for (std::size_t s = 0; s < term.parameter_slots(); ++s) {
                    const double* curvature = term.parameter_curvature(s);
                    for (std::size_t l = 0; l < count; ++l) {
                        dpi_[term.parameter(first + l, s) - d_] -= (ends + starts) * h_ / 2 * curvature[l];
                    }
                }
            });
        }
        std::size_t row = 0;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            rows_[k].along(t, q_.high, dq_, [&](std::size_t first, std::size_t count) {
                take_rows(rows_[k], slopes_[k], first, count, row + first);
            });
            row += rows_[k].instances();
        }
        for (std::size_t j = 0; j < d_; ++j) {
            arriving_[j] += h_ / 2 * force_[j];
            leaving_[j] += h_ / 2 * force_[j];
        }
    }

    void take_rows(const TermTangent& term, std::vector<double>& slopes, std::size_t first, std::size_t count,
                   std::size_t row) {
        const double *mu = mu_.data() + row, *lambda = lambda_.data() + row;
        double* hidden = hidden_.data() + row;
        std::fill_n(hidden, count, 0.0);
        for (std::size_t s = 0; s < term.slots(); ++s) {
            const double* curvature = term.curvature(s);
            for (std::size_t l = 0; l < count; ++l) {
                const auto j = term.coordinate(first + l, s);
                hidden[l] += curvature[l] * v_[j];
                arriving_[j] += mu[l] * curvature[l];
                leaving_[j] += h_ / 2 * lambda[l] * curvature[l];
            }
        }
        const std::size_t width = term.parameter_slots();
        for (std::size_t s = 0; s < width; ++s) {
            const double *curvature = term.parameter_curvature(s), *slope = term.parameter_slope(s);
            for (std::size_t l = 0; l < count; ++l) {
                dpi_[term.parameter(first + l, s) - d_] -= (mu[l] + h_ / 2 * lambda[l]) * curvature[l];
                slopes[(first + l) * width + s] = slope[l];
            }
        }
    }

    // dp of the node, from that of the middle of the step.
    void finish_arrival() {
        for (std::size_t j = 0; j < d_; ++j) {
            dp_[j] -= arriving_[j];
        }
        system_->solve_mass(0, q_.high, p_.high, dp_, w_);
        apply_jacobian<double>(system_->pattern(), here_.G, w_, d_mu_);
        for (std::size_t i = 0; i < m_; ++i) {
            d_mu_[i] += hidden_[i];
        }
        matrix_->solve(here_.A, d_mu_);
        transposed_.apply<double>(here_.G, d_mu_, w_);
        for (std::size_t j = 0; j < d_; ++j) {
            dp_[j] -= w_[j];
        }
    }

    // To dp of the middle of the step, and dq of its end.
    bool leave() {
        const auto inverse = system_->inverse_masses();
        for (std::size_t j = 0; j < d_; ++j) {
            dp_[j] -= leaving_[j];
            dq_[j] += h_ * inverse[j] * dp_[j];
        }
        if (m_ > 0 && !find_reactions()) {
            return false;
        }
        transposed_.apply<double>(here_.G, d_lambda_, w_);
        for (std::size_t j = 0; j < d_; ++j) {
            dp_[j] -= w_[j];
            dq_[j] -= h_ * inverse[j] * w_[j];
        }
        for (std::size_t i = 0; i < m_; ++i) {
            change_[i] = d_lambda_[i] + d_mu_[i];
        }
        collect_parameters(change_);
        std::ranges::fill(d_mu_, 0.0);
        return true;
    }

    // h G1 W G^T dl = G1 dx1 as it would be without reactions. The matrix is nearly that of a node, which is factored:
    // corrections shrink like h.
    bool find_reactions() {
        const auto inverse = system_->inverse_masses();
        constexpr int most_passes = 60;
        apply_jacobian<double>(system_->pattern(), there_.G, dq_, rhs_);
        if (of_lambda_.filled() > 0) {
            of_lambda_.predict(d_lambda_);
        } else {
            std::ranges::fill(d_lambda_, 0.0);
        }
        double before = std::numeric_limits<double>::infinity();
        for (int pass = 0; pass < most_passes; ++pass) {
            transposed_.apply<double>(here_.G, d_lambda_, w_);
            for (std::size_t j = 0; j < d_; ++j) {
                w_[j] *= h_ * inverse[j];
            }
            apply_jacobian<double>(system_->pattern(), there_.G, w_, change_);
            for (std::size_t i = 0; i < m_; ++i) {
                change_[i] = (rhs_[i] - change_[i]) / h_;
            }
            matrix_->solve(there_.A, change_);
            double size = 0, largest = 0;
            for (std::size_t i = 0; i < m_; ++i) {
                d_lambda_[i] += change_[i];
                size = std::max(size, std::abs(change_[i]));
                largest = std::max(largest, std::abs(d_lambda_[i]));
            }
            if (!(size > 4 * epsilon<double>() * largest) || (size < 1e-12 * largest && size > before / 4)) {
                of_lambda_.push(d_lambda_);
                return std::isfinite(size);
            }
            before = size;
        }
        return false;
    }

    // dpi -= g_theta^T y
    void collect_parameters(std::span<const double> y) {
        std::size_t row = 0;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            const std::size_t width = rows_[k].parameter_slots();
            for (std::size_t i = 0; i < rows_[k].instances(); ++i) {
                for (std::size_t s = 0; s < width; ++s) {
                    dpi_[rows_[k].parameter(i, s) - d_] -= slopes_[k][i * width + s] * y[row + i];
                }
            }
            row += rows_[k].instances();
        }
    }

    const TangentTask* task_;
    std::size_t d_;
    std::unique_ptr<System<double>> system_;
    std::size_t m_;
    std::shared_ptr<ConstraintMatrix<double>> matrix_;
    Manifold<double> manifold_;
    KickDrift<double> kick_drift_;
    TransposedProduct transposed_;
    PositionData<double> here_, there_;
    PairVector<double> q_, p_, next_q_, next_p_;
    MultiplierHistory<double> history_, of_lambda_;
    std::vector<TermTangent> potential_, rows_;
    std::vector<std::vector<double>> slopes_;  // of rows to parameters, [instance][slot]
    std::vector<double> v_, w_, arriving_, leaving_, force_;
    std::vector<double> lambda_, mu_, d_lambda_, d_mu_, rhs_, hidden_, change_;
    std::span<double> dq_, dp_, dpi_;
    Evaluations<double> evaluations_;
    double h_ = 0, largest_ = 0;
};

std::unique_ptr<RattleTangent> RattleTangent::of(const TangentTask& task, const Method& method,
                                                 const ExtendedModel& extended) {
    const auto& model = *task.model;
    const bool moving = std::ranges::any_of(model.constraints, [](const Constraint& row) { return row.term.uses_time; });
    if (method.name() != "rattle" || task.mixed || model.dimension < least_dimension || !has_diagonal_mass(model) ||
        !model.bodies.empty() || moving) {
        return nullptr;
    }
    return std::make_unique<RattleTangent>(task, extended);
}

RattleTangent::RattleTangent(const TangentTask& task, const ExtendedModel& extended)
    : steps_(std::make_unique<Steps>(task, extended)) {}
RattleTangent::~RattleTangent() = default;

std::optional<TangentFailure> RattleTangent::go_back(const RunState& from, const RunState& to, std::span<double> q,
                                                     std::span<double> p) {
    return steps_->go_back(from, to, q, p);
}
std::span<const double> RattleTangent::end_q() const { return steps_->q(); }
std::span<const double> RattleTangent::end_p() const { return steps_->p(); }
double RattleTangent::largest_size() const { return steps_->largest(); }

}  // namespace libration
