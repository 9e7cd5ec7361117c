// What all results have in common as JSON, for the files that know what Json is.
#pragma once

#include <libration/integrate/run.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace libration {

template <class Json>
struct JsonParts {
    // Lists of more entries are left out unless all is asked for.
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

    static Json counts(const EvaluationCounts& counts) {
        return {{"force", counts.force},
                {"constraint", counts.constraint},
                {"jacobian", counts.jacobian},
                {"newton_iterations", counts.newton_iterations},
                {"factorizations", counts.factorizations}};
    }

    static Json failure(const RunFailure& failure) {
        return {{"step", failure.step}, {"t", number(failure.t)}, {"kind", failure.kind}, {"message", failure.message}};
    }

    static std::string text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }
};

}  // namespace libration
