// Adaptive steps, held fixed: against differences in quadruple precision with the same steps.
#include "reference.hpp"

#include <libration/text/error.hpp>

namespace libration::gradient_test {
namespace {

using Control = AdaptiveOptions::Control;
using Estimator = AdaptiveOptions::Estimator;

struct AdaptiveCase {
    Case one;  // its step is the first guess
    AdaptiveOptions adaptive;
    std::vector<std::pair<std::string, std::string>> set;
    GradientMode mode;  // that it goes by itself

    [[nodiscard]] Model loaded() const { return Model::load(one.model, {set.begin(), set.end()}); }
    [[nodiscard]] GradientOptions options(GradientMode wanted) const {
        auto options = one.options(wanted);
        options.run.adaptive = adaptive;
        return options;
    }
};

struct Nodes final : Observer {
    void see(const Sample& sample) override { times.push_back(sample.t); }
    std::vector<double> times;
};

std::vector<double> nodes_of(const Model& model, const AdaptiveCase& adaptive) {
    auto options = adaptive.options(GradientMode::automatic).run;
    options.every = 1;
    Nodes nodes;
    const auto run = integrate(model, method(adaptive.one.method), options, nodes);
    EXPECT_FALSE(run.failure);
    return nodes.times;
}

// Of the sizes of two steps.
double largest_ratio(const std::vector<double>& times) {
    double smallest = INFINITY, most = 0;
    for (std::size_t n = 1; n < times.size(); ++n) {
        smallest = std::min(smallest, times[n] - times[n - 1]);
        most = std::max(most, times[n] - times[n - 1]);
    }
    return most / smallest;
}

// The loss with these steps.
Quad loss_at_nodes(const Model& model, const Case& one, const std::vector<double>& times) {
    const auto system = make_system<Quad>(model);
    auto start = start_state<Quad>(model, *system);
    Manifold<Quad> manifold(*system);
    manifold.project_position(lit<Quad>(0), start.q, start.p);
    manifold.project_momentum(lit<Quad>(0), start.q, start.p);
    const auto stepper = make_stepper<Quad>(method(one.method), *system);
    std::vector<Quad> q = start.q, p = start.p, low(q.size(), lit<Quad>(0));
    for (std::size_t n = 1; n < times.size(); ++n) {
        stepper->start({from_double<Quad>(times[n - 1]), q, low, p}, from_double<Quad>(times[n] - times[n - 1]));
        EXPECT_TRUE(good_step(stepper->advance()));
        stepper->accept();
        const auto node = stepper->node();
        q.assign(node.q.begin(), node.q.end());
        p.assign(node.p.begin(), node.p.end());
        low.assign(node.q_low.begin(), node.q_low.end());
        low.resize(q.size(), lit<Quad>(0));
    }
    const auto loss = read_loss(model, one.loss);
    const auto given = parameter_values<Quad>(model);
    LossReader<Quad> reader(loss, *system, given);
    reader.read(from_double<Quad>(times.back()), q, p);
    return reader.value();
}

std::vector<double> differences_at_nodes(const Model& model, const Case& one, const std::vector<double>& times) {
    std::vector<double> slopes;
    for (const auto& unknown : unknowns_of(model, one.by)) {
        const auto value = value_text(model, unknown);
        const auto change = value == "0" ? "1e-9" : fmt::format("abs({})*1e-9", value);
        const auto more =
            loss_at_nodes(model.with({{unknown.name, fmt::format("{} + {}", value, change)}}), one, times);
        const auto less =
            loss_at_nodes(model.with({{unknown.name, fmt::format("{} - {}", value, change)}}), one, times);
        const double size = value == "0" ? 1 : std::abs(std::stod(value));
        slopes.push_back(to_double(Quad((more - less) * from_double<Quad>(5e8))) / size);
    }
    return slopes;
}

std::vector<AdaptiveCase> adaptive_cases() {
    const auto backward = GradientMode::backward, forward = GradientMode::forward;
    return {
        {{"kepler", "gauss(3)", "x*y + v_x", {"e", "x", "v_y"}, 0.05, 60},
         {Control::reversible, 1e-7, Estimator::antisymmetric},
         {{"e", "0.6"}},
         backward},
        {{"kepler", "lobatto(3)", "x*y + v_x", {"e", "x", "v_y"}, 0.05, 60},
         {Control::standard, 1e-7, {}},
         {},
         backward},
        {{"double-pendulum", "lobatto(3)", "x2*v_y1 + p_x1", {"g", "l1", "m1", "theta1"}, 0.05, 40},
         {Control::reversible, 1e-7, {}},
         {},
         backward},
        {{"damped-spherical-pendulum", "spark(3)", "x + v_z", {"drag", "g", "push"}, 0.05, 40},
         {Control::standard, 1e-6, {}},
         {},
         forward},
    };
}

TEST(AdaptiveGradient, is_that_of_the_same_steps_in_quadruple_precision) {
    for (const auto& adaptive : adaptive_cases()) {
        const auto& one = adaptive.one;
        const auto model = adaptive.loaded();
        const auto times = nodes_of(model, adaptive);
        ASSERT_EQ(times.size(), static_cast<std::size_t>(one.steps) + 1);
        EXPECT_GT(largest_ratio(times), 1.1) << "steps must differ";
        const auto exact = differences_at_nodes(model, one, times);
        EXPECT_GT(largest(exact), 1e-3) << "the loss must depend on the unknowns";
        const auto found = gradient(model, method(one.method), adaptive.options(GradientMode::automatic));
        ASSERT_FALSE(found.failure) << found.failure->message;
        EXPECT_EQ(found.mode, adaptive.mode) << one.method << " on " << one.model;
        EXPECT_LT(found.tangent_growth, 1e3);
        EXPECT_LT(difference(values_of(found), exact), 1e-12) << one.method << " on " << one.model;
        const auto forward = gradient(model, method(one.method), adaptive.options(GradientMode::forward));
        EXPECT_LT(difference(values_of(forward), exact), 1e-12) << one.method << " on " << one.model;
    }
}

// Over a duration, to the node where the run ends: the derivative of the motion at that time, but for errors of the
// size of the tolerance.
TEST(AdaptiveGradient, tends_to_that_of_the_motion_at_the_time_of_the_end) {
    const auto model = Model::load("kepler", {{"e", "0.6"}});
    const Case one{"kepler", "gauss(3)", "x*y + v_x", {"e", "x", "v_y"}, 0.05, 0};
    std::vector<double> errors;
    for (const double tolerance : {1e-5, 1e-8}) {
        auto options = one.options(GradientMode::automatic);
        options.run.steps.reset();
        options.run.duration = 3;
        options.run.adaptive = AdaptiveOptions{Control::reversible, tolerance, Estimator::antisymmetric};
        const auto found = gradient(model, method(one.method), options);
        ASSERT_FALSE(found.failure);
        const double end = integrate(model, method(one.method), options.run).t;
        auto fine = one;
        fine.method = "gauss(6)";
        fine.steps = 400;
        fine.step = end / 400;
        const auto exact = gradient(model, method(fine.method), fine.options(GradientMode::automatic));
        errors.push_back(difference(values_of(found), values_of(exact)));
    }
    // The error of order 6 shrinks like TOL^(6/7), which is by a factor of 370.
    EXPECT_LT(errors[0], 1e-2);
    EXPECT_LT(errors[1], errors[0] / 100);
    EXPECT_GT(errors[1], 1e-13) << "round-off would hide it";
}

// Measured times lie between the nodes of an adaptive run.
TEST(AdaptiveGradient, of_measurements_is_the_same_in_both_directions) {
    const auto model = Model::load("kepler", {{"e", "0.6"}});
    auto options = Case{"kepler", "gauss(3)", "", {"e", "x", "v_y"}, 0.05, 0}.options(GradientMode::backward);
    options.run.steps.reset();
    options.run.adaptive = AdaptiveOptions{Control::reversible, 1e-7, Estimator::antisymmetric};
    options.data = Measurements{{0.4, 1.1, 2.7}, {{"x", {0.1, NAN, 0.3}, {}}, {"y + v_x", {0.2, 0.4, 0.1}, {}}}};
    const auto backward = gradient(model, method("gauss(3)"), options);
    ASSERT_FALSE(backward.failure) << backward.failure->message;
    options.mode = GradientMode::forward;
    const auto forward = gradient(model, method("gauss(3)"), options);
    ASSERT_FALSE(forward.failure) << forward.failure->message;
    EXPECT_LT(difference(values_of(backward), values_of(forward)), 1e-12);
    // A slightly different initial value, with steps of a size that hardly matters.
    const auto loss = [&](double x) {
        auto changed = options;
        changed.run.adaptive->tolerance = 1e-10;
        return gradient(model.with({{"x", fmt::format("{:.17g}", x)}}), method("gauss(3)"), changed).loss;
    };
    const double x = initial_state<double>(model).q[0], change = 1e-5;
    EXPECT_NEAR(backward.derivatives[1].value, (loss(x + change) - loss(x - change)) / (2 * change),
                1e-4 * std::abs(backward.derivatives[1].value));
}

TEST(AdaptiveGradient, of_integrals_and_events_is_refused) {
    const auto model = Model::load("kepler");
    auto options = Case{"kepler", "gauss(3)", "integral(x)", {"e"}, 0.05, 10}.options(GradientMode::automatic);
    options.run.adaptive = AdaptiveOptions{Control::reversible, 1e-7, {}};
    try {
        (void)gradient(model, method("gauss(3)"), options);
        ADD_FAILURE() << "the integral was taken";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("integrals or events"), std::string::npos) << error.what();
    }
}

TEST(AdaptiveGradient, of_a_method_without_error_estimate_is_refused) {
    auto options = Case{"kepler", "verlet", "x", {"e"}, 0.05, 10}.options(GradientMode::automatic);
    options.run.adaptive = AdaptiveOptions{Control::reversible, 1e-7, {}};
    EXPECT_THROW((void)gradient(Model::load("kepler"), method("verlet"), options), InputError);
}

}  // namespace
}  // namespace libration::gradient_test
