// Every claim of every registered method is measured, and false claims are found out.
#include "measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace libration::conformance {
namespace {

TEST(Claims, every_claim_of_every_method_is_confirmed) {
    int confirmed = 0;
    for (const auto* record : methods()) {
        for (const auto& example : examples(*record)) {
            const auto candidate = method(example);
            for (const bool constrained : {false, true}) {
                if ((constrained && record->needs.unconstrained) || (!constrained && record->needs.constrained)) {
                    continue;
                }
                const auto m = measure(candidate, constrained);
                fmt::print("{:<10}{:<14} order {:.3f} {:.3f} {:.3f}  there-and-back {:.1e}  symplectic {:.1e}  g "
                           "{:.1e}  Gv {:.1e}  "
                           "energy drift {:.1e} of spread {:.1e}\n",
                           candidate.name(), constrained ? "constrained" : "unconstrained", m.order_q, m.order_p,
                           m.order_lambda, m.asymmetry, m.symplecticity_defect, m.position, m.hidden,
                           m.energy_slope * m.energy_time, m.energy_spread);
                EXPECT_EQ(fmt::format("{}", fmt::join(contradictions(candidate.claims(), m, constrained), ", ")), "")
                    << candidate.name();
                ++confirmed;
            }
        }
    }
    EXPECT_GE(confirmed, 5);
}

TEST(Claims, a_false_claim_of_each_kind_is_rejected) {
    const auto rattle = measure(method("rattle"), true);
    const auto rattle_says = [&](auto lie) {
        auto claims = method("rattle").claims();
        lie(claims);
        return contradictions(claims, rattle, true);
    };
    using Found = std::vector<std::string>;
    EXPECT_EQ(rattle_says([](Claims&) {}), Found{});
    EXPECT_EQ(rattle_says([](Claims& c) { c.order = 3; }), Found{"order of q"});
    EXPECT_EQ(rattle_says([](Claims& c) { c.order_p = 1; }), Found{"order of p"});
    EXPECT_EQ(rattle_says([](Claims& c) { c.order_lambda = 1; }), Found{"order of lambda"});
    EXPECT_EQ(rattle_says([](Claims& c) { c.symmetric = false; }), Found{"symmetry"});
    EXPECT_EQ(rattle_says([](Claims& c) { c.symplectic = false; }), Found{"symplecticity"});
    EXPECT_EQ(rattle_says([](Claims& c) { c.is_explicit = false; }), Found{"explicitness"});
    EXPECT_EQ(rattle_says([](Claims& c) { c.energy_bounded = false; }), Found{"energy"});
    EXPECT_EQ(rattle_says([](Claims& c) { c.position.exact = false; }), Found{"position residual"});
    const auto shake = measure(method("shake"), true);
    auto claims = method("shake").claims();
    claims.hidden = {};
    EXPECT_EQ(contradictions(claims, shake, true), Found{"hidden residual"});
    claims.hidden = {.exact = false, .order = 1};
    EXPECT_EQ(contradictions(claims, shake, true), Found{"order of the hidden residual"});
}

// The catalogue of methods, from the papers: no record may claim less.
TEST(Claims, no_method_claims_less_than_the_catalogue) {
    struct Line {
        const char* spec;
        int order;
        bool symmetric;
        std::optional<bool> symplectic;
    };
    for (const auto& line : {Line{"verlet", 2, true, true}, Line{"leapfrog", 2, true, true},
                             Line{"shake", 2, true, std::nullopt}, Line{"rattle", 2, true, true}}) {
        const auto claims = method(line.spec).claims();
        EXPECT_GE(claims.order, line.order) << line.spec;
        EXPECT_GE(claims.symmetric, line.symmetric) << line.spec;
        EXPECT_EQ(claims.symplectic, line.symplectic) << line.spec;
    }
}

}  // namespace
}  // namespace libration::conformance
