// `multistep ... --watch MODEL`: parasitic components along a run.
#include "multistep_request.hpp"
#include "terminal.hpp"

#include "analysis/json.hpp"
#include "analysis/parasitic.hpp"
#include "request/assignments.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>

#include <numbers>

namespace libration::app {

namespace {

ParasiticOptions parasitic_options_of(const MultistepRequest& request, const Model& model) {
    IntegrationOptions options;
    if (!request.step && !model.run.step) {
        throw InputError("the step size is missing; give `step = H`");
    }
    options.step = request.step ? *request.step : *model.run.step;
    const bool given = request.duration || request.steps;
    options.duration = given ? request.duration : model.run.duration;
    options.steps = given ? request.steps : model.run.steps;
    return {.step = options.step, .steps = count_steps(options)};
}

void print_watch(const ParasiticWatch& watch) {
    fmt::print("{}  {}, steps of {}\n\n", bold(watch.method, stdout), watch.model, watch.step);
    std::string heads = fmt::format("  {:>12}", "t"), angles = fmt::format("  {:>12}", "angle, deg"), moduli;
    bool outside = false;
    for (const auto& component : watch.components) {
        heads += fmt::format("{:>14}", component.of_positions ? "|z|" : "h^2 |G^T nu|");
        angles += fmt::format("{:>14.2f}", component.angle * 180 / std::numbers::pi);
        moduli += fmt::format("{:>14.6f}", component.modulus);
        outside = outside || component.modulus > 1 + 1e-8;
    }
    fmt::print("{}\n{}\n  {:>12}{}\n", bold(heads, stdout), angles, "modulus", moduli);
    for (std::size_t row = 0; row < watch.t.size(); ++row) {
        std::string line = fmt::format("  {:>12.6g}", watch.t[row]);
        for (const auto& component : watch.components) {
            line += fmt::format("{:>14.3e}", component.largest[row]);
        }
        fmt::print("{}\n", line);
    }
    fmt::print("\n  Maximum values between the times shown: z for roots of rho, nu for roots of sigma. The smooth "
               "part\n  is filtered out up to O(h^(k+2)); smaller components cannot be detected.\n");
    if (outside) {
        fmt::print(
            "  {}\n",
            red("A root is outside the unit circle: its component grows by the modulus of that root in each step.",
                stdout));
    }
}

}  // namespace

int watch_multistep(const MultistepRequest& request, const std::string& spec) {
    const auto model = Model::load(*request.watch, read_assignments(request.set));
    const auto watch = watch_parasitic(model, parse_spec(spec), parasitic_options_of(request, model));
    for (const auto& warning : watch.warnings) {
        fmt::print(stderr, "{} {}\n", bold("warning:", stderr), said(warning));
    }
    if (request.json) {
        fmt::print("{}\n", json_of(watch));
    } else {
        print_watch(watch);
    }
    if (!watch.failure.empty()) {
        fmt::print(stderr, "{} {}\n", red("failed:", stderr), watch.failure);
    }
    return watch.failure.empty() ? success : numerical_failure;
}

}  // namespace libration::app
