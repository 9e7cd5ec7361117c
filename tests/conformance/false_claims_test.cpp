// A false claim of each kind is found out, in both directions; the true claims of bad methods are confirmed.
#include "bad_methods.hpp"
#include "lies.hpp"

#include <libration/analysis/certify.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration::conformance {
namespace {

const MethodRecord euler_record = bad_record<BadKind::euler>("euler", [](const MethodSpec&) {
    return Claims{.order = 1,
                  .order_p = 1,
                  .order_lambda = 1,
                  .symmetric = false,
                  .symplectic = false,
                  .is_explicit = true,
                  .position = {.exact = false, .order = 1},
                  .hidden = {.exact = false, .order = 1},
                  .energy_bounded = false,
                  .momentum_map = false,
                  .volume = false};
});
const MethodRecord symplectic_euler_record = bad_record<BadKind::symplectic_euler>("symplectic", [](const MethodSpec&) {
    return Claims{
        .order = 1, .order_p = 1, .symmetric = false, .symplectic = true, .is_explicit = true, .volume = true};
});
const MethodRecord late_jump_record = bad_record<BadKind::late_jump>("jumps", [](const MethodSpec&) {
    return Claims{.order = 1, .order_p = 1, .symmetric = false, .symplectic = true, .is_explicit = true};
});
const MethodRecord stubborn_record =
    bad_record<BadKind::stubborn>("stubborn", [](const MethodSpec&) { return Claims{.order = 2, .order_p = 2}; });

Method bad(const MethodRecord& record) { return {record, {std::string(record.name), {}, {}}}; }
TEST(FalseClaims, of_rattle_are_found_out) {
    expect_found_out(method("rattle"), "spherical-pendulum",
                     {{"order of q", [](Claims& c) { c.order = 3; }},
                      {"order of q", [](Claims& c) { c.order = 1; }},
                      {"order of p", [](Claims& c) { c.order_p = 1; }},
                      {"order of p", [](Claims& c) { c.order_p = 4; }},
                      {"order of lambda", [](Claims& c) { c.order_lambda = 1; }},
                      {"order of lambda", [](Claims& c) { c.order_lambda = 0; }},
                      {"symmetry", [](Claims& c) { c.symmetric = false; }},
                      {"symplecticity", [](Claims& c) { c.symplectic = false; }},
                      {"explicitness", [](Claims& c) { c.is_explicit = false; }},
                      {"energy", [](Claims& c) { c.energy_bounded = false; }},
                      {"momentum map", [](Claims& c) { c.momentum_map = false; }},
                      {"position residual", [](Claims& c) { c.position = {.exact = false, .order = 2}; }},
                      {"position residual", [](Claims& c) { c.position = {.exact = false, .order = 0}; }},
                      {"hidden residual", [](Claims& c) { c.hidden = {.exact = false, .order = 2}; }}});
}

TEST(FalseClaims, of_shake_about_its_hidden_residual_are_found_out) {
    expect_found_out(method("shake"), "double-pendulum",
                     {{"hidden residual", [](Claims& c) { c.hidden = {}; }},
                      {"hidden residual", [](Claims& c) { c.hidden = {.exact = false, .order = 1}; }},
                      {"hidden residual", [](Claims& c) { c.hidden = {.exact = false, .order = 3}; }}});
}

TEST(FalseClaims, of_verlet_about_volume_are_found_out) {
    const auto certificate = certify(method("verlet"), Model::load("kepler"), options_for("kepler"));
    auto claims = method("verlet").claims();
    claims.volume = true;
    EXPECT_EQ(judge(claims, certificate.measurement)[9].verdict, Verdict::confirmed);
    claims.volume = false;
    EXPECT_EQ(judge(claims, certificate.measurement)[9].verdict, Verdict::contradicted);
    EXPECT_EQ(certificate.findings[9].claim, "volume");
}

TEST(FalseClaims, of_explicit_euler_without_constraints_are_found_out) {
    expect_found_out(bad(euler_record), "kepler",
                     {{"order of q", [](Claims& c) { c.order = 2; }},
                      {"order of p", [](Claims& c) { c.order_p = 2; }},
                      {"symmetry", [](Claims& c) { c.symmetric = true; }},
                      {"symplecticity", [](Claims& c) { c.symplectic = true; }},
                      {"energy", [](Claims& c) { c.energy_bounded = true; }},
                      {"momentum map", [](Claims& c) { c.momentum_map = true; }},
                      {"volume", [](Claims& c) { c.volume = true; }}});
}

TEST(FalseClaims, of_explicit_euler_with_constraints_are_found_out) {
    expect_found_out(bad(euler_record), "spherical-pendulum",
                     {{"order of lambda", [](Claims& c) { c.order_lambda = 2; }},
                      {"symplecticity", [](Claims& c) { c.symplectic = true; }},
                      {"position residual", [](Claims& c) { c.position = {}; }},
                      {"position residual", [](Claims& c) { c.position.order = 2; }},
                      {"hidden residual", [](Claims& c) { c.hidden = {}; }},
                      {"energy", [](Claims& c) { c.energy_bounded = true; }},
                      {"momentum map", [](Claims& c) { c.momentum_map = true; }}});
}

TEST(FalseClaims, of_explicit_euler_with_a_general_hamiltonian_are_found_out) {
    expect_found_out(bad(euler_record), "charged-particle",
                     {{"order of lambda", [](Claims& c) { c.order_lambda = 2; }},
                      {"symplecticity", [](Claims& c) { c.symplectic = true; }},
                      {"position residual", [](Claims& c) { c.position = {}; }}});
}

TEST(FalseClaims, of_symplectic_euler_are_found_out) {
    expect_found_out(bad(symplectic_euler_record), "toda",
                     {{"order of q", [](Claims& c) { c.order = 2; }},
                      {"symmetry", [](Claims& c) { c.symmetric = true; }},
                      {"symplecticity", [](Claims& c) { c.symplectic = false; }},
                      {"energy", [](Claims& c) { c.energy_bounded = false; }},
                      {"volume", [](Claims& c) { c.volume = false; }}});
}

// Lobatto IIIA is symmetric but not symplectic; Radau IIA is neither.
TEST(FalseClaims, of_being_symplectic_are_found_by_the_gradient_too) {
    auto options = options_for("henon-heiles");
    options.work = 1e5;
    for (const auto* spec : {"lobatto-a(3)", "radau(2)"}) {
        const auto honest = method(spec);
        auto lying = honest.record();
        lying.constrained_claims = nullptr;
        lying.claims_on = nullptr;
        lying.claims = [](const MethodSpec&) { return Claims{.order = 4, .symmetric = true, .symplectic = true}; };
        const auto certificate = certify(Method(lying, honest.spec()), Model::load("henon-heiles"), options);
        EXPECT_EQ(certificate.finding("symplecticity").verdict, Verdict::contradicted) << spec;
        const auto& found = certificate.finding("gradient");
        EXPECT_EQ(found.claimed, "backward") << spec;
        EXPECT_EQ(found.verdict, Verdict::contradicted) << spec << ": " << found.measured;
    }
}

// What no other row measures: symplectic Euler is symplectic, and its record says so; but it is not its own adjoint.
TEST(FalseClaims, of_an_adjoint_are_found_by_the_gradient_alone) {
    const auto honest = method("symplectic-euler");
    const auto model = Model::load("toda");
    EXPECT_EQ(certify(honest, model, options_for("toda")).finding("gradient").verdict, Verdict::confirmed);
    auto lying = honest.record();
    lying.adjoint = [](const MethodSpec& spec) { return spec; };
    const auto certificate = certify(Method(lying, honest.spec()), model, options_for("toda"));
    EXPECT_EQ(certificate.with(Verdict::contradicted), std::vector<std::string>{"gradient"})
        << certificate.finding("gradient").measured;
}

// The long run ends where the energy is lost, and what was seen until then has no slope.
TEST(FalseClaims, of_a_method_that_loses_the_energy_in_one_late_step_are_found_out) {
    const auto certificate = certify(bad(late_jump_record), Model::load("toda"), options_for("toda"));
    EXPECT_EQ(certificate.finding("order of q").verdict, Verdict::confirmed);
    const auto& energy = certificate.finding("energy");
    EXPECT_EQ(energy.verdict, Verdict::contradicted) << energy.measured;
    ASSERT_TRUE(certificate.measurement.energy.lost);
    EXPECT_NEAR(static_cast<double>(certificate.measurement.energy.steps) * certificate.measurement.energy.h, jump_time,
                2 * certificate.measurement.energy.h);
    EXPECT_NE(energy.measured.find(fmt::format("lost at step {} (h = ", certificate.measurement.energy.steps)),
              std::string::npos)
        << energy.measured;
    auto claims = bad(late_jump_record).claims();
    claims.energy_bounded = false;
    EXPECT_EQ(judge(claims, certificate.measurement)[7].verdict, Verdict::confirmed);
    EXPECT_EQ(certificate.findings[7].claim, "energy");
}

// Without a potential there are no forces to count, whatever the method.
TEST(Certify, says_nothing_about_explicitness_where_there_are_no_forces) {
    const auto model = Model::load("henon-heiles");
    auto measurement = certify(method("verlet"), model, options_for("henon-heiles")).measurement;
    ASSERT_GE(measurement.forces_a_step, 1);
    measurement.forces_a_step = 0;
    for (const bool is_explicit : {true, false}) {
        auto claims = method("verlet").claims();
        claims.is_explicit = is_explicit;
        const auto finding = judge(claims, measurement).back();
        EXPECT_EQ(finding.claim, "explicitness");
        EXPECT_EQ(finding.verdict, Verdict::not_measurable) << finding.measured;
    }
}

TEST(Certify, reports_a_method_whose_steps_fail_and_ends) {
    const auto certificate = certify(bad(stubborn_record), Model::load("kepler"), options_for("kepler"));
    EXPECT_NE(certificate.finding("order of q").measured.find("fails at step 1"), std::string::npos);
    EXPECT_EQ(certificate.finding("order of q").verdict, Verdict::contradicted);
    EXPECT_EQ(certificate.finding("energy").verdict, Verdict::contradicted);
    EXPECT_EQ(certificate.finding("symmetry").verdict, Verdict::contradicted);
}

TEST(Certify, refuses_a_model_that_the_method_cannot_run) {
    EXPECT_THROW(certify(method("verlet"), Model::load("pendulum")), InputError);
    EXPECT_THROW(certify(method("shake"), Model::load("kepler")), InputError);
}

// No table, no exact solution: the step comes from the model and the method is compared with itself or with a
// reference.
TEST(Certify, works_for_models_that_it_has_never_seen) {
    for (const auto* problem : {"triple-pendulum", "kepler-sphere", "ring"}) {
        const auto certificate = certify(method("rattle"), Model::load(problem));
        for (const auto& finding : certificate.findings) {
            EXPECT_TRUE(finding.verdict == Verdict::confirmed || finding.verdict == Verdict::not_applicable)
                << problem << ", " << finding.claim << ": claimed " << finding.claimed << ", measured "
                << finding.measured;
        }
    }
}

}  // namespace
}  // namespace libration::conformance
