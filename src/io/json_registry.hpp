// The registries as JSON, for json.cpp alone, which knows what Json is.
#pragma once

#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

namespace libration {

template <class Json>
class RegistryJson {
  public:
    static Json methods() {
        Json all = Json::array();
        for (const auto* record : libration::methods()) {
            const auto example = method(examples(*record).front());
            const auto claims = example.claims();
            Json entry;
            entry["spec"] = std::string(record->name) + std::string(record->parameters);
            entry["parameters"] = record->parameters;
            entry["examples"] = examples(*record);
            entry["order"] = claims.order;
            entry["symmetric"] = claims.symmetric;
            entry["symplectic"] = claims.symplectic ? Json(*claims.symplectic) : Json(nullptr);
            entry["explicit"] = claims.is_explicit;
            entry["needs"] = of_needs(example.needs());
            entry["reference"] = record->reference;
            entry["summary"] = record->summary;
            all.push_back(std::move(entry));
        }
        return Json{{"methods", all}};
    }

    static Json problems() {
        Json all = Json::array();
        for (const auto& problem : libration::problems()) {
            all.push_back({{"name", problem.name},
                           {"dimension", problem.dimension},
                           {"constraints", problem.constraints},
                           {"source", problem.source},
                           {"description", problem.description}});
        }
        return Json{{"problems", all}};
    }

  private:
    static Json of_needs(const Needs& needs) {
        Json json = Json::array();
        const auto add = [&](bool needed, const char* what) {
            if (needed) {
                json.push_back(what);
            }
        };
        add(needs.separable, "separable H");
        add(needs.unconstrained, "no constraints");
        add(needs.constrained, "constraints");
        add(needs.hamiltonian, "H");
        add(needs.partitioned, "q and p");
        add(needs.parts != 0, "split potential");
        add(needs.blocks, "blocks of a divergence-free field");
        add(needs.dense_derivatives, "second and third derivatives");
        return json;
    }
};

}  // namespace libration
