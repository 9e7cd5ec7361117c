// Products of second derivatives with a direction, against second differences in quadruple precision.
#include "reference.hpp"

#include <libration/text/error.hpp>

#include <map>

namespace libration::gradient_test {
namespace {

using Direction = std::vector<Derivative>;

struct HessianCase {
    Case base;
    Direction direction;
};
void PrintTo(const HessianCase& one, std::ostream* out) { PrintTo(one.base, out); }

// An angle that counts turns, and passes pi.
constexpr const char* wound_spring = R"(
[parameters]
k = 0.5
w = 3.0
[coordinates]
q = ["x", "y"]
[angles]
turn = { sine = "y", cosine = "x" }
[dynamics]
mass = 1
potential = "k/2*turn^2"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0]
v = [0, "w"]
)";

// Constraints, M(q), bodies, moving constraints, a start that is projected, initial values, no constraints.
std::vector<HessianCase> hessian_cases() {
    return {
        {{"double-pendulum", "rattle", "x2*v_y1 + p_x1", {"g", "l1", "l2", "m1", "m2", "theta1"}, 0.02, 40},
         {{"g", 0.7}, {"m1", -0.4}, {"theta1", 0.3}}},
        {{"double-pendulum", "lobatto(3)", "x2*v_y1", {"g", "m2", "v_x1", "x2"}, 0.05, 20},
         {{"g", 1}, {"v_y2", 0.5}, {"x2", 0.3}}},
        {{"kepler-sphere", "rattle", "x + v_z*y", {"x", "v_y", "z"}, 0.01, 50}, {{"x", 0.2}, {"v_z", -0.6}}},
        {{"kepler-sphere", "rattle", "x*z + v_z*y", {"a1", "phi", "theta", "dphi"}, 0.01, 50},
         {{"a1", 0.3}, {"theta", -0.6}}},
        {{"kepler", "gauss(2)", "x*y + v_x^2", {"x", "y", "v_y"}, 0.05, 60}, {{"x", 0.5}, {"v_y", -1}}},
        {{"henon-heiles", "verlet", "x + y^2 + p_x", {"H0", "y0"}, 0.05, 60}, {{"y0", 1}, {"H0", 0.4}}},
        {{"driven-pendulum", "rattle", "x*y + v_x", {}, 0.02, 60}, {{"g", 1}, {"w", 0.5}, {"a", 0.3}}},
        {{"rigid-body-on-spring", "rattle", "stretch + block.r.x^2", {"m", "g", "k", "l", "a", "block.r.x"}, 0.02, 30},
         {{"k", 0.3}, {"m", 0.2}, {"block.r.x", 0.1}}},
        {{"heavy-top", "rattle", "top.Q[1,3] + top.Q[2,1]", {}, 0.02, 25}, {}},
        {{"andrews-swing", "lobatto(2)", "beta^2 + gamma", {"m1", "I3"}, 1e-4, 15}, {{"m1", 0.01}, {"I3", 1e-6}}},
        {{"pendulum-angle", "rattle", "q^2 + v_q", {"angle", "speed"}, 0.05, 60}, {{"angle", 1}, {"speed", -0.5}}},
        {{wound_spring, "rattle", "turn^2*x + v_y", {"k", "w"}, 0.02, 90}, {{"k", 0.7}, {"w", -0.3}}},
        {{"net", "rattle", "r[12].y + v_r[8].x", {"g", "mass", "sag"}, 0.01, 15, true}, {{"g", 1}, {"sag", 0.1}}},
    };
}

// A direction that nobody chose, for those without one.
Direction given_direction(const HessianCase& one, const Model& model) {
    auto direction = one.direction;
    for (const auto& unknown : direction.empty() ? unknowns_of(model, one.base.by) : std::vector<Unknown>{}) {
        const double value = std::abs(std::stod(value_text(model, unknown)));
        direction.push_back(
            {unknown.name, (value > 0 ? value : 1) * std::sin(1.0 + static_cast<double>(direction.size()))});
    }
    return direction;
}

