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

#include "codegen/tape_code.hpp"
#include <libration/kit/make_system.hpp>

namespace libration {

namespace {

// Dual numbers and recorded steps serve smaller models.
constexpr std::size_t least_dimension = 200;

LIBRATION_INLINE void subtract(std::size_t count, const double* __restrict x, double* __restrict from) {
    for (std::size_t j = 0; j < count; ++j) {
        from[j] -= x[j];
    }
}

}  // namespace

bool RattleTangent::suits(const TangentTask& task, const Method& method) {
    const auto& model = *task.model;
    const bool moving =
        std::ranges::any_of(model.constraints, [](const Constraint& row) { return row.term.uses_time; });
    return method.name() == "rattle" && !task.mixed && model.dimension >= least_dimension && has_diagonal_mass(model) &&
           model.bodies.empty() && !moving;
}

RattleTangent::RattleTangent(const TangentTask& task, const ExtendedModel& extended)
    : task_(&task), d_(task.model->dimension), parameters_(extended.owner.size()),
      system_(make_system<double>(*task.model)), m_(system_->constraints()), matrix_(constraint_matrix(*system_)),
      manifold_(*system_), kick_drift_(*system_, *matrix_), transposed_(system_->pattern(), d_),
      here_(*system_, *matrix_), there_(*system_, *matrix_), q_(d_), p_(d_), next_q_(d_), next_p_(d_),
      history_(m_, KickDrift<double>::depth), of_lambda_(m_), h_(-task.sequence.first()) {
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

void RattleTangent::set_state(const RunState& state) {
    std::vector<double> low(d_);
    auto q = state.q;
    t_ = state.t;
    manifold_.refine_position(t_, q, low, state.p);
    q_.assign(q, low);
    p_.assign(state.p, {});
    kick_drift_.evaluate(t_, q_.high, p_.high, here_, evaluations_);
    history_.clear();
    of_lambda_.clear();
    for (auto* row : {&lambda_, &mu_, &d_mu_}) {
        std::ranges::fill(*row, 0.0);
    }
}

std::optional<TangentFailure> RattleTangent::go_back(const RunState& from, const RunState& to, StartTangent& w) {
    for (std::int64_t n = from.step; n > to.step; --n) {
        if (task_->stop != nullptr && task_->stop->requested()) {
            throw GradientStopped{};
        }
        if (!step(from.t + static_cast<double>(from.step - n + 1) * h_, n < from.step, w)) {
            return TangentFailure{n, t_, "the tangents of this step could not be computed; a smaller step may help"};
        }
        note_size(w);
    }
    std::ranges::fill(lambda_, 0.0);
    differentiate(w.q, 1, w);
    finish_arrival(w);
    collect_parameters(d_mu_, -1, w);
    note_size(w);
    return std::nullopt;
}

void RattleTangent::note_size(const StartTangent& w) {
    double sum = 0;
    for (std::size_t j = 0; j < d_; ++j) {
        sum += w.q[j] * w.q[j] + w.p[j] * w.p[j];
    }
    largest_ = std::max(largest_, std::sqrt(sum));
}

// The step of the state from this node to the next, then that of the tangent. `inner`: the tangent has not arrived.
bool RattleTangent::step(double t1, bool inner, StartTangent& w) {
    if (history_.filled() > 0) {
        history_.predict(lambda_);
    } else {
        manifold_.multipliers(t_, q_.high, p_.high, lambda_);
    }
    const auto report =
        kick_drift_.run(t1, q_, p_, here_, {h_ / 2, h_ / 2}, h_, lambda_, next_p_, next_q_, evaluations_);
    if (report.converged != 1) {
        return false;
    }
    history_.push(lambda_);
    kick_drift_.evaluate(t1, next_q_.high, next_p_.high, there_, evaluations_);
    differentiate(w.q, inner ? 2 : 1, w);
    if (inner) {
        finish_arrival(w);
    }
    if (!leave(w)) {
        return false;
    }
    finish_state(t1);
    return true;
}

// The second half of the kick, and the hidden constraint.
void RattleTangent::finish_state(double t1) {
    add_scaled<double>(next_p_, -h_ / 2, there_.force, next_p_);
    system_->velocity(t1, next_q_.high, next_p_.high, v_);
    kick_drift_.find_hidden_multipliers(t1, next_q_.high, there_, v_, mu_);
    transposed_.apply<double>(there_.G, mu_, w_);
    add_scaled<double>(next_p_, -1.0, w_, next_p_);
    swap(q_, next_q_);
    swap(p_, next_p_);
    swap(here_, there_);
    t_ = t1;
}

// Second derivatives at this node, as the end of the last step and the start of the next, each with its multipliers;
// in `kicks` of them it is.
void RattleTangent::differentiate(std::span<const double> direction, double kicks, StartTangent& w) {
    system_->velocity(t_, q_.high, p_.high, v_);
    differentiate_potential(direction, kicks, w);
    for (std::size_t j = 0; j < d_; ++j) {
        arriving_[j] = leaving_[j] = h_ / 2 * force_[j];
    }
    std::size_t row = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        rows_[k].along(t_, q_.high, direction, [&](std::size_t first, std::size_t count) LIBRATION_TUNED {
            take_rows(k, first, count, row + first, w);
        });
        row += rows_[k].instances();
    }
}

void RattleTangent::differentiate_potential(std::span<const double> direction, double kicks, StartTangent& w) {
    std::ranges::fill(force_, 0.0);
    for (auto& term : potential_) {
        term.along(t_, q_.high, direction, [&](std::size_t first, std::size_t count) LIBRATION_TUNED {
            for (std::size_t s = 0; s < term.slots(); ++s) {
                term.add_to_coordinates(s, first, count, term.curvature(s), force_.data());
            }
            for (std::size_t s = 0; s < term.parameter_slots(); ++s) {
                double* curvature = term.scratch();
                for (std::size_t l = 0; l < count; ++l) {
                    curvature[l] = -kicks * h_ / 2 * term.parameter_curvature(s)[l];
                }
                term.add_to_parameters(s, first, count, curvature, w.pi.data());
            }
        });
    }
}

LIBRATION_INLINE void RattleTangent::take_rows(std::size_t number, std::size_t first, std::size_t count,
                                               std::size_t row, StartTangent& w) {
    auto& term = rows_[number];
    const double* __restrict mu = mu_.data() + row, * __restrict lambda = lambda_.data() + row;
    double* __restrict hidden = hidden_.data() + row, * __restrict part = term.scratch();
    std::fill_n(hidden, count, 0.0);
    for (std::size_t s = 0; s < term.slots(); ++s) {
        const double* __restrict curvature = term.curvature(s);
        term.load(s, first, count, v_.data(), part);
        for (std::size_t l = 0; l < count; ++l) {
            hidden[l] += curvature[l] * part[l];
            part[l] = mu[l] * curvature[l];
        }
        term.add_to_coordinates(s, first, count, part, arriving_.data());
        for (std::size_t l = 0; l < count; ++l) {
            part[l] = h_ / 2 * lambda[l] * curvature[l];
        }
        term.add_to_coordinates(s, first, count, part, leaving_.data());
    }
    for (std::size_t s = 0; s < term.parameter_slots(); ++s) {
        const double* __restrict curvature = term.parameter_curvature(s);
        for (std::size_t l = 0; l < count; ++l) {
            part[l] = -(mu[l] + h_ / 2 * lambda[l]) * curvature[l];
        }
        term.add_to_parameters(s, first, count, part, w.pi.data());
        std::copy_n(term.parameter_slope(s), count, slopes_[number].data() + s * term.instances() + first);
    }
}

// dp of the node, from that of the middle of the step.
void RattleTangent::finish_arrival(StartTangent& w) {
    subtract(d_, arriving_.data(), w.p.data());
    system_->solve_mass(t_, q_.high, p_.high, w.p, w_);
    apply_jacobian<double>(system_->pattern(), here_.G, w_, d_mu_);
    for (std::size_t i = 0; i < m_; ++i) {
        d_mu_[i] += hidden_[i];
    }
    matrix_->solve(here_.A, d_mu_);
    transposed_.apply<double>(here_.G, d_mu_, w_);
    subtract(d_, w_.data(), w.p.data());
}

// To dp of the middle of the step, and dq of its end.
bool RattleTangent::leave(StartTangent& w) {
    const auto* inverse = system_->inverse_masses().data();
    for (std::size_t j = 0; j < d_; ++j) {
        w.p[j] -= leaving_[j];
        w.q[j] += h_ * inverse[j] * w.p[j];
    }
    if (m_ > 0 && !find_reactions(w.q)) {
        return false;
    }
    transposed_.apply<double>(here_.G, d_lambda_, w_);
    for (std::size_t j = 0; j < d_; ++j) {
        w.p[j] -= w_[j];
        w.q[j] -= h_ * inverse[j] * w_[j];
    }
    for (std::size_t i = 0; i < m_; ++i) {
        change_[i] = d_lambda_[i] + d_mu_[i];
        d_mu_[i] = 0;
    }
    collect_parameters(change_, -1, w);
    return true;
}

// h G1 W G^T dl = G1 dq, with dq as it would be without reactions. The matrix is nearly that of a node, which is
// factored: corrections shrink like h.
bool RattleTangent::find_reactions(std::span<const double> dq) {
    const auto* inverse = system_->inverse_masses().data();
    constexpr int most_passes = 60;
    apply_jacobian<double>(system_->pattern(), there_.G, dq, rhs_);
    if (of_lambda_.filled() > 0) {
        of_lambda_.predict(d_lambda_);
    } else {
        std::ranges::fill(d_lambda_, 0.0);
    }
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < most_passes; ++pass) {
        transposed_.for_blocks<double>(here_.G, d_lambda_,
                                       [&](std::size_t first, std::size_t count, const double* sums) LIBRATION_TUNED {
                                           for (std::size_t l = 0; l < count; ++l) {
                                               w_[first + l] = h_ * inverse[first + l] * sums[l];
                                           }
                                       });
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
        // Round-off, or what is left of it where the matrix amplifies it.
        if (!(size > 4 * epsilon<double>() * largest) || (size < 1e-12 * largest && size > before / 4)) {
            of_lambda_.push(d_lambda_);
            return std::isfinite(size);
        }
        // The next correction would be smaller by the factor by which this one is.
        if (pass > 0 && size < before && size / before * size < epsilon<double>() * largest) {
            of_lambda_.push(d_lambda_);
            return true;
        }
        before = size;
    }
    return false;
}

