// A run with all its nodes, for tests of analyses.
#pragma once

#include <libration/analysis/analysis.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

namespace libration {

inline Trajectory recorded(const Model& model, const std::string& spec, const IntegrationOptions& options) {
    TrajectoryKeeper keeper(model, spec, options);
    integrate(model, method(spec), options, keeper);
    return std::move(keeper.trajectory);
}

inline Trajectory recorded(const std::string& model, const std::string& spec, const IntegrationOptions& options) {
    return recorded(Model::load(model), spec, options);
}

inline double number(const AnalysisResult& result, const std::string& name) {
    for (const auto& entry : result.numbers) {
        if (entry.name == name) {
            return entry.value;
        }
    }
    ADD_FAILURE() << "no number " << name << " in " << result.what;
    return 0;
}

}  // namespace libration
