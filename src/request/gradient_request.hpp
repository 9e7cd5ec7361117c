// What somebody asks of gradient: what a run takes, and what is differentiated by what.
#pragma once

#include "run_fields.hpp"

namespace libration {

struct GradientRequest : RunRequest {
    std::optional<std::string> loss, data, by, hessian_along, mode, checkpoint;
};

// Beside those of a run, of which gradient_run_fields are taken.
inline constexpr std::array own_gradient_fields{
    RequestField<GradientRequest>{
        "loss", &GradientRequest::loss, "EXPR",
        "a formula of the state at the end (coordinates, v_ and p_, lambda_, observables, parameters, t), with "
        "integral(EXPR) over the run in it; or at(EVENT, EXPR), at the first occurrence of an event"},
    RequestField<GradientRequest>{
        "data", &GradientRequest::data, "FILE.csv",
        "in place of a loss, the sum of squared deviations from measurements: columns t, names or formulas, sd_NAME"},
    RequestField<GradientRequest>{
        "by", &GradientRequest::by, "NAME,...",
        "parameters, and initial values as x, v_x, p_x (default: all scalar parameters that are numbers)"},
    RequestField<GradientRequest>{
        "hessian_along", &GradientRequest::hessian_along, "NAME=NUMBER,...",
        "also the product of the second derivatives with this direction; for rattle, verlet, lobatto and gauss"},
    RequestField<GradientRequest>{
        "mode", &GradientRequest::mode, "auto|backward|forward",
        "backward: all derivatives by one tangent run, for symplectic methods; forward: four per run, for every method",
        use::both, "auto"},
    RequestField<GradientRequest>{
        "checkpoint", &GradientRequest::checkpoint, "FILE",
        "keep the work in this file every few seconds, and when it is stopped; the same command then continues it, "
        "with bitwise identical results"},
    RequestField<GradientRequest>{.name = "time_limit",
                                  .member = &GradientRequest::time_limit,
                                  .value = "TIME",
                                  .help = "stop after this time (90s, 30min, 2h, 1d); with `checkpoint` it can be "
                                          "continued",
                                  .check = [](const std::string& text) { (void)seconds_of(text); }},
    RequestField<GradientRequest>{"overwrite", &GradientRequest::overwrite, "",
                                  "start from the beginning if the `checkpoint` file exists"},
};
inline constexpr std::array<std::string_view, 15> gradient_run_fields{
    "model", "method", "step",    "duration", "steps", "adaptive", "tol", "estimator",
    "set",   "events", "backend", "project",  "force", "json",     "full"};

// All of them, in the order of the help.
inline std::span<const RequestField<GradientRequest>> gradient_fields() {
    static const auto all = [] {
        std::vector<RequestField<GradientRequest>> fields;
        const auto take = [&](std::string_view name) {
            const auto found = std::ranges::find(run_fields, name, &RequestField<RunRequest>::name);
            fields.push_back(inherited<GradientRequest>(*found));
        };
        take("model");
        fields.insert(fields.end(), own_gradient_fields.begin(), own_gradient_fields.end());
        for (const auto name : gradient_run_fields) {
            if (name != "model") {
                take(name);
            }
        }
        return fields;
    }();
    return all;
}

}  // namespace libration
