// `libration gradient`.
#include "commands.hpp"
#include "examples.hpp"
#include "stop_request.hpp"
#include "terminal.hpp"

#include "gradient/gradient_record.hpp"
#include "request/assignments.hpp"
#include <libration/io/json.hpp>
#include <libration/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::app {

namespace {

// Of long lists the first and the last elements; JSON has all.
void print_derivatives(const Gradient& result) {
    constexpr std::size_t longest = 12, shown = 4;
    std::size_t width = 4;
    for (const auto& [name, value] : result.derivatives) {
        width = std::max(width, name.size());
    }
    auto list = result.lists.begin();
    for (std::size_t k = 0; k < result.derivatives.size(); ++k) {
        while (list != result.lists.end() && k >= list->first + list->count) {
            ++list;
        }
        if (list != result.lists.end() && list->count > longest && k == list->first + shown) {
            fmt::print("  ... {} elements more; `json` has all\n",
                       grouped(static_cast<std::int64_t>(list->count - 2 * shown)));
            k += list->count - 2 * shown;
        }
        const auto& [name, value] = result.derivatives[k];
        const auto product =
            result.hessian_product.empty() ? "" : fmt::format("   H v {: .17g}", result.hessian_product[k]);
        fmt::print("  {:<20}{: .17g}{}\n", fmt::format("d/d {:<{}}", name, width), value, product);
    }
}

void print_gradient(const Gradient& result) {
    fmt::print("{}  {}, {} {}\n", bold(result.model, stdout), result.method, grouped(result.steps),
               result.adaptive ? "adaptive steps, held fixed" : fmt::format("steps of {}", result.step));
    fmt::print("  {:<20}{:.17g}{}\n", "loss", result.loss,
               result.measured > 0
                   ? fmt::format(", sum of squares over {} values", grouped(static_cast<std::int64_t>(result.measured)))
                   : "");
    print_derivatives(result);
    fmt::print("  {:<20}{}\n", "mode",
               result.mode == GradientMode::backward
                   ? fmt::format("backward, along states stored every {} steps", grouped(result.stored_every))
               : result.why_forward.empty() ? "forward"
                                            : fmt::format("forward, because {}", said(result.why_forward)));
    fmt::print("  {:<20}{:.3g}, {:.0f} digits left\n", "growth of tangents", result.tangent_growth, result.digits);
    fmt::print("  {:<20}{:.3g} s, {:.3g} s of it for the run\n", "time", result.seconds, result.run_seconds);
}

int start_gradient(const GradientRequest& request) {
    if (request.model.empty()) {
        throw InputError("which model? e.g. `libration gradient pendulum`; `libration problems` lists those built in");
    }
    watch_for_stop_requests();
    const auto model = Model::load(request.model, read_assignments(request.set));
    auto result = gradient_of(model, request, stop_signal);
    if (!result) {
        fmt::print(stderr, "{}\n",
                   request.checkpoint ? fmt::format("stopped; the same command continues from {}", *request.checkpoint)
                                      : "stopped; gradients with --checkpoint FILE can be continued");
        return success;
    }
    for (const auto& warning : result->warnings) {
        fmt::print(stderr, "{} {}\n", bold("warning:", stderr), said(warning));
    }
    if (result->failure) {
        result->failure->message = said(result->failure->message);
    }
    if (request.json) {
        fmt::print("{}\n", json_of(*result, request.full));
    } else if (!result->failure) {
        print_gradient(*result);
    }
    if (result->failure) {
        fmt::print(stderr, "{} step {} (t = {}): {}\n", red("failed at", stderr), result->failure->step,
                   result->failure->t, result->failure->message);
    }
    return result->failure ? numerical_failure : success;
}

}  // namespace

Command gradient_command() {
    return make_command<GradientRequest>("gradient", "derivative of a loss by parameters and initial values",
                                         gradient_examples, gradient_fields(), start_gradient);
}

}  // namespace libration::app
