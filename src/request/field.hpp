// One field of a request: all that an interface must know of it. Options of the command line, keyword arguments of
// Python, keys of [run], attributes of files, the comparison of a restart and the tables of the documentation are made
// of such fields.
#pragma once

#include <libration/text/error.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace libration {

// Its type. Optional ones know whether they were given; texts without that are positions on the command line.
template <class Request>
using RequestMember = std::variant<std::optional<double> Request::*, std::optional<std::int64_t> Request::*,
                                   std::optional<std::string> Request::*, std::vector<std::string> Request::*,
                                   std::vector<double> Request::*, bool Request::*, std::string Request::*>;
enum class FieldKind { number, whole, text, texts, numbers, flag, position };

// Who takes it.
namespace use {
inline constexpr unsigned command = 1;         // the command line
inline constexpr unsigned python = 2;          // Python
inline constexpr unsigned run_section = 4;     // [run] of a model file
inline constexpr unsigned ensemble = 8;        // ensembles, too
inline constexpr unsigned kept = 16;           // it decides the result: files keep it, and a restart must agree with it
inline constexpr unsigned beside_resume = 32;  // a resumed ensemble takes it
inline constexpr unsigned position = 64;       // on the command line it stands without its name
inline constexpr unsigned both = command | python;
}  // namespace use

template <class Request>
struct RequestField {
    std::string_view name;  // neutral, as it stands in messages
    RequestMember<Request> member;
    // What stands for the value in the help. It is also the check of texts: "a|b" are the only words, and FILE.x|FILE.y
    // the only endings.
    std::string_view value;
    std::string_view help;
    unsigned uses = use::both;
    std::string_view fallback = {};  // what counts where nothing is given
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
    std::string_view option = {};                 // on the command line, where it is not the name with dashes
    std::string_view keyword = {};                // in Python, where it is not the name
    std::string_view attribute = {};              // in files, where it is not the name
    void (*check)(const std::string&) = nullptr;  // of a text, beyond what the value says: InputError

    [[nodiscard]] FieldKind kind() const { return static_cast<FieldKind>(member.index()); }
    [[nodiscard]] bool for_use(unsigned who) const { return (uses & who) != 0; }
    [[nodiscard]] bool is_position() const { return kind() == FieldKind::position || for_use(use::position); }
};

// The same field of a request that is also one of these.
template <class Derived, class Request>
RequestField<Derived> inherited(const RequestField<Request>& field) {
    return {
        .name = field.name,
        .member = std::visit([](auto member) { return RequestMember<Derived>(member); }, field.member),
        .value = field.value,
        .help = field.help,
        .uses = field.uses,
        .fallback = field.fallback,
        .least = field.least,
        .most = field.most,
        .option = field.option,
        .keyword = field.keyword,
        .attribute = field.attribute,
        .check = field.check,
    };
}

// A field without its request: what languages and documents need.
struct Argument {
    std::string_view name;
    FieldKind kind;
    std::string_view value, help, option, keyword, fallback;
    unsigned uses;
    [[nodiscard]] std::string meaning() const;       // the help, with the default
    [[nodiscard]] std::string option_name() const;   // "--stop-if"
    [[nodiscard]] std::string keyword_name() const;  // "stop_if"
};
template <class Request>
Argument argument_of(const RequestField<Request>& field) {
    return {field.name, field.kind(), field.value, field.help, field.option, field.keyword, field.fallback, field.uses};
}

// Whether the request has a value there.
template <class Request>
bool is_given(const Request& request, const RequestField<Request>& field) {
    return std::visit(
        [&](auto member) {
            const auto& value = request.*member;
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, bool>) {
                return value;
            } else if constexpr (requires { value.has_value(); }) {
                return value.has_value();
            } else {
                return !value.empty();
            }
        },
        field.member);
}

// Numbers in the shortest form that reads back, lists line by line, flags as 1 and 0; empty where nothing was given.
std::string field_text(const std::optional<double>& value);
std::string field_text(const std::optional<std::int64_t>& value);
std::string field_text(const std::optional<std::string>& value);
std::string field_text(const std::vector<std::string>& value);
std::string field_text(const std::vector<double>& value);
std::string field_text(bool value);
std::string field_text(const std::string& value);
template <class Request>
std::string text_of(const Request& request, const RequestField<Request>& field) {
    return std::visit([&](auto member) { return field_text(request.*member); }, field.member);
}

// One value from its text; lists take one more element. InputError with the name of the argument.
void read_field(std::string_view name, std::string_view text, std::optional<double>& value);
void read_field(std::string_view name, std::string_view text, std::optional<std::int64_t>& value);
void read_field(std::string_view name, std::string_view text, std::optional<std::string>& value);
void read_field(std::string_view name, std::string_view text, std::vector<std::string>& value);
void read_field(std::string_view name, std::string_view text, std::vector<double>& value);
void read_field(std::string_view name, std::string_view text, bool& value);
void read_field(std::string_view name, std::string_view text, std::string& value);
template <class Request>
void read_text(Request& request, const RequestField<Request>& field, std::string_view text) {
    std::visit([&](auto member) { read_field(field.name, text, request.*member); }, field.member);
}

// The checks that are in the table: words, endings, limits. InputError.
void check_word(std::string_view name, std::string_view choices, const std::string& given);
void check_limits(std::string_view name, double least, double most, double given);
template <class Request>
void check_fields(const Request& request, std::span<const RequestField<Request>> fields) {
    for (const auto& field : fields) {
        std::visit(
            [&](auto member) {
                const auto& value = request.*member;
                using Type = std::remove_cvref_t<decltype(value)>;
                if constexpr (std::is_same_v<Type, std::optional<std::string>>) {
                    if (value) {
                        check_word(field.name, field.value, *value);
                        if (field.check != nullptr) {
                            field.check(*value);
                        }
                    }
                } else if constexpr (std::is_same_v<Type, std::vector<std::string>>) {
                    if (field.check != nullptr) {
                        std::ranges::for_each(value, field.check);
                    }
                } else if constexpr (std::is_same_v<Type, std::optional<double>> ||
                                     std::is_same_v<Type, std::optional<std::int64_t>>) {
                    if (value) {
                        check_limits(field.name, field.least, field.most, static_cast<double>(*value));
                    }
                }
            },
            field.member);
    }
}

// The fields of a list that one of the users takes.
template <class Request>
std::vector<RequestField<Request>> fields_for(std::span<const RequestField<Request>> fields, unsigned who) {
    std::vector<RequestField<Request>> chosen;
    std::ranges::copy_if(fields, std::back_inserter(chosen), [&](const auto& field) { return field.for_use(who); });
    return chosen;
}

}  // namespace libration
