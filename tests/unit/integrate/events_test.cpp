// Events: where, how often, in which order.
#include "integrate/event_watch.hpp"
#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace libration {
namespace {

// 4 K(1/sqrt 2): of the pendulum released from the horizontal, g = l = 1.
constexpr double period = 7.416298709205487673735401388781;

IntegrationOptions with_events(const Model& model, double h, std::int64_t steps,
                               const std::vector<std::string>& texts) {
    IntegrationOptions options{.step = h, .steps = steps};
    for (const auto& text : texts) {
        options.events.push_back(read_event(model, text, options.events.size() + 1));
    }
    return options;
}

struct Seen {
    Run run;
    EventRecorder list;
};

Seen follow(const Model& model, const std::string& spec, const IntegrationOptions& options) {
    Seen seen;
    seen.run = integrate(model, method(spec), options, seen.list);
    return seen;
}

TEST(FindZero, reaches_the_last_place) {
    int calls = 0;
    const auto zero = [&](auto f, double a, double b) {
        calls = 0;
        const auto counted = [&](double x) {
            ++calls;
            return f(x);
        };
        return find_zero(counted, a, f(a), b, f(b));
    };
    EXPECT_NEAR(zero([](double x) { return std::cos(x); }, 1, 2), std::acos(-1.0) / 2, 4e-16);
    EXPECT_LT(calls, 12);
    EXPECT_NEAR(zero([](double x) { return std::cos(x); }, 2, 1), std::acos(-1.0) / 2, 4e-16);
    EXPECT_NEAR(zero([](double x) { return std::expm1(50 * (x - 0.7)); }, 0, 1), 0.7, 3e-16);
    EXPECT_NEAR(zero([](double x) { return (x - 0.3) * (x - 0.3) * (x - 0.3); }, 0, 1), 0.3, 1e-15);
    EXPECT_NEAR(zero([](double x) { return x < 0.123 ? -1.0 : 1.0; }, 0, 1), 0.123, 1e-15);
    EXPECT_LT(calls, 70);
    EXPECT_EQ(zero([](double x) { return x; }, -1, 1), 0);
}

TEST(Events, of_the_pendulum_are_where_elliptic_functions_have_them) {
    const auto model = Model::load("pendulum");
    for (const auto* spec : {"lobatto(8)", "compose(rattle, kahanli8)"}) {
        const double h = spec[0] == 'l' ? 0.1 : 0.02;
        const auto steps = static_cast<std::int64_t>(std::lround(15 / h));
        const auto seen = follow(model, spec, with_events(model, h, steps, {"bottom: x", "turn: v_y falling"}));
        ASSERT_EQ(seen.run.events.size(), 2U);
        ASSERT_EQ(seen.run.events[0].count, 4);
        double next = period / 4;
        for (const auto& state : seen.list.states) {
            if (state.event == 0) {
                EXPECT_NEAR(state.t, next, 1e-12 * period) << spec;
                EXPECT_EQ(state.rising, std::lround(next / (period / 4)) % 4 == 3);
                EXPECT_NEAR(state.q[0], 0, 1e-14);
                EXPECT_NEAR(std::abs(state.v[0]), std::sqrt(2.0), 1e-11);
                EXPECT_NEAR(state.lambda[0], 1.5, 1e-10);
                EXPECT_LT(state.constraint, 1e-15);
                EXPECT_LT(state.hidden, 4e-15);
                next += period / 2;
            }
        }
        EXPECT_NEAR(seen.run.events[0].first, period / 4, 1e-12 * period);
        EXPECT_NEAR(seen.run.events[0].last, 7 * period / 4, 1e-12 * period);
        // y is highest at all turning points, every half of a period; the start is not counted.
        EXPECT_EQ(seen.run.events[1].count, 4);
    }
}

TEST(Events, have_a_direction) {
    const auto model = Model::load("pendulum");
    const auto count = [&](const std::string& text, double h) {
        return follow(model, "rattle", with_events(model, h, 1000, {text})).run.events[0].count;
    };
    // Over 10 units of time: at 1.85 falling, at 5.56 rising, at 9.27 falling.
    EXPECT_EQ(count("x", 0.01), 3);
    EXPECT_EQ(count("x rising", 0.01), 1);
    EXPECT_EQ(count("x falling", 0.01), 2);
    // Back in time x does the same; rising is meant along the run.
    EXPECT_EQ(count("x", -0.01), 3);
    EXPECT_EQ(count("x rising", -0.01), 1);
    EXPECT_EQ(count("x falling", -0.01), 2);
}

TEST(Events, back_in_time_and_of_methods_that_are_late_are_found_in_order) {
    const auto model = Model::load("pendulum");
    for (const auto* spec : {"rattle", "shake", "multistep(4)", "multistep(6)", "bdf(3)"}) {
        for (const double h : {0.005, -0.005}) {
            const auto seen = follow(model, spec, with_events(model, h, 3000, {"x", "y + 1/2"}));
            ASSERT_EQ(seen.run.events[0].count, 4) << spec;
            ASSERT_EQ(seen.run.events[1].count, 8) << spec;
            for (std::size_t k = 0; k < seen.list.states.size(); ++k) {
                const auto& state = seen.list.states[k];
                EXPECT_TRUE(k == 0 || std::abs(state.t) > std::abs(seen.list.states[k - 1].t)) << spec;
                EXPECT_NEAR(state.event == 0 ? state.q[0] : state.q[1] + 0.5, 0, 1e-14) << spec;
                EXPECT_LT(state.constraint, 1e-15) << spec;
                EXPECT_LT(state.hidden, 4e-15) << spec;
            }
            EXPECT_NEAR(seen.run.events[0].first, (h > 0 ? 1 : -1) * period / 4, 1e-4) << spec;
        }
    }
}

// At t = 1e6 the last place of t is worth 1e-10.
TEST(Events, are_on_their_surface_at_late_times_too) {
    const auto model = Model::load("pendulum");
    for (const auto* spec : {"rattle", "multistep(4)"}) {
        auto options = with_events(model, 0.01, 3000, {"x"});
        options.start_time = 1e6;
        const auto seen = follow(model, spec, options);
        ASSERT_EQ(seen.list.states.size(), 8U);
        for (const auto& state : seen.list.states) {
            EXPECT_NEAR(state.q[0], 0, 1e-15) << spec;
        }
        EXPECT_NEAR(seen.run.events[0].first, 1e6 + period / 4, 1e-4);
    }
}

TEST(Events, that_are_terminal_end_the_run_at_the_node_behind) {
    const auto model = Model::load("pendulum");
    for (const auto* spec : {"rattle", "multistep(4)"}) {
        const auto plain = integrate(model, method(spec), {.step = 0.01, .steps = 186});
        const auto seen = follow(model, spec, with_events(model, 0.01, 1000, {"x terminal", "y falling"}));
        EXPECT_EQ(seen.run.status, RunStatus::stopped);
        EXPECT_EQ(seen.run.steps, 186);  // 1.8541
        EXPECT_EQ(seen.run.q, plain.q);
        EXPECT_EQ(seen.run.p, plain.p);
        ASSERT_EQ(seen.list.states.size(), 1U);
        EXPECT_NEAR(seen.list.states[0].t, period / 4, 1e-4);
    }
}

// y = -t^2/2 near a turning point: it rises above -1e-5 for 0.009 of a step of 0.1.
TEST(Events, that_come_in_pairs_inside_a_step_are_found) {
    const auto model = Model::load("pendulum");
    for (const double h : {0.1, -0.1}) {
        const auto seen = follow(model, "lobatto(4)", with_events(model, h, 400, {"y + 1e-5"}));
        ASSERT_EQ(seen.run.events[0].count, 21);
        for (std::size_t k = 0; k < 21; ++k) {
            const auto& state = seen.list.states[k];
            EXPECT_EQ(state.rising, k % 2 == 1);
            const double turn = static_cast<double>((k + 1) / 2) * period / 2;
            EXPECT_NEAR(std::abs(state.t), turn + (k % 2 == 1 ? -1 : 1) * std::sqrt(2e-5), 2e-6) << k;
        }
        EXPECT_EQ(follow(model, "lobatto(4)", with_events(model, h, 400, {"y + 1e-5 rising"})).run.events[0].count, 10);
        // Near, but never there: |y| is round-off at its highest.
        EXPECT_EQ(follow(model, "lobatto(4)", with_events(model, h, 400, {"y - 1e-6"})).run.events[0].count, 0);
    }
}

Model free_particle() {
    ModelBuilder builder("free");
    builder.coordinates({"x"});
    builder.mass(1).potential(Expression(0)).initial_position({-1}).initial_velocity({1});
    return builder.build();
}

TEST(Events, at_a_node_happen_once) {
    const auto model = free_particle();
    for (const double h : {0.25, 0.5, 1.0}) {
        const auto seen =
            follow(model, "verlet", with_events(model, h, 8, {"x", "x rising", "-x", "x^2", "x falling"}));
        EXPECT_EQ(seen.run.events[0].count, 1) << h;
        EXPECT_EQ(seen.run.events[1].count, 1);
        EXPECT_EQ(seen.run.events[2].count, 1);
        EXPECT_EQ(seen.run.events[3].count, 1) << "a zero at a node is an event, whatever comes after";
        EXPECT_EQ(seen.run.events[4].count, 0);
        EXPECT_EQ(seen.list.states[0].t, 1);
    }
    // Values that rest at zero: once where they come to it, never where they leave it.
    const auto rest = follow(model, "verlet", with_events(model, 0.25, 12, {"min(x, 0)", "max(x, 0)", "0*x"}));
    EXPECT_EQ(rest.run.events[0].count, 1);
    EXPECT_EQ(rest.run.events[1].count, 0);
    EXPECT_EQ(rest.run.events[2].count, 0);
    // At the end of the run, and not at its start.
    EXPECT_EQ(follow(model, "verlet", with_events(model, 0.25, 4, {"x"})).run.events[0].count, 1);
    EXPECT_EQ(follow(model, "verlet", with_events(model, 0.25, 4, {"x + 1"})).run.events[0].count, 0);
}

TEST(Events, are_zeros_and_no_poles) {
    const auto model = Model::load("pendulum");
    const auto run = follow(model, "rattle", with_events(model, 0.01, 300, {"pole: 1/x", "jump: sign(x)"})).run;
    EXPECT_EQ(run.events[0].count, 0);
    EXPECT_EQ(run.events[1].count, 1) << "x passes zero a quarter of a period after the start";
    EXPECT_NEAR(run.events[1].first, period / 4, 1e-3);
    EXPECT_TRUE(std::ranges::any_of(run.warnings, [](const std::string& text) {
        return text.find("pole changes sign at a singularity") != std::string::npos;
    }));
}

TEST(Events, that_never_happen_are_warned_of) {
    const auto model = Model::load("pendulum");
    const auto run = follow(model, "rattle", with_events(model, 0.01, 100, {"high: y - 2", "x rising"})).run;
    EXPECT_EQ(run.status, RunStatus::completed);
    ASSERT_EQ(run.warnings.size(), 2U);
    EXPECT_EQ(run.warnings[0].find("the event high never occurred: its value "), 0U) << run.warnings[0];
    EXPECT_NE(run.warnings[0].find(" stayed in [-2.47"), std::string::npos) << run.warnings[0];
    EXPECT_EQ(run.events[0].largest, -2);
}

TEST(Events, whose_value_is_not_a_number_fail) {
    const auto model = Model::load("pendulum");
    EXPECT_THROW(follow(model, "rattle", with_events(model, 0.01, 100, {"log(-x)"})), InputError);
    const auto run = follow(model, "rattle", with_events(model, 0.01, 1000, {"log(x + 0.5)"})).run;
    EXPECT_EQ(run.status, RunStatus::failed);
    ASSERT_TRUE(run.failure);
    EXPECT_EQ(run.failure->kind, "event");
    EXPECT_NE(run.failure->message.find("event1 is not a number at t = 2.2"), std::string::npos)
        << run.failure->message;
}

struct Order final : Observer {
    void see(const Sample& sample) override { times.push_back(sample.t); }
    void happen(std::size_t, bool, const Sample& sample) override { times.push_back(sample.t); }
    std::vector<double> times;
};

TEST(Events, are_shown_between_what_is_before_and_what_is_after) {
    const auto model = Model::load("pendulum");
    for (const bool at : {false, true}) {
        auto options = with_events(model, 0.1, 100, {"x", "y + 0.3", "sin(20*t)"});
        if (at) {
            options.at = {0.1, 0.21, 0.22, 0.23, 1.85, 1.86, 1.9};
        }
        Order order;
        integrate(model, method("rattle"), options, order);
        EXPECT_TRUE(std::ranges::is_sorted(order.times));
        EXPECT_GT(order.times.size(), at ? 60U : 160U);
    }
}

struct Memory final : CheckpointSink {
    void save(std::span<const std::byte> memory, const Run&) override { bytes.assign(memory.begin(), memory.end()); }
    std::vector<std::byte> bytes;
};

TEST(Events, and_given_times_survive_an_interruption) {
    const auto model = Model::load("double-pendulum");
    for (const auto* spec : {"rattle", "multistep(4)"}) {
        for (const std::int64_t first : {1, 7, 150, 299}) {
            auto options = with_events(model, 0.05, 300, {"x1", "y2 + 1.75", "angle: atan2(x1, -y1) - 0.4 falling"});
            for (double t = 0.02; t < 15; t += 0.03) {
                options.at.push_back(t);
            }
            Recorder rows_whole;
            EventRecorder whole;
            Integration uninterrupted(model, method(spec), options);
            uninterrupted.observe(rows_whole);
            uninterrupted.observe(whole);
            const auto expected = uninterrupted.run();

            Recorder rows;
            EventRecorder parts;
            Memory memory;
            auto shorter = options;
            shorter.steps = first;
            Integration begun(model, method(spec), shorter);
            begun.observe(rows);
            begun.observe(parts);
            begun.checkpoint_to(memory);
            begun.run();
            Integration resumed(model, method(spec), options);
            resumed.observe(rows);
            resumed.observe(parts);
            resumed.restore(memory.bytes);
            const auto run = resumed.run();
            EXPECT_EQ(run.q, expected.q);
            EXPECT_EQ(rows.t, rows_whole.t) << spec << first;
            EXPECT_EQ(rows.q, rows_whole.q);
            EXPECT_EQ(rows.lambda, rows_whole.lambda);
            ASSERT_EQ(parts.states.size(), whole.states.size()) << spec << first;
            for (std::size_t k = 0; k < whole.states.size(); ++k) {
                EXPECT_EQ(parts.states[k].t, whole.states[k].t);
                EXPECT_EQ(parts.states[k].q, whole.states[k].q);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_GT(run.events[k].count, 0);
                EXPECT_EQ(run.events[k].count, expected.events[k].count);
                EXPECT_EQ(run.events[k].first, expected.events[k].first);
                EXPECT_EQ(run.events[k].last, expected.events[k].last);
                EXPECT_EQ(run.events[k].smallest, expected.events[k].smallest);
            }
        }
    }
}

TEST(Events, that_were_terminal_stay_so_in_a_resumed_run) {
    const auto model = Model::load("pendulum");
    const auto options = with_events(model, 0.01, 1000, {"x terminal"});
    Memory memory;
    Integration first(model, method("rattle"), options);
    first.checkpoint_to(memory);
    const auto stopped = first.run();
    Integration second(model, method("rattle"), options);
    second.restore(memory.bytes);
    const auto again = second.run();
    EXPECT_EQ(again.status, RunStatus::stopped);
    EXPECT_EQ(again.steps, stopped.steps);
    EXPECT_EQ(again.events[0].count, 1);
}

TEST(EventTexts, are_expression_direction_and_end) {
    const auto model = Model::load("pendulum");
    const auto plain = read_event(model, " x - 1/2 ", 3);
    EXPECT_EQ(plain.name, "event3");
    EXPECT_EQ(plain.direction, Event::Direction::either);
    EXPECT_FALSE(plain.terminal);
    const auto full = read_event(model, "bottom: v_x*lambda_rod + g rising terminal", 1);
    EXPECT_EQ(full.name, "bottom");
    EXPECT_EQ(full.direction, Event::Direction::rising);
    EXPECT_TRUE(full.terminal);
    EXPECT_EQ(read_event(model, "x terminal falling", 1).direction, Event::Direction::falling);
    for (const auto* bad : {"", "rising", "x rising falling", "z", "x +", "a b: x", ": x", "x y"}) {
        EXPECT_THROW(read_event(model, bad, 1), InputError) << bad;
    }
    EXPECT_THROW(follow(model, "rattle", with_events(model, 0.01, 1, {"a: x", "a: y"})), InputError);
    EXPECT_THROW(follow(model, "rattle", with_events(model, 0.01, 1, {"y > 1"})), InputError);
    EXPECT_THROW(follow(model, "rattle", with_events(model, 0.01, 1, {"y > 1 and x < 0"})), InputError);
}

TEST(EventsOfModels, are_read_and_built) {
    const std::string text = R"(
[coordinates]
q = ["x"]
[dynamics]
mass = 1
potential = "x^2/2"
[initial]
q = [1]
v = [0]
)";
    const auto model =
        Model::parse(text + "[[events]]\nname = \"zero\"\nwhen = \"x\"\ndirection = \"falling\"\nterminal = true\n"
                            "[[events]]\nname = \"half\"\nwhen = \"x - 1/2\"\n",
                     "test.toml");
    ASSERT_EQ(model.events.size(), 2U);
    EXPECT_TRUE(model.events[0].terminal);
    EXPECT_EQ(model.events[0].direction, Event::Direction::falling);
    EXPECT_EQ(model.events[1].direction, Event::Direction::either);
    const auto seen = follow(model, "gauss(5)", {.step = 0.1, .steps = 100});
    EXPECT_EQ(seen.run.status, RunStatus::stopped);
    ASSERT_EQ(seen.list.states.size(), 2U);
    EXPECT_NEAR(seen.list.states[0].t, std::acos(0.5), 1e-14);
    EXPECT_NEAR(seen.list.states[1].t, std::acos(0.0), 1e-14);

