// One mass per point: a list of parameters, or a list in the place of the mass.
#include "faults.hpp"
#include "same_model.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

namespace libration::point_masses_test {
namespace {

std::string model_with(const std::string& mass, const std::string& parameters = "") {
    return "[parameters]\nm0 = 1\n" + parameters +
           "[points]\ns = { count = 2, dimension = 1, mass = 7 }\nr = { count = 3, dimension = 2, mass = " + mass +
           " }\n[[energy]]\nfor = \"i in 0..2\"\nterm = \"r[i].y + r[i].x^2\"\n"
           "[initial.s]\nq = [0, 1]\n[initial.r]\nfor = \"i in 0..2\"\nq = [\"i\", 0]\nv = [1, 1]\n";
}

std::vector<double> masses_of(const Model& model) {
    const auto system = make_system<double>(model);
    std::vector<double> masses;
    for (const double inverse : system->inverse_masses()) {
        masses.push_back(1 / inverse);
    }
    return masses;
}

const std::vector<double> expected{7, 7, 1, 1, 2, 2, 4, 4};

TEST(PointMasses, are_elements_of_a_list_or_a_list) {
    EXPECT_EQ(masses_of(Model::parse(model_with("\"m[i]\"", "m = [1, 2, 4]\n"), "test")), expected);
    EXPECT_EQ(masses_of(Model::parse(model_with("\"m[2 - i]\"", "m = [4, 2, 1, 9]\n"), "test")), expected);
    EXPECT_EQ(masses_of(Model::parse(model_with("\"m[i]/m[0]*m0\"", "m = [2, 4, 8]\n"), "test")), expected);
    EXPECT_EQ(masses_of(Model::parse(model_with("[1, \"2*m0\", 4.0]"), "test")), expected);
    EXPECT_EQ(masses_of(Model::parse(model_with("\"2^i\""), "test")), expected);
    EXPECT_EQ(masses_of(Model::parse(model_with("\"sum(k in 0..i, m[k])\"", "m = [1, 1, 2]\n"), "test")), expected);
}

TEST(PointMasses, of_text_and_of_cpp_are_one) {
    const auto i = symbol("i");
    const auto build = [&](const PointProperties& given) {
        ModelBuilder builder("test");
        builder.parameter("m0", 1);
        builder.parameters("m", {1, 2, 4});
        builder.points({.name = "s", .count = 2, .dimension = 1, .mass = 7});
        const auto r = builder.points(given);
        builder.potential(r[i][1] + pow(r[i][0], 2), over(i, 0, 2));
        builder.initial_points("s", over(i, 0, 1), {.q = {i}});
        builder.initial_points("r", over(i, 0, 2), {.q = {i, 0}, .v = {1, 1}});
        return builder.build();
    };
    const auto listed = build({.name = "r", .count = 3, .dimension = 2, .masses = {1, 2 * symbol("m0"), 4}});
    const auto indexed = build({.name = "r", .count = 3, .dimension = 2, .mass = ListSymbols("m")[i]});
    for (const auto* model : {&listed, &indexed}) {
        EXPECT_EQ(masses_of(*model), expected);
        const auto copy = Model::parse(to_text(*model), "test");
        expect_same_model(*model, copy);
        EXPECT_EQ(text_from_data(copy), text_from_data(*model));
        expect_same_run(*model, copy, "verlet", 0.01, 5);
    }
    EXPECT_NE(to_text(listed).find("mass = [1, \"2 * m0\", 4]"), std::string::npos) << to_text(listed);
}

TEST(PointMasses, follow_the_parameters_in_a_list) {
    const auto base = Model::parse(model_with("[1, \"2*m0\", 4]"), "test");
    const auto varied = base.with({{"m0", "3"}});
    EXPECT_EQ(masses_of(varied), (std::vector<double>{7, 7, 1, 1, 6, 6, 4, 4}));
    expect_same_model(varied, Model::parse(model_with("[1, \"2*m0\", 4]"), "test", {{"m0", "3"}}));
}

TEST(PointMasses, that_do_not_fit_are_refused_at_their_place) {
    expect_fault(model_with("[1, 2]"), "has 3 points and 2 masses; give one mass per point", "test.toml:5:");
    expect_fault(model_with("[1, 2, 3, 4]"), "has 3 points and 4 masses");
    expect_fault(model_with("[]"), "has 3 points and 0 masses");
    expect_fault(model_with("[1, -2, 3]"), "-2");
    expect_fault(model_with("[1, \"i\", 3]"), "unknown name 'i'");
    expect_fault(model_with("\"m[i]\"", "m = [1, 2]\n"), "m[i] with i = 2 is m[2], which does not exist",
                 "test.toml:6:");
    expect_fault(model_with("\"m\"", "m = [1, 2, 3]\n"), "write m[i]");
    expect_fault(model_with("[[1, 2, 3]]"), "has 3 points and 1 mass;");
    try {
        ModelBuilder builder("test");
        builder.points({.name = "r", .count = 3, .dimension = 2, .masses = {1, 2}});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("2 masses are given for 3 points r"), std::string::npos);
    }
}

}  // namespace
}  // namespace libration::point_masses_test
