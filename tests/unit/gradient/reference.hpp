// Gradients that owe nothing to those of the library: quadruple precision, tangents or differences.
#pragma once

#include "gradient/forward_run.hpp"
#include "integrate/start.hpp"
#include <libration/gradient/gradient.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace libration::gradient_test {

// What is differentiated.
struct Case {
    std::string model;
    std::string method;
    std::string loss;
    std::vector<std::string> by;
    double step;
    std::int64_t steps;
    bool project = false;

    // A built-in problem, or a text of several lines.
    [[nodiscard]] Model loaded() const {
        return model.find('\n') == std::string::npos ? Model::load(model) : Model::parse(model, "text");
    }
    [[nodiscard]] GradientOptions options(GradientMode mode) const {
        GradientOptions options;
        options.run.step = step;
        options.run.steps = steps;
        options.run.project = project;
        options.loss = loss;
        options.by = by;
        options.mode = mode;
        return options;
    }
};

inline void PrintTo(const Case& one, std::ostream* out) { *out << one.method << " on " << one.model; }

inline std::vector<double> values_of(const Gradient& gradient) {
    std::vector<double> values;
    for (const auto& derivative : gradient.derivatives) {
        values.push_back(derivative.value);
    }
    return values;
}

inline double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

// Largest difference, relative to the largest derivative; infinite for lists of different lengths or not-a-number.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = a.size() == b.size() && !a.empty() ? 0 : INFINITY;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        const double apart = std::abs(a[k] - b[k]);
        most = std::isnan(apart) ? INFINITY : std::max(most, apart);
    }
    return most / largest(b);
}

// The loss in quadruple precision, at initial values that are consistent in it.
inline Quad fine_loss(const Model& model, const Case& one) {
    const auto system = make_system<Quad>(model);
    auto start = start_state<Quad>(model, *system);
    Manifold<Quad> manifold(*system);
    manifold.project_position(lit<Quad>(0), start.q, start.p);
    manifold.project_momentum(lit<Quad>(0), start.q, start.p);
    const auto chosen = method(one.method);
    const auto stepper = make_stepper<Quad>(chosen, *system);
    stepper->start(lit<Quad>(0), start.q, start.p, from_double<Quad>(one.step));
    for (std::int64_t n = 0; n < one.steps + chosen.lag(); ++n) {
        EXPECT_TRUE(good_step(stepper->advance()));
        stepper->accept();
    }
    const auto loss = read_loss(model, one.loss);
    const auto given = parameter_values<Quad>(model);
    LossReader<Quad> reader(loss, *system, given);
    const auto node = stepper->node();
    reader.read(node.t, node.q, node.p);
    return reader.value();
}

// What an unknown is, as a text that a model takes.
inline std::string value_text(const Model& model, const Unknown& unknown) {
    const auto initial = initial_state<double>(model);
    const auto given = parameter_values<double>(model);
    double value = 0;
    switch (unknown.kind) {
        case Unknown::Kind::parameter: {
            const auto found = std::ranges::find(given.symbols, symbol(unknown.name));
            value = given.values[static_cast<std::size_t>(found - given.symbols.begin())];
            break;
        }
        case Unknown::Kind::position: value = initial.q[unknown.number]; break;
        case Unknown::Kind::momentum: value = initial.momentum[unknown.number]; break;
        case Unknown::Kind::velocity: value = initial.velocity[unknown.number]; break;
    }
    return fmt::format("{:.17g}", value);
}

// Central differences in quadruple precision: relative changes of 1e-9 make errors of 1e-18 or so.
inline std::vector<double> fine_differences(const Case& one) {
    const auto model = one.loaded();
    std::vector<double> slopes;
    for (const auto& unknown : unknowns_of(model, one.by)) {
        const auto value = value_text(model, unknown);
        const auto change = value == "0" ? "1e-9" : fmt::format("abs({})*1e-9", value);
        const auto more = fine_loss(model.with({{unknown.name, fmt::format("{} + {}", value, change)}}), one);
        const auto less = fine_loss(model.with({{unknown.name, fmt::format("{} - {}", value, change)}}), one);
        const double size = value == "0" ? 1 : std::abs(std::stod(value));
        slopes.push_back(to_double(Quad((more - less) * from_double<Quad>(5e8))) / size);
    }
    return slopes;
}

}  // namespace libration::gradient_test
