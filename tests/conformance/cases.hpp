// Every registered method on every problem of the suite that it can run: the instances of the parametrised tests.
#pragma once

#include <libration/analysis/certify.hpp>
#include <libration/system/make_system.hpp>

#include <gtest/gtest.h>

#include <ostream>

namespace libration::conformance {

struct Case {
    std::string spec;
    const CertifiedProblem* problem;
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.spec << " on " << c.problem->model; }
};

inline std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const auto& problem : certified_problems()) {
        if (problem.on_demand) {
            continue;
        }
        const auto system = make_system<double>(Model::load(std::string(problem.model)));
        for (const auto* record : methods()) {
            for (const auto& spec : examples(*record)) {
                if (method(spec).claims().order <= problem.highest_order &&
                    unmet_needs(method(spec), system->properties(), system->constraints()).empty()) {
                    cases.push_back({spec, &problem});
                }
            }
        }
    }
    return cases;
}

// gtest allows letters, digits and _ only.
inline std::string case_name(const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.spec + "_on_" + std::string(info.param.problem->model);
    for (auto& c : name) {
        c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
}

}  // namespace libration::conformance
