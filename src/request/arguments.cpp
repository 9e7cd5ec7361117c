// All tables, one after the other.
#include "arguments.hpp"

#include "ensemble_request.hpp"
#include "gradient_request.hpp"
#include "study_request.hpp"

namespace libration {

namespace {

template <class Request>
std::vector<Argument> all_arguments(std::span<const RequestField<Request>> fields) {
    std::vector<Argument> arguments;
    for (const auto& field : fields) {
        arguments.push_back(argument_of(field));
    }
    return arguments;
}

constexpr std::array<std::string_view, 9> tasks{"run",    "ensemble", "gradient",  "certify", "compare",
                                                "choose", "analyse",  "reproduce", "check"};

}  // namespace

std::span<const RequestField<EnsembleRequest>> ensemble_fields() {
    static const auto fields = [] {
        std::vector<RequestField<EnsembleRequest>> all;
        for (const auto& field : run_fields) {
            const auto same = [&](const auto& own) { return own.name == field.name; };
            if (field.for_use(use::ensemble) && std::ranges::none_of(own_ensemble_fields, same)) {
                all.push_back(inherited<EnsembleRequest>(field));
            }
        }
        // What is varied comes after the model, flags come last.
        const auto flags = std::ranges::find_if(all, [](const auto& field) { return field.kind() == FieldKind::flag; });
        all.insert(flags, own_ensemble_fields.begin(), own_ensemble_fields.end());
        return all;
    }();
    return fields;
}

std::vector<Argument> arguments_of(std::string_view task) {
    if (task == "jacobian") {  // of measurements only
        auto arguments = arguments_of("gradient");
        std::erase_if(arguments, [](const Argument& argument) { return argument.name == "loss"; });
        return arguments;
    }
    return task == "run"         ? all_arguments<RunRequest>(run_fields)
           : task == "ensemble"  ? all_arguments<EnsembleRequest>(ensemble_fields())
           : task == "gradient"  ? all_arguments<GradientRequest>(gradient_fields())
           : task == "check"     ? all_arguments<CheckRequest>(model_check_fields)
           : task == "certify"   ? all_arguments<CertifyRequest>(certify_fields)
           : task == "compare"   ? all_arguments<CompareRequest>(compare_fields)
           : task == "choose"    ? all_arguments<ChooseRequest>(choose_fields)
           : task == "analyse"   ? all_arguments<AnalyseRequest>(analyse_fields)
           : task == "reproduce" ? all_arguments<ReproduceRequest>(reproduce_fields)
                                 : std::vector<Argument>{};
}

std::optional<Argument> argument_named(std::string_view name) {
    for (const auto task : tasks) {
        const auto all = arguments_of(task);
        if (const auto found = std::ranges::find(all, name, &Argument::name); found != all.end()) {
            return *found;
        }
    }
    return std::nullopt;
}

}  // namespace libration
