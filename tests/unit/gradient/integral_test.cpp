// Time integrals and their derivatives.
#include "reference.hpp"

namespace libration::gradient_test {
namespace {

// The same loss in parts: integrands, and what is made of their integrals and of formulas at the end.
struct IntegralCase : Case {
    std::vector<std::string> integrands, at_end;
    Quad (*combined)(const std::vector<Quad>& integrals, const std::vector<Quad>& at_end);
};

void PrintTo(const IntegralCase& one, std::ostream* out) { *out << one.method << " on " << one.model; }

Quad one_integral(const std::vector<Quad>& integrals, const std::vector<Quad>&) { return integrals[0]; }
Quad integrals_and_end(const std::vector<Quad>& integrals, const std::vector<Quad>& at_end) {
    return integrals[0] * integrals[0] * at_end[0] - integrals[1];
}

Loss formulas_named(const Model& model, const std::vector<std::string>& texts) {
    std::vector<Expression> formulas;
    for (const auto& text : texts) {
        formulas.push_back(state_formula(model, text, text));
    }
    return loss_of(model, formulas, "");
}

// Weights by the rule of ten nodes at each end, as the differences of Gregory's formula define it: 1 minus the sum over
// m of (-1)^j binomial(m, j) |c_(m+1)| at the j-th node from an end.
double gregory_weight(std::int64_t n, std::int64_t steps) {
    constexpr std::array coefficients{
        1. / 2,       1. / 12,      1. / 24,          19. / 720,       3. / 160,
        863. / 60480, 275. / 24192, 33953. / 3628800, 8183. / 1036800, 3250433. / 479001600};
    double weight = 1;
    for (const auto from_end : {n, steps - n}) {
        const auto j = static_cast<std::size_t>(from_end);
        double binomial = 1;
        for (std::size_t m = j; m < std::min<std::size_t>(10, static_cast<std::size_t>(steps) + 1); ++m) {
            weight -= (j % 2 == 0 ? 1 : -1) * binomial * coefficients[m];
            binomial = binomial * static_cast<double>(m + 1) / static_cast<double>(m + 1 - j);
        }
    }
    return weight;
}

std::vector<Quad> fine_integral_loss(const Model& model, const IntegralCase& one) {
    const auto integrands = formulas_named(model, one.integrands);
    std::vector<Quad> sums(one.integrands.size(), lit<Quad>(0));
    FineRun run(model, one);
    for (std::int64_t n = 0; n <= one.steps; ++n) {
        run.go_to(n);
        const auto values = run.read(integrands, lit<Quad>(0));
        for (std::size_t k = 0; k < sums.size(); ++k) {
            sums[k] = sums[k] + from_double<Quad>(gregory_weight(n, one.steps) * one.step) * values[k];
        }
    }
    return {one.combined(sums, run.read(formulas_named(model, one.at_end), lit<Quad>(0)))};
}

std::vector<IntegralCase> integral_cases() {
    const std::vector<std::string> squares{"x2", "y1*v_x2"};
    return {
        {{"double-pendulum", "rattle", "integral(lambda_rod1 + x2^2)", {}, 0.02, 40},
         {"lambda_rod1 + x2^2"},
         {},
         one_integral},
        {{"double-pendulum",
          "lobatto(3)",
          "integral(x2)^2*y1 - integral(y1*v_x2)",
          {"g", "l1", "m1", "theta2"},
          0.05,
          30},
         squares,
         {"y1"},
         integrals_and_end},
        {{"driven-pendulum", "rattle", "integral(t*x + v_y)", {}, 0.02, 40}, {"t*x + v_y"}, {}, one_integral},
        {{"rigid-body-on-spring", "rattle", "integral(stretch)", {"m", "g", "k", "l", "v_block.r.z"}, 0.02, 30},
         {"stretch"},
         {},
         one_integral},
        {{"charged-particle", "lobatto(2)", "integral(x + p_y*z)", {"x", "y", "p_z"}, 0.02, 30},
         {"x + p_y*z"},
         {},
         one_integral},
        {{"spherical-pendulum", "compose(rattle, suzuki4)", "integral(tension)", {"g", "l", "m", "dphi"}, 0.05, 20},
         {"tension"},
         {},
         one_integral},
        {{"kepler", "gauss(2)", "integral(x*y)", {"e", "v_y"}, 0.05, 4}, {"x*y"}, {}, one_integral},
    };
}

class IntegralLoss : public testing::TestWithParam<IntegralCase> {};

TEST_P(IntegralLoss, has_derivatives_that_agree_with_quadruple_precision_in_both_modes) {
    const auto& one = GetParam();
    const auto model = one.loaded();
    const auto slopes = fine_differences(one, [&](const Model& m, const Case&) { return fine_integral_loss(m, one); });
    EXPECT_GT(largest(slopes), 1e-3) << "the loss must depend on the unknowns";
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        const auto result = gradient(model, method(one.method), one.options(mode));
        ASSERT_FALSE(result.failure) << result.failure->message;
        EXPECT_EQ(result.mode, mode);
        // Sums of some 40 terms.
        EXPECT_NEAR(result.loss, to_double(fine_integral_loss(model, one)[0]), 1e-13 * (1 + std::abs(result.loss)));
        EXPECT_LT(difference(values_of(result), slopes), 1e-12) << to_string(mode);
        EXPECT_GT(result.digits, 12);
    }
}

std::string integral_name_of(const testing::TestParamInfo<IntegralCase>& info) {
    auto name = info.param.model + "_" + info.param.method;
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Problems, IntegralLoss, testing::ValuesIn(integral_cases()), integral_name_of);

TEST(IntegralLosses, of_methods_that_cannot_go_back_are_differentiated_forward) {
    for (const auto* spec : {"shake", "bdf(2)", "multistep(4)"}) {
        const IntegralCase one{
            {"double-pendulum", spec, "integral(x2)", {"g", "l1", "m2"}, 0.02, 30}, {"x2"}, {}, one_integral};
        const auto slopes =
            fine_differences(one, [&](const Model& m, const Case&) { return fine_integral_loss(m, one); });
        const auto result = gradient(one.loaded(), method(spec), one.options(GradientMode::automatic));
        ASSERT_FALSE(result.failure) << result.failure->message;
        EXPECT_LT(difference(values_of(result), slopes), 1e-12) << spec;
    }
}

// x = x0 cos(omega t): the integral of x^2 to t is t/2 + sin(2 t)/4. Of order 10 with 30 steps of 0.1.
TEST(IntegralLosses, are_integrals) {
    const Case one{"harmonic-oscillator", "gauss(6)", "integral(x^2)", {"x0"}, 0.1, 30};
    const auto result = gradient(one.loaded(), method(one.method), one.options(GradientMode::automatic));
    const double exact = 1.5 + std::sin(6.0) / 4;
    // The next term of the rule is c_11 h^11 times the tenth derivative, 2^9 at most, at both ends, and c_11 is 0.006.
    EXPECT_NEAR(result.loss, exact, 6.2e-11);
    EXPECT_NEAR(result.derivatives[0].value, 2 * exact, 1.24e-10);
}

TEST(IntegralLosses, that_cannot_be_read_are_explained) {
    const auto fault = [](const char* loss) {
        const Case one{"pendulum", "rattle", loss, {"g"}, 0.01, 5};
        try {
            (void)gradient(one.loaded(), method(one.method), one.options({}));
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
        return std::string("no fault");
    };
    EXPECT_NE(fault("integral(x, y)").find("is not an integral over the run"), std::string::npos);
    EXPECT_NE(fault("integral(integral(x))").find("is not an integral over the run"), std::string::npos);
    EXPECT_NE(fault("integral(x").find("is not closed"), std::string::npos);
    EXPECT_NE(fault("integral(z)").find("unknown name 'z'"), std::string::npos);
    EXPECT_NE(fault("integral(abs(y))").find("it has no derivative at t = 0"), std::string::npos);
    EXPECT_NE(fault("integral(1/y)").find("it is inf at t = 0"), std::string::npos) << fault("integral(1/y)");
}

}  // namespace
}  // namespace libration::gradient_test
