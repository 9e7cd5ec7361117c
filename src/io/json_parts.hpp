// What all results have in common as JSON, for the files that know what Json is.
#pragma once

#include <libration/result/record.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace libration {

template <class Json>
struct JsonParts {
    // Longer lists are omitted unless everything is requested.
    static constexpr std::size_t longest_array = 10'000;

    static Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

    static Json list(const std::vector<double>& values, bool full) {
        if (!full && values.size() > longest_array) {
            return nullptr;
        }
        Json array = Json::array();
        for (const double value : values) {
            array.push_back(number(value));
        }
        return array;
    }

    static Json record(const Record& described, bool full) {
        Json json = Json::object();
        for (const auto& entry : described.entries) {
            if (entry.shown) {
                json[entry.name] = value_of(entry.value, full);
            }
        }
        return json;
    }

    static std::string text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

  private:
    static Json value_of(const ResultValue& value, bool full) {
        return std::visit(
            [&](const auto& content) -> Json {
                using Content = std::decay_t<decltype(content)>;
                if constexpr (std::is_same_v<Content, std::monostate>) {
                    return nullptr;
                } else if constexpr (std::is_same_v<Content, double>) {
                    return number(content);
                } else if constexpr (std::is_same_v<Content, std::vector<double>>) {
                    return list(content, full);
                } else if constexpr (std::is_same_v<Content, std::vector<ResultValue>>) {
                    Json array = Json::array();
                    for (const auto& item : content) {
                        array.push_back(value_of(item, true));
                    }
                    return array;
                } else if constexpr (std::is_same_v<Content, Record>) {
                    return record(content, full);
                } else {
                    return content;
                }
            },
            value.content);
    }
};

}  // namespace libration
