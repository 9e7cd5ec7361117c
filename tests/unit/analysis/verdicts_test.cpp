// When a certificate says "confirmed", "contradicted" or "not measurable": each rule on a measurement made by hand.
#include <libration/analysis/certify.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// All is well: order 2, symmetric, symplectic, bounded energy.
Measurement good() {
    Measurement m;
    m.ladder = {{8, 0.1, 4e-3, 4e-3, 0, 0, 0, false}, {16, 0.05, 1e-3, 1e-3, 0, 0, 0, false}};
    m.q = m.p = {.value = 2.0, .settled = true, .before = 2.0};
    m.symmetry =
        m.symplecticity = {.measured = true, .size = 1e-31, .tolerance = 1e-30, .h = 0.1, .steps = 8, .visible = 1e-5};
    m.gradient = Defect{.measured = true, .size = 1e-15, .tolerance = 1e-13, .h = 0.1, .steps = 8, .visible = 1e-5};
    m.energy.measured = true;
    m.energy.drift = 1e-9;
    m.energy.spread = 1e-6;
    m.energy.round_off = 1e-12;
    m.energy.turns = 1000;
    m.constant_forces = true;
    m.forces_a_step = 1;
    return m;
}

Claims true_claims() { return {.order = 2, .order_p = 2, .symmetric = true, .symplectic = true, .is_explicit = true}; }

Verdict verdict(const Measurement& m, const char* claim, const Claims& claims = true_claims()) {
    return Certificate{"", "", judge(claims, m), m}.finding(claim).verdict;
}

TEST(Verdicts, of_a_good_measurement_are_confirmed) {
    for (const auto* claim :
         {"order of q", "order of p", "symmetry", "symplecticity", "energy", "gradient", "explicitness"}) {
        EXPECT_EQ(verdict(good(), claim), Verdict::confirmed) << claim;
    }
}

TEST(Verdicts, need_two_quotients_that_agree) {
    auto m = good();
    m.q = {.value = 2.1, .settled = false, .before = 0.7};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
    m.q = {.value = 0.9, .settled = false, .before = 1.6};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
    m.q = {.value = 1.0, .settled = true, .before = 1.0};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::contradicted);
}

TEST(Verdicts, on_orders_across_kinks_may_contradict_but_not_confirm) {
    auto m = good();
    m.window.kinks = true;
    m.q = {.value = 2.0, .settled = true, .before = 2.0, .scatter = 0.01};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
    m.q = {.value = 1.1, .settled = false, .before = 1.1, .scatter = 0.1};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::contradicted);
    m.q = {.value = 1.1, .settled = false, .before = 1.1, .scatter = 0.2};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
    // By less than a half a fit does not contradict, however well it fits.
    m.q = {.value = 1.6, .settled = true, .before = 1.6, .scatter = 0.001};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
}

TEST(Verdicts, on_orders_know_of_kinks_after_the_window) {
    auto m = good();
    m.window.later = "x - 0.6 changes at t = 9";
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
    m.q = {.value = 1.0, .settled = true, .before = 1.0};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::contradicted);
}

TEST(Verdicts, on_orders_with_steps_that_are_too_large_do_not_contradict) {
    auto m = good();
    m.q = {.value = 1.0, .settled = true, .before = 1.0};
    m.asymptotic = false;
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
}

TEST(Verdicts, on_errors_that_stay_large_contradict_only_after_many_halvings) {
    auto m = good();
    m.q = {};
    m.ladder.clear();
    for (int n = 0; n < 6; ++n) {
        EXPECT_NE(verdict(m, "order of q"), Verdict::contradicted) << n;
        m.ladder.push_back({8 << n, std::ldexp(0.1, -n), 1.0, 1.0, 0, 0, 0, false});
    }
    EXPECT_EQ(verdict(m, "order of q"), Verdict::contradicted);
    m.ladder.back().q = 0.3;  // it has begun to converge
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
}

TEST(Verdicts, on_failures_contradict_only_with_small_steps) {
    auto m = good();
    m.q = {};
    m.ladder_failure = "fails at step 1";
    m.symmetry = {.failure = "fails at step 1"};
    EXPECT_EQ(verdict(m, "order of q"), Verdict::contradicted);
    EXPECT_EQ(verdict(m, "symmetry"), Verdict::contradicted);
    m.resolved = false;
    m.symmetry.undecidable = true;
    EXPECT_EQ(verdict(m, "order of q"), Verdict::not_measurable);
    EXPECT_EQ(verdict(m, "symmetry"), Verdict::not_measurable);
}

