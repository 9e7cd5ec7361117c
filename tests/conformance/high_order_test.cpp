// Orders up to 20 are seen, and what methods of high order lack is seen too. Gauss and Radau methods by fixed-point
// iteration, for unconstrained systems: slow and short.
#include "lies.hpp"

#include "coefficients/tableau.hpp"
#include <libration/kit/method_record.hpp>

#include <cmath>

namespace libration::conformance {
namespace {

template <class S>
class FixedPointStepper final : public Stepper<S> {
  public:
    FixedPointStepper(System<S>& system, const Tableau& tableau)
        : system_(&system), s_(tableau.stages), d_(system.dimension()), q_(d_, lit<S>(0)), p_(q_), q1_(q_), p1_(q_),
          Q_(s_ * d_, lit<S>(0)), P_(Q_), v_(Q_), f_(Q_), t_(lit<S>(0)), h_(lit<S>(0)) {
        for (const auto& a : tableau.A) {
            A_.push_back(as_scalar<S>(a));
        }
        for (const auto& b : tableau.b) {
            b_.push_back(as_scalar<S>(b));
        }
    }
    using Stepper<S>::start;
    void start(const Node<S>& node, const S& h) override {
        t_ = node.t;
        h_ = h;
        q_.assign(node.q.begin(), node.q.end());
        p_.assign(node.p.begin(), node.p.end());
        evaluations_ = {};
    }
    // Passes go on until the change of the stages does not shrink any more, and then as long again: derivatives arrive
    // later.
    StepReport<S> advance() override {
        using R = Real<S>;
        for (std::size_t i = 0; i < s_; ++i) {
            std::copy(q_.begin(), q_.end(), Q_.begin() + static_cast<std::ptrdiff_t>(i * d_));
            std::copy(p_.begin(), p_.end(), P_.begin() + static_cast<std::ptrdiff_t>(i * d_));
        }
        double change = 1e300;
        int last = 300;
        for (int pass = 0; pass < last; ++pass) {
            const double next = pass_over_stages();
            last = last == 300 && pass > 2 && next >= change && next < 1e-10 ? 2 * pass : last;
            change = next;
        }
        R size = lit<R>(0);
        for (std::size_t k = 0; k < d_; ++k) {
            S dq = lit<S>(0), dp = lit<S>(0);
            for (std::size_t i = 0; i < s_; ++i) {
                dq = dq + b_[i] * v_[i * d_ + k];
                dp = dp + b_[i] * f_[i * d_ + k];
            }
            q1_[k] = q_[k] + h_ * dq;
            p1_[k] = p_[k] - h_ * dp;
            size = size + real_part(absv(q1_[k])) + real_part(absv(p1_[k]));
        }
        return {change < 1e-10 ? lit<R>(1) : lit<R>(0), lit<R>(0), lit<R>(1), size};
    }
    void accept() override {
        std::swap(q_, q1_);
        std::swap(p_, p1_);
        t_ = t_ + h_;
    }
    [[nodiscard]] std::span<const S> pivot_position() const override { return q1_; }
    Node<S> trial_node() override { return {t_ + h_, q1_, {}, p1_}; }
    Node<S> node() override { return {t_, q_, {}, p_}; }
    void visit(MemoryVisitor<S>&) override {}
    [[nodiscard]] const Evaluations<S>& evaluations() const override { return evaluations_; }

  private:
    std::span<S> stage(std::vector<S>& all, std::size_t i) { return std::span(all).subspan(i * d_, d_); }

