// `certify`: claims and their measurements.
#include "commands.hpp"
#include "examples.hpp"
#include "terminal.hpp"

#include "analysis/json.hpp"
#include "request/assignments.hpp"
#include <libration/analysis/certify.hpp>
#include <libration/kit/method_record.hpp>

#include <fmt/format.h>

#include <set>

namespace libration::app {

namespace {

std::string verdict_text(Verdict verdict) {
    const auto text = to_string(verdict);
    return verdict == Verdict::confirmed ? green(text, stdout)
                                         : (verdict == Verdict::contradicted ? red(text, stdout) : text);
}

void print_certificate(const Certificate& certificate) {
    const auto& measured = certificate.measurement;
    fmt::print("{} on {}\n\n", bold(certificate.method, stdout), bold(certificate.model, stdout));
    fmt::print("{}\n", bold(fmt::format("  {:<19}{:<11}{:<68}{}", "claim", "claimed", "measured", "verdict"), stdout));
    for (const auto& finding : certificate.findings) {
        fmt::print("  {:<19}{:<11}{:<67} {}\n", finding.claim, finding.claimed, finding.measured,
                   verdict_text(finding.verdict));
    }
    fmt::print("\n  Orders over {}", window_text(measured.window));
    fmt::print("\n  Relative errors at the final time against {}", measured.reference);
    if (measured.reference_accuracy > 0) {
        fmt::print(", accurate to {:.0e}", measured.reference_accuracy);
    }
    fmt::print("\n  {:>9}{:>12}{:>12}{:>12}", "steps", "h", "q", "p");
    fmt::print("{}\n", measured.constrained ? fmt::format("{:>12}{:>12}{:>12}", "lambda", "|g|", "|G v|") : "");
    for (const auto& rung : measured.ladder) {
        fmt::print("  {:>9}{:>12.4g}", rung.steps, rung.h);
        if (rung.failed) {
            fmt::print("  the step size is too large\n");
            continue;
        }
        fmt::print("{:>12.2e}{:>12.2e}", rung.q, rung.p);
        fmt::print("{}\n", measured.constrained
                               ? fmt::format("{:>12.2e}{:>12.1e}{:>12.1e}", rung.lambda, rung.position, rung.hidden)
                               : "");
    }
    fmt::print("{}\n", measured.constrained ? "  |g| and |G v|: maximum along the run, in units of round-off.\n" : "");
}

// One row per method and problem.
std::string markdown_row(const Certificate& certificate) {
    std::string row = fmt::format("| `{}` | {} |", certificate.method, certificate.model);
    std::string doubts;
    for (const auto& finding : certificate.findings) {
        if (finding.verdict == Verdict::not_applicable) {
            row += " - |";
            continue;
        }
        row += finding.claim.starts_with("order") ? fmt::format(" {} ({}) |", finding.claimed, finding.measured)
                                                  : fmt::format(" {} |", finding.claimed);
        if (finding.verdict != Verdict::confirmed) {
            doubts += fmt::format("{}{}: {}", doubts.empty() ? "" : ", ", finding.claim, to_string(finding.verdict));
        }
    }
    return fmt::format("{} {} |\n", row, doubts.empty() ? "all confirmed" : doubts);
}

std::string markdown(const std::vector<Certificate>& certificates) {
    std::string text = "# Certificates\n\n"
                       "Every claim of every method, measured on the problems that the method can run. The number in "
                       "parentheses is the measured order.\n"
                       "Written by `libration certify --all --markdown`; `libration certify METHOD MODEL` shows the "
                       "measurements.\n\n| method | problem |";
    std::string rule = "|---|---|";
    for (const auto& finding : certificates.front().findings) {
        text += fmt::format(" {} |", finding.claim);
        rule += "---|";
    }
    text += fmt::format(" verdict |\n{}---|\n", rule);
    for (const auto& certificate : certificates) {
        text += markdown_row(certificate);
    }
    text += "\nOrders were measured over these time intervals:\n\n";
    std::set<std::string> named;
    for (const auto& certificate : certificates) {
        if (named.insert(certificate.model).second) {
            text += fmt::format("- {}: {}\n", certificate.model, window_text(certificate.measurement.window));
        }
    }
    return text;
}

std::vector<Certificate> certificates_of(const Method& method, const CertifyRequest& request) {
    if (request.model.empty()) {
        return certify_on_all(method);
    }
    const auto model = Model::load(request.model, read_assignments(request.set));
    return {certify(method, model, certify_options(model, request))};
}

void check_certify_arguments(const CertifyRequest& request) {
    if (request.all != request.method.empty()) {
        throw InputError(request.all ? "--all certifies every method; omit METHOD"
                                     : "which method? e.g. 'libration certify rattle'; 'libration methods' lists them");
    }
    if (request.markdown && request.json) {
        throw InputError("--markdown and --json exclude each other");
    }
    if (request.model.empty() && (!request.set.empty() || request.project || request.step || request.duration)) {
        throw InputError("--set, --project, --step and --duration need a MODEL");
    }
}

int start_certify(const CertifyRequest& request) {
    check_certify_arguments(request);
    std::vector<std::string> specs{request.method};
    if (request.all) {
        specs.clear();
        for (const auto* record : methods()) {
            const auto more = examples(*record);
            specs.insert(specs.end(), more.begin(), more.end());
        }
    }
    std::vector<Certificate> all;
    bool contradicted = false;
    const auto doubts = request.force ? Doubts::accept : Doubts::refuse;
    for (const auto& spec : specs) {
        for (auto& certificate : certificates_of(method(spec, doubts), request)) {
            contradicted = contradicted || !certificate.with(Verdict::contradicted).empty();
            if (!request.json && !request.markdown) {
                print_certificate(certificate);
            }
            all.push_back(std::move(certificate));
        }
    }
    if (all.empty()) {
        throw InputError(
            fmt::format("'{}' cannot run any of the certification problems; give a MODEL", request.method));
    }
    if (request.json) {
        fmt::print("{}\n", json_of(all));
    } else if (request.markdown) {
        fmt::print("{}", markdown(all));
    }
    return contradicted ? numerical_failure : success;
}

}  // namespace

Command certify_command() {
    return make_command<CertifyRequest>(
        "certify", "verify the claimed properties of a method: order, symmetry, symplecticity, energy",
        certify_examples, certify_fields, start_certify);
}

}  // namespace libration::app
