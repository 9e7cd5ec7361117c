// JSON out, and items of a gallery in. The only file that includes nlohmann/json.
#include "json_analysis.hpp"
#include "json_items.hpp"
#include "json_registry.hpp"
#include "json_tableau.hpp"

#include <libration/io/json.hpp>

#include <libration/ensemble/ensemble_record.hpp>
#include <libration/integrate/run_record.hpp>
#include <libration/version.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace libration {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_array = 10'000;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json list(const std::vector<double>& values, bool full) {
    if (!full && values.size() > longest_array) {
        return nullptr;
    }
    Json array = Json::array();
    for (const double value : values) {
        array.push_back(number(value));
    }
    return array;
}

Json json_of_record(const Record& record, bool full);

Json json_of_value(const ResultValue& value, bool full) {
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
                    array.push_back(json_of_value(item, true));
                }
                return array;
            } else if constexpr (std::is_same_v<Content, Record>) {
                return json_of_record(content, full);
            } else {
                return content;
            }
        },
        value.content);
}

Json json_of_record(const Record& record, bool full) {
    Json json = Json::object();
    for (const auto& entry : record.entries) {
        if (entry.shown) {
            json[entry.name] = json_of_value(entry.value, full);
        }
    }
    return json;
}

Json json_of_coefficients(const std::vector<Wide>& values) {
    Json json = Json::array();
    for (const Wide value : values) {
        json.push_back(number(high(value)));
    }
    return json;
}

Json json_of_fractions(const std::vector<std::optional<Rational>>& values) {
    Json json = Json::array();
    for (const auto& value : values) {
        json.push_back(value ? Json(to_string(*value)) : Json(nullptr));
    }
    return json;
}

Json json_of_roots(const std::vector<MultistepRoot>& roots) {
    Json json = Json::array();
    for (const auto& root : roots) {
        json.push_back({{"modulus", number(root.modulus)}, {"angle", number(root.angle)}});
    }
    return json;
}

