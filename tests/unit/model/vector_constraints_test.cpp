// Constraints that are vectors: one row per component.
#include "faults.hpp"
#include "same_model.hpp"

#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

namespace libration::vector_constraints_test {
namespace {

const std::string points_text = R"(name = "pins"
[points]
a = { count = 3, dimension = 2, mass = 1 }
b = { count = 3, dimension = 2, mass = 2 }
)";

const std::string start_text = R"(
[initial.a]
for = "i in 0..2"
q = ["i", 0]
[initial.b]
for = "i in 0..2"
q = ["i", 0]
)";

const std::string energy_text = "[[energy]]\nfor = \"i in 0..2\"\nterm = \"(1 + i)*a[i].y + b[i].x^2\"\n";

Model read(const std::string& middle) { return Model::parse(points_text + middle + start_text, "test.toml"); }

std::vector<std::string> rows_of(const Model& model) {
    std::vector<std::string> names;
    for (std::size_t row = 0; row < model.constraint_rows; ++row) {
        names.push_back(model.constraint_name(row));
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(VectorConstraint, gives_one_row_per_component) {
    const auto named = read("[dynamics]\nconstraints = { joint = \"a[0] - b[0]\", bar = \"a[1].y\" }\n");
    EXPECT_EQ(rows_of(named), (Names{"joint.x", "joint.y", "bar"}));
    EXPECT_EQ(named.multiplier_name(1), "lambda_joint.y");
    const auto numbered = read("[dynamics]\nconstraints = [\"a[0].x\", \"a[1] - b[1]\", \"b[2].y\"]\n");
    EXPECT_EQ(rows_of(numbered), (Names{"g1", "g2", "g3", "g4"}));
    EXPECT_EQ(numbered.multiplier_name(3), "lambda_4");
    const auto family = read("[[constraint]]\nname = \"pin\"\nfor = \"i in 1..2\"\nequation = \"a[i] - b[i]\"\n"
                             "[[constraint]]\nname = \"one\"\nequation = \"a[0] - b[0]\"\n");
    EXPECT_EQ(rows_of(family), (Names{"pin[1].x", "pin[2].x", "pin[1].y", "pin[2].y", "one.x", "one.y"}));
    EXPECT_EQ(family.multiplier_name(3), "lambda_pin[2].y");
}

TEST(VectorConstraint, is_the_same_as_its_components_one_by_one) {
    const auto vector = read("[dynamics]\nconstraints = { joint = \"a[0] - b[0]\" }\n" + energy_text);
    const auto list =
        read("[dynamics]\nconstraints = { joint = [\"a[0].x - b[0].x\", \"a[0].y - b[0].y\"] }\n" + energy_text);
    const auto single =
        read("[dynamics]\nconstraints = { jx = \"a[0].x - b[0].x\", jy = \"a[0].y - b[0].y\" }\n" + energy_text);
    expect_same_model(vector, list);
    expect_same_run(vector, single, "rattle", 0.01, 20);
}

TEST(VectorConstraint, has_multipliers_that_formulas_know_as_a_vector) {
    const auto model =
        read("[definitions]\npush = \"lambda_joint.y\"\n[dynamics]\nconstraints = { joint = \"a[0] - b[0]\" }\n"
             "[[constraint]]\nname = \"pin\"\nfor = \"i in 1..2\"\nequation = \"a[i] - b[i]\"\n"
             "[observables]\nn = \"norm2(lambda_joint)\"\nx = \"lambda_joint.x\"\np = \"push\"\n"
             "one = \"lambda_pin[2].y\"\nall = \"norm2(lambda_pin[1])\"\n");
    const auto symbol_of = [&](const char* name) {
        const auto found = std::ranges::find(model.observables, name, &Observable::name);
        return to_string(found->value);
    };
    EXPECT_EQ(symbol_of("x"), "lambda_joint.x");
    EXPECT_EQ(symbol_of("p"), "lambda_joint.y");
    EXPECT_EQ(symbol_of("one"), "lambda_pin[2].y");
    EXPECT_EQ(model.formula("lambda_joint.y", "it"), symbol("lambda_joint.y"));
    EXPECT_EQ(symbols_of(std::array{model.formula("norm2(lambda_pin[1])", "it")}).size(), 2U);
    EXPECT_THROW((void)model.formula("lambda_joint.z", "it"), InputError);
    EXPECT_THROW((void)model.formula("lambda_pin[3].x", "it"), InputError);
    EXPECT_THROW((void)model.formula("lambda_joint", "it"), InputError);
}

TEST(VectorConstraint, is_written_and_read_back) {
    for (const std::string middle :
         {"[dynamics]\nconstraints = { joint = \"a[0] - b[0]\", bar = \"a[1].y\", end = \"a[2] - b[2]\" }\n",
          "[dynamics]\nconstraints = [\"a[0] - b[0]\", \"b[2].y\"]\n",
          "[[constraint]]\nname = \"pin\"\nfor = \"i in 1..2\"\nequation = \"a[i] - b[i]\"\n",
          "[[constraint]]\nname = \"pin\"\nfor = \"(i, j) in t\"\nt = [[0, 1], [1, 0]]\nequation = \"a[i] - b[i] - "
          "a[j] + b[j]\"\n"
          "[[constraint]]\nequation = \"a[2] - b[2]\"\n"}) {
        SCOPED_TRACE(middle);
        const auto model = read(middle + energy_text);
        const auto copy = Model::parse(text_from_data(model), "again.toml");
        expect_same_model(model, copy);
        EXPECT_EQ(rows_of(model), rows_of(copy));
        EXPECT_EQ(text_from_data(copy), text_from_data(model));
    }
}

TEST(VectorConstraint, is_built_in_cpp) {
    const auto i = symbol("i");
    ModelBuilder builder("pins");
    const auto a = builder.points({.name = "a", .count = 3, .dimension = 2, .mass = 1});
    const auto b = builder.points({.name = "b", .count = 3, .dimension = 2, .mass = 2});
    builder.constraint("joint", a[0] - b[0]).constraint("pin", a[i] - b[i], over(i, 1, 2));
    builder.initial_points("a", over(i, 0, 2), {.q = {i, 0}}).initial_points("b", over(i, 0, 2), {.q = {i, 0}});
    expect_same_model(builder.build(), read("[dynamics]\nconstraints = { joint = \"a[0] - b[0]\" }\n[[constraint]]\n"
                                            "name = \"pin\"\nfor = \"i in 1..2\"\nequation = \"a[i] - b[i]\"\n"));
}

TEST(VectorConstraint, stands_beside_bodies) {
    const auto model = Model::parse("[[body]]\nname = \"top\"\ninertia = [2, 1.5, 1]\nmass = 1\n"
                                    "[dynamics]\nconstraints = { hold = \"top.at(0, 0, 1)\" }\n"
                                    "[initial.top]\nquaternion = [1, 0, 0, 0]\nr = [0, 0, -1]\n",
                                    "test.toml");
    EXPECT_EQ(model.constraint_name(2), "hold.z");
    EXPECT_EQ(model.constraint_name(3), "top.rigid[1,1]");
    const auto copy = Model::parse(text_from_data(model), "again.toml");
    expect_same_model(model, copy);
    expect_same_run(model, copy, "rattle", 0.01, 5);
}

TEST(VectorConstraint, names_the_component_that_is_at_fault) {
    expect_fault(points_text + "[dynamics]\nconstraints = { joint = [\"a[0].x\", \"1\"] }\n" + start_text,
                 "the constraint joint.y contains no coordinate");
}

}  // namespace
}  // namespace libration::vector_constraints_test
