// Requests from keyword arguments, by their tables.
#pragma once

#include "arguments.hpp"

#include "request/field.hpp"
#include "request/run_fields.hpp"

namespace libration::python {

// "a|b|c" as `"a", "b" or "c"`.
inline std::string in_quotes(std::string_view choices) {
    std::string text = "\"";
    for (std::size_t at = 0; at < choices.size(); ++at) {
        const bool last = choices.find('|', at + 1) == std::string_view::npos;
        text += choices[at] != '|' ? std::string(1, choices[at]) : last ? "\" or \"" : "\", \"";
    }
    return text + "\"";
}

// Every entry must be a keyword of the request; None counts as not given.
template <class Request>
Request request_of(const pybind11::dict& given, std::span<const RequestField<Request>> fields) {
    Request request;
    for (const auto& [key, value] : given) {
        const auto name = std::string(pybind11::str(key));
        const auto found = std::ranges::find_if(fields, [&](const auto& field) {
            return field.for_use(use::python) && argument_of(field).keyword_name() == name;
        });
        if (found == fields.end()) {
            throw InputError(fmt::format("there is no option '{}'", name));
        }
        if (value.is_none()) {
            continue;
        }
        if (found->kind() == FieldKind::text && found->value.find('|') != std::string_view::npos &&
            !found->value.starts_with("FILE.") && !pybind11::isinstance<pybind11::str>(value)) {
            refuse_argument(value, name.c_str(), in_quotes(found->value).c_str());
        }
        std::visit(
            [&](auto member) {
                auto& target = request.*member;
                using Value = std::remove_cvref_t<decltype(target)>;
                if constexpr (requires { typename Value::value_type; } && !std::is_same_v<Value, std::string>) {
                    if constexpr (requires { target.has_value(); }) {
                        target = argument<typename Value::value_type>(value, name.c_str());
                    } else {
                        target = argument<Value>(value, name.c_str());
                    }
                } else {
                    target = argument<Value>(value, name.c_str());
                }
            },
            found->member);
    }
    return request;
}

}  // namespace libration::python
