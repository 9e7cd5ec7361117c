// The running method of bdf(k): the past as nodes, a one-step method of high order for the first of them.
#pragma once

#include "manifold/solve.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <algorithm>

namespace libration {

inline int bdf_order(const MethodSpec& spec) {
    check_number_of_parameters(spec, 1);
    return whole_parameter(spec, 0, {.name = "the order", .low = 1, .high = 6});
}

// y_n+1 = sum_i past[i] y_n-i + h slope y'_n+1, as whole numbers over one denominator.
struct BdfFormula {
    std::array<std::int64_t, 6> past{};
    std::int64_t slope = 0, denominator = 1;
};

// 60 sum_j nabla^j y / j is whole for j = 1..6.
inline BdfFormula bdf_formula(int k) {
    BdfFormula formula;
    std::array<std::int64_t, 7> weight{};  // of y_n+1-i
    for (int j = 1; j <= k; ++j) {
        std::int64_t binomial = 1;
        for (int i = 0; i <= j; ++i) {
            weight[static_cast<std::size_t>(i)] += (i % 2 == 0 ? 60 : -60) / j * binomial;
            binomial = binomial * (j - i) / (i + 1);
        }
    }
    formula.slope = 60;
    formula.denominator = weight[0];
    for (int i = 1; i <= k; ++i) {
        formula.past[static_cast<std::size_t>(i - 1)] = -weight[static_cast<std::size_t>(i)];
    }
    return formula;
}

// Order 8, at least k + 2: its errors, divided by h^2, do not show in the multipliers.
inline Method bdf_starter() { return method("compose(rattle, kahanli8)"); }

template <class S>
class BdfStepper final : public Stepper<S> {
  public:
    BdfStepper(System<S>& system, int k)
        : system_(&system), matrix_(constraint_matrix(system)), starter_(make_map<S>(bdf_starter(), system)),
          formula_(bdf_formula(k)), past_(static_cast<std::size_t>(k), PastNode(system.dimension())),
          z_(system, *matrix_), z1_(system, *matrix_), here_(system, *matrix_), there_(here_),
          base_q_(system.dimension()), base_p_(system.dimension()),
          unknowns_(2 * system.dimension() + system.constraints(), lit<S>(0)), correction_(unknowns_),
          solution_(unknowns_), floor_(unknowns_), w_(system.dimension(), lit<S>(0)),
          rows_(system.constraints(), lit<S>(0)), clock_{lit<S>(0), lit<S>(0), lit<S>(0)} {
        starter_->reserve(1);
    }

    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        clock_ = {node.t, lit<S>(0), h};
        z_.q.assign(node.q, node.q_low);
        z_.p.assign(node.p, {});
        evaluations_ = {};
        starter_->prepare(node.t, z_, evaluations_);
        remember(z_);
        known_ = 1;
        solved_ = 0;
    }

    StepReport<S> advance() override {
        next_evaluations_ = evaluations_;
        MapReport<S> report;
        if (starting()) {
            report = starter_->apply({time(0), time(1), clock_[2]}, z_, z1_, next_evaluations_);
        } else {
            report = step(time(1));
        }
        return {report.converged, report.residual, report.pivot, total(z1_.q, z1_.p)};
    }

    void accept() override {
        if (starting()) {
            starter_->accept();
            ++known_;
        } else {
            std::copy(unknowns_.begin(), unknowns_.end(), solution_.begin());
            std::swap(here_, there_);
            solved_ = 1;
        }
        std::swap(z_, z1_);
        remember(z_);
        evaluations_ = next_evaluations_;
        clock_[1] = clock_[1] + lit<S>(1);
    }

    [[nodiscard]] std::span<const S> pivot_position() const override { return z1_.q.high; }
    Node<S> trial_node() override { return {time(1), z1_.q.high, z1_.q.low, z1_.p.high}; }
    Node<S> node() override { return {time(0), z_.q.high, z_.q.low, z_.p.high}; }
    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

    void visit(MemoryVisitor<S>& visitor) override {
        visitor.array("clock", clock_);
        visitor.array("q", z_.q.high);
        visitor.array("q_low", z_.q.low);
        visitor.array("p", z_.p.high);
        visitor.array("p_low", z_.p.low);
        z_.at.visit(visitor);
        here_.visit(visitor);
        for (auto& node : past_) {
            visitor.array("past_q", node.q.high);
            visitor.array("past_q_low", node.q.low);
            visitor.array("past_p", node.p.high);
            visitor.array("past_p_low", node.p.low);
        }
        visitor.array("solution", solution_);
        visitor.integer("known", known_);
        visitor.integer("solved", solved_);
        starter_->visit(visitor);
        visitor.array("evaluations", evaluations_.count);
    }

