// From a request to a gradient, and from a gradient to values.
#include "gradient_record.hpp"

#include "forward_run.hpp"
#include "measurement_table.hpp"

#include "choose/chosen_settings.hpp"
#include "integrate/run_record.hpp"
#include "integrate/time_limit.hpp"
#include <libration/integrate/run_settings.hpp>

namespace libration {

namespace {

std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names;
    std::size_t first = 0;
    while (first <= list.size()) {
        const auto comma = std::min(list.find(',', first), list.size());
        const auto begin = list.find_first_not_of(' ', first);
        const auto end = list.find_last_not_of(' ', comma == 0 ? 0 : comma - 1);
        if (begin >= comma || begin == std::string::npos) {
            throw InputError({.argument = "by",
                              .value = list.empty() ? "\"\"" : list,
                              .problem = "a name is missing",
                              .remedy = "give names with commas between them, e.g. `by = g,l,v_x`"});
        }
        names.push_back(list.substr(begin, end - begin + 1));
        first = comma + 1;
    }
    return names;
}

// "g=1,m1=0.5"
std::vector<Derivative> direction_in(const std::string& text) {
    const auto refuse = [&](const std::string& problem) {
        throw InputError(
            {.argument = "hessian_along",
             .value = text.empty() ? "\"\"" : text,
             .problem = problem,
             .remedy = "give names and numbers with commas between them, e.g. `hessian_along = g=1,v_x=0.5`"});
    };
    std::vector<Derivative> direction;
    for (std::size_t first = 0; first <= text.size();) {
        const auto comma = std::min(text.find(',', first), text.size());
        const auto part = text.substr(first, comma - first);
        const auto equal = part.find('=');
        if (equal == std::string::npos) {
            refuse(fmt::format("'{}' has no number", part));
        }
        Derivative one{.name = part.substr(0, equal)};
        std::erase(one.name, ' ');
        std::optional<double> size;
        read_field("hessian_along", part.substr(equal + 1), size);
        one.value = *size;
        if (one.name.empty()) {
            refuse("a name is missing");
        }
        direction.push_back(one);
        first = comma + 1;
    }
    return direction;
}

// A value for each unknown under its name, and an array for each list.
void add_by_name(RecordWriter& fields, const char* name, const Gradient& gradient, std::span<const double> values) {
    fields.group(name, [&](RecordWriter& inner) {
        auto list = gradient.lists.begin();
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (list == gradient.lists.end() || k < list->first) {
                inner(gradient.derivatives[k].name, values[k]);
                continue;
            }
            const auto elements = values.subspan(k, list->count);
            inner(list->name, std::vector<double>(elements.begin(), elements.end()));
            k += list->count - 1;
            ++list;
        }
    });
}

}  // namespace

Record record_of(const Gradient& gradient) {
    RecordWriter fields;
    const bool good = !gradient.failure;
    fields("model", gradient.model);
    fields.when(good, "loss", gradient.loss);
    if (gradient.measured > 0) {
        fields("measured", static_cast<std::int64_t>(gradient.measured));
    }
    if (good) {
        std::vector<double> values;
        for (const auto& derivative : gradient.derivatives) {
            values.push_back(derivative.value);
        }
        add_by_name(fields, "gradient", gradient, values);
        if (!gradient.hessian_product.empty()) {
            add_by_name(fields, "hessian_product", gradient, gradient.hessian_product);
        }
    } else {
        fields.when(false, "gradient", 0.0);
    }
    fields("method", gradient.method);
    fields("step", gradient.step);
    fields("adaptive", gradient.adaptive);
    fields("steps", gradient.steps);
    fields("mode", to_string(gradient.mode));
    fields.when(gradient.mode == GradientMode::backward, "stored_every", gradient.stored_every);
    fields.when(!gradient.why_forward.empty(), "why_forward", gradient.why_forward);
    fields("tangent_growth", gradient.tangent_growth);
    fields.when(good, "digits", gradient.digits);
    fields("seconds", gradient.seconds);
    fields("run_seconds", gradient.run_seconds);
    fields("setup_seconds", gradient.setup_seconds);
    fields.when(gradient.mode == GradientMode::backward, "backend", gradient.backend);
    fields.when(gradient.mode == GradientMode::backward, "compiled_steps", gradient.compiled_steps);
    if (gradient.failure) {
        fields("failure", record_of(*gradient.failure));
    }
    return std::move(fields.record);
}

namespace {

// A table takes the place of the length of the run: it ends at the last measured time.
GradientOptions options_of(const RunSettings& settings, const GradientRequest& request,
                           std::optional<Measurements> data, const StopSignal& stop) {
    GradientOptions options;
    options.run = settings.options;
    options.loss = request.loss.value_or("");
    options.data = std::move(data);
    if (options.data && !request.duration && !request.steps) {
        options.run.duration.reset();
        options.run.steps.reset();
    }
    if (request.by) {
        options.by = names_in(*request.by);
    }
    if (request.hessian_along) {
        options.hessian_along = direction_in(*request.hessian_along);
    }
    const auto mode = request.mode.value_or("auto");
    options.mode = mode == "backward"  ? GradientMode::backward
                   : mode == "forward" ? GradientMode::forward
                                       : GradientMode::automatic;
    options.stop = &stop;
    options.checkpoint = request.checkpoint.value_or("");
    options.overwrite = request.overwrite;
    return options;
}

template <class Work>
auto worked(const Model& model, const GradientRequest& request, std::optional<Measurements> data, StopSignal& stop,
            Work work) {
    const auto started = std::chrono::steady_clock::now();
    check_fields<GradientRequest>(request, gradient_fields());
    if (request.overwrite && !request.checkpoint) {
        throw InputError("`overwrite` is for `checkpoint`; give `checkpoint = FILE`, or omit it");
    }
    if (request.data && !data) {
        data = read_measurements(*request.data);
    }
    auto complete = request;
    if (data && !request.duration && !request.steps) {
        complete.steps = 1;  // not needed
    }
    if (!data) {
        (void)choose_for(model, complete);
    }
    const auto settings = resolve(model, complete);
    const auto options = options_of(settings, request, std::move(data), stop);
    const auto chosen = method(settings.method(), request.force ? Doubts::accept : Doubts::refuse);
    const auto& time = settings.request.time_limit;
    const TimeLimit limit(time ? std::optional(seconds_of(*time)) : std::nullopt, started, stop);
    std::optional<decltype(work(settings.model, chosen, options))> result;
    try {
        result = work(settings.model, chosen, options);
    } catch (const GradientStopped&) {
        result.reset();
    }
    return result;
}

}  // namespace

std::optional<Gradient> gradient_of(const Model& model, const GradientRequest& request, StopSignal& stop,
                                    std::optional<Measurements> data) {
    return worked(model, request, std::move(data), stop, [](const auto&... all) { return gradient(all...); });
}

std::optional<Jacobian> jacobian_of(const Model& model, const GradientRequest& request, StopSignal& stop,
                                    std::optional<Measurements> data) {
    return worked(model, request, std::move(data), stop, [](const auto&... all) { return jacobian(all...); });
}

}  // namespace libration
