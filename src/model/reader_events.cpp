// Sections of a model file: events.
#include "reader.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

Event::Direction crossing_direction(const Document& value) {
    const std::vector<std::string> names{"either", "rising", "falling"};
    const auto found = std::ranges::find(names, value.text);
    if (value.kind != Document::Kind::text || found == names.end()) {
        value.fail(fmt::format("the direction of an event is \"rising\", \"falling\" or \"either\"{}",
                               suggestion(value.text, names)));
    }
    return static_cast<Event::Direction>(found - names.begin());
}

}  // namespace

void ModelReader::read_events() {
    const auto* blocks = document_.find("events");
    if (blocks == nullptr) {
        return;
    }
    for (const auto& block : blocks->items) {
        block.allow_only(std::array<std::string, 4>{"name", "when", "direction", "terminal"}, "`[[events]]`");
        const auto& name = require(block, "name", Document::Kind::text, "`[[events]]`");
        const auto* when = block.find("when");
        if (when == nullptr) {
            block.fail("`[[events]]` needs the key 'when', a formula that is zero at the event");
        }
        auto scope = draft_.scope(whole_state(draft_.model()));
        Event event;
        event.name = name.text;
        event.value = formula(*when, scope, fmt::format("the event {}", name.text));
        event.place = name.place;
        event.text = when->text;
        if (const auto* direction = block.find("direction")) {
            event.direction = crossing_direction(*direction);
        }
        if (const auto* terminal = block.find("terminal")) {
            if (terminal->kind != Document::Kind::boolean) {
                terminal->fail("'terminal' in `[[events]]` must be `true` or `false`");
            }
            event.terminal = terminal->boolean;
        }
        draft_.add_event(std::move(event));
    }
}

}  // namespace libration
