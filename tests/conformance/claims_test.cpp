// Every claim of every registered method is measured on problems that it can run.
#include "pairs.hpp"

#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace libration::conformance {
namespace {

class EveryClaim : public testing::TestWithParam<Pair> {};

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

INSTANTIATE_TEST_SUITE_P(Pairs, EveryClaim, testing::ValuesIn(pairs_to_run()), pair_name);

// What the whole matrix measures, as docs/certificates.md has it, the chosen pairs measure too.
TEST(ChosenPairs, measure_every_claim_of_every_method_on_every_sort_of_problem) {
    std::set<std::string> known;
    const auto chosen = chosen_pairs();
    for (const auto& pair : chosen) {
        known.merge(facts_of(pair));
    }
    for (const auto& pair : all_pairs()) {
        for (const auto& fact : facts_of(pair)) {
            EXPECT_TRUE(known.contains(fact)) << fact;
        }
    }
    fmt::print("{} of {} pairs, {} facts\n", chosen.size(), all_pairs().size(), known.size());
}

TEST(ChosenPairs, measure_the_gradient_of_every_family_that_goes_back) {
    std::set<std::string> known;
    for (const auto& pair : chosen_pairs()) {
        if (facts_of(pair).contains(fmt::format("{}: gradient", pair.spec))) {
            known.emplace(method(pair.spec).record().name);
        }
    }
    for (const auto* name :
         {"symplectic-euler", "symplectic-euler-adjoint", "verlet", "verlet-b", "midpoint", "gauss", "rattle",
          "constrain", "lobatto", "dirac-gauss", "spark", "midpoint-verlet", "respa", "compose"}) {
        EXPECT_TRUE(known.contains(name)) << name;
    }
}

TEST(ChosenPairs, are_chosen_from_a_record_of_all_pairs) {
    for (const auto& pair : all_pairs()) {
        const std::string problem(pair.problem->model);
        EXPECT_FALSE(facts_of(pair).contains(fmt::format("{} on {}", pair.spec, problem)))
            << "not in docs/certificates.md: write it again with `libration certify --all --markdown`";
    }
}

TEST(Pairs, have_every_method_on_some_problem) {
    for (const auto* record : methods()) {
        for (const auto& spec : examples(*record)) {
            EXPECT_TRUE(std::ranges::any_of(all_pairs(), [&](const Pair& pair) { return pair.spec == spec; })) << spec;
        }
    }
}

// Slices are disjoint and together everything.
TEST(Pairs, are_cut_into_slices_without_loss) {
    std::multiset<std::string> sliced, whole;
    const auto note = [](std::multiset<std::string>& names, const std::vector<Pair>& pairs) {
        for (const auto& pair : pairs) {
            names.insert(fmt::format("{} on {}", pair.spec, pair.problem->model));
        }
    };
    const char* before = std::getenv("LIBRATION_PAIRS");
    const std::string kept = before == nullptr ? "chosen" : before;
    for (int slice = 1; slice <= 7; ++slice) {
        setenv("LIBRATION_PAIRS", fmt::format("{}/7", slice).c_str(), 1);
        note(sliced, pairs_to_run());
    }
    for (const char* wrong : {"0/7", "8/7", "1/", "/7", "1/7x", "most", ""}) {
        setenv("LIBRATION_PAIRS", wrong, 1);
        EXPECT_THROW(static_cast<void>(pairs_to_run()), InputError) << wrong;
    }
    setenv("LIBRATION_PAIRS", kept.c_str(), 1);
    note(whole, all_pairs());
    EXPECT_EQ(sliced, whole);
}

}  // namespace
}  // namespace libration::conformance
