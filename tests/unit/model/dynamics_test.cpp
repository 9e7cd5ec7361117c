// Hamiltonians, kinetic energies, split potentials and fields: what the model keeps of them, and what is refused.
#include "faults.hpp"

#include "integrate/start.hpp"
#include <libration/analysis/check.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

const std::string plane = "coordinates.q = [\"x\", \"y\"]\ninitial.q = [1, 2]\n";

struct Curved {
    template <class S>
    S kinetic(std::span<const S> q, std::span<const S> v) const {
        return (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]) / 2;
    }
    template <class S>
    S potential(std::span<const S> q) const {
        return q[0] * q[1];
    }
};

struct Magnetic {
    template <class S>
    S hamiltonian(std::span<const S> q, std::span<const S> p) const {
        return ((p[0] + q[1]) * (p[0] + q[1]) + p[1] * p[1]) / 2;
    }
};

TEST(Dynamics, builder_and_text_keep_the_same_expressions) {
    ModelBuilder builder("m");
    builder.coordinates({"x", "y"});
    builder.equations(Curved{}).initial_position({1, 2});
    const auto kinetic =
        Model::parse(plane + "[dynamics]\nkinetic = \"(v_x*v_x + x*x*v_y*v_y)/2\"\npotential = \"x*y\"", "t");
    EXPECT_EQ(builder.build().kinetic->value, kinetic.kinetic->value);

    builder.coordinates({"x", "y"});
    builder.equations(Magnetic{}).initial_position({1, 2});
    const auto whole = Model::parse(plane + "[dynamics]\nhamiltonian = \"((p_x + y)*(p_x + y) + p_y*p_y)/2\"", "t");
    EXPECT_EQ(builder.build().hamiltonian->value, whole.hamiltonian->value);

    const auto q = builder.coordinates({"x", "y"});
    const auto v = builder.velocities();
    builder.field({v[0], v[1]}, {-q[0], v[0] * q[1]}).initial_position({1, 2});
    const auto field =
        Model::parse(plane + "[field]\nq = { x = \"v_x\", y = \"v_y\" }\nv = { y = \"v_x*y\", x = \"-x\" }", "t");
    const auto built = builder.build();
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(built.field->q[k].value, field.field->q[k].value);
        EXPECT_EQ(built.field->v[k].value, field.field->v[k].value);
    }

    const auto x = builder.coordinates({"x", "y"});
    builder.field({x[1], x[0]}).blocks({{1}, {0}}).initial_position({1, 2});
    EXPECT_EQ(builder.build().field->blocks, (std::vector<std::vector<std::uint32_t>>{{1}, {0}}));
    EXPECT_THROW(builder.blocks({{0}}), InputError);
}

TEST(Dynamics, energies_without_a_part_are_slow_once_one_has_a_part) {
    const auto parts = [](const std::string& text) {
        std::vector<unsigned> result;
        for (const auto& term : Model::parse(plane + text, "t").potential) {
            result.push_back(term.part);
        }
        return result;
    };
    const std::string blocks = "[[energy]]\nterm = \"x\"\n[[energy]]\nterm = \"y\"\n";
    EXPECT_EQ(parts("[dynamics]\nmass = 1\npotential = \"x\"\n" + blocks), (std::vector<unsigned>{0, 0, 0}));
    EXPECT_EQ(parts("[dynamics]\nmass = 1\npotential = \"x\"\n" + blocks + "part = \"fast\"\n"),
              (std::vector<unsigned>{slow_part, slow_part, fast_part}));
    EXPECT_EQ(parts("[dynamics]\nmass = 1\n[dynamics.potential]\nstiff = \"x\"\nfast = \"y\"\n" + blocks),
              (std::vector<unsigned>{fast_part, stiff_part, slow_part, slow_part}));
    ModelBuilder builder("m");
    const auto q = builder.coordinates({"x", "y"});
    builder.mass(1).potential(q[0]).potential(q[1], stiff_part).initial_position({1, 2});
    const auto model = builder.build();
    EXPECT_EQ(model.potential[0].part, slow_part);
    EXPECT_EQ(model.potential[1].part, stiff_part);
}

TEST(Dynamics, points_can_stand_in_whole_expressions) {
    const auto model = Model::parse(R"toml(
[points]
r = { count = 3, dimension = 2 }
[dynamics]
hamiltonian = "sum(i in 0..2, norm2(p_r[i])/2 + r[i].y) + dot(r[0], p_r[1])"
[initial.r]
q = [[1, 2], [3, 4], [5, 6]]
p = [[1, 1], [2, 1], [0, 1]]
)toml",
                                    "t");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    EXPECT_DOUBLE_EQ(system->energy(0, start.q, start.p), 1 + 2.5 + 0.5 + 12 + 4);
    EXPECT_LT(derivative_self_test(model), 1e-14);
}