    for (const auto& [block, words] : std::vector<std::pair<std::string, std::string>>{
             {"name = \"a\"\n", "needs the key 'when'"},
             {"when = \"x\"\n", "needs the key 'name'"},
             {"name = \"a\"\nwhen = \"z\"\n", "z"},
             {"name = \"a\"\nwhen = \"x\"\ndirection = \"up\"\n", "rising"},
             {"name = \"a\"\nwhen = \"x\"\nterminal = 1\n", "`true` or `false`"},
             {"name = \"x\"\nwhen = \"x\"\n", "already a coordinate"},
             {"name = \"a\"\nwhen = \"x\"\nwhere = 1\n", "where"},
             {"name = \"a\"\nwhen = \"x\"\n[[events]]\nname = \"a\"\nwhen = \"x\"\n", "two events"},
         }) {
        try {
            Model::parse(text + "[[events]]\n" + block, "test.toml");
            ADD_FAILURE() << block;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find("test.toml:"), std::string::npos) << error.what();
        }
    }

    ModelBuilder builder("built");
    const auto x = builder.coordinates({"x"})[0];
    builder.mass(1).potential(x * x / 2).initial_position({1});
    builder.event({.name = "zero", .value = x, .direction = Event::Direction::rising, .terminal = false, .place = {}});
    const auto built = builder.build();
    const auto run = follow(built, "gauss(5)", {.step = 0.1, .steps = 100}).run;
    EXPECT_EQ(run.events[0].count, 1);
    EXPECT_NEAR(run.events[0].first, 3 * std::acos(0.0), 1e-14);
}

}  // namespace
}  // namespace libration
