// Compiled tangent steps against the method itself on dual numbers.
#include "gradient/directions.hpp"
#include "gradient/extended_model.hpp"
#include "gradient/tangent_code.hpp"
#include "gradient/unknowns.hpp"
#include "integrate/start.hpp"
#include "methods/good_step.hpp"
#include <libration/gradient/gradient.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>

#include <gtest/gtest.h>

#include <ostream>

namespace libration {
namespace {

using D = Dual<double>;

struct CodeCase {
    std::string model, method;
    double step;
};
void PrintTo(const CodeCase& one, std::ostream* out) { *out << one.method << " on " << one.model; }

// Both from the same state and tangent.
class CompiledTangents : public testing::TestWithParam<CodeCase> {
  protected:
    CompiledTangents()
        : model(Model::load(GetParam().model)), chosen(method(GetParam().method)),
          extended(extended_model(model, unknowns_of(model, {}))), system(make_system<D>(extended.model)),
          plain(make_system<double>(extended.model)) {
        auto start = start_state<double>(extended.model, *plain);
        Manifold<double> manifold(*plain);
        manifold.project_position(0, start.q, start.p);
        manifold.project_momentum(0, start.q, start.p);
        q.resize(system->dimension());
        p.resize(system->dimension());
        for (std::size_t j = 0; j < q.size(); ++j) {
            q[j].value = start.q[j];
            p[j].value = start.p[j];
        }
        set_generic_direction<double>(*system, 0, q, p, 0);
        for (std::size_t j = model.dimension; j < q.size(); ++j) {
            q[j].tangent = {};  // parameters do not change
        }
    }

    std::unique_ptr<Stepper<D>> started() {
        auto stepper = make_stepper<D>(chosen, *system);
        stepper->start(lit<D>(0), q, p, from_double<D>(-GetParam().step));
        return stepper;
    }
    std::unique_ptr<TangentCode> code() {
        std::vector<double> at_q, at_p;
        for (std::size_t j = 0; j < q.size(); ++j) {
            at_q.push_back(q[j].value);
            at_p.push_back(p[j].value);
        }
        std::string why_not;
        auto made = TangentCode::make({.extended = &extended.model,
                                       .dimension = model.dimension,
                                       .method = &chosen,
                                       .system = plain.get(),
                                       .node = {0, at_q, {}, at_p},
                                       .h = -GetParam().step,
                                       .steps = 100,
                                       .backend = Backend::generated},
                                      why_not);
        EXPECT_NE(made, nullptr) << why_not;
        return made;
    }
    static void make_step(Stepper<D>& stepper) {
        ASSERT_TRUE(good_step(stepper.advance()));
        stepper.accept();
    }

