// `libration certify`: every claim of a method with its measurement.
//
//     auto certificate = certify(method("rattle"), Model::load("double-pendulum"), options_for("double-pendulum"));
#pragma once

#include <libration/analysis/measurement.hpp>

#include <span>
#include <string_view>

namespace libration {

struct CertifyRequest;  // src/request

enum class Verdict { confirmed, contradicted, not_measurable, not_applicable };
std::string to_string(Verdict verdict);

struct Finding {
    std::string claim;  // order of q, symmetry, ...
    std::string claimed, measured;
    Verdict verdict = Verdict::not_applicable;
};

struct Certificate {
    std::string method, model;
    std::vector<Finding> findings;
    Measurement measurement;
    [[nodiscard]] const Finding& finding(std::string_view claim) const;
    // The claims with this verdict.
    [[nodiscard]] std::vector<std::string> with(Verdict verdict) const;
};

// "0 <= t <= 4 of a duration of 100 (errors become too large beyond it)"
std::string window_text(const OrderWindow& window);

Certificate certify(const Method& method, const Model& model, const CertifyOptions& options = {});
// Claims against a measurement, one finding each.
std::vector<Finding> judge(const Claims& claims, const Measurement& measurement);

// The built-in problems on which methods are certified, by name: those with a section [certify], which gives the
// largest reasonable step and, where known, the exact solution.
struct CertifiedProblem {
    std::string_view model;  // of the built-in catalogue
    CertifyOptions options;
    int highest_order = 20;  // that its errors can show
    bool on_demand = false;  // only where it is named, not with all the others
};
std::span<const CertifiedProblem> certified_problems();
// Those that the method can run.
std::vector<const CertifiedProblem*> certified_problems(const Method& method);
// Of a problem in the list; default options for others.
CertifyOptions options_for(std::string_view model);
// Likewise if the model is just such a problem, to the letter: an exact solution is not that of a changed one.
CertifyOptions options_for(const Model& model);

// Step and duration of the request instead, if it has them; InputError if they are not positive.
CertifyOptions certify_options(const Model& model, const CertifyRequest& given);

// On every problem of the list that the method can run; empty: there is none. Ends early, with what there is, once
// `stop` is set.
std::vector<Certificate> certify_on_all(const Method& method);

// The method that computes a reference solution; empty if none is registered, and the method is then compared with
// itself.
std::string reference_method(const SystemProperties& properties, std::size_t constraints);

}  // namespace libration
