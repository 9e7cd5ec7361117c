// Who calls overrides [run].
#include "request/run_fields.hpp"
#include <libration/integrate/run_settings.hpp>
#include <libration/model/model.hpp>

#include "output_times.hpp"
#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/methods/spec.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thread>

namespace libration {

namespace {

// Each of these can run the models that it stands for, so that no default method is refused.
std::string usual_method(const Model& model) {
    const bool only_spark = !model.nonholonomic.empty() || !model.forces.empty();
    if (only_spark) {
        return "spark(3)";
    }
    if (model.constraint_rows > 0 && !model.field) {
        return "rattle";
    }
    // Where H is not separable, verlet is implicit, too: gauss(2) costs no more and has order 4.
    const bool separable = !model.field && !model.kinetic && !model.hamiltonian;
    return separable ? "verlet" : "gauss(2)";
}

std::optional<AdaptiveOptions> adaptive_options(const RunRequest& request) {
    if (!request.adaptive) {
        if (request.tol || request.estimator) {
            throw InputError({.argument = request.tol ? "tol" : "estimator",
                              .problem = "it requires `adaptive`",
                              .remedy = "also give `adaptive = reversible` or `adaptive = standard`"});
        }
        return std::nullopt;
    }
    if (!request.tol) {
        throw InputError({.argument = "adaptive",
                          .problem = "a tolerance is missing",
                          .remedy = "give `tol = TOL`, e.g. `tol = 1e-8`"});
    }
    AdaptiveOptions options;
    options.control = control_named(*request.adaptive);
    options.tolerance = *request.tol;
    if (request.estimator) {
        options.estimator = estimator_named(*request.estimator);
    }
    return options;
}

// Step and length must fit each other. What came from the model is named as it stands there.
void check_length(const IntegrationOptions& options, const RunRequest& asked) {
    try {
        (void)count_steps(options);
    } catch (const InputError& error) {
        auto mistake = error.mistake();
        for (const auto& field : run_fields) {
            if (!field.for_use(use::run_section) || is_given(asked, field)) {
                continue;
            }
            const auto in_model = fmt::format("[run] {}", field.name);
            if (mistake.argument == field.name) {
                mistake.argument = in_model;
            }
            const auto reference = fmt::format("`{} = ", field.name);
            if (const auto at = mistake.problem.find(reference); at != std::string::npos) {
                mistake.problem.replace(at, reference.size(), fmt::format("`{} = ", in_model));
            }
        }
        throw InputError(mistake);
    }
}

// As a message shows it.
std::string shown(const RunRequest& request, const RequestField<RunRequest>& field) {
    if (field.kind() == FieldKind::flag) {
        return is_given(request, field) ? "set" : "not set";
    }
    if (!is_given(request, field) || text_of(request, field).empty()) {
        return "not set";
    }
    return field.kind() == FieldKind::texts ? fmt::format("\"{}\"", fmt::join(request.events, "\", \""))
                                            : text_of(request, field);
}

// Two ways to write the same method are the same.
bool same(const RunRequest& kept, const RunRequest& asked, const RequestField<RunRequest>& field) {
    if (field.name == "method") {
        if (*asked.method == "auto") {  // the file has what was chosen
            return true;
        }
        return to_string(parse_spec(*asked.method)) == to_string(parse_spec(*kept.method));
    }
    return text_of(kept, field) == text_of(asked, field);
}

}  // namespace

void take_from_model(RunRequest& request, const Model& model) {
    const bool has_length = request.duration || request.steps;
    for (const auto& field : run_fields) {
        const bool is_length = field.name == "duration" || field.name == "steps";
        if (field.for_use(use::run_section) && !is_given(request, field) && !(is_length && has_length)) {
            std::visit([&](auto member) { request.*member = model.run.*member; }, field.member);
        }
    }
}

void complete(RunRequest& request, const Model& model) {
    take_from_model(request, model);
    for (const auto& field : run_fields) {
        if (!field.fallback.empty() && !is_given(request, field)) {
            read_text(request, field, field.fallback);
        }
    }
    request.method = request.method.value_or(usual_method(model));
    if (*request.method == "auto") {
        throw InputError({.argument = "method",
                          .value = "auto",
                          .problem = "no method is chosen for this task",
                          .remedy = "name a method, e.g. that of `libration choose`"});
    }
    if (!request.step) {
        throw InputError("the step size is missing; give `step = H`, or `[run] step = H` in the model");
    }
    if (!request.duration && !request.steps) {
        throw InputError("the length of the run is missing; give `duration = T` or `steps = N`, or "
                         "`[run] duration = T` in the model");
    }
}

RunSettings resolve(Model model, RunRequest request) {
    check_fields<RunRequest>(request, run_fields);
    if (request.at && request.every) {
        throw InputError("`at` and `every` exclude each other: states are recorded at given times, or at every K-th "
                         "step");
    }
    const auto asked = request;
    complete(request, model);
    IntegrationOptions options;
    options.step = *request.step;
    options.duration = request.duration;
    options.steps = request.steps;
    options.every = *request.every;
    options.monitor = *request.monitor;
    options.estimate_error = *request.monitor > 0;
    options.project = request.project;
    options.stop_if = request.stop_if.value_or("");
    options.adaptive = adaptive_options(request);
    options.backend = backend_named(request.backend);
    check_length(options, asked);
    if (request.at) {
        options.at = read_times(*request.at);
    }
    for (const auto& text : request.events) {
        options.events.push_back(read_event(model, text, options.events.size() + 1));
    }
    return {std::move(model), std::move(request), std::move(options)};
}

void require_same(const RunRequest& kept, const RunRequest& asked, const std::string& path) {
    for (const auto& field : run_fields) {
        if (field.for_use(use::kept) && is_given(asked, field) && !same(kept, asked, field)) {
            throw InputError({.argument = "resume",
                              .value = path,
                              .problem = fmt::format("`{}` is {} in the file and {} now", field.name,
                                                     shown(kept, field), shown(asked, field)),
                              .remedy = "omit it, or start a new run"});
        }
    }
}

Backend backend_named(const std::optional<std::string>& name) {
    return !name || *name == "auto" ? Backend::automatic
           : *name == "interpreted" ? Backend::interpreted
                                    : Backend::generated;
}

unsigned thread_count(const std::optional<std::int64_t>& asked) {
    const auto threads = asked.value_or(std::max(1U, std::thread::hardware_concurrency()));
    check_limits("threads", 1, 1024, static_cast<double>(threads));
    return static_cast<unsigned>(threads);
}

}  // namespace libration
