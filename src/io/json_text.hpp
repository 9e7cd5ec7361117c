// Numbers and texts of JSON; the only file that includes nlohmann/json.
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace libration {

using Json = nlohmann::ordered_json;

// No NaN and no infinity in JSON.
inline Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

inline constexpr std::size_t longest_array = 10'000;
// Nothing where a long list was not asked for in full.
inline Json list(const std::vector<double>& values, bool full) {
    if (!full && values.size() > longest_array) {
        return nullptr;
    }
    Json array = Json::array();
    for (const double value : values) {
        array.push_back(number(value));
    }
    return array;
}

inline std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace libration
