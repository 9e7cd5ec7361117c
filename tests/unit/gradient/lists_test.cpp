// Derivatives by elements of lists: against forward runs, differences in quadruple precision and a combination of all.
#include "reference.hpp"

#include "gradient/extended_model.hpp"
#include "gradient/parameter_adjoint.hpp"

#include <libration/text/error.hpp>

namespace libration::gradient_test {
namespace {

// Lists in masses, potential, constraints and initial values; elements named by numbers, too; one is a formula.
std::string hanging(const std::vector<std::string>& m, const std::vector<std::string>& l,
                    const std::vector<std::string>& k) {
    return fmt::format(R"toml(
name = "hanging"
[parameters]
g = 1.5
m = [{}]
l = [{}]
k = [{}]
[points]
r = {{ count = 3, dimension = 2, mass = "m[i]*(1 + i/10)" }}
[[energy]]
for = "i in 0..2"
term = "m[i]*(1 + i/10)*g*r[i].y + k[2 - i]/2*(r[i].x - l[i])^2"
[[energy]]
term = "k[1]*m[0]*r[2].x*r[1].y"
[[constraint]]
name = "rod"
for = "i in 0..0"
equation = "norm2(r[i]) - l[i]^2"
[[constraint]]
name = "rod"
for = "i in 1..2"
equation = "norm2(r[i] - r[i-1]) - l[i]^2"
[initial.r]
for = "i in 0..2"
q = ["sum(j in 0..i, l[j]*sin(0.5 + j))", "-sum(j in 0..i, l[j]*cos(0.5 + j))"]
v = ["sum(j in 0..i, l[j]*cos(0.5 + j))*k[0]", "sum(j in 0..i, l[j]*sin(0.5 + j))*k[0]"]
)toml",
                       fmt::join(m, ", "), fmt::join(l, ", "), fmt::join(k, ", "));
}

const std::vector<std::string> masses{"1.25", "0.75", "\"g/3\""}, lengths{"1.0", "0.5", "0.75"},
    stiffness{"0.25", "0.5", "2.0"};

Case hanging_case(const std::string& loss, std::vector<std::string> by) {
    return {hanging(masses, lengths, stiffness), "rattle", loss, std::move(by), 0.02, 40};
}

// Of an element, from two models in whose text it has other values. The change of a formula is added to it.
double fine_slope(const Case& one, std::array<std::vector<std::string>, 3> lists, std::size_t list,
                  std::size_t element) {
    auto& value = lists[list][element];
    const auto plain = value.starts_with('"') ? value.substr(1, value.size() - 2) : value;
    value = "\"" + plain + " + 1e-9\"";
    const auto more = fine_loss(Model::parse(hanging(lists[0], lists[1], lists[2]), "text"), one);
    value = "\"" + plain + " - 1e-9\"";
    const auto less = fine_loss(Model::parse(hanging(lists[0], lists[1], lists[2]), "text"), one);
    return to_double(Quad((more[0] - less[0]) * from_double<Quad>(5e8)));
}

TEST(GradientByLists, agrees_with_forward_runs_and_with_quadruple_precision) {
    const auto one = hanging_case("r[2].x*v_r[1].y + m[1]*r[0].y + p_r[2].x", {"m", "l", "k", "g"});
    const auto backward = gradient(one.loaded(), method(one.method), one.options(GradientMode::backward));
    const auto forward = gradient(one.loaded(), method(one.method), one.options(GradientMode::forward));
    ASSERT_FALSE(backward.failure) << backward.failure->message;
    ASSERT_EQ(backward.derivatives.size(), 10);
    EXPECT_EQ(backward.derivatives[4].name, "l[1]");
    std::vector<double> differences;
    for (std::size_t list = 0; list < 3; ++list) {
        for (std::size_t element = 0; element < 3; ++element) {
            differences.push_back(fine_slope(one, {masses, lengths, stiffness}, list, element));
        }
    }
    auto of_lists = values_of(backward);
    of_lists.pop_back();
    EXPECT_LT(difference(of_lists, differences), 1e-12);
    EXPECT_LT(difference(values_of(backward), values_of(forward)), 1e-12);
    for (const double slope : differences) {
        EXPECT_GT(std::abs(slope), 1e-3) << "the loss must depend on each element";
    }
}

TEST(GradientByLists, one_element_has_the_derivative_that_it_has_among_all) {
    const auto all = hanging_case("r[2].x + v_r[0].y", {"m", "l", "k"});
    const auto some = hanging_case("r[2].x + v_r[0].y", {"k[0]", "m[2]", "l[1]"});
    const auto whole = gradient(all.loaded(), method("rattle"), all.options(GradientMode::backward));
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        const auto part = gradient(some.loaded(), method("rattle"), some.options(mode));
        ASSERT_FALSE(part.failure);
        EXPECT_TRUE(part.lists.empty());
        EXPECT_LT(difference(values_of(part),
                             {whole.derivatives[6].value, whole.derivatives[2].value, whole.derivatives[4].value}),
                  1e-12);
    }
    ASSERT_EQ(whole.lists.size(), 3);
    EXPECT_EQ(whole.lists[1].name, "l");
    EXPECT_EQ(whole.lists[1].first, 3);
    EXPECT_EQ(whole.lists[1].count, 3);
}

