// Predictions at given times and their derivatives.
#include "reference.hpp"

#include <numeric>

namespace libration::gradient_test {
namespace {

struct MeasuredCase : Case {
    std::vector<std::string> columns;
};

void PrintTo(const MeasuredCase& one, std::ostream* out) { *out << one.method << " on " << one.model; }

// At the start, at nodes, between them, twice in one step and twice at one time, in steps; not in order.
const std::vector<double> places{0, 3, 7.25, 7.75, 31, 12.5, 20.0625, 12.5, 36};

Measurements table_of(const MeasuredCase& one) {
    Measurements data;
    for (const double place : places) {
        data.t.push_back(place * one.step);
    }
    for (const auto& formula : one.columns) {
        data.columns.push_back({formula, std::vector<double>(places.size(), 0.1), {}});
        for (std::size_t k = 0; k < places.size(); ++k) {
            data.columns.back().values[k] += 0.05 * static_cast<double>(k);
            data.columns.back().sd.push_back(0.5 + 0.1 * static_cast<double>(k));
        }
    }
    data.columns[0].values[4] = NAN;
    return data;
}

GradientOptions options_of(const MeasuredCase& one, GradientMode mode) {
    auto options = one.options(mode);
    options.run.steps.reset();
    options.data = table_of(one);
    return options;
}

std::vector<Quad> fine_predictions(const Model& model, const MeasuredCase& one) {
    std::vector<Expression> formulas;
    for (const auto& column : one.columns) {
        formulas.push_back(state_formula(model, column, column));
    }
    const auto loss = loss_of(model, formulas, "");
    const auto data = table_of(one);
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [](std::size_t k) { return places[k]; });
    std::vector<std::vector<Quad>> all(places.size());
    FineRun run(model, one);
    for (const auto k : order) {
        run.go_to(static_cast<std::int64_t>(places[k]));
        all[k] = run.read(loss, from_double<Quad>((places[k] - std::floor(places[k])) * one.step));
    }
    std::vector<Quad> values;
    for (std::size_t k = 0; k < places.size(); ++k) {
        for (std::size_t j = 0; j < data.columns.size(); ++j) {
            if (!std::isnan(data.columns[j].values[k])) {
                values.push_back(all[k][j]);
            }
        }
    }
    return values;
}

std::vector<Quad> fine_squares(const Model& model, const MeasuredCase& one) {
    const auto predicted = fine_predictions(model, one);
    const auto data = table_of(one);
    Quad sum = lit<Quad>(0);
    std::size_t row = 0;
    for (std::size_t k = 0; k < data.t.size(); ++k) {
        for (const auto& column : data.columns) {
            if (!std::isnan(column.values[k])) {
                const Quad apart =
                    (predicted[row++] - from_double<Quad>(column.values[k])) / from_double<Quad>(column.sd[k]);
                sum = sum + apart * apart;
            }
        }
    }
    return {sum};
}

// Constraints, M(q), bodies, moving constraints, nets of constraints, no constraints.
std::vector<MeasuredCase> measured_cases() {
    return {
        {{"double-pendulum", "rattle", "", {}, 0.02, 36}, {"x2", "v_y1 + lambda_rod1"}},
        {{"double-pendulum", "lobatto(3)", "", {"g", "l1", "m1", "theta2"}, 0.05, 36}, {"x2*y1", "p_x1"}},
        {{"spherical-pendulum", "compose(rattle, suzuki4)", "", {"g", "l", "m", "theta", "dphi"}, 0.05, 36},
         {"x", "tension", "z"}},
        {{"driven-pendulum", "rattle", "", {}, 0.02, 36}, {"x + v_y", "y*t"}},
        {{"rigid-body-on-spring", "rattle", "", {"m", "g", "k", "l", "a", "block.r.x", "v_block.r.z"}, 0.02, 36},
         {"stretch", "block.r.x"}},
        {{"charged-particle", "lobatto(2)", "", {"x", "y", "p_x", "p_z"}, 0.02, 36}, {"x + p_y*z"}},
        {{"andrews-swing", "lobatto(2)", "", {"m1", "I3"}, 1e-4, 36}, {"beta", "v_gamma"}},
        {{"heavy-top", "rattle", "", {}, 0.02, 36}, {"top.Q[1,3]", "top.Q[2,1]"}},
        {{"chain", "rattle", "", {"g", "l", "m"}, 0.02, 36}, {"r[9].x", "v_r[5].y"}},
        {{"kepler", "gauss(2)", "", {"e", "x", "v_y"}, 0.05, 36}, {"x", "y"}},
        {{"kepler", "symplectic-euler", "", {"e", "v_y"}, 0.02, 36}, {"x", "v_y"}},
    };
}

class MeasurementsOf : public testing::TestWithParam<MeasuredCase> {};

TEST_P(MeasurementsOf, have_derivatives_that_agree_with_quadruple_precision_in_both_modes) {
    const auto& one = GetParam();
    const auto model = one.loaded();
    const auto rows = fine_differences(one, [&](const Model& m, const Case&) { return fine_predictions(m, one); });
    const auto slopes = fine_differences(one, [&](const Model& m, const Case&) { return fine_squares(m, one); });
    EXPECT_GT(largest(slopes), 1e-3) << "the loss must depend on the unknowns";
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        const auto matrix = jacobian(model, method(one.method), options_of(one, mode));
        ASSERT_FALSE(matrix.failure) << matrix.failure->message;
        EXPECT_EQ(matrix.mode, mode);
        EXPECT_LT(difference(matrix.matrix, rows), 1e-12) << to_string(mode);
        EXPECT_GT(matrix.digits, 12);
        const auto slope = gradient(model, method(one.method), options_of(one, mode));
        ASSERT_FALSE(slope.failure) << slope.failure->message;
        EXPECT_EQ(slope.mode, mode);
        EXPECT_EQ(slope.steps, 36);
        EXPECT_LT(difference(values_of(slope), slopes), 1e-12) << to_string(mode);
        EXPECT_GT(slope.digits, 12);
    }
}

