// A kinetic energy with constant coefficients is a constant mass: the model and all bits are those of the mass.
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

// Two pendulums, one below the other.
std::string double_pendulum(const std::string& inertia) {
    return "parameters = { m1 = 0.7, m2 = \"1/3\", g = 9.81 }\n"
           "coordinates.q = [\"x1\", \"y1\", \"x2\", \"y2\"]\n"
           "[dynamics]\n" +
           inertia +
           "\npotential = \"g*(m1*y1 + m2*y2)\"\n"
           "constraints = [\"x1^2 + y1^2 - 1\", \"(x2 - x1)^2 + (y2 - y1)^2 - 1\"]\n"
           "[initial]\nq = [1, 0, 1.6, -0.8]\nv = [0, 0, 0, 0]\n";
}

// Two carts, of which the second is described by its distance to the first, on springs.
std::string carts(const std::string& inertia) {
    return "parameters = { m = 0.3, n = \"sqrt(2)\", k = 7 }\n"
           "coordinates.q = [\"x\", \"s\"]\n"
           "[dynamics]\n" +
           inertia +
           "\npotential = \"k*x^2/2 + k*s^4\"\n"
           "[initial]\nq = [0.4, 1]\nv = [0.1, 0]\n";
}

struct Pair {
    const char* name;
    std::string kinetic, mass;
};

const std::array<Pair, 3> pairs{{
    {"diagonal", double_pendulum("kinetic = \"m1/2*(v_x1^2 + v_y1^2) + (m2*v_x2^2 + m2*v_y2^2)/2\""),
     double_pendulum("mass = [\"m1\", \"m1\", \"m2\", \"m2\"]")},
    {"full", carts("kinetic = \"(m*v_x^2 + n*(v_x + v_s)^2)/2\""),
     carts("mass = [[\"m + n\", \"n\"], [\"n\", \"n\"]]")},
    {"singular", double_pendulum("kinetic = \"m1/2*v_x1^2 + m1/2*v_y1^2 + m2/2*v_x2^2\""),
     double_pendulum("mass = [\"m1\", \"m1\", \"m2\", 0]")},
}};

class ConstantKinetic : public testing::TestWithParam<std::size_t> {};

TEST_P(ConstantKinetic, runs_as_the_mass_bit_for_bit) {
    const auto& [name, kinetic, mass] = pairs[GetParam()];
    const auto one = Model::parse(kinetic, "one"), other = Model::parse(mass, "other");
    EXPECT_FALSE(one.kinetic.has_value());
    EXPECT_EQ(one.singular_mass, other.singular_mass);
    // The massless direction leaves the constraints when the second rod gets level.
    const IntegrationOptions options{.step = 0.01, .steps = one.singular_mass ? 10 : 300};
    for (const auto* spec : {"rattle", "lobatto(3)", "spark(2)"}) {
        const auto first = integrate(one, method(spec), options), second = integrate(other, method(spec), options);
        ASSERT_EQ(first.status, RunStatus::completed) << spec;
        EXPECT_EQ(first.q, second.q) << spec;
        EXPECT_EQ(first.p, second.p) << spec;
        EXPECT_EQ(first.energy.max_error, second.energy.max_error) << spec;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ConstantKinetic, testing::Range<std::size_t>(0, pairs.size()),
                         [](const auto& which) { return std::string(pairs[which.param].name); });

TEST(ConstantMass, opens_the_fast_path) {
    const auto diagonal = make_system<double>(Model::parse(pairs[0].kinetic, "t"));
    EXPECT_TRUE(diagonal->properties().separable);
    EXPECT_EQ(diagonal->inverse_masses().size(), 4U);
    const auto full = make_system<double>(Model::parse(pairs[1].kinetic, "t"));
    EXPECT_TRUE(full->properties().separable);
    EXPECT_TRUE(full->inverse_masses().empty());
}

TEST(ConstantMass, is_none_where_q_or_t_is_in_it) {
    for (const auto* inertia : {"kinetic = \"(1 + x^2)*v_x^2 + v_s^2\"", "kinetic = \"(2 + cos(t))*v_x^2 + v_s^2\"",
                                "kinetic = \"v_x^2 + v_s^2 + x*v_x*v_s/100\""}) {
        const auto model = Model::parse(carts(inertia), "t");
        EXPECT_TRUE(model.kinetic.has_value()) << inertia;
        EXPECT_FALSE(make_system<double>(model)->properties().separable) << inertia;
    }
}

TEST(ConstantMass, comes_from_a_builder_too) {
    ModelBuilder builder("carts");
    const auto q = builder.coordinates({"x", "s"});
    const auto v = builder.velocities();
    const auto m = builder.parameter("m", 3);
    const auto model =
        builder.kinetic(m * v[0] * v[0] / 2 + v[1] * v[1]).potential(q[0] * q[0]).initial_position({1, 0}).build();
    EXPECT_FALSE(model.kinetic.has_value());
    ASSERT_EQ(model.mass.diagonal.size(), 2U);
    const auto given = parameter_values<double>(model);
    EXPECT_EQ(instance_values(model.mass.diagonal[0].value, given), std::vector<double>{3});
    EXPECT_EQ(instance_values(model.mass.diagonal[1].value, given), std::vector<double>{2});
}

}  // namespace
}  // namespace libration