// pi += sign g_theta^T y
void RattleTangent::collect_parameters(std::span<const double> y, double sign, StartTangent& w) {
    std::size_t row = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
        auto& term = rows_[k];
        for (std::size_t s = 0; s < term.parameter_slots(); ++s) {
            const double* slopes = slopes_[k].data() + s * term.instances();
            for (std::size_t first = 0; first < term.instances(); first += term.lanes()) {
                const std::size_t count = std::min(term.lanes(), term.instances() - first);
                double* part = term.scratch();
                for (std::size_t l = 0; l < count; ++l) {
                    part[l] = sign * slopes[first + l] * y[row + first + l];
                }
                term.add_to_parameters(s, first, count, part, w.pi.data());
            }
        }
        row += term.instances();
    }
}

StartTangent RattleTangent::end_tangent(const StartTangent& gradient) {
    StartTangent w{gradient.p, gradient.q, gradient.pi}, none{{}, {}, std::vector<double>(parameters_)};
    for (auto* x : {&w.p, &w.pi}) {
        for (auto& value : *x) {
            value = -value;
        }
    }
    if (m_ == 0) {
        return w;
    }
    // The fields of G v move q until G w_q = 0, and p by their own changes with q: along v, with multipliers mu.
    apply_jacobian<double>(system_->pattern(), here_.G, w.q, mu_);
    for (auto& value : mu_) {
        value = -value;
    }
    matrix_->solve(here_.A, mu_);
    transposed_.apply<double>(here_.G, mu_, w_);
    const auto* inverse = system_->inverse_masses().data();
    for (std::size_t j = 0; j < d_; ++j) {
        w.q[j] += inverse[j] * w_[j];
    }
    const auto v = [&] {
        std::vector<double> velocity(d_);
        system_->velocity(t_, q_.high, p_.high, velocity);
        return velocity;
    }();
    differentiate(v, 0, w);
    for (std::size_t j = 0; j < d_; ++j) {
        w.p[j] -= arriving_[j] - h_ / 2 * force_[j];
    }
    std::ranges::fill(mu_, 0.0);
    // Those of g move p until the derivative of G v along w vanishes.
    differentiate(w.q, 0, none);
    system_->solve_mass(t_, q_.high, p_.high, w.p, w_);
    apply_jacobian<double>(system_->pattern(), here_.G, w_, change_);
    for (std::size_t i = 0; i < m_; ++i) {
        change_[i] = -(change_[i] + hidden_[i]);
    }
    matrix_->solve(here_.A, change_);
    transposed_.apply<double>(here_.G, change_, w_);
    for (std::size_t j = 0; j < d_; ++j) {
        w.p[j] += w_[j];
    }
    collect_parameters(change_, 1, w);
    return w;
}

