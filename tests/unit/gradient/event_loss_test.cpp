// States at events and their derivatives.
#include "reference.hpp"

#include <libration/integrate/events.hpp>
#include <libration/text/error.hpp>

namespace libration::gradient_test {
namespace {

struct EventCase : Case {
    std::string event;     // as the command line takes it
    std::string observed;  // the formula at it
};

void PrintTo(const EventCase& one, std::ostream* out) { *out << one.method << " on " << one.model; }

GradientOptions event_options(const EventCase& one, GradientMode mode) {
    auto options = one.options(mode);
    options.run.events = {read_event(one.loaded(), one.event, 1)};
    options.loss = "at(" + options.run.events[0].name + ", " + one.observed + ")";
    return options;
}

// The first crossing in the wanted direction, by secants.
std::vector<Quad> fine_event(const Model& model, const EventCase& one) {
    const auto event = read_event(model, one.event, 1);
    const auto loss = loss_of(model, {state_formula(model, one.observed, ""), event.value}, "");
    FineRun run(model, one);
    const auto value = [&](const Quad& elapsed) { return run.read(loss, elapsed)[1]; };
    run.go_to(0);
    for (std::int64_t n = 0; n < one.steps; ++n) {
        Quad a = lit<Quad>(0), b = from_double<Quad>(one.step), fa = value(a), fb = run.read_next(loss)[1];
        const double sign = event.direction == Event::Direction::rising    ? 1
                            : event.direction == Event::Direction::falling ? -1
                                                                           : (to_double(fa) < 0 ? 1 : -1);
        // A zero at the start is not an event.
        if (sign * to_double(fa) < -1e-20 && sign * to_double(fb) >= 0) {
            for (int k = 0; k < 15 && fb != fa && std::abs(to_double(fb)) > 1e-31; ++k) {
                const Quad c = b - fb * (b - a) / (fb - fa);
                a = b;
                fa = fb;
                b = c;
                fb = value(b);
            }
            EXPECT_LT(std::abs(to_double(fb)), 1e-28);
            return {run.read(loss, b)[0]};
        }
        run.go_to(n + 1);
    }
    ADD_FAILURE() << "there is no event";
    return {};
}

std::vector<EventCase> event_cases() {
    return {
        {{"pendulum", "rattle", "", {"g", "l", "m"}, 0.02, 200}, "bottom: x falling", "t + v_x*y"},
        {{"double-pendulum", "lobatto(3)", "", {}, 0.05, 60}, "x1 falling", "x2*v_y1 + lambda_rod2"},
        {{"double-pendulum", "compose(rattle, suzuki4)", "", {"g", "l2", "theta1"}, 0.05, 60}, "v_x2 falling", "x2"},
        {{"driven-pendulum", "rattle", "", {}, 0.02, 120}, "x*t - l/5 rising", "y + t"},
        {{"rigid-body-on-spring", "rattle", "", {"m", "g", "k", "l", "v_block.r.z"}, 0.02, 200},
         "v_block.r.z falling terminal",
         "stretch"},
        {{"charged-particle", "lobatto(2)", "", {"x", "y", "p_z"}, 0.02, 200}, "z - 0.5", "x + p_y*t"},
        {{"kepler", "gauss(3)", "", {"e", "v_y"}, 0.05, 100}, "y - e/10 falling", "x*t"},
        {{"kepler", "symplectic-euler", "", {"e"}, 0.05, 100}, "y - 0.3 falling", "x + v_y"},
    };
}

class EventLossOf : public testing::TestWithParam<EventCase> {};

TEST_P(EventLossOf, has_derivatives_that_agree_with_quadruple_precision_in_both_modes) {
    const auto& one = GetParam();
    const auto model = one.loaded();
    const auto slopes = fine_differences(one, [&](const Model& m, const Case&) { return fine_event(m, one); });
    EXPECT_GT(largest(slopes), 1e-3) << "the loss must depend on the unknowns";
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        const auto result = gradient(model, method(one.method), event_options(one, mode));
        ASSERT_FALSE(result.failure) << result.failure->message;
        EXPECT_EQ(result.mode, mode);
        EXPECT_NEAR(result.loss, to_double(fine_event(model, one)[0]), 1e-12 * (1 + std::abs(result.loss)));
        EXPECT_LT(difference(values_of(result), slopes), 1e-12) << to_string(mode);
    }
}

std::string event_name_of(const testing::TestParamInfo<EventCase>& info) {
    auto name = info.param.model + "_" + info.param.method;
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Problems, EventLossOf, testing::ValuesIn(event_cases()), event_name_of);

TEST(EventLoss, of_methods_that_cannot_go_back_is_differentiated_forward) {
    for (const auto* spec : {"shake", "multistep(4)", "bdf(2)"}) {
        const EventCase one{{"double-pendulum", spec, "", {"g", "l1", "m2"}, 0.02, 100}, "x1 falling", "x2 + t"};
        const auto slopes = fine_differences(one, [&](const Model& m, const Case&) { return fine_event(m, one); });
        const auto result = gradient(one.loaded(), method(spec), event_options(one, GradientMode::automatic));
        ASSERT_FALSE(result.failure) << result.failure->message;
        EXPECT_LT(difference(values_of(result), slopes), 1e-12) << spec;
    }
}

// The pendulum passes the bottom after a time proportional to sqrt(l/g): the derivatives are -t/(2 g) and t/(2 l).
TEST(EventLoss, derivative_of_the_time_is_that_of_a_period) {
    const EventCase one{{"pendulum", "lobatto(5)", "", {"g", "l"}, 0.05, 200}, "bottom: x falling", "t"};
    const auto result = gradient(one.loaded(), method(one.method), event_options(one, GradientMode::automatic));
    // The method is of order 8: 0.05^8 is 4e-11.
    EXPECT_NEAR(result.derivatives[0].value, -result.loss / 2, 1e-10);
    EXPECT_NEAR(result.derivatives[1].value, result.loss / 2, 1e-10);
}

std::string event_fault(const std::string& event, const std::string& loss) {
    const Case one{"pendulum", "rattle", loss, {"g"}, 0.01, 300};
    auto options = one.options({});
    if (!event.empty()) {
        options.run.events = {read_event(one.loaded(), event, 1)};
    }
    try {
        const auto result = gradient(one.loaded(), method(one.method), options);
        return result.failure ? result.failure->message : "no fault";
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(EventLoss, that_has_no_derivative_is_explained) {
    const auto expect = [](const std::string& event, const std::string& loss, const std::string& part) {
        const auto fault = event_fault(event, loss);
        EXPECT_NE(fault.find(part), std::string::npos) << fault;
    };
    expect("", "at(hit, x)", "the model has no events");
    expect("hit: x", "at(hut, x)", "there is no event 'hut': did you mean 'hit'?");
    expect("hit: x - 5", "at(hit, x)", "the event hit does not occur from t = 0 to t = 3");
    expect("hit: x", "2*at(hit, x)", "is at(EVENT, EXPR) alone");
    expect("hit: x", "at(hit)", "is at(EVENT, EXPR) alone");
    expect("hit: x", "at(hit, z)", "unknown name 'z'");
    expect("hit: x terminal", "y", "the run may end at an event");
    expect("hit: x terminal", "at(hit, y)", "no fault");
    // Of x^3 the derivative vanishes where x does.
    expect("hit: x^3", "at(hit, y)", "touches zero");
}

}  // namespace
}  // namespace libration::gradient_test