// The projection of the start, a mass matrix and multipliers in the loss are differentiated group by group.
TEST(GradientByLists, with_projection_or_multipliers_is_that_of_forward_runs) {
    auto one = hanging_case("r[2].x + lambda_rod[0]", {"m", "l", "k"});
    for (const bool project : {false, true}) {
        one.project = project;
        const auto backward = gradient(one.loaded(), method("rattle"), one.options(GradientMode::backward));
        const auto forward = gradient(one.loaded(), method("rattle"), one.options(GradientMode::forward));
        ASSERT_FALSE(backward.failure);
        EXPECT_LT(difference(values_of(backward), values_of(forward)), 1e-12);
    }
}

// A family with a formula in the index is one with a list: m = f(i), of which s moves every element by c[i].
constexpr const char* moving_all = R"toml(
name = "moving-all"
[parameters]
n = 400
s = 0
m = "1 + 0.5*sin(1 + 2*i) + s*cos(5*i)"
l = "1 + 0.3*cos(3*i) + s*sin(1 + 7*i)"
[points]
r = { count = "n", dimension = 2, mass = "m[i]" }
[[energy]]
for = "i in 0..n-1"
term = "m[i]*r[i].y"
[[constraint]]
name = "rod"
for = "i in 0..0"
equation = "norm2(r[i]) - l[i]^2"
[[constraint]]
name = "rod"
for = "i in 1..n-1"
equation = "norm2(r[i] - r[i-1]) - l[i]^2"
[initial.r]
for = "i in 0..n-1"
q = ["sum(k in 0..i, l[k]*sin(pi/6*(1 + (k+1)/n)))", "-sum(k in 0..i, l[k]*cos(pi/6*(1 + (k+1)/n)))"]
v = [0, 0]
)toml";

TEST(GradientByLists, of_a_long_chain_add_up_to_the_derivative_along_a_direction) {
    const auto model = Model::parse(moving_all, "text");
    const Case lists{"", "", "r[399].x + v_r[200].y", {"m", "l"}, 0.01, 20};
    const Case scalar{"", "", "r[399].x + v_r[200].y", {"s"}, 0.01, 20};
    const auto slopes = gradient(model, method("rattle"), lists.options(GradientMode::backward));
    const auto along = gradient(model, method("rattle"), scalar.options(GradientMode::forward));
    ASSERT_FALSE(slopes.failure) << slopes.failure->message;
    ASSERT_EQ(slopes.derivatives.size(), 800);
    double sum = 0, size = 0;
    for (int i = 0; i < 400; ++i) {
        const double of_m = slopes.derivatives[i].value * std::cos(5.0 * i);
        const double of_l = slopes.derivatives[400 + i].value * std::sin(1 + 7.0 * i);
        sum += of_m + of_l;
        size += std::abs(of_m) + std::abs(of_l);
    }
    // Rounding of each element is relative to the largest ones, and 800 of them are added.
    EXPECT_NEAR(sum, along.derivatives[0].value, 1e-12 * size);
    EXPECT_GT(size, 100);
}

// Work and memory are linear in the number of elements: families are not taken apart, and no expression belongs to a
// single link. Only the values of the elements are numbers of their own.
TEST(GradientByLists, families_stay_whole) {
    std::vector<std::size_t> sizes;
    // The first time, constants are made that stay.
    for (const auto* n : {"10", "100", "1000"}) {
        const auto model = Model::load("uneven-chain", {{"n", n}});
        const auto separate = with_separate_lists(model, {"m", "l"}, [] {});
        const auto unknowns = unknowns_of(*separate, {"m", "l"});
        const auto before = fresh_symbol("count").serial();
        const auto extended = extended_model(*separate, unknowns);
        const auto made = fresh_symbol("count").serial() - before;
        ASSERT_EQ(extended.obstacle, "");
        EXPECT_EQ(extended.owner.size(), unknowns.size()) << "one coordinate for each element is enough";
        EXPECT_EQ(extended.model.potential.size(), 1);
        EXPECT_EQ(extended.model.constraints.size(), 2);
        EXPECT_EQ(extended.model.constraints[1].term.slots.size(), 7);
        sizes.push_back(made);
    }
    EXPECT_EQ(sizes[1], sizes[2]);
}

