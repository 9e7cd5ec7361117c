// Analyses as JSON, for json.cpp alone, which knows what Json is.
#pragma once

#include "json.hpp"
#include <libration/analysis/analysis.hpp>

#include <cmath>

namespace libration {

template <class Json>
class AnalysisJson {
  public:
    static Json of(const AnalysisReport& report) {
        // A CSV file knows neither.
        const auto known = [](const std::string& name) { return name.empty() ? Json() : Json(name); };
        Json json{{"file", report.file},
                  {"model", known(report.model)},
                  {"method", known(report.method)},
                  {"analyses", Json::array()}};
        for (const auto& result : report.results) {
            json["analyses"].push_back(of(result));
        }
        return json;
    }

    static Json of_list() {
        Json all = Json::array();
        for (const auto& record : analyses()) {
            Json options = Json::array();
            for (const auto& option : record.options) {
                options.push_back({{"name", option.name}, {"default", option.fallback}, {"meaning", option.meaning}});
            }
            all.push_back({{"name", record.name}, {"summary", record.summary}, {"options", std::move(options)}});
        }
        return Json{{"analyses", std::move(all)}};
    }

  private:
    static Json of(const AnalysisResult& result) {
        Json numbers = Json::object();
        for (const auto& number : result.numbers) {
            numbers[number.name] = std::isfinite(number.value) ? Json(number.value) : Json(nullptr);
        }
        return {{"what", result.what},
                {"verdict", result.verdict},
                {"numbers", std::move(numbers)},
                {"warnings", result.warnings}};
    }
};

}  // namespace libration
