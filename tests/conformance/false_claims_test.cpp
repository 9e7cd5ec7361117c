// A false claim of each kind is found out, in both directions; the true claims of bad methods are confirmed.
#include "bad_methods.hpp"

#include <libration/analysis/certify.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>

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
const MethodRecord midpoint_record = bad_record<BadKind::midpoint>("middle", [](const MethodSpec&) {
    return Claims{
        .order = 2, .order_p = 2, .symmetric = true, .symplectic = true, .is_explicit = false, .volume = true};
});
const MethodRecord stubborn_record =
    bad_record<BadKind::stubborn>("stubborn", [](const MethodSpec&) { return Claims{.order = 2, .order_p = 2}; });

Method bad(const MethodRecord& record) { return {record, {std::string(record.name), {}, {}}}; }

struct Lie {
    const char* found;  // the one claim that is contradicted
    std::function<void(Claims&)> tell;
};

void expect_found_out(const Method& method, const char* problem, const std::vector<Lie>& lies) {
    const auto model = Model::load(problem);
    auto certificate = certify(method, model, options_for(problem));
    for (const auto& finding : certificate.findings) {
        EXPECT_TRUE(finding.verdict == Verdict::confirmed || finding.verdict == Verdict::not_applicable)
            << method.name() << " on " << problem << ", " << finding.claim << ": claimed " << finding.claimed
            << ", measured " << finding.measured;
    }
    for (const auto& lie : lies) {
        auto claims = method.claims();
        lie.tell(claims);
        certificate.findings = judge(claims, certificate.measurement);
        EXPECT_EQ(fmt::format("{}", fmt::join(certificate.with(Verdict::contradicted), ", ")), lie.found)
            << method.name() << " on " << problem;
    }
}

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

TEST(FalseClaims, of_symplectic_euler_are_found_out) {
    expect_found_out(bad(symplectic_euler_record), "toda",
                     {{"order of q", [](Claims& c) { c.order = 2; }},
                      {"symmetry", [](Claims& c) { c.symmetric = true; }},
                      {"symplecticity", [](Claims& c) { c.symplectic = false; }},
                      {"energy", [](Claims& c) { c.energy_bounded = false; }},
                      {"volume", [](Claims& c) { c.volume = false; }}});
}

TEST(FalseClaims, of_an_implicit_method_to_be_explicit_are_found_out) {
    expect_found_out(bad(midpoint_record), "kepler",
                     {{"explicitness", [](Claims& c) { c.is_explicit = true; }},
                      {"symmetry", [](Claims& c) { c.symmetric = false; }}});
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

// No table, no exact solution: the step comes from the model and the method is compared with itself or with a reference.
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
