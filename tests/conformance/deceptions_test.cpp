// Certificates on models that were made to deceive: no verdict is false.
//
// A false verdict is "confirmed" where the claim is false on that model, or "contradicted" where it is true. Claims
// that are made false on purpose must not be confirmed either; and enough is confirmed that silence is not the way to
// pass.
#include "deceptions.hpp"

#include <libration/analysis/certify.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace libration::conformance {
namespace {

bool is_order(const Finding& finding) { return finding.claim.starts_with("order"); }

int claimed_order(const Finding& finding) { return std::atoi(finding.claimed.c_str()); }

// What is false about a finding on this model; empty: nothing.
std::string false_word(const Deception& model, const Finding& finding) {
    const bool confirmed = finding.verdict == Verdict::confirmed,
               contradicted = finding.verdict == Verdict::contradicted;
    if (is_order(finding)) {
        const bool holds = claimed_order(finding) <= model.highest_order;
        return (confirmed && !holds) || (contradicted && holds) ? (holds ? "is true" : "is false") : "";
    }
    if (finding.claim == "energy" && !model.bounded_energy) {
        return confirmed && finding.claimed == "bounded" ? "is not known" : "";
    }
    return contradicted ? "is true" : "";
}

struct Falsehood {
    const char* claim;
    std::function<void(Claims&)> tell;
};

// False for every method on every model: the next order, and the opposite of what is true. Of special models only what
// is true of all methods on them is known.
std::vector<Falsehood> falsehoods(const Claims& truth, const Deception& model) {
    std::vector<Falsehood> all{{"order of q", [](Claims& c) { c.order += 1; }},
                               {"order of p", [](Claims& c) { c.order_p += 1; }}};
    if (truth.symmetric || !model.special) {
        all.push_back({"symmetry", [](Claims& c) { c.symmetric = !c.symmetric; }});
    }
    if (truth.symplectic && (*truth.symplectic || !model.special)) {
        all.push_back({"symplecticity", [](Claims& c) { c.symplectic = !*c.symplectic; }});
    }
    if (truth.position.exact) {
        all.push_back({"position residual", [](Claims& c) { c.position = {.exact = false, .order = 2}; }});
    }
    if (truth.hidden.exact) {
        all.push_back({"hidden residual", [](Claims& c) { c.hidden = {.exact = false, .order = 2}; }});
    }
    if (model.bounded_energy && !model.special) {
        all.push_back({"energy", [](Claims& c) { c.energy_bounded = !c.energy_bounded; }});
    }
    return all;
}

// Passes through a kink, and not before eight of the largest steps that a certificate takes: ten times that of the
// model each.
class Crossing final : public Observer {
  public:
    explicit Crossing(const Deception::Kink& kink) : kink_(kink) {}
    void see(const Sample& sample) override {
        const double value =
            (kink_.coordinate < 0 ? sample.t : sample.q[static_cast<std::size_t>(kink_.coordinate)]) - kink_.at;
        first_ = sample.step == 0 ? value : first_;
        time = time == 0 && value * first_ < 0 ? sample.t : time;
    }
    double time = 0;

  private:
    Deception::Kink kink_;
    double first_ = 0;
};

void expect_late(const Deception& model, const Model& parsed) {
    Crossing crossing(*model.kink);
    const auto spec = parsed.field ? "gauss(2)" : (parsed.forces.empty() ? "lobatto(3)" : "spark(3)");
    integrate(parsed, method(spec), {.step = *parsed.run.step, .duration = *parsed.run.duration, .monitor = 0},
              crossing);
    EXPECT_GT(crossing.time, 80 * *parsed.run.step) << model.name << ": nothing is hidden";
}

struct Tally {
    int seen = 0, certificates = 0, findings = 0, confirmed = 0, contradicted = 0, not_measurable = 0;
};

// Every so many of the certificates, each measurement with so much work.
void examine(const Deception& model, int every, double work, Tally& tally) {
    const auto parsed = Model::parse(model.text, model.name);
    if (model.kink) {
        expect_late(model, parsed);
    }
    for (const auto& spec : model.methods) {
        if (tally.seen++ % every != 0) {
            continue;
        }
        const auto certificate = certify(method(spec), parsed, {.work = work});
        ++tally.certificates;
        for (const auto& finding : certificate.findings) {
            const auto fault = false_word(model, finding);
            EXPECT_EQ(fault, "") << spec << " on " << model.name << ": " << finding.claim << " " << finding.claimed
                                 << ", measured " << finding.measured << ", " << to_string(finding.verdict);
            tally.findings += finding.verdict != Verdict::not_applicable ? 1 : 0;
            tally.confirmed += finding.verdict == Verdict::confirmed ? 1 : 0;
            tally.contradicted += finding.verdict == Verdict::contradicted ? 1 : 0;
            tally.not_measurable += finding.verdict == Verdict::not_measurable ? 1 : 0;
        }
        const auto truth = method(spec).claims(make_system<double>(parsed)->properties(), parsed.constraint_rows);
        for (const auto& falsehood : falsehoods(truth, model)) {
            auto claims = truth;
            falsehood.tell(claims);
            auto told = certificate;
            told.findings = judge(claims, certificate.measurement);
            const auto& finding = told.finding(falsehood.claim);
            EXPECT_NE(finding.verdict, Verdict::confirmed)
                << spec << " on " << model.name << ", said falsely: " << finding.claim << " " << finding.claimed
                << ", measured " << finding.measured;
        }
    }
}

Tally examine_all(int every, double work) {
    Tally tally;
    for (const auto& model : deceptions()) {
        examine(model, every, work, tally);
    }
    fmt::print("{} certificates: {} findings, {} confirmed, {} contradicted, {} not measurable\n", tally.certificates,
               tally.findings, tally.confirmed, tally.contradicted, tally.not_measurable);
    return tally;
}

// That nothing is said is no way to pass: on the models as they are, more than half of the findings are clear.
void expect_answers(const Tally& tally) { EXPECT_GT(2 * (tally.confirmed + tally.contradicted), tally.findings); }

TEST(Deceptions, lead_to_no_false_word) { expect_answers(examine_all(4, 1e5)); }

// With a step of 1/160 two nodes lie on both sides of the pericentre, where the motion turns by nine radians in that
// time.
TEST(Deceptions, an_encounter_between_two_nodes_does_not_count_against_a_method) {
    const auto& all = deceptions();
    const auto encounter = std::ranges::find(all, "close encounter", &Deception::name);
    ASSERT_NE(encounter, all.end());
    const auto spec = "compose(verlet, kahanli8)";
    const auto certificate = certify(method(spec), Model::parse(encounter->text, encounter->name), {.work = 1e5});
    const auto& found = certificate.measurement.energy;
    ASSERT_TRUE(found.lost && !found.undecidable);  // at the nodes nothing is too fast
    EXPECT_EQ(certificate.finding("energy").verdict, Verdict::not_measurable);
    ASSERT_TRUE(found.event);
    EXPECT_GT(found.event->radians, 4);  // more than a composition of order 8 follows
    EXPECT_NE(certificate.finding("energy").measured.find("an event near t = "), std::string::npos);
}

TEST(LongDeceptions, lead_to_no_false_word_on_any_of_more_than_two_hundred_certificates) {
    const auto tally = examine_all(1, 2e5);
    EXPECT_GT(tally.certificates, 200);
    expect_answers(tally);
}

}  // namespace
}  // namespace libration::conformance