TEST(Dynamics, what_excludes_each_other_is_refused_with_what_to_remove) {
    const std::string h = "[dynamics]\nhamiltonian = \"p_x^2 + p_y^2\"\n";
    expect_fault(plane + h + "mass = 1", "remove the mass");
    expect_fault(plane + h + "potential = \"x\"", "remove the potential");
    expect_fault(plane + h + "kinetic = \"v_x^2\"", "remove the kinetic energy");
    expect_fault(plane + h + "[[energy]]\nterm = \"x\"", "[[energy]]");
    expect_fault(plane + "[dynamics]\nkinetic = \"v_x^2 + v_y^2\"\nmass = 1", "remove the mass");
    expect_fault("points.r = { count = 2, dimension = 1, mass = 1 }\ninitial.r.q = [[1], [2]]\n"
                 "dynamics.kinetic = \"norm2(v_r[0] - v_r[1])\"",
                 "remove the mass");
    const std::string f = "[field]\nq = { x = \"y\", y = \"x\" }\n";
    expect_fault(plane + f + "[dynamics]\nmass = 1", "remove the mass");
    expect_fault(plane + f + "[dynamics]\npotential = \"x\"", "remove the potential");
    expect_fault(plane + f + "[dynamics]\nhamiltonian = \"p_x^2\"", "remove the hamiltonian");
    expect_fault(plane + f + "[dynamics]\nconstraints = [\"x - 1\"]", "cannot have constraints");
    expect_fault(plane + f + "[[constraint]]\nequation = \"x - 1\"", "cannot have constraints");
}

TEST(Dynamics, a_kinetic_energy_must_be_quadratic_and_positive) {
    const auto with = [](const std::string& kinetic) { return plane + "[dynamics]\nkinetic = \"" + kinetic + "\""; };
    EXPECT_EQ(fault_of(with("v_x^2/x + sqrt(y)*(v_y - cos(x)*v_x)^2")), "no fault");
    EXPECT_EQ(fault_of(with("log(1 + x)*v_x^2 + y*v_y*v_y")), "no fault");
    expect_fault(with("v_x^4 + v_y^2"), "quadratic");
    expect_fault(with("hypot(v_x, v_y)^2"), "norm2 instead of norm");
    expect_fault(with("v_x^2 + v_y^2 + y*v_x"), "linear in v_x");
    expect_fault(with("v_x^2 + v_y^2 + sqrt(x)*v_y"), "linear in v_y");
    expect_fault(with("v_x^2 + v_y^2 + x"), "potential, with the opposite sign");
    expect_fault(with("v_x^2 - v_y^2"), "not positive definite at the initial values (detected at coordinate y)");
    expect_fault(with("v_x^2 + (y - x)*v_x*v_y/2 + x^2*v_y^2/32"),
                 "not positive definite at the initial values: x = 1, y = 2 (detected at coordinate y)");
    expect_fault(plane + "[dynamics]\nmass = [1, \"x - 1\"]", "no mass and no constraint acts on y at the initial");
    expect_fault(with("(v_x + v_y)^2"), "not positive definite");
    expect_fault(with("p_x^2"), "velocities are named v_x");
    expect_fault(plane + "[dynamics]\nhamiltonian = \"v_x^2\"", "momenta are named p_x");
    expect_fault(plane + "[dynamics]\nhamiltonian = \"lambda_1\"", "lambda_1");
    expect_fault(plane + "[dynamics]\nmass = [[\"1 + x^2\", \"x\"], [0, 3]]", "not symmetric");
    expect_fault(plane + "[dynamics]\nmass = \"x - 2\"", "not positive definite");
    EXPECT_EQ(fault_of(plane + "[dynamics]\nmass = [\"1 + x^2\", 3]"), "no fault");
    expect_fault("points.r = { count = 1001, dimension = 1 }\ninitial.r = { for = \"i in 0..1000\", q = [1] }\n"
                 "dynamics.mass = \"r[0]\"",
                 "at most 1000");
    expect_fault("coordinates.q = [\"x\"]\npoints.r = { count = 2, dimension = 1, mass = \"1 + i\" }\n"
                 "initial.q = [1]\ninitial.r.q = [[1], [2]]\ndynamics.mass = [\"x\"]",
                 "depend on an index");
}

