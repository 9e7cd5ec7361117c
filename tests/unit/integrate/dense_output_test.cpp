// The state between nodes, and output at given times.
#include "integrate/dense_output.hpp"
#include "integrate/output_times.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

struct Stored {
    double t;
    std::vector<double> q, p;
    [[nodiscard]] Node<double> view() const { return {t, q, {}, p}; }
};

std::vector<Stored> nodes_of(const Model& model, const Method& m, double h, std::int64_t steps) {
    Recorder seen;
    integrate(model, m, {.step = h, .steps = steps}, seen);
    std::vector<Stored> nodes;
    for (std::size_t k = 0; k < seen.t.size(); ++k) {
        nodes.push_back({seen.t[k], seen.q[k], seen.p[k]});
    }
    return nodes;
}

double apart(std::span<const double> a, std::span<const double> b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        most = std::max(most, std::abs(a[k] - b[k]));
    }
    return most;
}

TEST(DenseOutput, meets_both_nodes) {
    const auto model = Model::load("double-pendulum");
    for (const auto* spec : {"rattle", "lobatto(3)", "shake", "multistep(4)", "bdf(3)", "spark(2)"}) {
        for (const double h : {0.05, -0.05}) {
            const auto m = method(spec);
            const auto nodes = nodes_of(model, m, h, 6);
            DenseOutput dense(model, m);
            const auto left = nodes[4].view(), right = nodes[5].view();
            // The node itself at the node, and a neighbour of it just beside.
            EXPECT_EQ(dense.between(left, right, left.t).q.data(), left.q.data());
            EXPECT_EQ(dense.between(left, right, right.t).q.data(), right.q.data());
            EXPECT_EQ(dense.between(left, right, std::nextafter(right.t, left.t)).q.data(), right.q.data());
            for (const auto& [t, node] : {std::pair{left.t + 1e-10 * h, left}, std::pair{right.t - 1e-10 * h, right}}) {
                const auto found = dense.between(left, right, t);
                EXPECT_EQ(found.t, t);
                EXPECT_LT(apart(found.q, node.q), 1e-10) << spec;
                // Momenta of shake and bdf fulfil the hidden constraint to their order only, those between it to
                // round-off.
                const bool loose = !m.claims(true).hidden.exact;
                EXPECT_LT(apart(found.p, node.p), loose ? 2e-3 : 1e-10) << spec << t;
            }
        }
    }
}

// Multipliers of a step of length h have noise 1/h^2; the states do not.
TEST(DenseOutput, works_at_every_distance_from_a_node) {
    const auto model = Model::load("double-pendulum");
    for (const auto* spec : {"rattle", "lobatto(3)", "lobatto(5)", "compose(rattle, kahanli6)", "spark(3)", "shake",
                             "multistep(4)", "constrain(midpoint)"}) {
        const auto m = method(spec);
        const auto nodes = nodes_of(model, m, 0.05, 6);
        DenseOutput dense(model, m);
        const auto left = nodes[4].view(), right = nodes[5].view();
        const auto near = dense.between(left, right, left.t);
        const std::vector<double> q(near.q.begin(), near.q.end()), p(near.p.begin(), near.p.end());
        for (double part = 1e-2; part > 2e-14; part /= 10) {
            const auto found = dense.between(left, right, left.t + part * 0.05);
            // |q'| and |p'| are below 2 and 3 here.
            EXPECT_LT(apart(found.q, q), 0.1 * part + 1e-15) << spec << part;
            if (m.claims(true).hidden.exact) {
                EXPECT_LT(apart(found.p, p), 0.15 * part + 4e-15) << spec << part;
            }
        }
    }
}

TEST(DenseOutput, says_what_is_wrong_instead_of_giving_nonsense) {
    const auto model = Model::load("pendulum");
    DenseOutput dense(model, method("rattle"));
    // A state that a step of length 1 would lead far away from the circle.
    const Stored left{0, {1, 0}, {0, 1e4}}, right{1, {1, 0}, {0, 1e4}};
    EXPECT_THROW(dense.between(left.view(), right.view(), 0.9), DenseFailure);
}

