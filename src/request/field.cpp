// Values of fields as texts, and back.
#include "field.hpp"

#include "text/shorten.hpp"
#include "text/whole_number.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace libration {

namespace {

[[noreturn]] void refuse_number(std::string_view name, std::string_view text, const char* problem) {
    throw InputError({.argument = std::string(name),
                      .value = text.empty() ? std::string("\"\"") : shortened(text),
                      .problem = problem});
}

// Numbers are read without regard to the locale.
double number_of(std::string_view name, std::string_view text) {
    double value = 0;
    const auto* first = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
        refuse_number(name, text, "the number is too large or too small");
    }
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
        refuse_number(name, text, "expected a number such as 0.01 or 1e-3");
    }
    return value;
}

std::int64_t whole_of(std::string_view name, std::string_view text) {
    const auto [value, error] = whole_number(text);
    if (error == std::errc::result_out_of_range) {
        refuse_number(name, text, "the number is too large");
    }
    if (error != std::errc{}) {
        refuse_number(name, text, "expected a whole number");
    }
    return value;
}

std::vector<std::string_view> words_of(std::string_view choices) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at <= choices.size();) {
        const auto end = std::min(choices.find('|', at), choices.size());
        words.push_back(choices.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

// "a, b or c"
std::string alternatives(const std::vector<std::string_view>& words) {
    std::string text(words.front());
    for (std::size_t k = 1; k < words.size(); ++k) {
        text.append(k + 1 == words.size() ? " or " : ", ").append(words[k]);
    }
    return text;
}

}  // namespace

std::string Argument::option_name() const {
    std::string text = "--" + std::string(option.empty() ? name : option);
    std::ranges::replace(text, '_', '-');
    return text;
}
std::string Argument::keyword_name() const { return std::string(keyword.empty() ? name : keyword); }

std::string Argument::meaning() const {
    return std::string(help) + (fallback.empty() ? "" : fmt::format(" (default: {})", fallback));
}

std::string field_text(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }
std::string field_text(const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : ""; }
std::string field_text(const std::optional<std::string>& value) { return value.value_or(""); }
std::string field_text(const std::vector<std::string>& value) {
    std::string text;
    for (const auto& line : value) {
        text += line + '\n';
    }
    return text;
}
std::string field_text(const std::vector<double>& value) { return fmt::format("{}", fmt::join(value, ",")); }
std::string field_text(bool value) { return value ? "1" : "0"; }
std::string field_text(const std::string& value) { return value; }

void read_field(std::string_view name, std::string_view text, std::optional<double>& value) {
    value = number_of(name, text);
}
void read_field(std::string_view name, std::string_view text, std::optional<std::int64_t>& value) {
    value = whole_of(name, text);
}
void read_field(std::string_view, std::string_view text, std::optional<std::string>& value) {
    value = std::string(text);
}
void read_field(std::string_view, std::string_view text, std::vector<std::string>& value) { value.emplace_back(text); }
void read_field(std::string_view name, std::string_view text, std::vector<double>& value) {
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        value.push_back(number_of(name, text.substr(at, end - at)));
        at = end + 1;
    }
}
void read_field(std::string_view, std::string_view text, bool& value) { value = text == "1"; }
void read_field(std::string_view, std::string_view text, std::string& value) { value = text; }

void check_word(std::string_view name, std::string_view choices, const std::string& given) {
    auto words = words_of(choices);
    if (name == "resume" || name == "from") {
        return;  // a file that is read is judged by what is in it
    }
    if (choices.starts_with("FILE.")) {
        for (auto& word : words) {
            word.remove_prefix(4);
        }
        // The ending alone is not a name.
        if (std::ranges::none_of(words, [&](auto end) { return given.ends_with(end) && given.size() > end.size(); })) {
            throw InputError({.argument = std::string(name),
                              .value = given.empty() ? "\"\"" : given,
                              .problem = fmt::format("the name must end in {}", alternatives(words))});
        }
    } else if (words.size() > 1 && std::ranges::find(words, given) == words.end()) {
        throw InputError({.argument = std::string(name),
                          .value = given.empty() ? "\"\"" : shortened(given),
                          .problem = fmt::format("choose {}", alternatives(words))});
    }
}

void check_limits(std::string_view name, double least, double most, double given) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if ((given >= least && given <= most) || (least == -infinite && most == infinite)) {  // else not a number, too
        return;
    }
    throw InputError({.argument = std::string(name),
                      .value = fmt::format("{}", given),
                      .problem = most < infinite ? fmt::format("it must be from {} to {}", least, most)
                                                 : fmt::format("it must be at least {}", least)});
}

}  // namespace libration
