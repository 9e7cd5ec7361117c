// Claims against measurements.
#include <libration/analysis/certify.hpp>

#include <libration/kit/make_system.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace libration {

namespace {

const char* yes_no(bool value) { return value ? "yes" : "no"; }

// Orders are whole: a quarter is half of the way to where the next one would be confused. From order 12 on the errors
// reach round-off before their quotients have settled (an error of 1e-30 is made by steps as large as 1e-30^(1/k)), and
// they are seen to waver by up to one: the margin is half of the distance to the next order that is possible, which for
// symmetric methods is even.
double order_margin(int claimed, bool symmetric) { return claimed < 12 ? 0.25 : (symmetric ? 1.0 : 0.5); }

std::string order_text(const MeasuredOrder& order) {
    if (order.value && order.scatter) {
        return fmt::format("{:.2f} +- {:.2f} (across kinks)", *order.value, *order.scatter);
    }
    const char* state = order.settled ? "" : (order.rising ? " (still increasing)" : " (not settled)");
    return order.value ? fmt::format("{:.2f}{}", *order.value, state) : "not measurable";
}

// Across a kink an order can be contradicted but not confirmed: the lower power of h that a kink adds may be too small
// to be seen with the steps that were made. Its size depends on where in a step the kink lies: three standard errors
// decide.
Verdict scattered_verdict(int claimed, const MeasuredOrder& order) {
    const double off = std::abs(*order.value - claimed);
    return off - 3 * *order.scatter > 0.5 ? Verdict::contradicted : Verdict::not_measurable;
}

Verdict order_verdict(int claimed, const MeasuredOrder& order, bool symmetric = false) {
    if (!order.value) {
        return Verdict::not_measurable;
    }
    if (order.scatter) {
        return scattered_verdict(claimed, order);
    }
    const double off = std::abs(*order.value - claimed);
    const double margin = order_margin(claimed, symmetric);
    if (margin == 1.0 && claimed % 2 != 0) {
        return Verdict::contradicted;
    }
    if (off < margin) {  // one quotient alone may be there by chance
        return order.settled || std::abs(order.before - claimed) < 2 * margin ? Verdict::confirmed
                                                                              : Verdict::not_measurable;
    }
    // One that rises beyond the claim does not come back to it.
    if (order.rising && *order.value > claimed && off > std::min(0.5 + margin, 2 * margin)) {
        return Verdict::contradicted;
    }
    // With smaller steps an order that is not settled may well become what is claimed.
    return order.settled ? Verdict::contradicted : Verdict::not_measurable;
}

class ClaimJudgement {
  public:
    ClaimJudgement(const Claims& claims, const Measurement& measured) : claims_(&claims), measured_(&measured) {}

    std::vector<Finding> findings() {
        order("order of q", claims_->order, measured_->q, &Rung::q, true);
        order("order of p", claims_->order_p, measured_->p, &Rung::p, measured_->partitioned);
        order("order of lambda", claims_->order_lambda, measured_->lambda, &Rung::lambda, measured_->constrained);
        defect("symmetry", claims_->symmetric, measured_->symmetry, "forward and back");
        defect("symplecticity", measured_->hamiltonian ? claims_->symplectic : std::nullopt, measured_->symplecticity,
               "defect");
        residual("position residual", claims_->position, measured_->position_defect, measured_->position,
                 measured_->position_size);
        residual("hidden residual", claims_->hidden, measured_->hidden_defect, measured_->hidden,
                 measured_->hidden_size);
        energy();
        const bool has_momenta = !measured_->momenta.empty() && (claims_->momentum_map || measured_->angular);
        defect("momentum map", has_momenta ? std::optional(claims_->momentum_map) : std::nullopt,
               measured_->momentum_map, fmt::format("{} changes by", fmt::join(measured_->momenta, ", ")));
        defect("volume",
               measured_->volume.measured || !measured_->volume.failure.empty() ? claims_->volume : std::nullopt,
               measured_->volume, "determinant - 1 is");
        gradient();
        explicitness();
        return std::move(findings_);
    }

