// Mass matrices without an inverse: which are accepted, and the model that is solved instead.
#include "faults.hpp"

#include "model/augmented.hpp"

#include <gtest/gtest.h>

namespace libration {
namespace {

// At (3, 4, 1) the gradients are (6, 8, 0) and (0, 0, 1).
std::string space(const std::string& dynamics) {
    return "coordinates.q = [\"x\", \"y\", \"z\"]\ninitial.q = [3, 4, 1]\n[dynamics]\n" + dynamics;
}
const std::string ring = "\nconstraints = [\"x^2 + y^2 - 25\", \"z - 1\"]";

TEST(SingularMass, is_noted_however_it_is_given) {
    for (const auto* mass : {"mass = [1, 1, 0]", "mass = [0, 1, 0]", "mass = [[1, 0, 0], [0, 1, 1], [0, 1, 1]]",
                             "mass = [1, \"x\", \"z - 1\"]", "kinetic = \"(v_x - v_y)^2 + v_z^2\""}) {
        EXPECT_TRUE(Model::parse(space(mass + ring), "test.toml").singular_mass) << mass;
    }
    for (const auto* mass : {"mass = 1", "mass = [1e-9, 1, 1e9]", "mass = [[2, 1, 0], [1, 2, 1], [0, 1, 2]]",
                             "kinetic = \"v_x^2 + v_y^2 + z*v_z^2\""}) {
        EXPECT_FALSE(Model::parse(space(mass + ring), "test.toml").singular_mass) << mass;
    }
}

TEST(SingularMass, is_refused_where_no_constraint_makes_up_for_it) {
    expect_fault(space("mass = [1, 1, 0]"),
                 "no mass and no constraint acts on z at the initial values; give it a mass");
    expect_fault(space("mass = [1, 1, 0]\nconstraints = [\"x^2 + y^2 - 25\"]"), "acts on z at");
    expect_fault(space("mass = [0, 0, 1]" + ring), "acts on a common change of x, y at");
    expect_fault(space("kinetic = \"(4*v_x + 0*y + 3*v_x)^2 + v_z^2\"\nconstraints = [\"x - 3\"]"), "acts on y at");
    expect_fault(space("mass = [[1, -1, 0], [-1, 1, 0], [0, 0, 1]]\nconstraints = [\"x - y + 1\"]"),
                 "acts on a common change of x, y at");
    expect_fault(space("mass = [1, 1, 0]\nconstraints = [\"(z - 1)^2\"]"), "acts on z at");
}

TEST(SingularMass, is_not_confused_with_an_indefinite_one) {
    expect_fault(space("mass = [1, -1, 0]" + ring), "the mass of y is -1");
    expect_fault(space("mass = [[0, 1, 0], [1, 1, 0], [0, 0, 1]]" + ring), "not positive definite (detected at row 1");
    expect_fault(space("kinetic = \"v_x^2 - v_y^2\"" + ring),
                 "not positive definite at the initial values (detected at");
}

TEST(SingularMass, of_a_large_model_is_refused_with_the_limit) {
    expect_fault("points.r = { count = 600, dimension = 1, mass = \"i\" }\n"
                 "initial.r = { for = \"i in 0..599\", q = [1] }\n"
                 "[[constraint]]\nfor = \"i in 0..598\"\nequation = \"r[i] - r[i+1]\"",
                 "at most 1000 coordinates and constraints together; the model has 600 and 599");
}

// Families, lists, indices and sums: G of the augmented model is that of the rows.
TEST(SingularMass, is_replaced_by_the_augmented_matrix) {
    const auto model = Model::parse("parameters.a = [5, 7]\n"
                                    "points.r = { count = 3, dimension = 1, mass = \"i\" }\n"
                                    "initial.r = { for = \"i in 0..2\", q = [\"2 + i\"] }\n"
                                    "[[constraint]]\nname = \"c\"\nfor = \"i in 0..1\"\n"
                                    "equation = \"a[i]*(r[i] - 2 - i)*r[i+1] + sum(k in 0..i, k + 1)*(r[2] - 4)\"",
                                    "test.toml");
    ASSERT_TRUE(model.singular_mass);
    const auto twice = augmented(model);
    EXPECT_EQ(twice.dimension, 5U);
    EXPECT_EQ(twice.constraint_rows, 4U);
    EXPECT_EQ(added_coordinates(twice), 2U);
    // At r = (2, 3, 4): rows (5*3, 0, 1) and (0, 7*4, 3).
    const std::vector<double> expected{0,  0,  0, 15, 0,   //
                                       0,  1,  0, 0,  28,  //
                                       0,  0,  2, 1,  3,   //
                                       15, 0,  1, 0,  0,   //
                                       0,  28, 3, 0,  0};
    EXPECT_EQ(initial_mass_matrix(twice), expected);
    const std::vector<double> rows{15, 0, 1, 0, 0, 0, 28, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
    EXPECT_EQ(initial_constraint_jacobian(twice), rows);
}

}  // namespace
}  // namespace libration