TEST(Dynamics, faults_of_fields_say_what_to_do) {
    expect_fault(plane + "[field]\nq = { x = \"y\" }", "no equation for y");
    expect_fault(plane + "[field]\nq = { x = \"y\", y = \"x\", z = \"1\" }", "unknown key 'z'");
    expect_fault(plane + "[field]\nv = { x = \"y\", y = \"x\" }", "needs the key 'q'");
    expect_fault(plane + "[field]\nq = { x = \"v_y\", y = \"x\" }", "'v_y'");
    const std::string f = "[field]\nq = { x = \"y\", y = \"x\" }\n";
    expect_fault(plane + f + "blocks = [\"x\", \"y\"]", "lists of coordinates");
    expect_fault(plane + f + "blocks = [[\"x\"], [\"w\"]]", "'w' is not a coordinate");
    expect_fault(plane + f + "blocks = [[\"x\"]]", "y is in no blocks");
    expect_fault(plane + f + "blocks = [[\"x\", \"y\"], [\"x\"]]", "x is in 2 blocks");
    expect_fault(plane + f + "v = { x = \"y\", y = \"x\" }\nblocks = [[\"x\"], [\"y\"]]", "in q alone");
    expect_fault("coordinates.q = [\"x\", \"y\"]\ninitial = { q = [1, 2], p = [0, 0] }\n" + f, "no momenta");
    expect_fault("coordinates.q = [\"x\", \"y\"]\ninitial = { q = [1, 2], v = [0, 0] }\n" + f, "remove v");
    expect_fault(plane + f + "[observables]\na = \"p_x\"", "'p_x'");
    expect_fault(plane + "dynamics.mass = 1\n[dynamics.potential]\nsloww = \"x\"", "did you mean 'slow'");
    expect_fault(plane + "dynamics.mass = 1\n[[energy]]\nterm = \"x\"\npart = \"quick\"",
                 "\"slow\", \"fast\" or \"stiff\"");
    ModelBuilder builder("m");
    const auto q = builder.coordinates({"x", "y"});
    builder.field({q[1]}).initial_position({1, 2});
    EXPECT_THROW(builder.build(), InputError);
    ModelBuilder unknown("m");
    unknown.coordinates({"x"});
    unknown.hamiltonian(symbol("z")).initial_position({1});
    EXPECT_THROW(unknown.build(), InputError);
}

TEST(Dynamics, momenta_beside_velocities_are_refused_where_the_mass_couples_them) {
    const auto start = [](const std::string& dynamics) {
        const auto model = Model::parse("coordinates.q = [\"x\"]\npoints.r = { count = 1, dimension = 1 }\n"
                                        "initial.q = [1]\ninitial.p = [3]\ninitial.r = { q = [[1]], v = [[2]] }\n" +
                                            dynamics,
                                        "t");
        const auto system = make_system<double>(model);
        return start_state<double>(model, *system).p;
    };
    EXPECT_EQ(start("dynamics.mass = 4"), (std::vector<double>{3, 8}));
    EXPECT_THROW(start("dynamics.mass = [[2, 1], [1, 2]]"), InputError);
    EXPECT_EQ(start("dynamics.kinetic = \"v_x^2 + v_r[0]^2\""), (std::vector<double>{3, 4}));
    EXPECT_THROW(start("dynamics.kinetic = \"v_x^2 + v_x*v_r[0] + v_r[0]^2\""), InputError);
    EXPECT_THROW(start("dynamics.kinetic = \"(1 + x^2)*v_x^2 + v_r[0]^2\""), InputError);
}

TEST(Dynamics, given_momenta_need_no_velocities) {
    const auto model = Model::parse("coordinates.q = [\"x\"]\ninitial = { q = [1], p = [2] }\n"
                                    "dynamics.hamiltonian = \"x*p_x\"",
                                    "t");
    const auto system = make_system<double>(model);
    EXPECT_EQ(start_state<double>(model, *system).p, std::vector<double>{2});
}

TEST(Dynamics, formulas_that_are_not_finite_at_the_start_are_named) {
    const auto fault = [](const std::string& text) {
        const auto model = Model::parse("coordinates.q = [\"x\"]\n" + text, "t.toml");
        const auto system = make_system<double>(model);
        const auto start = start_state<double>(model, *system);
        return start_fault(model, *system, start.q, start.p);
    };
    EXPECT_NE(fault("initial = { q = [0], p = [1] }\ndynamics.hamiltonian = \"p_x^2/x\"").find("the hamiltonian or"),
              std::string::npos);
    EXPECT_NE(fault("initial = { q = [0] }\nfield.q = { x = \"1/x\" }").find("the field q of x is not"),
              std::string::npos);
    EXPECT_NE(
        fault("initial = { q = [0] }\nfield = { q = { x = \"v_x\" }, v = { x = \"log(x)\" } }").find("field v of x"),
        std::string::npos);
}

// Sizes of the exact derivatives agree with dual numbers; a field has no energy to speak of.
TEST(Dynamics, check_knows_every_kind) {
    const auto field = check(Model::load("reversible-field"));
    EXPECT_TRUE(std::isnan(field.energy));
    EXPECT_EQ(field.terms, 2U);
    const auto particle = check(Model::load("charged-particle"));
    EXPECT_NEAR(particle.energy, 1.44 - std::sqrt(0.92), 1e-15);
    EXPECT_EQ(particle.rank, 1U);
}

}  // namespace
}  // namespace libration
