// Sections of a model file: angles that count turns.
#include "family_names.hpp"
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

constexpr Visible for_angles{.coordinates = true,
                             .time = true,
                             .without_velocities = "sine and cosine of an angle are formulas of coordinates and t; the "
                                                   "rate of the angle follows from them"};

// Calls `use` with every text of a formula, key or name.
void for_each_text(const Document& value, const std::function<void(std::string_view)>& use) {
    if (value.kind == Document::Kind::text) {
        use(value.text);
    } else if (value.kind == Document::Kind::expression) {
        for (const auto& s : symbols_of(std::array{value.expression})) {
            use(s.text());
        }
    }
    for (const auto& item : value.items) {
        for_each_text(item, use);
    }
    for (const auto& [key, item] : value.entries) {
        use(key);
        for_each_text(item, use);
    }
}

}  // namespace

// Where a formula may contain the angle of a joint, its turns are counted.
void ModelReader::find_used_angles() {
    for_each_text(document_, [&](std::string_view text) {
        constexpr std::string_view angle = ".angle";
        for (auto at = text.find(angle); at != std::string_view::npos; at = text.find(angle, at + 1)) {
            note_used_angle(name_before(text, at));
        }
    });
    // A spring about the axis of a joint and a coupling contain its angle without naming it.
    if (const auto* springs = document_.find("spring")) {
        for (const auto& spring : springs->items) {
            if (const auto* joint = spring.find("joint")) {
                note_used_angle(joint->text);
            }
        }
    }
    for (const auto& coupling : document_.find("joint")->items) {
        if (const auto* of = coupling.find("of")) {
            for (const auto& joint : of->items) {
                note_used_angle(joint.text);
            }
        }
    }
}

// One of a family whose index is no constant stands for all of them.
void ModelReader::note_used_angle(std::string_view joint) {
    if (joint.find('[') == std::string_view::npos) {
        used_angles_.emplace(joint);
        return;
    }
    try {
        auto scope = draft_.scope({});
        used_angles_.insert(with_numbers(std::string(joint), scope, {}, "a joint"));
    } catch (const InputError&) {
        used_angle_families_.emplace(joint.substr(0, joint.find('[')));
    }
}

void ModelReader::read_angles() {
    const auto* section = document_.find("angles");
    if (section == nullptr) {
        return;
    }
    for (const auto& [name, value] : section->entries) {
        const auto where = fmt::format("`[angles] {}`", name);
        if (value.kind != Document::Kind::table) {
            value.fail(fmt::format("{} must be a table with the keys 'sine' and 'cosine'", where));
        }
        value.allow_only(std::array<std::string, 3>{"sine", "cosine", "start"}, where);
        draft_.require_free_angle(name, value.key_place);
        const auto part = [&](const char* key, Visible visible) {
            const auto* given = value.find(key);
            if (given == nullptr) {
                value.fail(fmt::format("{} needs the key '{}'", where, key));
            }
            auto scope = draft_.scope(visible);
            return formula(*given, scope, fmt::format("the {} of {}", key, where));
        };
        const auto sine = part("sine", for_angles), cosine = part("cosine", for_angles);
        const auto start = value.find("start") != nullptr ? part("start", {}) : Expression(0);
        draft_.add_winding(name, sine, cosine, start, value.key_place);
    }
}

}  // namespace libration