  private:
    void add(const char* claim, std::string claimed, std::string measured, Verdict verdict) {
        findings_.push_back({claim, std::move(claimed), std::move(measured), verdict});
    }
    void skip(const char* claim) { add(claim, "-", "-", Verdict::not_applicable); }

    void order(const char* claim, int claimed, const MeasuredOrder& found, double Rung::*error, bool applies) {
        if (!applies || claimed == unclaimed || claims_->diverges) {
            return skip(claim);
        }
        const auto& ladder = measured_->ladder;
        const bool diverges = !ladder.empty() && !(ladder.back().*error < 0.1);
        const bool failed = !measured_->ladder_failure.empty();
        if (failed || (!found.value && diverges)) {
            return add(claim, fmt::format("{}", claimed), failed ? measured_->ladder_failure : "diverges",
                       divergence_verdict(claimed, failed, error));
        }
        auto verdict = order_verdict(claimed, found, claims_->symmetric);
        auto text = order_text(found);
        const auto& later = measured_->window.later;
        if (verdict == Verdict::confirmed && !later.empty()) {
            verdict = Verdict::not_measurable;
            text += fmt::format(", but {}", later);
        }
        // The order of stiff problems is lower until steps resolve the fastest motion.
        if (verdict == Verdict::contradicted && !measured_->asymptotic) {
            verdict = Verdict::not_measurable;
            text += ", with steps too large for the fastest motion";
        }
        add(claim, fmt::format("{}", claimed), std::move(text), verdict);
    }

    // Steps that are too large for the motion fail with every method, and so do errors that are saturated: a method
    // that does not converge has the same error however small the steps are.
    [[nodiscard]] Verdict divergence_verdict(int claimed, bool failed, double Rung::*error) const {
        const auto& ladder = measured_->ladder;
        const std::size_t n = ladder.size();
        const bool stays =
            n >= 6 && !(ladder[n - 1].*error < ladder[n - 3].*error / 2) && ladder.back().h <= ladder.front().h / 32;
        if (!measured_->resolved || !(failed || stays)) {
            return Verdict::not_measurable;
        }
        return claimed == 0 ? Verdict::confirmed : Verdict::contradicted;
    }

    // Both answers must be clear: round-off for yes, far more than round-off for no. Round-off says something only
    // where a method without the property would show it; and that a method has it on a linear problem does not
    // contradict that in general it has not.
    [[nodiscard]] Verdict defect_verdict(bool claimed, const Defect& defect) const {
        if (!defect.is_round_off() && !defect.is_clear()) {
            return Verdict::not_measurable;
        }
        // For yes, a defect as large as the error must be clear; for no, one that is ten times smaller.
        const bool shows = claimed ? defect.visible > 1e3 * defect.tolerance : defect.would_show();
        if (defect.is_round_off() && (!shows || (!claimed && measured_->linear))) {
            return Verdict::not_measurable;
        }
        return claimed == defect.is_round_off() ? Verdict::confirmed : Verdict::contradicted;
    }

    void defect(const char* claim, std::optional<bool> claimed, const Defect& found, const std::string& what) {
        if (!claimed || claims_->diverges) {
            return skip(claim);
        }
        if (!found.measured) {
            return add(claim, yes_no(*claimed), found.failure,
                       found.undecidable ? Verdict::not_measurable : Verdict::contradicted);
        }
        add(claim, yes_no(*claimed),
            fmt::format("{} {:.1e} (round-off {:.1e}) in {} steps of {:.3g}", what, found.size, found.tolerance,
                        found.steps, found.h),
            defect_verdict(*claimed, found));
    }

