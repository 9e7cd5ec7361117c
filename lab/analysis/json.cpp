// Results of the laboratory as JSON.
#include "json_analysis.hpp"
#include "json_tableau.hpp"

#include "json.hpp"

#include "integrate/run_record.hpp"
#include "io/json_parts.hpp"

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

std::string json_of(const ModelCheck& check) {
    Json json;
    json["model"] = check.name;
    json["ok"] = check.faults.empty();
    json["dimension"] = check.dimension;
    json["constraints"] = check.constraints;
    json["rank"] = check.rank;
    json["energy"] = LabParts::number(check.energy);
    json["constraint"] = {{"max", LabParts::number(check.position_residual)},
                          {"hidden_max", LabParts::number(check.hidden_residual)}};
    json["derivative_error"] = LabParts::number(check.derivative_error);
    json["faults"] = check.faults;
    json["warnings"] = check.warnings;
    return LabParts::text(json);
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
        json["window"] = {{"length", LabParts::number(measured.window.length)},
                          {"duration", LabParts::number(measured.window.duration)},
                          {"shorter", measured.window.shorter},
                          {"kinks", measured.window.kinks},
                          {"later", measured.window.later},
                          {"text", window_text(measured.window)}};
        json["reference"] = {{"source", measured.reference},
                             {"accuracy", LabParts::number(measured.reference_accuracy)}};
        json["ladder"] = Json::array();
        for (const auto& rung : measured.ladder) {
            json["ladder"].push_back({{"steps", rung.steps},
                                      {"h", LabParts::number(rung.h)},
                                      {"failed", rung.failed},
                                      {"q", LabParts::number(rung.q)},
                                      {"p", LabParts::number(rung.p)},
                                      {"lambda", LabParts::number(rung.lambda)},
                                      {"position", LabParts::number(rung.position)},
                                      {"hidden", LabParts::number(rung.hidden)}});
        }
        all.push_back(std::move(json));
    }
    return LabParts::text(Json{{"certificates", all}});
}

std::string json_of(const Comparison& comparison) {
    const auto& reference = comparison.reference;
    Json json;
    json["model"] = comparison.model;
    json["duration"] = LabParts::number(comparison.duration);
    json["reference"] = {{"method", reference.method},
                         {"steps", reference.steps},
                         {"precision", reference.quadruple ? "quadruple" : "double"},
                         {"accuracy", LabParts::number(reference.accuracy)}};
    json["rows"] = Json::array();
    for (const auto& row : comparison.rows) {
        Json entry{{"method", row.method},
                   {"step", LabParts::number(row.step)},
                   {"steps", row.steps},
                   {"error_q", LabParts::number(row.error_q)},
                   {"error_p", LabParts::number(row.error_p)},
                   {"error_lambda", LabParts::number(row.error_lambda)},
                   {"energy_error", LabParts::number(row.energy_error)},
                   {"evaluations", LabParts::record(record_of(row.evaluations), true)},
                   {"seconds", LabParts::number(row.seconds)},
                   {"status", to_string(row.failure ? RunStatus::failed : RunStatus::completed)}};
        if (row.failure) {
            entry["failure"] = LabParts::record(record_of(*row.failure), true);
        }
        json["rows"].push_back(std::move(entry));
    }
    return LabParts::text(json);
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
