// What cannot be differentiated, what is a lie, and what has no digit left.
#include "reference.hpp"

#include <libration/text/error.hpp>

namespace libration::gradient_test {
namespace {

std::string fault_of(const Case& one, GradientMode mode = GradientMode::automatic) {
    try {
        const auto result = gradient(one.loaded(), method(one.method), one.options(mode));
        return result.failure ? result.failure->message : "no fault";
    } catch (const InputError& error) {
        return error.what();
    }
}

void expect_fault(const Case& one, const std::string& part, GradientMode mode = GradientMode::automatic) {
    EXPECT_NE(fault_of(one, mode).find(part), std::string::npos) << fault_of(one, mode);
}

TEST(GradientMistakes, names_are_explained) {
    expect_fault({"pendulum", "rattle", "x", {"gg"}, 0.01, 5}, "the model has no parameter 'gg'");
    expect_fault({"pendulum", "rattle", "x", {"g", "g"}, 0.01, 5}, "it is there twice");
    expect_fault({"chain", "rattle", "r[0].x", {"n"}, 0.01, 5}, "it decides how many parts the model has");
    expect_fault({"abc-flow", "gauss(2)", "x", {"p_x"}, 0.01, 5}, "a field has no momenta");
    expect_fault({"toda", "verlet", "1", {}, 0.01, 5}, "the model has no scalar parameter");
    expect_fault({"pendulum", "rattle", "", {}, 0.01, 5}, "the loss is missing");
    expect_fault({"pendulum", "rattle", "x + z", {}, 0.01, 5}, "unknown name 'z'");
}

// By default counts are left out, and what is a formula of others.
TEST(GradientMistakes, default_is_all_scalar_parameters_that_are_numbers) {
    std::vector<std::string> names;
    for (const auto& unknown : unknowns_of(Model::load("net"), {})) {
        names.push_back(unknown.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"g", "l", "mass", "sag", "tilt"}));
}

TEST(GradientMistakes, initial_values_must_follow_a_parameter_of_the_constraints) {
    const Case one{"triple-pendulum", "rattle", "x3", {"g", "l"}, 0.01, 5};
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        expect_fault(one, "the initial values do not follow l", mode);
    }
    auto projected = one;
    projected.project = true;
    EXPECT_EQ(fault_of(projected), "no fault");
}

// A run of days must not end with this message: here nothing of it is made, because the stop comes first.
TEST(GradientMistakes, initial_values_that_do_not_follow_are_found_before_the_run) {
    const Case one{"triple-pendulum", "rattle", "x3", {"g", "l"}, 0.01, 5};
    auto options = one.options(GradientMode::automatic);
    StopSignal stop;
    stop.request();
    options.stop = &stop;
    EXPECT_THROW(static_cast<void>(gradient(one.loaded(), method(one.method), options)), InputError);
}

TEST(GradientMistakes, a_loss_with_a_kink_at_the_end_is_refused) {
    for (const auto* loss : {"abs(y)", "max(y, 0)", "sign(y)", "sqrt(y)", "if(y < 0, x, 2*x)", "floor(x)"}) {
        expect_fault({"pendulum", "rattle", loss, {"g"}, 0.01, 0}, "it has no derivative at the end of the run");
    }
    EXPECT_EQ(fault_of({"pendulum", "rattle", "abs(y) + if(y < 0, x, 2*x)", {"g"}, 0.01, 5}), "no fault");
}

TEST(GradientMistakes, what_cannot_go_back_says_why) {
    expect_fault({"double-pendulum", "bdf(2)", "x1", {"g"}, 0.01, 5}, "bdf(2) is not symplectic on this model",
                 GradientMode::backward);
    expect_fault({"damped-spherical-pendulum", "spark(3)", "x", {"g"}, 0.01, 5}, "forces act beside the Hamiltonian",
                 GradientMode::backward);
}

// At the energy 1/6 this motion is chaotic: disturbances grow like exp(t/8) or so.
TEST(GradientMistakes, no_digit_left_is_an_error_and_not_a_number) {
    const Case wild{"", "", "x", {"y0"}, 0.1, 20'000};
    const auto result = gradient(Model::load("henon-heiles", {{"H0", "1/6"}}), method("verlet"), wild.options({}));
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->kind, "gradient");
    EXPECT_TRUE(result.derivatives.empty());
    EXPECT_EQ(result.digits, 0);
}

// Lobatto IIIA is symmetric and nearly keeps the energy, but it is not symplectic; Radau IIA is neither.
TEST(GradientMistakes, a_method_that_only_claims_to_be_symplectic_is_found_out) {
    for (const auto* spec : {"lobatto-a(3)", "radau(2)"}) {
        const auto honest = method(spec);
        auto lying = honest.record();
        lying.constrained_claims = nullptr;
        lying.claims_on = nullptr;
        lying.claims = [](const MethodSpec&) { return Claims{.order = 4, .symmetric = true, .symplectic = true}; };
        const Method liar(lying, honest.spec());
        const Case one{"henon-heiles", spec, "x + p_y", {"y0", "w0"}, 0.2, 100};
        const auto model = one.loaded();
        const auto found = gradient(model, liar, one.options(GradientMode::backward));
        ASSERT_TRUE(found.failure) << spec;
        EXPECT_TRUE(found.derivatives.empty());
        // Where nobody insists on the backward run, the forward run gives the number.
        const auto rescued = gradient(model, liar, one.options(GradientMode::automatic));
        ASSERT_FALSE(rescued.failure) << spec;
        EXPECT_EQ(rescued.mode, GradientMode::forward);
        EXPECT_LT(difference(values_of(rescued), fine_differences(one)), 1e-12);
    }
}

}  // namespace
}  // namespace libration::gradient_test