std::string measured_name(const testing::TestParamInfo<MeasuredCase>& info) {
    auto name = info.param.model + "_" + info.param.method;
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Problems, MeasurementsOf, testing::ValuesIn(measured_cases()), measured_name);

// Dense output of these is a mixture of two steps of another method, or projected.
TEST(Measurements, of_other_methods_are_differentiated_forward) {
    for (const MeasuredCase& one :
         {MeasuredCase{{"double-pendulum", "shake", "", {"g", "l1", "m2"}, 0.02, 36}, {"x2", "v_y1"}},
          MeasuredCase{{"double-pendulum", "bdf(2)", "", {"g", "l1", "m2"}, 0.02, 36}, {"x2", "v_y1"}},
          MeasuredCase{{"double-pendulum", "multistep(4)", "", {"g", "l1", "m2"}, 0.02, 36}, {"x2", "v_y1"}},
          MeasuredCase{{"damped-spherical-pendulum", "spark(3)", "", {"drag", "g"}, 0.02, 36}, {"x", "v_z"}}}) {
        const auto model = one.loaded();
        const auto rows = fine_differences(one, [&](const Model& m, const Case&) { return fine_predictions(m, one); });
        const auto matrix = jacobian(model, method(one.method), options_of(one, GradientMode::automatic));
        ASSERT_FALSE(matrix.failure) << matrix.failure->message;
        EXPECT_EQ(matrix.mode, GradientMode::forward);
        EXPECT_LT(difference(matrix.matrix, rows), 1e-12) << one.method;
    }
}

// The same dense output, so the same bits.
TEST(Measurements, are_predicted_as_a_run_shows_them) {
    for (const auto* spec : {"rattle", "lobatto(3)", "shake", "multistep(4)"}) {
        const MeasuredCase one{{"double-pendulum", spec, "", {"g"}, 0.02, 36}, {"x2", "p_y1", "v_x1"}};
        const auto model = one.loaded();
        auto options = options_of(one, GradientMode::forward);
        options.data->columns[0].values[4] = 0;
        const auto found = jacobian(model, method(spec), options);
        IntegrationOptions run{.step = one.step, .steps = one.steps};
        run.at = options.data->t;
        std::ranges::sort(run.at);
        Recorder shown;
        (void)integrate(model, method(spec), run, shown);
        for (std::size_t k = 0; k < places.size(); ++k) {
            const auto row = static_cast<std::size_t>(std::ranges::find(shown.t, options.data->t[k]) - shown.t.begin());
            ASSERT_LT(row, shown.rows());
            EXPECT_EQ(found.values[3 * k], shown.q[row][2]) << spec;
            EXPECT_EQ(found.values[3 * k + 1], shown.p[row][1]) << spec;
            EXPECT_EQ(found.values[3 * k + 2], shown.v[row][0]) << spec;
        }
    }
}

// Few unknowns travel forward together; few values travel backward together.
TEST(Measurements, mode_of_a_matrix_is_the_one_that_needs_fewer_steps) {
    MeasuredCase one{{"double-pendulum", "rattle", "", {"g"}, 0.02, 36}, {"x2"}};
    const auto mode = [&](const GradientOptions& options) {
        return jacobian(one.loaded(), method("rattle"), options).mode;
    };
    auto options = options_of(one, GradientMode::automatic);
    EXPECT_EQ(mode(options), GradientMode::forward);
    options.by = {};
    options.data->t = {0.5};
    options.data->columns = {{"x2", {0}, {}}};
    EXPECT_EQ(mode(options), GradientMode::backward);
}

}  // namespace
}  // namespace libration::gradient_test
