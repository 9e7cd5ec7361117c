// Gradients that owe nothing to those of the library: quadruple precision, tangents or differences.
#pragma once

#include "gradient/forward_run.hpp"
#include "integrate/dense_steps.hpp"
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

// A run in quadruple precision from initial values that are consistent in it, node after node and between them.
class FineRun {
  public:
    FineRun(const Model& model, const Case& one)
        : model_(&model), step_(one.step), method_(method(one.method)), system_(make_system<Quad>(model)),
          dense_system_(make_system<Quad>(model)), stepper_(make_stepper<Quad>(method_, *system_)) {
        auto start = start_state<Quad>(model, *system_);
        Manifold<Quad> manifold(*system_);
        manifold.project_position(lit<Quad>(0), start.q, start.p);
        manifold.project_momentum(lit<Quad>(0), start.q, start.p);
        stepper_->start(lit<Quad>(0), start.q, start.p, from_double<Quad>(step_));
    }

    // Nodes in ascending order.
    void go_to(std::int64_t node) {
        if (node == node_ && !q_.empty()) {
            return;  // the stepper may be at the next one
        }
        advance_to(node);
        const auto now = stepper_->node();
        t_ = now.t;
        q_.assign(now.q.begin(), now.q.end());
        low_.assign(now.q_low.begin(), now.q_low.end());
        p_.assign(now.p.begin(), now.p.end());
        turns_.assign(now.turns.begin(), now.turns.end());
        node_ = node;
    }

    // Formulas so much time after the node.
    std::vector<Quad> read(const Loss& loss, const Quad& elapsed) {
        const auto given = parameter_values<Quad>(*model_);
        LossReader<Quad> reader(loss, *dense_system_, given);
        if (elapsed == lit<Quad>(0)) {
            reader.read(t_, q_, p_, turns_);
        } else {
            if (!method_.is_map()) {
                advance_to(node_ + 1);
            }
            DenseSteps<Quad> dense(*dense_system_, method_);
            EXPECT_EQ(dense.find({t_, q_, low_, p_}, stepper_->node(), elapsed, t_ + elapsed),
                      DenseSteps<Quad>::Fault::none);
            reader.read(t_ + elapsed, dense.q(), dense.p());
        }
        return values_in(reader, loss);
    }

    // At the next node.
    std::vector<Quad> read_next(const Loss& loss) {
        const auto given = parameter_values<Quad>(*model_);
        LossReader<Quad> reader(loss, *dense_system_, given);
        advance_to(node_ + 1);
        const auto node = stepper_->node();
        reader.read(node.t, node.q, node.p);
        return values_in(reader, loss);
    }

  private:
    static std::vector<Quad> values_in(const LossReader<Quad>& reader, const Loss& loss) {
        std::vector<Quad> values;
        for (std::size_t k = 0; k < loss.formulas.size(); ++k) {
            values.push_back(reader.value(k));
        }
        return values;
    }

    void advance_to(std::int64_t node) {
        while (node > 0 && made_ < node + method_.lag()) {
            EXPECT_TRUE(good_step(stepper_->advance()));
            stepper_->accept();
            ++made_;
        }
    }

    const Model* model_;
    double step_;
    Method method_;
    std::unique_ptr<System<Quad>> system_, dense_system_;
    std::unique_ptr<Stepper<Quad>> stepper_;
    std::int64_t made_ = 0, node_ = 0;
    Quad t_{};
    std::vector<Quad> q_, low_, p_, turns_;
};

inline std::vector<Quad> fine_loss(const Model& model, const Case& one) {
    FineRun run(model, one);
    run.go_to(one.steps);
    return run.read(read_loss(model, one.loss), lit<Quad>(0));
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

// Central differences in quadruple precision of several values: relative changes of 1e-9 make errors of 1e-18 or so.
// Value after value, all unknowns.
template <class Values>
std::vector<double> fine_differences(const Case& one, Values values) {
    const auto model = one.loaded();
    const auto unknowns = unknowns_of(model, one.by);
    std::vector<double> slopes;
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        const auto value = value_text(model, unknowns[k]);
        const auto change = value == "0" ? "1e-9" : fmt::format("abs({})*1e-9", value);
        const auto more = values(model.with({{unknowns[k].name, fmt::format("{} + {}", value, change)}}), one);
        const auto less = values(model.with({{unknowns[k].name, fmt::format("{} - {}", value, change)}}), one);
        const double size = value == "0" ? 1 : std::abs(std::stod(value));
        slopes.resize(more.size() * unknowns.size());
        for (std::size_t r = 0; r < more.size(); ++r) {
            slopes[r * unknowns.size() + k] = to_double(Quad((more[r] - less[r]) * from_double<Quad>(5e8))) / size;
        }
    }
    return slopes;
}
inline std::vector<double> fine_differences(const Case& one) { return fine_differences(one, fine_loss); }

}  // namespace libration::gradient_test
