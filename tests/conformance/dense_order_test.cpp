// Output between nodes has the order of the method in q, p and lambda, and lies on both constraints.
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace libration::conformance {
namespace {

std::vector<double> random_times(std::size_t count, double last) {
    std::mt19937 generator(7);
    std::vector<double> times;
    for (std::size_t k = 0; k < count; ++k) {
        times.push_back(last * static_cast<double>(generator()) / 4294967296.0);
    }
    std::ranges::sort(times);
    return times;
}

struct DenseErrors {
    double q = 0, p = 0, lambda = 0;
};

double apart(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        most = std::max(most, std::abs(a[k] - b[k]));
    }
    return most;
}

// The states at the times by small steps that meet them, without any dense output.
std::vector<Run> exact_states(const Model& model, const std::string& spec, const std::vector<double>& times, double h) {
    std::vector<Run> states;
    for (const double t : times) {
        const auto steps = static_cast<std::int64_t>(std::ceil(t / h));
        states.push_back(integrate(model, method(spec), {.step = t / static_cast<double>(steps), .steps = steps}));
    }
    return states;
}

struct DenseCase {
    const char* model;
    const char* method;
    double step;
    int order;
};

void PrintTo(const DenseCase& one, std::ostream* out) { *out << one.method << " on " << one.model; }

class DenseOrder : public ::testing::TestWithParam<DenseCase> {};

TEST_P(DenseOrder, is_that_of_the_method) {
    const auto& given = GetParam();
    const auto model = Model::load(given.model);
    const auto m = method(given.method);
    const double last = 16 * given.step;
    const auto times = random_times(12, last);
    const auto exact = exact_states(model, model.constraint_rows > 0 ? "lobatto(6)" : "gauss(5)", times, last / 100);
    std::vector<DenseErrors> errors;
    for (const double h : {given.step, given.step / 2, given.step / 4}) {
        Recorder seen;
        const auto run = integrate(model, m, {.step = h, .duration = last, .at = times}, seen);
        ASSERT_EQ(run.status, RunStatus::completed);
        ASSERT_EQ(seen.t, times);
        DenseErrors error;
        for (std::size_t k = 0; k < times.size(); ++k) {
            error.q = std::max(error.q, apart(seen.q[k], exact[k].q));
            error.p = std::max(error.p, apart(seen.p[k], exact[k].p));
            error.lambda = std::max(error.lambda, apart(seen.lambda[k], exact[k].lambda));
            EXPECT_LE(seen.constraint[k], 2e-15) << times[k];
            EXPECT_LE(seen.hidden[k], 4e-15) << times[k];
        }
        errors.push_back(error);
    }
    for (const auto part : {&DenseErrors::q, &DenseErrors::p, &DenseErrors::lambda}) {
        if (part == &DenseErrors::lambda && model.constraint_rows == 0) {
            continue;
        }
        const double first = errors[0].*part, end = errors[2].*part;
        const double order = std::log2(first / end) / 2;
        EXPECT_GT(order, given.order - 0.35) << first << " " << errors[1].*part << " " << end;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, DenseOrder,
                         ::testing::Values(DenseCase{"double-pendulum", "rattle", 0.1, 2},
                                           DenseCase{"double-pendulum", "lobatto(2)", 0.1, 2},
                                           DenseCase{"double-pendulum", "lobatto(3)", 0.2, 4},
                                           DenseCase{"double-pendulum", "lobatto(4)", 0.3, 6},
                                           DenseCase{"double-pendulum", "spark(3)", 0.2, 4},
                                           DenseCase{"double-pendulum", "compose(rattle, kahanli6)", 0.2, 6},
                                           DenseCase{"double-pendulum", "shake", 0.1, 2},
                                           DenseCase{"double-pendulum", "multistep(4)", 0.05, 4},
                                           DenseCase{"henon-heiles", "leapfrog", 0.1, 2},
                                           DenseCase{"henon-heiles", "gauss(2)", 0.2, 4}));

// Both constraints hold at round-off at a thousand random times, at steps as long as users take them.
TEST(DenseOutputResiduals, are_round_off_at_a_thousand_times) {
    for (const auto* name : {"pendulum", "triple-pendulum", "chain"}) {
        const auto model = Model::load(name);
        for (const auto* spec : {"rattle", "lobatto(3)", "shake", "multistep(4)", "spark(3)"}) {
            const double h = *model.run.step, last = 100 * h;
            Recorder seen;
            const auto times = random_times(1000, last);
            const auto run = integrate(model, method(spec), {.step = h, .duration = last, .at = times}, seen);
            ASSERT_EQ(run.status, RunStatus::completed) << name << spec;
            ASSERT_EQ(seen.t.size(), 1000U) << name << spec;
            // In units of round-off of the numbers themselves.
            double size = 1, speed = 1;
            for (std::size_t k = 0; k < seen.t.size(); ++k) {
                for (std::size_t i = 0; i < seen.q[k].size(); ++i) {
                    size = std::max(size, std::abs(seen.q[k][i]));
                    speed = std::max(speed, std::abs(seen.v[k][i]));
                }
            }
            EXPECT_LE(*std::ranges::max_element(seen.constraint), 4e-15 * size * size) << name << spec;
            EXPECT_LE(*std::ranges::max_element(seen.hidden), 1e-14 * size * speed) << name << spec;
        }
    }
}

// Every method of the catalogue: states between nodes are on both constraints, and asking for them changes nothing.
TEST(DenseOutputOfEveryMethod, is_on_the_manifold_and_leaves_the_trajectory_alone) {
    int runs = 0;
    for (const auto* record : methods()) {
        for (const auto& spec : examples(*record)) {
            for (const auto& [name, h] :
                 {std::pair{"double-pendulum", 0.02}, {"henon-heiles", 0.1}, {"abc-flow", 0.05}}) {
                const auto model = Model::load(name);
                const auto m = method(spec, Doubts::accept);
                const auto system = make_system<double>(model);
                if (!unmet_needs(m, system->properties(), system->constraints()).empty()) {
                    continue;
                }
                const auto plain = integrate(model, m, {.step = h, .steps = 40});
                const auto times = random_times(30, 40 * h);
                Recorder seen;
                const auto run = integrate(model, m, {.step = h, .steps = 40, .at = times}, seen);
                EXPECT_EQ(run.q, plain.q) << spec << name;
                EXPECT_EQ(run.p, plain.p) << spec << name;
                EXPECT_EQ(run.evaluations.force, plain.evaluations.force) << spec << name;
                EXPECT_EQ(seen.t, times) << spec << name;
                if (!m.claims(system->properties(), system->constraints()).diverges) {
                    EXPECT_LE(*std::ranges::max_element(seen.constraint), 1e-14) << spec << name;
                    EXPECT_LE(*std::ranges::max_element(seen.hidden), 1e-14) << spec << name;
                }
                ++runs;
            }
        }
    }
    EXPECT_GT(runs, 100);
}

// Between nodes the energy is as good as at them: the side step is as symplectic as the method.
TEST(DenseOutputEnergy, stays_as_near_as_at_the_nodes) {
    const auto model = Model::load("double-pendulum");
    Recorder nodes, between;
    const auto run = integrate(model, method("rattle"), {.step = 0.05, .duration = 50}, nodes);
    integrate(model, method("rattle"), {.step = 0.05, .duration = 50, .at = random_times(1000, 50)}, between);
    const auto worst = [&](const Recorder& seen) {
        double most = 0;
        for (const double e : seen.energy) {
            most = std::max(most, std::abs(e - run.energy.initial));
        }
        return most;
    };
    EXPECT_LE(worst(between), 1.5 * worst(nodes));
}

}  // namespace
}  // namespace libration::conformance