    Model model;
    Method chosen;
    ExtendedModel extended;
    std::unique_ptr<System<D>> system;
    std::unique_ptr<System<double>> plain;
    std::vector<D> q, p;
};

TEST_P(CompiledTangents, are_those_of_dual_numbers) {
    const auto compiled = code();
    ASSERT_NE(compiled, nullptr);
    const auto reference = started(), other = started();
    int settling = 0;
    while (!compiled->enter(*other, 0)) {
        ASSERT_LT(++settling, 40);
        make_step(*reference);
        make_step(*other);
    }
    constexpr int steps = 60;
    for (int n = 0; n < steps; ++n) {
        make_step(*reference);
    }
    const auto node = reference->node();
    std::vector<double> values;
    for (std::size_t j = 0; j < model.dimension; ++j) {
        values.push_back(node.q[j].value);
    }
    ASSERT_EQ(compiled->leap(steps), steps);
    EXPECT_LT(compiled->distance(values), 1e-13);
    compiled->leave(*other, 0);
    const auto found = other->node();
    double largest = 0, apart = 0;
    for (std::size_t j = 0; j < q.size(); ++j) {
        if (j < model.dimension) {
            largest = std::max({largest, std::abs(node.q[j].tangent[0]), std::abs(node.p[j].tangent[0])});
            apart = std::max(apart, std::abs(node.q[j].tangent[0] - found.q[j].tangent[0]));
        }
        largest = std::max(largest, std::abs(node.p[j].tangent[0]));
        apart = std::max(apart, std::abs(node.p[j].tangent[0] - found.p[j].tangent[0]));
    }
    // Both solve the same linear equations; rounding grows with the tangent, by less than a hundred in these steps.
    EXPECT_LT(apart, 1e-12 * largest);
    EXPECT_GT(largest, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Steps, CompiledTangents,
    testing::Values(CodeCase{"kepler", "verlet", 0.02}, CodeCase{"double-pendulum", "rattle", 0.02},
                    CodeCase{"triple-pendulum", "rattle", 0.01},
                    CodeCase{"triple-pendulum", "compose(rattle, suzuki)", 0.05},
                    CodeCase{"driven-pendulum", "rattle", 0.02}, CodeCase{"triple-pendulum", "lobatto(3)", 0.05},
                    CodeCase{"spherical-pendulum", "lobatto(2)", 0.02}, CodeCase{"heavy-top", "rattle", 0.01}));

// In regular motion the code goes on from state to state; what it makes is what the interpreter makes.
TEST(CompiledGradient, is_that_of_interpreted_steps) {
    struct Case {
        std::string model, method, loss;
        std::vector<std::string> by;
        double step;
    };
    for (const auto& one :
         {Case{"double-pendulum", "rattle", "x2*y1 + v_x1", {"g", "l1", "m2", "theta1", "v_x2"}, 0.01},
          Case{"kepler", "compose(verlet, suzuki)", "x*y", {"e", "v_y"}, 0.02},
          Case{"driven-pendulum", "rattle", "x + v_y", {}, 0.01},
          Case{"spherical-pendulum", "lobatto(2)", "x*y + v_z", {}, 0.01}}) {
        GradientOptions options;
        options.run.step = one.step;
        options.run.steps = 1500;
        options.loss = one.loss;
        options.by = one.by;
        options.mode = GradientMode::backward;
        options.run.backend = Backend::interpreted;
        const auto model = Model::load(one.model);
        const auto interpreted = gradient(model, method(one.method), options);
        options.run.backend = Backend::generated;
        const auto compiled = gradient(model, method(one.method), options);
        ASSERT_FALSE(compiled.failure) << one.model << compiled.failure->message;
        EXPECT_EQ(interpreted.compiled_steps, 0) << one.model;
        EXPECT_GT(compiled.compiled_steps, 1200) << one.model << ": " << compiled.backend;
        double largest = 0, apart = 0;
        for (std::size_t k = 0; k < compiled.derivatives.size(); ++k) {
            largest = std::max(largest, std::abs(interpreted.derivatives[k].value));
            apart = std::max(apart, std::abs(interpreted.derivatives[k].value - compiled.derivatives[k].value));
        }
        // 1500 steps with rounding of 1e-16 each, enlarged by the growth of the tangent.
        EXPECT_LT(apart, 1e-13 * interpreted.tangent_growth * largest) << one.model;
        EXPECT_NEAR(compiled.tangent_growth, interpreted.tangent_growth, 0.5 * interpreted.tangent_growth);
    }
}

// Rounding of the steps back grows like a disturbance: without a return to the stored states the tangents would follow
// another motion. At the energy 1/6 disturbances grow by a factor of ten in a hundred steps or so.
TEST(CompiledGradient, follows_the_stored_states_in_chaotic_motion) {
    const auto model = Model::load("henon-heiles", {{"H0", "1/6"}});
    GradientOptions options;
    options.run.step = 0.1;
    options.run.steps = 1600;
    options.run.backend = Backend::generated;
    options.loss = "x + p_y";
    options.by = {"y0"};
    options.mode = GradientMode::backward;
    const auto compiled = gradient(model, method("verlet"), options);
    options.mode = GradientMode::forward;
    const auto forward = gradient(model, method("verlet"), options);
    ASSERT_FALSE(compiled.failure || forward.failure);
    ASSERT_GT(compiled.compiled_steps, 1200);
    ASSERT_GT(compiled.tangent_growth, 1e10);
    const double expected = forward.derivatives[0].value;
    const double error = std::abs(compiled.derivatives[0].value - expected) / std::abs(expected);
    // The code may be 1e-13 away from a stored state, and 100 steps enlarge that by less than 1e3.
    EXPECT_LT(error, 1e-10);
}

}  // namespace
}  // namespace libration
