// True claims must be confirmed, and of changed ones exactly the changed must be contradicted.
#pragma once

#include <libration/analysis/certify.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>

namespace libration::conformance {

struct Lie {
    const char* found;  // the one claim that is contradicted
    std::function<void(Claims&)> tell;
};

inline void expect_found_out(const Method& method, const char* problem, const std::vector<Lie>& lies) {
    const auto model = Model::load(problem);
    auto certificate = certify(method, model, options_for(problem));
    for (const auto& finding : certificate.findings) {
        EXPECT_TRUE(finding.verdict == Verdict::confirmed || finding.verdict == Verdict::not_applicable)
            << method.name() << " on " << problem << ", " << finding.claim << ": claimed " << finding.claimed
            << ", measured " << finding.measured;
    }
    for (const auto& rung : certificate.measurement.ladder) {
        fmt::print("{:>8} steps of {:<10.4g} q {:.2e}  p {:.2e}  lambda {:.2e}{}\n", rung.steps, rung.h, rung.q, rung.p,
                   rung.lambda, rung.failed ? "  failed" : "");
    }
    for (const auto& lie : lies) {
        auto claims = method.claims();
        lie.tell(claims);
        certificate.findings = judge(claims, certificate.measurement);
        EXPECT_EQ(fmt::format("{}", fmt::join(certificate.with(Verdict::contradicted), ", ")), lie.found)
            << method.name() << " on " << problem << ", measured " << certificate.finding(lie.found).measured;
    }
}

}  // namespace libration::conformance