Json json_of_condition(const RootCondition& condition) {
    return {{"holds", condition.holds}, {"margin", number(condition.margin)}, {"fault", condition.fault}};
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string json_of(const Run& run, bool full) { return json_of(run, EventRecorder(), full); }

std::string json_of(const Run& run, const EventRecorder& events, bool full) {
    return text_of(json_of_record(record_of(run, events), full));
}

std::string json_of(const EnsembleResult& result, bool full) {
    const auto longest = full ? std::numeric_limits<std::size_t>::max() : longest_array;
    return text_of(json_of_record(record_of(result, longest), true));
}

std::string json_of(const ModelCheck& check) {
    Json json;
    json["model"] = check.name;
    json["ok"] = check.faults.empty();
    json["dimension"] = check.dimension;
    json["constraints"] = check.constraints;
    json["rank"] = check.rank;
    json["energy"] = number(check.energy);
    json["constraint"] = {{"max", number(check.position_residual)}, {"hidden_max", number(check.hidden_residual)}};
    json["derivative_error"] = number(check.derivative_error);
    json["faults"] = check.faults;
    json["warnings"] = check.warnings;
    return text_of(json);
}

std::string json_of(const std::vector<Certificate>& certificates) {
    Json all = Json::array();
    for (const auto& certificate : certificates) {
        const auto& measured = certificate.measurement;
        Json json;
        json["method"] = certificate.method;
        json["model"] = certificate.model;
        json["confirmed"] = certificate.with(Verdict::contradicted).empty();
        json["claims"] = Json::array();
        for (const auto& finding : certificate.findings) {
            json["claims"].push_back({{"claim", finding.claim},
                                      {"claimed", finding.claimed},
                                      {"measured", finding.measured},
                                      {"verdict", to_string(finding.verdict)}});
        }
        json["constrained"] = measured.constrained;
        json["window"] = {{"length", number(measured.window.length)}, {"duration", number(measured.window.duration)},
                          {"shorter", measured.window.shorter},       {"kinks", measured.window.kinks},
                          {"later", measured.window.later},           {"text", window_text(measured.window)}};
        json["reference"] = {{"source", measured.reference}, {"accuracy", number(measured.reference_accuracy)}};
        json["ladder"] = Json::array();
        for (const auto& rung : measured.ladder) {
            json["ladder"].push_back({{"steps", rung.steps},
                                      {"h", number(rung.h)},
                                      {"failed", rung.failed},
                                      {"q", number(rung.q)},
                                      {"p", number(rung.p)},
                                      {"lambda", number(rung.lambda)},
                                      {"position", number(rung.position)},
                                      {"hidden", number(rung.hidden)}});
        }
        all.push_back(std::move(json));
    }
    return text_of(Json{{"certificates", all}});
}

std::string json_of(const Comparison& comparison) {
    const auto& reference = comparison.reference;
    Json json;
    json["model"] = comparison.model;
    json["duration"] = number(comparison.duration);
    json["reference"] = {{"method", reference.method},
                         {"steps", reference.steps},
                         {"precision", reference.quadruple ? "quadruple" : "double"},
                         {"accuracy", number(reference.accuracy)}};
    json["rows"] = Json::array();
    for (const auto& row : comparison.rows) {
        Json entry{{"method", row.method},
                   {"step", number(row.step)},
                   {"steps", row.steps},
                   {"error_q", number(row.error_q)},
                   {"error_p", number(row.error_p)},
                   {"error_lambda", number(row.error_lambda)},
                   {"energy_error", number(row.energy_error)},
                   {"evaluations", json_of_record(record_of(row.evaluations), true)},
                   {"seconds", number(row.seconds)},
                   {"status", to_string(row.failure ? RunStatus::failed : RunStatus::completed)}};
        if (row.failure) {
            entry["failure"] = json_of_record(record_of(*row.failure), true);
        }
        json["rows"].push_back(std::move(entry));
    }
    return text_of(json);
}

std::string json_of(const MultistepReport& report) {
    const auto& pair = report.pair;
    const auto& stability = report.stability;
    Json json;
    json["spec"] = report.spec;
    json["k"] = pair.k;
    json["default"] = report.is_default;
    json["a"] = json_of_coefficients(pair.a);
    json["beta"] = number(high(pair.beta));
    json["rho"] = json_of_coefficients(pair.rho);
    json["sigma"] = json_of_coefficients(pair.sigma);
    json["rho_tilde"] = json_of_coefficients(pair.rho_tilde);
    json["momentum"] = json_of_coefficients(pair.momentum);
    json["error_constant"] = number(high(pair.error_constant));
    if (const auto& exact = report.exact) {
        json["exact"] = {{"rho", json_of_fractions(exact->rho)},
                         {"sigma", json_of_fractions(exact->sigma)},
                         {"rho_tilde", json_of_fractions(exact->rho_tilde)},
                         {"momentum", json_of_fractions(exact->momentum)},
                         {"error_constant", json_of_fractions({exact->error_constant})[0]}};
    }
    json["rho_roots"] = json_of_roots(stability.rho_roots);
    json["sigma_roots"] = json_of_roots(stability.sigma_roots);
    json["condition_12"] = json_of_condition(stability.rho);
    json["condition_13"] = json_of_condition(stability.sigma);
    json["irreducible"] = json_of_condition(stability.irreducible);
    json["good"] = stability.good();
    json["periodicity"] = number(stability.periodicity);
    json["depth"] = number(stability.depth);
    json["rho_response"] = number(stability.rho_response);
    json["sigma_response"] = number(stability.sigma_response);
    json["nearest"] = report.nearest ? list(*report.nearest, true) : Json(nullptr);
    return text_of(json);
}

std::string json_of(const TableauReport& report) { return text_of(TableauJson<Json>::of(report)); }

std::string json_of(const ParasiticWatch& watch) {
    Json json{{"model", watch.model}, {"method", watch.method}, {"step", number(watch.step)}};
    json["t"] = watch.t;
    json["components"] = Json::array();
    for (const auto& component : watch.components) {
        Json sizes = Json::array();
        for (const double size : component.largest) {
            sizes.push_back(number(size));
        }
        json["components"].push_back({{"of", component.of_positions ? "positions" : "multipliers"},
                                      {"modulus", number(component.modulus)},
                                      {"angle", number(component.angle)},
                                      {"largest", sizes}});
    }
    json["failure"] = watch.failure.empty() ? Json() : Json(watch.failure);
    return text_of(json);
}

std::string json_of(int k, const std::vector<MultistepRating>& candidates) {
    Json json{{"k", k}, {"candidates", Json::array()}};
    for (const auto& rating : candidates) {
        json["candidates"].push_back({{"a", list(rating.a, true)},
                                      {"periodicity", number(rating.periodicity)},
                                      {"error_constant", number(rating.error_constant)},
                                      {"rho_margin", number(rating.rho_margin)},
                                      {"sigma_margin", number(rating.sigma_margin)},
                                      {"sigma_response", number(rating.sigma_response)},
                                      {"depth", number(rating.depth)},
                                      {"merit", number(rating.merit)},
                                      {"note", rating.note}});
    }
    return text_of(json);
}

std::string json_of(const std::vector<ItemResult>& items) { return text_of(ItemJson<Json>::all(items)); }
std::string json_of(const std::vector<Recipe>& recipes) { return text_of(ItemJson<Json>::all(recipes)); }

std::string stored_json_of(const ItemResult& item) {
    auto json = ItemJson<Json>::of(item);
    json["version"] = version;
    json["fingerprint"] = item.fingerprint;
    json["recipe"] = item.recipe_text;
    return text_of(json);
}

StoredItem item_of_json(const std::string& text) {
    try {
        const auto json = Json::parse(text);
        StoredItem stored{ItemJson<Json>::read(json), json.at("fingerprint").get<std::string>()};
        stored.item.recipe_text = json.at("recipe").get<std::string>();
        return stored;
    } catch (const std::exception& error) {
        throw InputError(std::string("this is no item of a gallery: ") + error.what());
    }
}

std::string json_of(const AnalysisReport& report) { return text_of(AnalysisJson<Json>::of(report)); }

std::string json_of_analyses() { return text_of(AnalysisJson<Json>::of_list()); }

std::string json_of_methods() { return text_of(RegistryJson<Json>::methods()); }
std::string json_of(const Method& method) { return text_of(RegistryJson<Json>::of(method)); }
std::string json_of_problems() { return text_of(RegistryJson<Json>::problems()); }
std::string json_of_problem(std::string_view name) { return text_of(RegistryJson<Json>::problem(name)); }

}  // namespace libration
