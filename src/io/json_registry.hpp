// The registries as JSON, for json.cpp alone, which knows what Json is.
#pragma once

#include "methods/family_claims.hpp"
#include "model/embedded.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>

namespace libration {

template <class Json>
class RegistryJson {
  public:
    static Json methods() {
        Json all = Json::array();
        for (const auto* record : libration::methods()) {
            Json entry;
            entry["spec"] = std::string(record->name) + std::string(record->parameters);
            entry["parameters"] = record->parameters;
            entry["examples"] = examples(*record);
            add_facts(entry, method(examples(*record).front()));
            // The facts are those of the first example; this is said of all of them.
            const auto family = family_claims(*record);
            entry["family"] = {
                {"order", family.order}, {"symmetric", family.symmetric}, {"symplectic", family.symplectic}};
            all.push_back(std::move(entry));
        }
        return Json{{"methods", all}};
    }

    // One specification: all that its record says of it.
    static Json of(const Method& method) {
        Json json{{"spec", method.name()}};
        add_facts(json, method);
        const auto claims = method.claims(), constrained = method.claims(true);
        json["order_p"] = order(claims.order_p);
        json["constrained"] = {{"order", constrained.order},
                               {"order_p", order(constrained.order_p)},
                               {"order_lambda", order(constrained.order_lambda)},
                               {"symmetric", constrained.symmetric},
                               {"symplectic", maybe(constrained.symplectic)}};
        json["energy_bounded"] = claims.energy_bounded;
        json["momentum_map"] = claims.momentum_map;
        json["volume"] = maybe(claims.volume);
        json["lanes"] = method.lanes();
        json["lag"] = method.lag();
        json["doubt"] = doubt(method, false);
        json["constrained"]["doubt"] = doubt(method, true);
        return json;
    }

    static Json problems() {
        Json all = Json::array();
        for (const auto& problem : libration::problems()) {
            all.push_back(of(problem));
        }
        return Json{{"problems", all}};
    }

    // One problem with its model file.
    static Json problem(std::string_view name) {
        const auto all = libration::problems();
        const auto files = embedded_problems();
        Json json = of(*std::ranges::find(all, name, [](const auto& one) { return std::string_view(one.name); }));
        json["text"] = std::ranges::find(files, name, &EmbeddedProblem::name)->text;
        return json;
    }

  private:
    template <class Problem>
    static Json of(const Problem& problem) requires requires {
        problem.dimension;
    }
    {
        return {{"name", problem.name},
                {"dimension", problem.dimension},
                {"constraints", problem.constraints},
                {"source", problem.source},
                {"description", problem.description}};
    }
    static Json maybe(const std::optional<bool>& claim) { return claim ? Json(*claim) : Json(nullptr); }
    static Json order(int claimed) { return claimed == unclaimed ? Json(nullptr) : Json(claimed); }
    // Of the record, whether or not the user accepts it.
    static Json doubt(const Method& method, bool constrained) {
        const auto of_record = method.record().doubt;
        const auto words = of_record == nullptr ? "" : of_record(method.spec(), constrained);
        return words.empty() ? Json(nullptr) : Json(words);
    }

    static void add_facts(Json& entry, const Method& method) {
        const auto claims = method.claims();
        entry["order"] = claims.order;
        entry["symmetric"] = claims.symmetric;
        entry["symplectic"] = maybe(claims.symplectic);
        entry["explicit"] = claims.is_explicit;
        entry["needs"] = need_names(method.needs());
        entry["reference"] = method.record().reference;
        entry["summary"] = method.record().summary;
    }
};

}  // namespace libration
