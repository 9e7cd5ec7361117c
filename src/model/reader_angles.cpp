// Sections of a model file: angles that count turns.
#include "reader.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

constexpr Visible for_angles{.coordinates = true,
                             .time = true,
                             .without_velocities = "sine and cosine of an angle are formulas of coordinates and t; the "
                                                   "rate of the angle follows from them"};

}  // namespace

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