    double pass_over_stages() {
        for (std::size_t i = 0; i < s_; ++i) {
            system_->velocity(t_, stage(Q_, i), stage(P_, i), stage(v_, i));
            system_->force_gradient(t_, stage(Q_, i), stage(P_, i), stage(f_, i));
            evaluations_.add(Evaluations<S>::force);
        }
        double change = 0;
        for (std::size_t i = 0; i < s_; ++i) {
            for (std::size_t k = 0; k < d_; ++k) {
                S dq = lit<S>(0), dp = lit<S>(0);
                for (std::size_t j = 0; j < s_; ++j) {
                    dq = dq + A_[i * s_ + j] * v_[j * d_ + k];
                    dp = dp + A_[i * s_ + j] * f_[j * d_ + k];
                }
                const S q = q_[k] + h_ * dq, p = p_[k] - h_ * dp;
                change += std::abs(to_double(S(q - Q_[i * d_ + k]))) + std::abs(to_double(S(p - P_[i * d_ + k])));
                Q_[i * d_ + k] = q;
                P_[i * d_ + k] = p;
            }
        }
        return change;
    }

    System<S>* system_;
    std::size_t s_, d_;
    std::vector<S> q_, p_, q1_, p1_, Q_, P_, v_, f_, A_, b_;
    S t_, h_;
    Evaluations<S> evaluations_;
};

Tableau tableau_of(const MethodSpec& spec) {
    return tableau(spec.name == "gauss" ? Family::gauss : Family::radau, std::stoul(spec.arguments.at(0).name));
}

Claims claims_of(const MethodSpec& spec) {
    const int s = std::stoi(spec.arguments.at(0).name);
    const bool good = spec.name == "gauss";
    const int order = good ? 2 * s : 2 * s - 1;
    return {.order = order,
            .order_p = order,
            .symmetric = good,
            .symplectic = good,
            .energy_bounded = good,
            .momentum_map = good,
            .volume = good};
}

MethodRecord fixed_point_record() {
    MethodRecord record{.name = "fixed-point", .claims = claims_of};
    const auto set = [&]<class S>(S) {
        std::get<Factory<S>>(record.factories) = [](System<S>& system,
                                                    const MethodSpec& spec) -> std::unique_ptr<Stepper<S>> {
            return std::make_unique<FixedPointStepper<S>>(system, tableau_of(spec));
        };
    };
    set(double{});
    set(Dual<double>{});
#ifdef LIBRATION_HAS_QUAD
    set(Quad{});
    set(Dual<Quad>{});
#endif
    return record;
}

const MethodRecord fixed_point_method = fixed_point_record();
const MethodRecord fields_record = [] {
    auto other = fixed_point_record();
    other.needs.hamiltonian = false;
    return other;
}();

class HighOrder : public testing::TestWithParam<const char*> {};

TEST_P(HighOrder, is_measured_and_false_claims_are_found_out) {
    const Method method{fixed_point_method, parse_spec(GetParam())};
    expect_found_out(method, "kepler",
                     {{"order of q", [](Claims& c) { ++c.order; }},
                      {"order of q", [](Claims& c) { --c.order; }},
                      {"order of p", [](Claims& c) { ++c.order_p; }},
                      {"order of p", [](Claims& c) { c.order_p -= 2; }},
                      {"explicitness", [](Claims& c) { c.is_explicit = true; }},
                      {"symmetry", [](Claims& c) { c.symmetric = !c.symmetric; }},
                      {"symplecticity", [](Claims& c) { c.symplectic = !*c.symplectic; }},
                      {"momentum map", [](Claims& c) { c.momentum_map = !c.momentum_map; }},
                      {"volume", [](Claims& c) { c.volume = !*c.volume; }},
                      {"energy", [](Claims& c) { c.energy_bounded = !c.energy_bounded; }}});
}

#ifdef LIBRATION_HAS_QUAD
INSTANTIATE_TEST_SUITE_P(Suite, HighOrder,
                         testing::Values("gauss(1)", "gauss(3)", "gauss(5)", "gauss(8)", "radau(2)", "radau(3)",
                                         "radau(5)"));
#else
INSTANTIATE_TEST_SUITE_P(Suite, HighOrder, testing::Values("gauss(1)", "radau(2)"));
#endif

// Fields without H: neither energy nor a symplectic form, and volume where the field has no divergence.
TEST(Fields, have_certificates_too) {
    const Method gauss{fields_record, parse_spec("gauss(3)")}, radau{fields_record, parse_spec("radau(3)")};
    for (const auto& method : {gauss, radau}) {
        expect_found_out(method, "reversible-field", {{"symmetry", [](Claims& c) { c.symmetric = !c.symmetric; }}});
    }
    // Of the Runge-Kutta methods no one keeps the volume of every flow.
    const auto certificate = certify(gauss, Model::load("abc-flow"), options_for("abc-flow"));
    EXPECT_EQ(certificate.finding("order of q").verdict, Verdict::confirmed);
    EXPECT_EQ(certificate.finding("symmetry").verdict, Verdict::confirmed);
    EXPECT_EQ(certificate.finding("volume").verdict, Verdict::contradicted);
    for (const auto* claim : {"order of p", "symplecticity", "energy", "hidden residual"}) {
        EXPECT_EQ(certificate.finding(claim).verdict, Verdict::not_applicable) << claim;
    }
}

#ifdef LIBRATION_HAS_QUAD
TEST(Order, of_twenty_is_seen) {
    const Method gauss{fixed_point_method, parse_spec("gauss(10)")};
    const auto certificate = certify(gauss, Model::load("henon-heiles"), options_for("henon-heiles"));
    for (const auto* claim : {"order of q", "order of p"}) {
        const auto& finding = certificate.finding(claim);
        EXPECT_EQ(to_string(finding.verdict), "confirmed") << claim << ' ' << finding.measured;
    }
}
#endif

TEST(Order, that_still_rises_is_not_a_contradiction) {
    std::vector<double> h, rises, falls;
    for (int k = 0; k < 6; ++k) {
        h.push_back(std::ldexp(1.0, -k));
        rises.push_back(1e-3 * std::pow(h.back(), 2) / (1 + 20 * std::pow(h.back(), -2)));  // order 2, then 4
        falls.push_back(1e-6 * (std::pow(h.back(), 4) + 0.02 * std::pow(h.back(), 2)));     // order 4, then 2
    }
    const auto up = order_of(h, rises, 1e-30), down = order_of(h, falls, 1e-30);
    EXPECT_FALSE(up.rising) << "it has settled at " << up.value.value_or(0);
    const auto early = order_of({h[0], h[1], h[2]}, {1e-3, 4e-4, 0.9e-4}, 1e-30);
    ASSERT_TRUE(early.rising);
    EXPECT_FALSE(down.rising);
    Claims claims{.order = 4};
    Measurement measurement;
    measurement.q = early;
    EXPECT_EQ(judge(claims, measurement)[0].verdict, Verdict::not_measurable);
    EXPECT_NE(judge(claims, measurement)[0].measured.find("still increasing"), std::string::npos);
    claims.order = 1;  // more than is claimed is a contradiction, rising or not
    EXPECT_EQ(judge(claims, measurement)[0].verdict, Verdict::contradicted);
}

// e = h^3 down to a plateau of 1e-20, with two first points that are no errors any more.
TEST(Order, is_read_above_the_plateau_only) {
    std::vector<double> h, e;
    for (int k = 0; k < 30; ++k) {
        h.push_back(std::ldexp(2.0, -k));
        e.push_back(std::pow(h.back(), 3) + 1e-20 * (1 + k % 3));
    }
    const auto order = order_of(h, e, 1e-20);
    EXPECT_TRUE(order.settled);
    EXPECT_NEAR(order.value.value_or(0), 3, 0.01);
    EXPECT_FALSE(order_of({1, 0.5}, {1e-2, 1e-3}, 1e-20).value) << "one quotient is not enough";
    EXPECT_FALSE(order_of({1, 0.5, 0.25}, {1e-18, 1e-19, 1e-20}, 1e-20).value) << "all plateau";
}

}  // namespace
}  // namespace libration::conformance
