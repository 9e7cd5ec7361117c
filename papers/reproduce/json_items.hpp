// Items of the papers as JSON, out and back in, for json.cpp alone, which knows what Json is.
#pragma once

#include "reproduce.hpp"
#include <libration/text/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace libration {

template <class Json>
class ItemJson {
  public:
    static Json all(const std::vector<ItemResult>& items) {
        Json json{{"items", Json::array()}};
        for (const auto& item : items) {
            json["items"].push_back(of(item));
        }
        return json;
    }

    static Json all(const std::vector<Recipe>& recipes) {
        Json json{{"items", Json::array()}};
        for (const auto& recipe : recipes) {
            json["items"].push_back(
                {{"id", recipe.id}, {"paper", recipe.paper}, {"title", recipe.title}, {"place", recipe.place}});
        }
        return json;
    }

    // The contract: printed, measured and tolerance of an item are those of the check that represents it.
    static Json of(const ItemResult& item) {
        Json json{{"id", item.id}, {"paper", item.paper}, {"title", item.title}, {"place", item.place}};
        const auto nothing = CheckResult();
        const auto* const found = headline(item);
        const auto& check = found == nullptr ? nothing : *found;
        json["printed"] = printed(check);
        json["measured"] = each(check.rows, [](const CheckRow& row) { return number(row.measured); });
        json["tolerance"] = each(check.rows, [](const CheckRow& row) { return number(row.tolerance); });
        json["verdict"] = to_string(item.verdict);
        json["seconds"] = number(item.seconds);
        json["quick"] = item.quick;
        json["remark"] = item.remark;
        json["fault"] = item.fault.empty() ? Json(nullptr) : Json(item.fault);
        json["checks"] = Json::array();
        for (const auto& result : item.checks) {
            json["checks"].push_back(of_check(result));
        }
        json["figures"] = Json::array();
        for (const auto& picture : item.pictures) {
            json["figures"].push_back({{"title", picture.figure.title}, {"caption", picture.caption}});
        }
        return json;
    }

    // What `of` wrote; pictures come back with their words only. nlohmann's exceptions for what is missing or of
    // another type.
    static ItemResult read(const Json& json) {
        ItemResult item;
        item.id = json.at("id").template get<std::string>();
        item.paper = json.at("paper").template get<std::string>();
        item.title = json.at("title").template get<std::string>();
        item.place = json.at("place").template get<std::string>();
        item.remark = json.at("remark").template get<std::string>();
        item.verdict = verdict(json.at("verdict").template get<std::string>());
        item.seconds = read_number(json.at("seconds"));
        item.quick = json.at("quick").template get<bool>();
        item.fault = text_or_null(json.at("fault"));
        for (const auto& check : json.at("checks")) {
            item.checks.push_back(read_check(check));
        }
        for (const auto& figure : json.at("figures")) {
            ItemResult::Picture picture;
            picture.figure.title = figure.at("title").template get<std::string>();
            picture.caption = figure.at("caption").template get<std::string>();
            item.pictures.push_back(std::move(picture));
        }
        return item;
    }

  private:
    static constexpr std::array verdicts{ItemVerdict::reproduced, ItemVerdict::corrected, ItemVerdict::statistical,
                                         ItemVerdict::not_reproduced, ItemVerdict::failed};
    static constexpr std::array<const char*, 4> kinds{"reproduced", "corrected", "statistical", "not-reproduced"};

    static Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
    static Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

    // A single row is a single value.
    template <class Of>
    static Json each(const std::vector<CheckRow>& rows, Of of_row) {
        if (rows.size() == 1) {
            return of_row(rows.front());
        }
        Json json = Json::array();
        for (const auto& row : rows) {
            json.push_back(of_row(row));
        }
        return rows.empty() ? Json(nullptr) : json;
    }

    static Json printed(const CheckResult& check) {
        const bool numbers =
            std::ranges::any_of(check.rows, [](const CheckRow& row) { return row.printed.has_value(); });
        if (numbers) {
            return each(check.rows, [](const CheckRow& row) { return number(row.printed); });
        }
        return check.printed_text.empty() ? Json(nullptr) : Json(check.printed_text);
    }

    static Json of_check(const CheckResult& check) {
        Json json{{"what", check.what},
                  {"kind", kinds[static_cast<std::size_t>(check.kind)]},
                  {"passed", check.passed},
                  {"printed", check.printed_text.empty() ? Json(nullptr) : Json(check.printed_text)},
                  {"rows", Json::array()},
                  {"below", number(check.below)},
                  {"above", number(check.above)},
                  {"why", check.why},
                  {"remark", check.remark},
                  {"fault", check.fault.empty() ? Json(nullptr) : Json(check.fault)}};
        for (const auto& row : check.rows) {
            json["rows"].push_back({{"label", row.label},
                                    {"printed", number(row.printed)},
                                    {"expected", number(row.expected)},
                                    {"measured", number(row.measured)},
                                    {"tolerance", number(row.tolerance)},
                                    {"passed", row.passed}});
        }
        return json;
    }

    static std::string text_or_null(const Json& json) { return json.is_null() ? "" : json.template get<std::string>(); }
    static double read_number(const Json& json) {
        return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.template get<double>();
    }
    static std::optional<double> read_optional(const Json& json) {
        return json.is_null() ? std::nullopt : std::optional(json.template get<double>());
    }

    static CheckResult read_check(const Json& json) {
        CheckResult check;
        check.what = json.at("what").template get<std::string>();
        const auto kind = std::ranges::find(kinds, json.at("kind").template get<std::string>());
        if (kind == kinds.end()) {
            throw InputError("unknown kind");
        }
        check.kind = static_cast<CheckKind>(kind - kinds.begin());
        check.passed = json.at("passed").template get<bool>();
        check.printed_text = text_or_null(json.at("printed"));
        check.below = read_optional(json.at("below"));
        check.above = read_optional(json.at("above"));
        check.why = json.at("why").template get<std::string>();
        check.remark = json.at("remark").template get<std::string>();
        check.fault = text_or_null(json.at("fault"));
        for (const auto& row : json.at("rows")) {
            check.rows.push_back({.label = row.at("label").template get<std::string>(),
                                  .printed = read_optional(row.at("printed")),
                                  .expected = read_optional(row.at("expected")),
                                  .measured = read_number(row.at("measured")),
                                  .tolerance = read_number(row.at("tolerance")),
                                  .passed = row.at("passed").template get<bool>()});
        }
        return check;
    }

    static ItemVerdict verdict(const std::string& text) {
        for (const auto candidate : verdicts) {
            if (to_string(candidate) == text) {
                return candidate;
            }
        }
        throw InputError("unknown verdict");
    }
};

}  // namespace libration
