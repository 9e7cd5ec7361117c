// The report of the tableau laboratory as JSON, for json.cpp alone, which knows what Json is.
#pragma once

#include "reports/tableau_report.hpp"

#include <cmath>

namespace libration {

template <class Json>
class TableauJson {
  public:
    static Json of(const TableauReport& report) {
        Json json{{"name", report.name}, {"stages", report.stages}, {"families", Json::array()}};
        for (const auto& family : report.families) {
            json["families"].push_back(of(family));
        }
        json["pairs"] = Json::array();
        for (const auto& pair : report.pairs) {
            json["pairs"].push_back(of(pair));
        }
        json["spark"] = report.spark ? of(*report.spark) : Json(nullptr);
        return json;
    }

  private:
    static Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
    static Json number(Wide value) { return number(high(value)); }

    template <class T>
    static Json optional(const std::optional<T>& value) {
        return value ? Json(*value) : Json(nullptr);
    }
    static Json optional(const std::optional<Family>& family) {
        return family ? Json(std::string(name(*family))) : Json(nullptr);
    }

    static Json optional(const std::optional<OscillatorOrder>& measured) {
        return measured ? Json{{"value", number(measured->order)}, {"settled", measured->settled}} : Json(nullptr);
    }

    static Json degree(std::size_t k) { return k == every_degree ? Json("any") : Json(k); }

    static Json list(const std::vector<Wide>& values) {
        Json json = Json::array();
        for (const Wide x : values) {
            json.push_back(number(x));
        }
        return json;
    }

    // `width` entries per row
    template <class Flat>
    static Json rows(const Flat& flat, std::size_t width) {
        Json json = Json::array();
        for (std::size_t i = 0; i < flat.size(); i += width) {
            json.push_back(Json(flat.begin() + static_cast<std::ptrdiff_t>(i),
                                flat.begin() + static_cast<std::ptrdiff_t>(i + width)));
        }
        return json;
    }

    template <class Exact>
    static Json texts(const std::vector<std::optional<Exact>>& values) {
        Json json = Json::array();
        for (const auto& x : values) {
            json.push_back(x ? Json(to_string(*x)) : Json(nullptr));
        }
        return json;
    }

    static ClosedForms recognised_all(const std::vector<Wide>& values) {
        ClosedForms forms;
        for (const Wide x : values) {
            forms.push_back(recognised(x));
        }
        return forms;
    }

    static Json of(const FamilyReport& report) {
        const std::size_t s = report.tableau.stages;
        Json json{{"family", std::string(name(report.family))}};
        json["c"] = list(report.tableau.c);
        json["b"] = list(report.tableau.b);
        json["A"] = rows(list(report.tableau.A), s);
        json["exact"] = {
            {"c", texts(report.exact.c)}, {"b", texts(report.exact.b)}, {"A", rows(texts(report.exact.A), s)}};
        json["B"] = degree(report.assumptions.p);
        json["C"] = degree(report.assumptions.q);
        json["D"] = degree(report.assumptions.r);
        json["order"] = report.order;
        json["measured_order"] = optional(report.measured_order);
        json["w_transform"] = {{"X", rows(list(report.transform.X), s)},
                               {"exact", rows(texts(recognised_all(report.transform.X)), s)},
                               {"sigma", number(report.transform.sigma)}};
        json["symplectic_conjugate"] = optional(report.symplectic_conjugate);
        json["symmetric_conjugate"] = optional(report.symmetric_conjugate);
        json["symplectic"] = {{"holds", report.symplectic}, {"defect", number(report.symplecticity_defect)}};
        json["symmetric"] = {{"holds", report.symmetric}, {"defect", number(report.symmetry_defect)}};
        json["stability_function"] = of(report.function);
        json["a_stable"] = report.stability.a_stable;
        json["l_stable"] = report.stability.l_stable;
        json["p_stable"] = report.stability.p_stable;
        json["explosive"] = report.stability.explosive;
        json["unconditionally_explosive"] = report.stability.unconditionally_explosive;
        json["algebraically_stable"] = report.algebraically_stable;
        json["dilatative"] = report.dilatative;
        return json;
    }

    static Json of(const StabilityFunction& f) {
        Json json{{"numerator", list(f.numerator)}, {"denominator", list(f.denominator)}};
        json["exact"] = {{"numerator", texts(f.exact_numerator)}, {"denominator", texts(f.exact_denominator)}};
        json["pade"] = f.pade ? Json{f.pade->numerator, f.pade->denominator} : Json(nullptr);
        json["order"] = optional(f.order);
        json["modulus_at_10i"] = number(modulus_on_axis(f, 10));
        return json;
    }

    static Json of(const ConstrainedOrder& order) {
        return {{"position", order.position}, {"momentum", order.momentum}};
    }

    static Json of(const Periodicity& periodicity) {
        constexpr const char* kinds[]{"none", "undecided", "interval", "everywhere", "not_found"};
        const bool ends = periodicity.kind == PeriodicityKind::interval;
        return {{"kind", kinds[static_cast<int>(periodicity.kind)]},
                {"end", ends ? number(periodicity.end) : Json(nullptr)},
                {"stable_again", periodicity.stable_again ? number(*periodicity.stable_again) : Json(nullptr)},
                {"passed_over", periodicity.passed_over}};
    }

    static Json of(const PairReport& report) {
        Json json{{"positions", std::string(name(report.first))}, {"momenta", optional(report.second)}};
        json["CC"] = degree(report.assumptions.Q);
        json["DD"] = degree(report.assumptions.R);
        json["symplectic"] = {{"holds", report.symplectic}, {"defect", number(report.symplecticity_defect)}};
        json["symmetric"] = {{"holds", report.symmetric}, {"defect", number(report.symmetry_defect)}};
        json["periodicity"] = of(report.periodicity);
        json["moduli_at_10"] = {number(report.at_ten.larger), number(report.at_ten.smaller)};
        json["order"] = optional(report.free_order);
        json["constrained_order"] = report.constrained_order ? of(*report.constrained_order) : Json(nullptr);
        json["measured_order"] = optional(report.measured_order);
        return json;
    }

    static Json of(const SparkReport& report) {
        Json json{{"conditions", Json::array()}};
        for (const auto& condition : report.conditions) {
            json["conditions"].push_back({{"name", condition.name},
                                          {"formula", condition.formula},
                                          {"holds", condition.holds},
                                          {"defect", number(condition.defect)}});
        }
        json["order"] = of(report.order);
        json["order_linear_in_u"] = of(report.order_linear_in_u);
        json["measured_order"] = optional(report.measured_order);
        return json;
    }
};

}  // namespace libration