TEST(OutputTimes, are_read_from_lists_and_ranges) {
    EXPECT_EQ(read_times("0.5, 2*3,7"), (std::vector<double>{0.5, 6, 7}));
    EXPECT_EQ(read_times("pi"), std::vector<double>{std::acos(-1.0)});
    const auto range = read_times("0:0.1:1,5");
    ASSERT_EQ(range.size(), 12U);
    EXPECT_EQ(range[3], 3 * 0.1);
    EXPECT_EQ(range[10], 1);
    EXPECT_EQ(range[11], 5);
    EXPECT_EQ(read_times("1:-0.25:0.5"), (std::vector<double>{1, 0.75, 0.5}));
    EXPECT_EQ(read_times("max(1, 2)"), std::vector<double>{2});
    for (const auto* bad : {"", "1,,2", "x", "1:2", "0:0:1", "0:-1:1", "1/0", "0:1e-12:1", "1,2,"}) {
        EXPECT_THROW(read_times(bad), InputError) << bad;
    }
}

TEST(OutputAtTimes, gives_nodes_bit_for_bit_and_leaves_the_trajectory_alone) {
    const auto model = Model::load("double-pendulum");
    for (const auto* spec : {"rattle", "lobatto(3)", "shake", "multistep(4)", "bdf(3)"}) {
        for (const double h : {0.01, -0.01}) {
            Recorder every, some;
            const auto plain = integrate(model, method(spec), {.step = h, .steps = 100}, every);
            IntegrationOptions options{.step = h, .steps = 100};
            options.at = {90 * h, 0, 0.3 * h, 100 * h, 0.07 / 0.01 * h, 90.5 * h, 90 * h};
            Event event;
            event.name = "passes";
            event.value = model.formula("x1", "test");
            options.events = {event};
            const auto run = integrate(model, method(spec), options, some);
            EXPECT_EQ(run.q, plain.q) << spec;
            EXPECT_EQ(run.p, plain.p) << spec;
            EXPECT_EQ(run.lambda, plain.lambda) << spec;
            EXPECT_EQ(run.evaluations.force, plain.evaluations.force) << spec;
            EXPECT_EQ(run.evaluations.newton_iterations, plain.evaluations.newton_iterations) << spec;
            EXPECT_EQ(run.energy.max_error, plain.energy.max_error) << spec;
            ASSERT_EQ(some.t.size(), 6U) << spec;
            for (const auto& [row, node] : {std::pair{0, 0}, {2, 7}, {3, 90}, {5, 100}}) {
                EXPECT_EQ(some.q[static_cast<std::size_t>(row)], every.q[static_cast<std::size_t>(node)]) << spec;
                EXPECT_EQ(some.p[static_cast<std::size_t>(row)], every.p[static_cast<std::size_t>(node)]) << spec;
            }
            EXPECT_EQ(some.t[1], 0.3 * h);
            EXPECT_EQ(some.t[4], 90.5 * h);
        }
    }
}

TEST(OutputAtTimes, outside_of_the_run_is_refused_or_warned_of) {
    const auto model = Model::load("pendulum");
    const auto run = [&](std::vector<double> at, double h = 0.01) {
        return integrate(model, method("rattle"), {.step = h, .steps = 100, .at = std::move(at)});
    };
    EXPECT_THROW(run({-0.1, 0.5}), InputError);
    EXPECT_THROW(run({0.1}, -0.01), InputError);
    EXPECT_THROW(run({2, 3}), InputError);
    EXPECT_THROW(run({std::nan("")}), InputError);
    const auto warned = run({0.5, 2, 3});
    ASSERT_EQ(warned.warnings.size(), 1U);
    EXPECT_NE(warned.warnings[0].find("2 of the 3 output times"), std::string::npos) << warned.warnings[0];
    EXPECT_TRUE(run({1.0}).warnings.empty());
    EXPECT_TRUE(run({-1.0}, -0.01).warnings.empty());
}

}  // namespace
}  // namespace libration
