// Results of the laboratory as JSON.
#include "json_analysis.hpp"
#include "json_tableau.hpp"

#include "json.hpp"

#include "io/json_parts.hpp"
#include "records.hpp"

#include <nlohmann/json.hpp>

namespace libration {

namespace {

using Json = nlohmann::ordered_json;
using LabParts = JsonParts<Json>;

Json json_of_coefficients(const std::vector<Wide>& values) {
    Json json = Json::array();
    for (const Wide value : values) {
        json.push_back(LabParts::number(high(value)));
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
        json.push_back({{"modulus", LabParts::number(root.modulus)}, {"angle", LabParts::number(root.angle)}});
    }
    return json;
}

Json json_of_condition(const RootCondition& condition) {
    return {{"holds", condition.holds}, {"margin", LabParts::number(condition.margin)}, {"fault", condition.fault}};
}

}  // namespace

std::string json_of(const ModelCheck& check) { return LabParts::text(LabParts::record(record_of(check), true)); }

std::string json_of(const std::vector<Certificate>& certificates) {
    Json all = Json::array();
    for (const auto& certificate : certificates) {
        all.push_back(LabParts::record(record_of(certificate), true));
    }
    return LabParts::text(Json{{"certificates", all}});
}

std::string json_of(const Comparison& comparison) {
    return LabParts::text(LabParts::record(record_of(comparison), true));
}

std::string json_of(const MultistepReport& report) {
    const auto& pair = report.pair;
    const auto& stability = report.stability;
    Json json;
    json["spec"] = report.spec;
    json["k"] = pair.k;
    json["default"] = report.is_default;
    json["a"] = json_of_coefficients(pair.a);
    json["beta"] = LabParts::number(high(pair.beta));
    json["rho"] = json_of_coefficients(pair.rho);
    json["sigma"] = json_of_coefficients(pair.sigma);
    json["rho_tilde"] = json_of_coefficients(pair.rho_tilde);
    json["momentum"] = json_of_coefficients(pair.momentum);
    json["error_constant"] = LabParts::number(high(pair.error_constant));
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
    json["periodicity"] = LabParts::number(stability.periodicity);
    json["depth"] = LabParts::number(stability.depth);
    json["rho_response"] = LabParts::number(stability.rho_response);
    json["sigma_response"] = LabParts::number(stability.sigma_response);
    json["nearest"] = report.nearest ? LabParts::list(*report.nearest, true) : Json(nullptr);
    return LabParts::text(json);
}

std::string json_of(const TableauReport& report) { return LabParts::text(TableauJson<Json>::of(report)); }

std::string json_of(const ParasiticWatch& watch) {
    Json json{{"model", watch.model}, {"method", watch.method}, {"step", LabParts::number(watch.step)}};
    json["t"] = watch.t;
    json["components"] = Json::array();
    for (const auto& component : watch.components) {
        Json sizes = Json::array();
        for (const double size : component.largest) {
            sizes.push_back(LabParts::number(size));
        }
        json["components"].push_back({{"of", component.of_positions ? "positions" : "multipliers"},
                                      {"modulus", LabParts::number(component.modulus)},
                                      {"angle", LabParts::number(component.angle)},
                                      {"largest", sizes}});
    }
    json["failure"] = watch.failure.empty() ? Json() : Json(watch.failure);
    return LabParts::text(json);
}

std::string json_of(int k, const std::vector<MultistepRating>& candidates) {
    Json json{{"k", k}, {"candidates", Json::array()}};
    for (const auto& rating : candidates) {
        json["candidates"].push_back({{"a", LabParts::list(rating.a, true)},
                                      {"periodicity", LabParts::number(rating.periodicity)},
                                      {"error_constant", LabParts::number(rating.error_constant)},
                                      {"rho_margin", LabParts::number(rating.rho_margin)},
                                      {"sigma_margin", LabParts::number(rating.sigma_margin)},
                                      {"sigma_response", LabParts::number(rating.sigma_response)},
                                      {"depth", LabParts::number(rating.depth)},
                                      {"merit", LabParts::number(rating.merit)},
                                      {"note", rating.note}});
    }
    return LabParts::text(json);
}

std::string json_of(const AnalysisReport& report) { return LabParts::text(AnalysisJson<Json>::of(report)); }

std::string json_of_analyses() { return LabParts::text(AnalysisJson<Json>::of_list()); }

}  // namespace libration