// Of the loss as a function of a few numbers: texts keep the differences exact. An initial value that is set does not
// follow parameters any more, so that directions with both are those where it does not depend on them.
class Moved {
  public:
    explicit Moved(const HessianCase& one) : case_(one.base), model_(case_.loaded()) {}

    [[nodiscard]] Quad loss(const std::vector<std::pair<Direction, const char*>>& changes) const {
        std::map<std::string, std::string> texts;
        for (const auto& [direction, size] : changes) {
            for (const auto& [name, part] : direction) {
                auto& text = texts[name];
                text = fmt::format("{} + ({:.17g})*({})", text.empty() ? value_text(model_, unknown(name)) : text, part,
                                   size);
            }
        }
        return fine_loss(model_.with({texts.begin(), texts.end()}), case_)[0];
    }

    // d^2 loss along both, with errors of the order of 1e-16 of the fourth derivatives.
    [[nodiscard]] double second(const Direction& a, const Direction& b) const {
        const char *more = "1e-8", *less = "-1e-8";
        const Quad sum = loss({{a, more}, {b, more}}) - loss({{a, more}, {b, less}}) - loss({{a, less}, {b, more}}) +
                         loss({{a, less}, {b, less}});
        return to_double(Quad(sum * from_double<Quad>(2.5e15)));
    }

  private:
    [[nodiscard]] Unknown unknown(const std::string& name) const { return unknowns_of(model_, {name})[0]; }

    Case case_;
    Model model_;
};

class HessianProduct : public testing::TestWithParam<HessianCase> {};

TEST_P(HessianProduct, agrees_with_second_differences_in_quadruple_precision) {
    const auto& one = GetParam();
    const auto model = one.base.loaded();
    auto options = one.base.options(GradientMode::automatic);
    options.hessian_along = given_direction(one, model);
    const auto found = gradient(model, method(one.base.method), options);
    ASSERT_FALSE(found.failure) << found.failure->message;
    ASSERT_EQ(found.hessian_product.size(), found.derivatives.size());
    ASSERT_LT(found.tangent_growth, 1e3);
    const Moved moved(one);
    std::vector<double> expected;
    for (const auto& derivative : found.derivatives) {
        const double value = std::abs(std::stod(value_text(model, unknowns_of(model, {derivative.name})[0])));
        const double size = value > 0 ? value : 1;
        expected.push_back(moved.second(options.hessian_along, {{derivative.name, size}}) / size);
    }
    EXPECT_GT(largest(expected), 1e-4) << "the second derivatives must not vanish";
    // Rounding of 1e-16 in each of less than 100 steps, enlarged by the growth in both directions, which is far less
    // than 1e3 for most of the way.
    EXPECT_LT(difference(found.hessian_product, expected), 1e-11);
    // The gradient is the same as without.
    options.hessian_along.clear();
    EXPECT_EQ(values_of(gradient(model, method(one.base.method), options)), values_of(found));
}

TEST_P(HessianProduct, is_symmetric) {
    const auto& one = GetParam();
    const auto model = one.base.loaded();
    auto options = one.base.options(GradientMode::automatic);
    Direction u, v;
    for (const auto& unknown : unknowns_of(model, one.base.by)) {
        const double value = std::abs(std::stod(value_text(model, unknown))), size = value > 0 ? value : 1;
        const auto number = static_cast<double>(u.size());
        u.push_back({unknown.name, size * std::cos(2 * number)});
        v.push_back({unknown.name, size * std::sin(1 + 3 * number)});
    }
    const auto product = [&](const Direction& left, const Direction& right, double& size) {
        options.hessian_along = right;
        const auto found = gradient(model, method(one.base.method), options);
        double sum = found.failure ? NAN : 0;
        for (std::size_t k = 0; k < left.size(); ++k) {
            sum += left[k].value * found.hessian_product[k];
            size += std::abs(left[k].value * found.hessian_product[k]);
        }
        return sum;
    };
    double size = 0;
    const double there = product(u, v, size), back = product(v, u, size);
    EXPECT_LT(std::abs(there - back), 1e-11 * size);
}

