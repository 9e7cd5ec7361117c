// `libration methods` and `libration problems`.
#include "commands.hpp"
#include "examples.hpp"
#include "terminal.hpp"

#include "analysis/check_facts.hpp"
#include "methods/family_claims.hpp"
#include "model/embedded.hpp"
#include "request/run_fields.hpp"
#include "text/suggest.hpp"
#include <libration/io/json.hpp>
#include <libration/kit/method_record.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration::app {

namespace {

std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 120) {
    std::string result;
    std::size_t column = indent;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = std::min(text.find(' ', at), text.size());
        if (column + (end - at) > width && column > indent) {
            result += '\n' + std::string(indent, ' ');
            column = indent;
        }
        result += (column > indent ? " " : "") + text.substr(at, end - at);
        column += end - at + 1;
        at = end + 1;
    }
    return result;
}

std::string shown_name(const MethodRecord& record) { return std::string(record.name) + std::string(record.parameters); }

struct ListRequest {
    std::string name;
    bool json = false;
};
constexpr std::array methods_fields{
    RequestField<ListRequest>{"name", &ListRequest::name, "NAME",
                              "show one method or family with its claimed properties"},
    RequestField<ListRequest>{"json", &ListRequest::json, "", "print the list, or the method, as one JSON object"},
};
constexpr std::array problems_fields{
    RequestField<ListRequest>{"name", &ListRequest::name, "NAME", "print the model file of this built-in problem"},
    RequestField<ListRequest>{"json", &ListRequest::json, "", "print the list, or the model file, as one JSON object"},
};

void print_methods() {
    std::size_t width = 0, order_width = 0;
    std::vector<FamilyClaims> all;
    for (const auto* record : methods()) {
        all.push_back(family_claims(*record));
        width = std::max(width, shown_name(*record).size() + 2);
        order_width = std::max(order_width, all.back().order.size() + 2);
    }
    fmt::print("{}\n", bold(fmt::format("{:<{}}{:<{}}{:<11}{:<12}{}", "method", width, "order", order_width,
                                        "symmetric", "symplectic", "description"),
                            stdout));
    auto claims = all.begin();
    for (const auto* record : methods()) {
        fmt::print("{:<{}}{:<{}}{:<11}{:<12}{}\n", shown_name(*record), width, claims->order, order_width,
                   claims->symmetric, claims->symplectic,
                   wrapped(std::string(record->summary), width + order_width + 23));
        ++claims;
    }
}

void fact(const char* label, const std::string& text) {
    constexpr std::size_t indent = 20;
    fmt::print("  {:<{}}{}\n", label, indent - 2, wrapped(text, indent));
}

std::string order_text(const Claims& claims) {
    const auto also = [&](const char* what, int order) {
        return order > 0 && order != claims.order ? fmt::format(", {} {}", what, order) : std::string();
    };
    return claims.order < 1
               ? "does not converge"
               : fmt::format("{}{}{}", claims.order, also("p", claims.order_p), also("lambda", claims.order_lambda));
}

std::string properties_text(const Claims& claims) {
    std::vector<std::string> words;
    words.emplace_back(claims.symmetric ? "symmetric" : "not symmetric");
    words.emplace_back(claims.symplectic == true    ? "symplectic"
                       : claims.symplectic == false ? "not symplectic"
                                                    : "symplecticity not claimed");
    if (claims.energy_bounded) {
        words.emplace_back("bounded energy error");
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

// A family by its name, one of its methods by a specification.
void print_method(const MethodRecord& record, const Method& method, bool family) {
    fmt::print("{}\n", bold(family ? shown_name(record) : method.name(), stdout));
    fact("description", std::string(record.summary));
    if (family) {
        const auto claims = family_claims(record);
        fact("order", claims.order);
        fact("symmetric", claims.symmetric);
        fact("symplectic", claims.symplectic);
        fact("examples", fmt::format("{}", fmt::join(examples(record), "; ")));
    } else {
        fact("order", order_text(method.claims()));
        fact("properties", properties_text(method.claims()));
        const auto constrained = method.claims(true);
        if (!method.needs().unconstrained && (order_text(constrained) != order_text(method.claims()) ||
                                              properties_text(constrained) != properties_text(method.claims()))) {
            fact("with constraints",
                 fmt::format("order {}; {}", order_text(constrained), properties_text(constrained)));
        }
    }
    const auto needs = need_names(method.needs());
    fact("needs", needs.empty() ? "no special structure" : fmt::format("{}", fmt::join(needs, ", ")));
    fact("reference", fmt::format("{} (docs/references.bib)", record.reference));
    fact("verify with", fmt::format("libration certify \"{}\"", method.name()));
}

int list_methods(const ListRequest& request) {
    if (request.name.empty()) {
        request.json ? fmt::print("{}\n", json_of_methods()) : print_methods();
        return success;
    }
    const auto all = methods();
    const auto found =
        std::ranges::find(all, std::string_view(request.name), [](const auto* one) { return one->name; });
    const bool family = found != all.end() && !(*found)->parameters.empty();
    const auto chosen = method(family ? examples(**found).front() : request.name, Doubts::accept);
    if (request.json) {
        fmt::print("{}\n", said(json_of(chosen)));
    } else {
        print_method(chosen.record(), chosen, family);
    }
    return success;
}

int list_problems(const ListRequest& request) {
    if (!request.name.empty()) {
        const auto all = embedded_problems();
        const auto found = std::ranges::find(all, std::string_view(request.name), &EmbeddedProblem::name);
        if (found == all.end()) {
            std::vector<std::string> names;
            std::ranges::transform(all, std::back_inserter(names),
                                   [](const auto& one) { return std::string(one.name); });
            throw InputError(fmt::format("unknown problem '{}'{}", request.name, suggestion(request.name, names)));
        }
        request.json ? fmt::print("{}\n", json_of_problem(found->name)) : fmt::print("{}", found->text);
        return success;
    }
    if (request.json) {
        fmt::print("{}\n", json_of_problems());
        return success;
    }
    fmt::print("{}\n",
               bold(fmt::format("{:<23}{:>6}{:>13}  {}", "problem", "coord.", "constraints", "description"), stdout));
    for (const auto& problem : problems()) {
        fmt::print("{:<23}{:>6}{:>13}  {}\n", problem.name, problem.dimension, problem.constraints,
                   wrapped(problem.description, 44));
    }
    fmt::print("\n'libration run NAME' integrates a problem; 'libration problems NAME' prints its model file, a "
               "starting point for your own.\n");
    return success;
}

}  // namespace

Command methods_command() {
    return make_command<ListRequest>("methods", "list the integration methods and their properties", methods_examples,
                                     methods_fields, list_methods);
}

Command problems_command() {
    return make_command<ListRequest>("problems", "list the built-in problems", problems_examples, problems_fields,
                                     list_problems);
}

}  // namespace libration::app