    // What a method that is not symplectic adds to its backward gradient may be as small as its error. Where round-off
    // would hide that, the symplectic form, measured in quadruple precision, decides. Forward mode claims nothing.
    void gradient() {
        const auto& found = measured_->gradient;
        if (!found || claims_->symplectic != true || claims_->diverges) {
            const auto& why = measured_->why_forward;
            return add("gradient", "forward", why.empty() ? "-" : why, Verdict::not_applicable);
        }
        if (!found->measured) {
            return add("gradient", "backward", found->failure,
                       found->undecidable ? Verdict::not_measurable : Verdict::contradicted);
        }
        auto verdict = defect_verdict(true, *found);
        if (verdict == Verdict::not_measurable && found->is_round_off() &&
            defect_verdict(true, measured_->symplecticity) == Verdict::confirmed) {
            verdict = Verdict::confirmed;
        }
        add("gradient", "backward",
            fmt::format("error {:.1e} (round-off {:.1e}) in {} steps of {:.3g}", found->size, found->tolerance,
                        found->steps, found->h),
            verdict);
    }

    void residual(const char* claim, const ResidualClaim& claimed, const Defect& found, const MeasuredOrder& order,
                  double size) {
        if (!measured_->constrained) {
            return skip(claim);
        }
        const auto says =
            claimed.exact ? "round-off" : (claimed.order > 0 ? fmt::format("order {}", claimed.order) : "not kept");
        if (!found.measured) {
            const auto& failure = measured_->ladder_failure;
            const bool failed = !failure.empty() && measured_->resolved;
            return add(claim, says, failure.empty() ? "not measurable" : failure,
                       failed ? Verdict::contradicted : Verdict::not_measurable);
        }
        auto verdict = residual_verdict(claimed.exact, found);
        auto text = fmt::format("{:.1e}, {:.1e} units of round-off", size, found.size);
        if (!found.is_round_off()) {
            text += fmt::format(", order {}", order_text(order));
        }
        if (!claimed.exact && claimed.order > 0 && verdict == Verdict::confirmed) {
            verdict = order_verdict(claimed.order, order);
        }
        add(claim, says, text, verdict);
    }

    // Constraints that are linear are kept by all methods.
    [[nodiscard]] Verdict residual_verdict(bool exact, const Defect& found) const {
        if (!found.is_round_off() && !found.is_clear()) {
            return Verdict::not_measurable;
        }
        if (!exact && found.is_round_off() && (measured_->flat_constraints || !found.would_show())) {
            return Verdict::not_measurable;
        }
        return exact == found.is_round_off() ? Verdict::confirmed : Verdict::contradicted;
    }

    // Oscillation over a hundred periods cannot look like a slope of more than a twentieth of its range over the whole
    // time; a drift that is more than a quarter of the range is not an oscillation.
    void energy() {
        const auto& found = measured_->energy;
        const char* claimed = claims_->energy_bounded ? "bounded" : "drifts";
        if (!measured_->hamiltonian || !measured_->conservative) {
            return skip("energy");
        }
        if (!found.measured) {
            return add("energy", claimed, found.failure,
                       found.undecidable ? Verdict::not_measurable : Verdict::contradicted);
        }
        const bool jumped_over = found.event && !found.event->resolved();
        const auto too_fast =
            jumped_over ? fmt::format(", an event near t = {:.4g} is too fast for the step", found.event->time)
                        : (found.undecidable ? ", too large for the fastest motion" : "");
        const bool undecidable = jumped_over || found.undecidable;
        if (found.lost) {
            const auto verdict = claims_->energy_bounded ? Verdict::contradicted : Verdict::confirmed;
            return add("energy", claimed,
                       fmt::format("lost at step {} (h = {:.3g}): error {:.1e}{}", found.steps, found.h, found.error,
                                   too_fast),
                       undecidable ? Verdict::not_measurable : verdict);
        }
        const auto text = fmt::format("drift {:.1e}, range {:.1e} in {} steps of {:.3g}{}", found.drift, found.spread,
                                      found.steps, found.h, too_fast);
        const bool quiet = found.spread <= found.round_off;
        const bool bounded = found.failure.empty() && (quiet || std::abs(found.drift) < found.spread / 20);
        const bool drifts = !quiet && std::abs(found.drift) > found.spread / 4;
        if (undecidable) {
            return add("energy", claimed, text, Verdict::not_measurable);
        }
        // A quarter of an oscillation looks like a drift: ten of them must be there. So does a random walk, but it
        // turns back.
        const bool few = found.turns < 20;
        const bool brief = (drifts && !found.ended && ((few && !found.large) || !found.steady)) ||
                           (bounded && few && !claims_->energy_bounded);
        // Of a quiet energy nothing is known if errors of the method would not be seen.
        const bool silent = quiet && (!claims_->energy_bounded || !found.visible);
        if (bounded == drifts || silent || brief || (found.kinks && (bounded || claims_->energy_bounded))) {
            return add("energy", claimed, found.failure.empty() ? text : found.failure, Verdict::not_measurable);
        }
        add("energy", claimed, text, claims_->energy_bounded == bounded ? Verdict::confirmed : Verdict::contradicted);
    }

