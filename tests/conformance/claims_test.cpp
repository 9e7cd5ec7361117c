// Every claim of every registered method is measured on every problem that it can run.
#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration::conformance {
namespace {

class EveryClaim : public testing::TestWithParam<Case> {};

TEST_P(EveryClaim, is_confirmed) {
    const auto& [spec, problem] = GetParam();
    const auto certificate = certify(method(spec), Model::load(std::string(problem->model)), problem->options);
    int confirmed = 0;
    for (const auto& finding : certificate.findings) {
        const auto line = fmt::format("{}: claimed {}, measured {}: {}", finding.claim, finding.claimed,
                                      finding.measured, to_string(finding.verdict));
        fmt::print("{}\n", line);
        EXPECT_TRUE(finding.verdict == Verdict::confirmed || finding.verdict == Verdict::not_applicable) << line;
        confirmed += finding.verdict == Verdict::confirmed ? 1 : 0;
    }
    EXPECT_GE(confirmed, 2) << "order and symmetry are claimed by all";
    for (const auto& rung : certificate.measurement.ladder) {
        fmt::print("{:>8} steps of {:<10.4g} q {:.2e}  p {:.2e}  lambda {:.2e}{}\n", rung.steps, rung.h, rung.q, rung.p,
                   rung.lambda, rung.failed ? "  failed" : "");
    }
}

INSTANTIATE_TEST_SUITE_P(Suite, EveryClaim, testing::ValuesIn(all_cases()), case_name);

TEST(Suite, every_method_is_tried_on_some_problem) {
    const auto cases = all_cases();
    for (const auto* record : methods()) {
        for (const auto& spec : examples(*record)) {
            EXPECT_TRUE(std::ranges::any_of(cases, [&](const Case& c) { return c.spec == spec; })) << spec;
        }
    }
}

}  // namespace
}  // namespace libration::conformance
