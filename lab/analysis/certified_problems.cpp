// What models say about how they are to be certified, under [certify]: the largest sensible step, the time over which
// errors are measured, the exact solution at a time if it is known. Built-in problems that say so are those of the
// conformance suite.
#include "analysis/certify_section.hpp"
#include "model/document.hpp"
#include "model/embedded.hpp"
#include "request/study_request.hpp"

#include <libration/analysis/certify.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace libration {

namespace {

constexpr const char* section_name = "certify";

double positive_number(const Document& value) {
    const bool integer = value.kind == Document::Kind::integer;
    const double number = integer ? static_cast<double>(value.integer) : value.number;
    if ((!integer && value.kind != Document::Kind::number) || !(number > 0)) {
        value.fail("expected a positive number");
    }
    return number;
}

// Numbers are texts, which keep all their digits.
std::vector<std::string> exact_numbers(const Document& value, std::size_t count) {
    if (value.kind != Document::Kind::list || value.items.size() != count) {
        value.fail(fmt::format("expected a list of {} numbers in quotes", count));
    }
    std::vector<std::string> numbers;
    for (const auto& item : value.items) {
        char* end = nullptr;
        if (item.kind != Document::Kind::text || item.text.empty() ||
            (std::strtod(item.text.c_str(), &end), *end != '\0')) {
            item.fail("expected a number in quotes, so that all digits are kept");
        }
        numbers.push_back(item.text);
    }
    return numbers;
}

std::optional<ExactSolution> exact_solution(const Document& section, const Model& model) {
    const auto* time = section.find("time");
    if (time == nullptr) {
        for (const auto* key : {"q", "p", "lambda", "accuracy", "source"}) {
            if (const auto* value = section.find(key)) {
                value->fail("it is part of an exact solution, whose `[certify] time` is missing");
            }
        }
        return std::nullopt;
    }
    ExactSolution exact{.time = positive_number(*time), .q = {}, .p = {}, .lambda = {}, .source = {}};
    for (const auto& [key, into, count] :
         {std::tuple{"q", &exact.q, model.dimension}, std::tuple{"p", &exact.p, model.dimension},
          std::tuple{"lambda", &exact.lambda, model.multipliers()}}) {
        const auto* value = section.find(key);
        if (value == nullptr && count > 0) {
            section.fail(fmt::format("an exact solution needs `[certify] {}`", key));
        }
        if (value != nullptr) {
            *into = exact_numbers(*value, count);
        }
    }
    if (const auto* accuracy = section.find("accuracy")) {
        exact.accuracy = positive_number(*accuracy);
    }
    if (const auto* source = section.find("source")) {
        exact.source = source->text;
    }
    return exact;
}

}  // namespace

std::optional<CertifiedProblem> certify_section(const Model& model) {
    if (model.text.find(section_name) == std::string::npos) {
        return std::nullopt;
    }
    const auto document = read_document(std::make_shared<const Source>(Source{model.name, model.text}));
    const auto* section = document.find(section_name);
    if (section == nullptr) {
        return std::nullopt;
    }
    const std::array<std::string, 10> known{"step", "duration", "highest_order", "on_demand", "time",
                                            "q",    "p",        "lambda",        "accuracy",  "source"};
    section->allow_only(known, "`[certify]`");
    CertifiedProblem problem;
    if (const auto* step = section->find("step")) {
        problem.options.step = positive_number(*step);
    }
    if (const auto* duration = section->find("duration")) {
        problem.options.duration = positive_number(*duration);
    }
    if (const auto* order = section->find("highest_order")) {
        problem.highest_order = static_cast<int>(positive_number(*order));
    }
    if (const auto* demand = section->find("on_demand")) {
        problem.on_demand = demand->boolean;
    }
    problem.options.exact = exact_solution(*section, model);
    return problem;
}

std::span<const CertifiedProblem> certified_problems() {
    static const auto all = [] {
        std::vector<CertifiedProblem> found;
        for (const auto& built_in : embedded_problems()) {
            if (auto problem = certify_section(Model::load(std::string(built_in.name)))) {
                problem->model = built_in.name;
                found.push_back(*std::move(problem));
            }
        }
        return found;
    }();
    return all;
}

std::vector<const CertifiedProblem*> certified_problems(const Method& method) {
    std::vector<const CertifiedProblem*> fitting;
    for (const auto& problem : certified_problems()) {
        const auto system = make_system<double>(Model::load(std::string(problem.model)));
        if (!problem.on_demand && method.claims().order <= problem.highest_order &&
            unmet_needs(method, system->properties(), system->constraints()).empty()) {
            fitting.push_back(&problem);
        }
    }
    return fitting;
}

CertifyOptions options_for(std::string_view model) {
    const auto all = certified_problems();
    const auto found = std::ranges::find(all, model, &CertifiedProblem::model);
    return found != all.end() ? found->options : CertifyOptions{};
}

CertifyOptions options_for(const Model& model) {
    const auto all = embedded_problems();
    const auto found = std::ranges::find(all, std::string_view(model.text), &EmbeddedProblem::text);
    return model.overrides.empty() && found != all.end() ? options_for(found->name) : CertifyOptions{};
}

CertifyOptions certify_options(const Model& model, const CertifyRequest& given) {
    for (const auto& value : {given.step, given.duration}) {
        if (value && !(*value > 0)) {
            throw InputError("`step` and `duration` must be positive");
        }
    }
    if (given.step || given.duration) {
        return {.step = given.step.value_or(0), .duration = given.duration.value_or(0), .project = given.project};
    }
    auto options = options_for(model);
    options.project = given.project;
    if (given.project) {
        options.exact.reset();  // it is that of the start as it is given
    }
    return options;
}

std::vector<Certificate> certify_on_all(const Method& method) {
    std::vector<Certificate> all;
    for (const auto* problem : certified_problems(method)) {
        all.push_back(certify(method, Model::load(std::string(problem->model)), problem->options));
    }
    return all;
}

}  // namespace libration