std::string hessian_name(const testing::TestParamInfo<HessianCase>& info) {
    auto name = fmt::format("{}_{}_{}", info.param.base.model.substr(0, 20), info.param.base.method, info.index);
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Problems, HessianProduct, testing::ValuesIn(hessian_cases()), hessian_name);

// The sum of squares: its weights change with the predictions.
TEST(HessianProductOfMeasurements, contains_the_products_of_first_derivatives) {
    const auto model = Model::load("double-pendulum");
    GradientOptions options;
    options.run.step = 0.02;
    Measurements data{{0.113, 0.2, 0.35, 0.61}, {}};
    data.columns = {{"x2", {0.3, 0.2, NAN, 0.1}, {0.1, 0.1, 0.1, 0.2}}, {"y1*v_x2", {-0.2, -0.1, 0.1, 0.3}}};
    options.data = data;
    options.by = {"g", "m1", "theta1"};
    options.hessian_along = {{"g", 1}, {"theta1", -0.5}};
    const auto found = gradient(model, method("rattle"), options);
    ASSERT_FALSE(found.failure);
    // Central differences of exact gradients: errors of 1e-8 or so of third derivatives, and 1e-15/1e-4.
    const auto at = [&](double size) {
        auto moved = options;
        moved.hessian_along.clear();
        const auto value = [&](const char* name, double part) {
            const Case base{"double-pendulum", "rattle", "", {}, 0.02, 1};
            return fmt::format("{} + ({:.17g})", value_text(model, unknowns_of(model, {name})[0]), size * part);
        };
        return values_of(
            gradient(model.with({{"g", value("g", 1)}, {"theta1", value("theta1", -0.5)}}), method("rattle"), moved));
    };
    constexpr double h = 1e-4;
    auto more = at(h);
    const auto less = at(-h);
    for (std::size_t k = 0; k < more.size(); ++k) {
        more[k] = (more[k] - less[k]) / (2 * h);
    }
    EXPECT_LT(difference(found.hessian_product, more), 1e-6);
}

TEST(HessianProductOfLists, takes_elements) {
    const auto model = Model::load("uneven-chain", {{"n", "5"}});
    GradientOptions options;
    options.run.step = 0.001;
    options.run.steps = 40;
    options.loss = "r[4].x^2";
    options.by = {"m", "l"};
    options.hessian_along = {{"l[1]", 1}};
    const auto along_l = gradient(model, method("rattle"), options);
    options.hessian_along = {{"m[2]", 1}};
    const auto along_m = gradient(model, method("rattle"), options);
    ASSERT_FALSE(along_l.failure || along_m.failure);
    ASSERT_EQ(along_l.hessian_product.size(), 10u);
    // Element (m[2], l[1]) is element (l[1], m[2]).
    EXPECT_NEAR(along_l.hessian_product[2], along_m.hessian_product[6], 1e-11 * std::abs(along_m.hessian_product[6]));
}

TEST(HessianProductOfOthers, is_refused_with_the_way_out) {
    const auto refusal = [](const std::string& name, const std::string& loss, const Direction& direction) {
        GradientOptions options;
        options.run.step = 0.01;
        options.run.steps = 10;
        options.loss = loss;
        options.hessian_along = direction;
        try {
            static_cast<void>(gradient(Model::load("pendulum"), method(name), options));
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refusal("bdf(2)", "x", {{"g", 1}}).find("use rattle, verlet, lobatto(s)"), std::string::npos);
    EXPECT_NE(refusal("rattle", "integral(x)", {{"g", 1}}).find("take differences of gradients"), std::string::npos);
    EXPECT_NE(refusal("rattle", "x", {{"gg", 1}}).find("gg"), std::string::npos);
    EXPECT_NE(refusal("rattle", "x", {{"g", NAN}}).find("give a finite number"), std::string::npos);
    EXPECT_EQ(refusal("rattle", "x", {{"g", 1}}), "");
}

}  // namespace
}  // namespace libration::gradient_test