  private:
    struct PastNode {
        PairVector<S> q, p;
        explicit PastNode(std::size_t d) : q(d), p(d) {}
    };

    // t0 + (n + ahead) h, free of accumulated rounding
    [[nodiscard]] S time(int ahead) const {
        return clock_[0] + (ahead == 0 ? clock_[1] : clock_[1] + lit<S>(ahead)) * clock_[2];
    }

    // The newest is the first.
    void remember(const State<S>& z) {
        std::rotate(past_.begin(), past_.end() - 1, past_.end());
        past_.front().q = z.q;
        past_.front().p = z.p;
    }

    // sum_i c_i y_n-i = y_n + sum_i c_i (y_n-i - y_n), because the weights add up to 1
    void extrapolate(PairVector<S> PastNode::*which, PairVector<S>& sum) {
        const auto& newest = past_.front().*which;
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        for (std::size_t i = 1; i < past_.size(); ++i) {
            const auto& old = past_[i].*which;
            const S weight = lit<S>(formula_.past[i], formula_.denominator);
            for (std::size_t j = 0; j < w_.size(); ++j) {
                w_[j] = mad(weight, S((old.high[j] - newest.high[j]) + (old.low[j] - newest.low[j])), w_[j]);
            }
        }
        add_scaled<S>(newest, lit<S>(1), w_, sum);
    }

    MapReport<S> step(const S& t1) {
        extrapolate(&PastNode::q, base_q_);
        extrapolate(&PastNode::p, base_p_);
        const S hb = clock_[2] * lit<S>(formula_.slope, formula_.denominator);
        guess();
        const auto report = iterate(IterationControl{}, std::span<S>(unknowns_), std::span<S>(correction_),
                                    [&](std::span<const S> x, std::span<S> dx) { return newton_pass(t1, hb, x, dx); });
        place(hb, unknowns_);
        const S passes = from_real<S>(report.passes);
        next_evaluations_.add(Evaluations<S>::force, lit<S>(1) + passes);
        next_evaluations_.add(Evaluations<S>::newton_iterations, passes);
        if (!rows_.empty()) {
            next_evaluations_.add(Evaluations<S>::constraint, lit<S>(1) + passes);
            next_evaluations_.add(Evaluations<S>::jacobian, lit<S>(1) + passes);
        }
        there_.evaluate_constraints(*system_, *matrix_, t1, z1_.q.high, z1_.p.high, next_evaluations_);
        const Real<S> one = lit<Real<S>>(1);
        return {report.converged, constraint_residual_, select(equal(report.converged, one), there_.pivot, one)};
    }

    // The solution of the last step, or the motion as it would go on without multipliers.
    void guess() {
        std::copy(solution_.begin(), solution_.end(), unknowns_.begin());
        if (solved_ == 0) {
            const std::size_t d = w_.size();
            std::fill(unknowns_.begin(), unknowns_.end(), lit<S>(0));
            system_->force_gradient(time(0), z_.q.high, z_.p.high, std::span<S>(unknowns_).first(d));
            system_->velocity(time(0), z_.q.high, z_.p.high, std::span<S>(unknowns_).subspan(d, d));
            next_evaluations_.add(Evaluations<S>::force);
            here_.evaluate_constraints(*system_, *matrix_, time(0), z_.q.high, z_.p.high, next_evaluations_);
        }
    }

    // (q1, p1) of the unknowns
    void place(const S& hb, std::span<const S> x) {
        const std::size_t d = w_.size();
        add_scaled<S>(base_p_, S(-hb), x.first(d), z1_.p);
        add_scaled<S>(base_q_, hb, x.subspan(d, d), z1_.q);
    }