    // Explicit methods are so for separable H, and for fields of which v' does not depend on v. An iteration may always
    // end after the same number of passes, but not after the first.
    void explicitness() {
        const bool claimed = claims_->is_explicit;
        const bool iterates = measured_->constant_forces && !*measured_->constant_forces;
        if (claims_->diverges || (claimed && (!measured_->separable || (!measured_->hamiltonian && iterates)))) {
            return skip("explicitness");
        }
        if (!measured_->constant_forces) {
            return add("explicitness", yes_no(claimed), "not measurable", Verdict::not_measurable);
        }
        if (measured_->forces_a_step < 1) {
            return add("explicitness", yes_no(claimed), "no forces to count", Verdict::not_measurable);
        }
        const bool constant = *measured_->constant_forces;
        if (!claimed && constant && measured_->forces_a_step > 1) {
            return skip("explicitness");
        }
        if (!claimed && constant && (measured_->linear || !measured_->iterations_show)) {
            return add("explicitness", yes_no(claimed), "one iteration suffices here", Verdict::not_measurable);
        }
        add("explicitness", yes_no(claimed),
            constant ? fmt::format("always {} force{} per step", measured_->forces_a_step,
                                   measured_->forces_a_step == 1 ? "" : "s")
                     : "the number of forces per step varies",
            claimed == constant ? Verdict::confirmed : Verdict::contradicted);
    }

    const Claims* claims_;
    const Measurement* measured_;
    std::vector<Finding> findings_;
};

}  // namespace

std::string to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::confirmed: return "confirmed";
        case Verdict::contradicted: return "contradicted";
        case Verdict::not_measurable: return "not measurable";
        case Verdict::not_applicable: break;
    }
    return "not applicable";
}

std::string window_text(const OrderWindow& window) {
    auto text = fmt::format("0 <= t <= {:.6g}", window.length);
    if (!window.shorter.empty()) {
        text += fmt::format(" of a duration of {:.6g} ({})", window.duration, window.shorter);
    }
    return text + (window.kinks ? ", across kinks" : "");
}

const Finding& Certificate::finding(std::string_view claim) const {
    const auto found = std::ranges::find(findings, claim, &Finding::claim);
    assert(found != findings.end());
    return *found;
}

std::vector<std::string> Certificate::with(Verdict verdict) const {
    std::vector<std::string> claims;
    for (const auto& finding : findings) {
        if (finding.verdict == verdict) {
            claims.push_back(finding.claim);
        }
    }
    return claims;
}

std::vector<Finding> judge(const Claims& claims, const Measurement& measurement) {
    return ClaimJudgement(claims, measurement).findings();
}

Certificate certify(const Method& method, const Model& model, const CertifyOptions& options) {
    Certificate certificate{method.name(), model.name, {}, measure(method, model, options)};
    const auto properties = make_system<double>(model)->properties();
    certificate.findings = judge(method.claims(properties, model.constraint_rows), certificate.measurement);
    return certificate;
}

}  // namespace libration