// multistep(8) with h = 0.001: its error is far below the round-off of what was measured.
TEST(Verdicts, on_defects_need_an_error_that_would_show) {
    auto m = good();
    m.symplecticity = {
        .measured = true, .size = 8.7e-16, .tolerance = 7.1e-14, .h = 0.002, .steps = 8, .visible = 1e-20};
    for (const bool symplectic : {true, false}) {
        auto claims = true_claims();
        claims.symplectic = symplectic;
        EXPECT_EQ(verdict(m, "symplecticity", claims), Verdict::not_measurable);
    }
    m.symplecticity.visible = 1e-3;
    EXPECT_EQ(verdict(m, "symplecticity"), Verdict::confirmed);
    auto lie = true_claims();
    lie.symplectic = false;
    EXPECT_EQ(verdict(m, "symplecticity", lie), Verdict::contradicted);
    m.linear = true;
    EXPECT_EQ(verdict(m, "symplecticity", lie), Verdict::not_measurable);
    EXPECT_EQ(verdict(m, "symplecticity"), Verdict::confirmed);
}

TEST(Verdicts, on_gradients_contradict_what_is_more_than_round_off) {
    auto m = good();
    m.gradient->size = 1e-9;
    EXPECT_EQ(verdict(m, "gradient"), Verdict::contradicted);
    m.gradient->size = 1e-12;  // neither
    EXPECT_EQ(verdict(m, "gradient"), Verdict::not_measurable);
    m.gradient = Defect{.failure = "fails at step 1"};
    EXPECT_EQ(verdict(m, "gradient"), Verdict::contradicted);
    m.gradient->undecidable = true;
    EXPECT_EQ(verdict(m, "gradient"), Verdict::not_measurable);
}

// Where the error of a method is below the round-off of its gradient, the symplectic form in quadruple precision says
// what the gradient cannot.
TEST(Verdicts, on_gradients_that_round_off_hides_follow_the_symplectic_form) {
    auto m = good();
    m.gradient->visible = 1e-14;
    EXPECT_EQ(verdict(m, "gradient"), Verdict::confirmed);
    m.symplecticity.visible = 1e-30;
    EXPECT_EQ(verdict(m, "gradient"), Verdict::not_measurable);
    m.symplecticity = {.measured = true, .size = 1e-9, .tolerance = 1e-30, .h = 0.1, .steps = 8, .visible = 1e-5};
    EXPECT_EQ(verdict(m, "gradient"), Verdict::not_measurable);
}

TEST(Verdicts, on_gradients_are_for_methods_that_claim_to_be_symplectic) {
    auto m = good();
    auto claims = true_claims();
    claims.symplectic = false;
    EXPECT_EQ(verdict(m, "gradient", claims), Verdict::not_applicable);
    m.gradient.reset();
    m.why_forward = "forces act beside the Hamiltonian";
    const Certificate certificate{"", "", judge(true_claims(), m), m};
    EXPECT_EQ(certificate.finding("gradient").verdict, Verdict::not_applicable);
    EXPECT_EQ(certificate.finding("gradient").claimed, "forward");
    EXPECT_EQ(certificate.finding("gradient").measured, "forces act beside the Hamiltonian");
}

TEST(Verdicts, on_residuals_do_not_count_linear_constraints_against_a_method) {
    auto m = good();
    m.constrained = true;
    m.hidden_defect = {.measured = true, .size = 0.1, .tolerance = 1, .visible = 1e20};
    auto claims = true_claims();
    EXPECT_EQ(verdict(m, "hidden residual", claims), Verdict::confirmed);
    claims.hidden = {.exact = false, .order = 2};
    EXPECT_EQ(verdict(m, "hidden residual", claims), Verdict::contradicted);
    m.flat_constraints = true;
    EXPECT_EQ(verdict(m, "hidden residual", claims), Verdict::not_measurable);
    m.flat_constraints = false;
    m.hidden_defect.visible = 1e3;  // a residual of a tenth of the error could pass for round-off
    EXPECT_EQ(verdict(m, "hidden residual", claims), Verdict::not_measurable);
}

TEST(Verdicts, on_residuals_that_nothing_was_measured_of_do_not_contradict) {
    auto m = good();
    m.constrained = m.resolved = true;
    const auto finding = [&](const char* claim) {
        return Certificate{"", "", judge(true_claims(), m), m}.finding(claim);
    };
    for (const auto* claim : {"position residual", "hidden residual"}) {
        EXPECT_EQ(finding(claim).verdict, Verdict::not_measurable) << claim;
        EXPECT_EQ(finding(claim).measured, "not measurable") << claim;
    }
    m.ladder_failure = "fails at step 1 of size 0.1: the iteration does not converge";
    EXPECT_EQ(verdict(m, "position residual"), Verdict::contradicted);
    m.resolved = false;
    EXPECT_EQ(verdict(m, "position residual"), Verdict::not_measurable);
}