    // With rF = H_q + G^T lambda - F, rV = H_p - V:   A dlambda = g/(hb)^2 + G rV/(hb) - G H_pp rF,   dF = rF + G^T
    // dlambda, dV = rV - hb H_pp dF.
    Real<S> newton_pass(const S& t1, const S& hb, std::span<const S> x, std::span<S> dx) {
        const std::size_t d = w_.size(), m = rows_.size();
        const auto& pattern = system_->pattern();
        const auto dF = dx.first(d), dV = dx.subspan(d, d), dlambda = dx.subspan(2 * d, m);
        const auto lambda = x.subspan(2 * d, m);
        place(hb, x);
        const auto q = std::span<const S>(z1_.q.high), p = std::span<const S>(z1_.p.high);
        auto& G = there_.G;
        if (m > 0) {
            system_->jacobian(t1, q, G, there_.rounding);
            system_->constraint(t1, q, z1_.q.low, dlambda);
        }
        system_->force_gradient(t1, q, p, dF);
        add_transposed<S>(pattern, G, lambda, dF);
        system_->velocity(t1, q, p, dV);
        for (std::size_t j = 0; j < d; ++j) {
            dF[j] = dF[j] - x[j];
            dV[j] = dV[j] - x[d + j];
        }
        const Real<S> worst = residual(hb, x, dx);
        if (m > 0) {
            const S inverse = lit<S>(1) / hb;
            system_->solve_mass(t1, q, p, dF, w_);
            for (std::size_t j = 0; j < d; ++j) {
                w_[j] = mad(inverse, dV[j], -w_[j]);
            }
            apply_jacobian<S>(pattern, G, w_, rows_);
            for (std::size_t i = 0; i < m; ++i) {
                dlambda[i] = mad(S(inverse * inverse), dlambda[i], rows_[i]);
            }
            matrix_->solve(here_.A, dlambda);
            add_transposed<S>(pattern, G, dlambda, dF);
        }
        system_->solve_mass(t1, q, p, dF, w_);
        for (std::size_t j = 0; j < d; ++j) {
            dV[j] = mad(S(-hb), w_[j], dV[j]);
        }
        return worst;
    }

    // In floors: of F and V by the last digits of the momenta and positions that they move and their own, of g by its
    // evaluation and what is added to q.
    Real<S> residual(const S& hb, std::span<const S> x, std::span<const S> r) {
        const std::size_t d = w_.size(), m = rows_.size();
        const S eps = from_real<S>(epsilon<S>()), inverse = lit<S>(1) / magnitude(hb);
        std::fill(w_.begin(), w_.end(), lit<S>(0));
        add_transposed_sizes<S>(system_->pattern(), there_.G, x.subspan(2 * d, m), w_);
        const S least = larger_parts(least_size<S>(x.subspan(d, d)), S(inverse * least_correction<S>()));
        S force = lit<S>(0), velocity = lit<S>(0);  // the largest: a coordinate may rest
        for (std::size_t j = 0; j < d; ++j) {
            force = larger_parts(force, mad(inverse, magnitude(z1_.p.high[j]), w_[j] + magnitude(x[j])));
            velocity = larger_parts(velocity, mad(inverse, magnitude(z1_.q.high[j]), magnitude(x[d + j])));
            w_[j] = mad(magnitude(hb), larger_parts(magnitude(x[d + j]), least), eps * magnitude(z1_.q.high[j]));
        }
        for (std::size_t j = 0; j < d; ++j) {
            floor_[j] = eps * force;
            floor_[d + j] = eps * velocity;
        }
        constraint_floors<S>(system_->pattern(), there_.G, w_, there_.rounding, std::span<S>(floor_).subspan(2 * d, m));
        constraint_residual_ = largest_in_floors<S>(r.subspan(2 * d, m), std::span<const S>(floor_).subspan(2 * d, m));
        return largest_in_floors<S>(r, floor_);
    }

    [[nodiscard]] bool starting() const { return known_ < static_cast<std::int64_t>(past_.size()); }

    System<S>* system_;
    std::shared_ptr<ConstraintMatrix<S>> matrix_;
    std::unique_ptr<Map<S>> starter_;
    BdfFormula formula_;
    std::vector<PastNode> past_;
    State<S> z_, z1_;
    PositionData<S> here_, there_;  // constraints only
    PairVector<S> base_q_, base_p_;
    std::vector<S> unknowns_, correction_, solution_, floor_, w_, rows_;
    std::array<S, 3> clock_;               // t0, steps done, h
    std::int64_t known_ = 0, solved_ = 0;  // nodes, and whether there is a solution of a step before
    Evaluations<S> evaluations_, next_evaluations_;
    Real<S> constraint_residual_ = lit<Real<S>>(0);  // of the last pass, in floors
};

}  // namespace libration
