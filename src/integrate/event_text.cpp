// Events as the command line writes them.
#include "text/trim.hpp"
#include <libration/integrate/events.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Takes the word off the end, if it stands there apart from what is before it.
bool take_word(std::string& text, std::string_view word) {
    if (!text.ends_with(word) || (text.size() > word.size() && text[text.size() - word.size() - 1] != ' ')) {
        return false;
    }
    text = std::string(trimmed(std::string_view(text).substr(0, text.size() - word.size())));
    return true;
}

bool is_name(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && letter(text[0]) &&
           std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

Event read_event(const Model& model, const std::string& text, std::size_t number) {
    Event event;
    event.name = fmt::format("event{}", number);
    std::string rest(trimmed(text));
    if (const auto colon = rest.find(':'); colon != std::string::npos) {
        event.name = std::string(trimmed(std::string_view(rest).substr(0, colon)));
        rest = std::string(trimmed(std::string_view(rest).substr(colon + 1)));
        if (!is_name(event.name)) {
            throw InputError(fmt::format("`events = {}`: '{}' is not a name; write it as \"name: EXPR\", with letters, "
                                         "digits and _",
                                         text, event.name));
        }
    }
    for (bool more = true; more;) {
        more = false;
        if (take_word(rest, "terminal")) {
            event.terminal = more = true;
        }
        for (const auto& [word, direction] :
             {std::pair{"rising", Event::Direction::rising}, std::pair{"falling", Event::Direction::falling}}) {
            if (take_word(rest, word)) {
                if (event.direction != Event::Direction::either && event.direction != direction) {
                    throw InputError(fmt::format("`events = {}`: an event is either rising or falling; omit both words "
                                                 "to detect both directions",
                                                 text));
                }
                event.direction = direction;
                more = true;
            }
        }
    }
    if (rest.empty()) {
        throw InputError(fmt::format("`events = {}`: the expression is missing; write \"EXPR [rising|falling] "
                                     "[terminal]\", e.g. \"x rising\"",
                                     text));
    }
    event.text = rest;
    event.value = model.formula(rest, fmt::format("`events = {}`", text));
    return event;
}

}  // namespace libration