// The sweep from initial values to parameters says what directions of single parameters say.
TEST(GradientByLists, start_changes_as_directions_of_single_elements_say) {
    const auto one = hanging_case("r[0].x", {"m", "l", "k", "g"});
    const auto model = *with_separate_lists(one.loaded(), one.by, [] {});
    const auto unknowns = unknowns_of(model, one.by);
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const StartPoint point{0, start.q, start.p, false};
    std::vector<double> x_weights, p_weights;
    for (int j = 0; j < 6; ++j) {
        x_weights.push_back(1 + j);
        p_weights.push_back(2 - j * j);
    }
    ParameterAdjoint adjoint(model, ParameterAdjoint::Result::exact);
    adjoint.add_start(point, x_weights, p_weights);
    const auto slopes = adjoint.by(unknowns);
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
        const auto along = start_directions<double>(model, std::span(unknowns).subspan(k, 1), point);
        const auto inverse = along.system->inverse_masses();
        double expected = 0;
        for (std::size_t j = 0; j < 6; ++j) {
            const double stretch = inverse[j].tangent[0] / (2 * inverse[j].value);
            expected += x_weights[j] * (along.q[j].tangent[0] - stretch * point.q[j]) +
                        p_weights[j] * (along.p[j].tangent[0] + stretch * point.p[j]);
        }
        EXPECT_NEAR(slopes[k], expected, 1e-13 * 100) << unknowns[k].name;  // terms of the size of 100
    }
}

// So many unknowns that the start is checked for all of them at once: in a small model and in a large one.
TEST(GradientByLists, the_one_element_of_many_that_the_start_does_not_follow_is_named) {
    const auto pendulums = [](int count, const char* start) {
        return Model::parse(fmt::format(R"toml(
name = "pendulums"
[parameters]
l = "3 + 0*i"
[points]
r = {{ count = {0}, dimension = 2, mass = 1 }}
[[energy]]
for = "i in 0..{0}-1"
term = "r[i].y"
[[constraint]]
name = "rod"
for = "i in 0..{0}-1"
equation = "norm2(r[i]) - l[i]^2"
[initial.r]
for = "i in 0..{0}-1"
q = ["{1}", 0]
v = [0, 1]
)toml",
                                        count, start),
                            "text");
    };
    const Case one{"", "", "r[7].x", {"l"}, 0.01, 3};
    for (const int count : {10, 150}) {
        const auto good = gradient(pendulums(count, "l[i]"), method("rattle"), one.options(GradientMode::backward));
        EXPECT_FALSE(good.failure);
        try {
            (void)gradient(pendulums(count, "l[i] + (3 - l[i])*(1 - min(1, abs(i - 7)))"), method("rattle"),
                           one.options(GradientMode::backward));
            ADD_FAILURE() << count;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("the initial values do not follow l[7]"), std::string::npos)
                << error.what();
        }
    }
}

TEST(GradientByLists, mistakes_are_named) {
    const auto fault = [](const Model& model, std::vector<std::string> by) -> std::string {
        const Case one{"", "", "1", std::move(by), 0.01, 2};
        try {
            (void)gradient(model, method("rattle"), one.options(GradientMode::automatic));
            return "no fault";
        } catch (const InputError& error) {
            return error.what();
        }
    };
    const auto expect = [&](const std::string& text, std::vector<std::string> by, const std::string& part) {
        const auto said = fault(Model::parse(text, "text"), std::move(by));
        EXPECT_NE(said.find(part), std::string::npos) << said;
    };
    const auto text = hanging(masses, lengths, stiffness);
    expect(text, {"m[3]"}, "the list has elements 0 to 2");
    expect(text, {"m", "m[1]"}, "it is there twice");
    expect(text, {"m[x]"}, "the model has no parameter 'm[x]'");
    const std::string numeric = R"toml(
name = "numeric"
[parameters]
l = [3, 5]
c = [1, 2]
unused = "i^2"
[points]
r = { count = "c[1]", dimension = 2, mass = 1 }
[[constraint]]
name = "rod"
for = "i in 0..1"
equation = "norm2(r[i]) - l[i]^2"
[initial.r]
for = "i in 0..1"
q = ["3 + 2*i", 0]
v = [0, 1]
)toml";
    expect(numeric, {"l"}, "the initial values do not follow l[0]");
    expect(numeric, {"l[1]"}, "the initial values do not follow l[1]");
    expect(numeric, {"c"}, "it decides how many parts the model has");
    expect(numeric, {"unused"}, "the model does not use it");
}

}  // namespace
}  // namespace libration::gradient_test