TEST(Verdicts, on_a_drift_need_oscillations_and_a_steady_slope) {
    auto m = good();
    m.energy.drift = 0.9e-6;
    EXPECT_EQ(verdict(m, "energy"), Verdict::contradicted);
    auto drifts = true_claims();
    drifts.energy_bounded = false;
    EXPECT_EQ(verdict(m, "energy", drifts), Verdict::confirmed);
    m.energy.steady = false;
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
    EXPECT_EQ(verdict(m, "energy", drifts), Verdict::not_measurable);
    m.energy.steady = true;
    m.energy.turns = 19;
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
    m = good();
    m.energy.undecidable = true;
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
}

TEST(Verdicts, on_a_lost_energy_contradict_unless_the_steps_jump_over_an_event) {
    auto m = good();
    m.energy.lost = true;
    auto drifts = true_claims();
    drifts.energy_bounded = false;
    // Little by little, at once where the motion is slow, or where it is no faster than elsewhere: it is the method.
    for (const auto& event : {std::optional<EnergyTrend::Event>{}, {{50, 0.4, 0.1}}, {{50, 0.9, 0.8}}}) {
        m.energy.event = event;
        EXPECT_EQ(verdict(m, "energy"), Verdict::contradicted);
        EXPECT_EQ(verdict(m, "energy", drifts), Verdict::confirmed);
    }
    m.energy.event = {1.137, 9.0, 0.1};
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
    EXPECT_EQ(verdict(m, "energy", drifts), Verdict::not_measurable);
    const auto text = Certificate{"", "", judge(true_claims(), m), m}.finding("energy").measured;
    EXPECT_NE(text.find("an event near t = 1.137 is too fast for the step"), std::string::npos) << text;
    // Likewise where the first part of the run is judged, because the motion did not come back.
    m.energy.lost = false;
    m.energy.ended = m.energy.large = true;
    m.energy.drift = 0.9e-6;
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
    m.energy.event.reset();
    EXPECT_EQ(verdict(m, "energy"), Verdict::contradicted);
    m.energy.lost = m.energy.undecidable = true;
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
}

TEST(Verdicts, on_a_bounded_energy_need_a_smooth_one_and_a_visible_error) {
    auto m = good();
    m.energy.kinks = true;
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
    m = good();
    m.energy.spread = 1e-13;
    EXPECT_EQ(verdict(m, "energy"), Verdict::confirmed);
    m.energy.visible = false;
    EXPECT_EQ(verdict(m, "energy"), Verdict::not_measurable);
}

TEST(Verdicts, on_explicitness_do_not_take_one_pass_for_none) {
    auto m = good();
    auto claims = true_claims();
    claims.is_explicit = false;
    EXPECT_EQ(verdict(m, "explicitness", claims), Verdict::contradicted);
    m.iterations_show = false;
    EXPECT_EQ(verdict(m, "explicitness", claims), Verdict::not_measurable);
    m = good();
    m.linear = true;
    EXPECT_EQ(verdict(m, "explicitness", claims), Verdict::not_measurable);
}

TEST(fitted_order, is_a_slope_with_its_standard_error) {
    // log2 of the errors: -n with alternating disturbances of 0.3.
    std::vector<double> steps, errors;
    for (int n = 4; n < 12; ++n) {
        steps.push_back(std::ldexp(1.0, -n));
        errors.push_back(std::exp2(-n + (n % 2 == 0 ? 0.3 : -0.3)));
    }
    const auto order = fitted_order(steps, errors, 1e-30);
    ASSERT_TRUE(order.value && order.scatter);
    // Of six points with x = -2.5 ... 2.5: the disturbances have slope 0.9/17.5, what is left has variance (6 0.09 -
    // 0.9^2/17.5)/4.
    EXPECT_NEAR(*order.value, 1 + 0.9 / 17.5, 1e-12);
    EXPECT_NEAR(*order.scatter, std::sqrt((0.54 - 0.81 / 17.5) / 4 / 17.5), 1e-12);
    errors.resize(5);
    steps.resize(5);
    EXPECT_FALSE(fitted_order(steps, errors, 1e-30).value);
}

TEST(WindowText, says_how_much_of_the_duration_is_covered) {
    EXPECT_EQ(window_text({.length = 4, .duration = 4}), "0 <= t <= 4");
    EXPECT_EQ(window_text({.length = 4, .duration = 100, .shorter = "errors become too large beyond it"}),
              "0 <= t <= 4 of a duration of 100 (errors become too large beyond it)");
    EXPECT_EQ(window_text({.length = 4, .duration = 4, .kinks = true}), "0 <= t <= 4, across kinks");
}

}  // namespace
}  // namespace libration