RowSums RattleTangent::row_sums() {
    RowSums sums(d_ + parameters_, d_);
    std::vector<double> v(d_);
    system_->velocity(t_, q_.high, p_.high, v);
    const auto& pattern = system_->pattern();
    std::size_t row = 0;
    for (std::size_t i = 0; i < m_; ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            const auto j = pattern.column[e];
            sums.add_slope(i, j, here_.G[e], {q_.high[j], v[j]});
        }
        sums.end_row();
    }
    for (auto& term : rows_) {
        term.along(t_, q_.high, v, [&](std::size_t first, std::size_t count) {
            for (std::size_t l = 0; l < count; ++l) {
                for (std::size_t s = 0; s < term.slots(); ++s) {
                    sums.add_curvature(row + first + l, term.coordinate(first + l, s), term.curvature(s)[l]);
                }
                for (std::size_t s = 0; s < term.parameter_slots(); ++s) {
                    const auto j = term.parameter(first + l, s);
                    sums.add_slope(row + first + l, j, term.parameter_slope(s)[l], {1, 0});
                    sums.add_curvature(row + first + l, j, term.parameter_curvature(s)[l]);
                }
            }
        });
        row += term.instances();
    }
    sums.divide_by_masses(system_->inverse_masses());
    return sums;
}

}  // namespace libration
