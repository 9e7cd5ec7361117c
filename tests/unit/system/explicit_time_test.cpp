// Potentials, masses and constraints that contain t: values and derivatives by t of every kind of system.
#include "system_samples.hpp"

#include "manifold/manifold.hpp"
#include <libration/kit/dual.hpp>
#include <libration/kit/pack.hpp>
#include <libration/model/builder.hpp>
#include <libration/text/error.hpp>

namespace libration {
namespace {

using Tangent = Dual<double>;
using samples::model_of;

const std::string moving_rod = "constraints = { rod = \"x^2*cos(t) + k*sin(y + t) - t^2*x*y^3\" }\n";

std::vector<std::pair<std::string, Model>> moving_models() {
    return {{"separable",
             model_of(samples::head + "[dynamics]\nmass = [\"k\", 3]\npotential = \"k*x*cos(t*y)\"\n" + moving_rod)},
            {"split", model_of(samples::head + "[dynamics]\nmass = 2\n" + moving_rod +
                               "[dynamics.potential]\nslow = \"x*sin(t)\"\nfast = \"exp(y)\"\nstiff = \"cos(x*t)\"\n")},
            {"kinetic", model_of(samples::head + "[dynamics]\nkinetic = \"((3 + t)*v_x^2 + (2 + y^2)*v_y^2)/2\"\n" +
                                 "potential = \"x^2*t\"\n" + moving_rod)},
            {"mass",
             model_of(samples::head + "[dynamics]\nmass = [[\"3 + sin(t)\", \"t/4\"], [\"t/4\", 2]]\n" + moving_rod)},
            {"hamiltonian",
             model_of(samples::head + "[dynamics]\nhamiltonian = \"(p_x - y*t)^2/2 + p_y^2/(2 + t) + x*t\"\n" +
                      moving_rod)}};
}

// The rates against the derivative of g by t; the curvature against that of G v + g_t along (v, 1), by dual numbers.
TEST(ExplicitTime, rates_and_curvatures_are_derivatives_of_the_constraint) {
    for (const auto& [name, model] : moving_models()) {
        const auto system = make_system<double>(model);
        const auto duals = make_system<Tangent>(model);
        EXPECT_TRUE(system->properties().moving_constraints) << name;
        EXPECT_TRUE(system->properties().depends_on_time) << name;
        EXPECT_FALSE(system->properties().conservative) << name;
        for (const auto& at : samples::random_states(2)) {
            std::vector<double> rate(1), curvature(1);
            system->constraint_rate(at.t, at.q, rate);
            system->curvature(at.t, at.q, at.x, curvature);
            // Worked out by hand with k = 7/5.
            const double k = 1.4, t = at.t, x = at.q[0], y = at.q[1], vx = at.x[0], vy = at.x[1];
            const double g_t = -x * x * std::sin(t) + k * std::cos(y + t) - 2 * t * x * y * y * y;
            const double g_tt = -x * x * std::cos(t) - k * std::sin(y + t) - 2 * x * y * y * y;
            const double g_qt_v =
                (-2 * x * std::sin(t) - 2 * t * y * y * y) * vx + (-k * std::sin(y + t) - 6 * t * x * y * y) * vy;
            const double g_qq_vv = 2 * std::cos(t) * vx * vx - 2 * 3 * t * t * y * y * vx * vy +
                                   (-k * std::sin(y + t) - 6 * t * t * x * y) * vy * vy;
            EXPECT_NEAR(rate[0], g_t, 1e-14) << name;
            EXPECT_NEAR(curvature[0], g_qq_vv + 2 * g_qt_v + g_tt, 1e-13) << name;

            Tangent time = from_double<Tangent>(at.t);
            time.tangent = {1};
            std::vector<Tangent> q{{at.q[0], {}}, {at.q[1], {}}}, g(1, lit<Tangent>(0)), rates(g),
                G(system->pattern().entries(), lit<Tangent>(0));
            duals->constraint(time, q, g);
            EXPECT_NEAR(rate[0], g[0].tangent[0], 1e-14) << name;
            q[0].tangent = {vx};
            q[1].tangent = {vy};
            duals->jacobian(time, q, G);
            duals->constraint_rate(time, q, rates);
            double sum = rates[0].tangent[0];
            for (std::size_t e = 0; e < G.size(); ++e) {
                sum += G[e].tangent[0] * at.x[system->pattern().column[e]];
            }
            EXPECT_NEAR(curvature[0], sum, 1e-13) << name;
        }
    }
}

TEST(ExplicitTime, forces_are_gradients_of_the_energy_at_their_time) {
    for (const auto& [name, model] : moving_models()) {
        const auto system = make_system<double>(model);
        const auto duals = make_system<Tangent>(model);
        bool seen = false;
        for (const auto& at : samples::random_states(2)) {
            std::vector<double> force(2), earlier(2), parts(2);
            system->force_gradient(at.t, at.q, at.p, force);
            system->force_gradient(at.t - 0.3, at.q, at.p, earlier);
            seen = seen || std::abs(force[0] - earlier[0]) + std::abs(force[1] - earlier[1]) > 1e-3;
            std::vector<Tangent> q{{at.q[0], {1, 0}}, {at.q[1], {0, 1}}}, p{{at.p[0], {}}, {at.p[1], {}}};
            const auto energy = duals->energy(from_double<Tangent>(at.t), q, p);
            EXPECT_NEAR(force[0], energy.tangent[0], 1e-13) << name;
            EXPECT_NEAR(force[1], energy.tangent[1], 1e-13) << name;
            if (system->properties().parts != 0) {
                system->part_gradient(slow_part, at.t, at.q, parts);
                EXPECT_NEAR(parts[0], std::sin(at.t), 1e-14) << name;
                EXPECT_NEAR(parts[1], 0, 0) << name;
            }
        }
        EXPECT_TRUE(seen || name == "mass") << name;
    }
}

// Rows of a family in blocks, with parameters of the instances, to the last bit those of single rows; in lanes, too.
TEST(ExplicitTime, instances_see_the_time) {
    constexpr int count = 150;
    const auto text = [](const std::string& range, const std::string& i) {
        return "[[energy]]\n" + range + "term = \"k[" + i + "]*sin(t + " + i + ")*r[" + i + "].x\"\n[[constraint]]\n" +
               range + "equation = \"(r[" + i + "].x - k[" + i + "]*sin(w*t))^2 + (r[" + i + "].y - t)^2 - 1\"\n";
    };
    std::string head = "parameters.w = 3\nparameters.k = [", lines;
    for (int n = 0; n < count; ++n) {
        head += std::to_string(n % 7 + 1) + (n + 1 < count ? ", " : "]\n");
        lines += text("", std::to_string(n));
    }
    head += "points.r = { count = " + std::to_string(count) +
            ", dimension = 2, mass = 1 }\ninitial.r = { for = \"i in 0..149\", q = [0, -1], v = [0, 0] }\n";
    const auto family = model_of(head + text("for = \"i in 0..149\"\n", "i"));
    const auto single = model_of(head + lines);
    const auto at = samples::random_states(2 * count, 1)[0];
    const auto a = make_system<double>(family), b = make_system<double>(single);
    const auto of_family = samples::all_values(*a, at), of_single = samples::all_values(*b, at);
    ASSERT_EQ(of_family.size(), of_single.size());
    EXPECT_NEAR(of_family[0], of_single[0], 1e-10);  // a sum in another order
    for (std::size_t k = 1; k < of_family.size(); ++k) {
        EXPECT_EQ(of_family[k], of_single[k]) << k;
    }
    std::vector<double> rate(count);
    a->constraint_rate(at.t, at.q, rate);
    for (std::size_t i = 0; i < count; ++i) {
        const double k = static_cast<double>(i % 7 + 1);
        EXPECT_NEAR(rate[i],
                    -2 * (at.q[2 * i] - k * std::sin(3 * at.t)) * 3 * k * std::cos(3 * at.t) -
                        2 * (at.q[2 * i + 1] - at.t),
                    1e-12);
    }
}

TEST(ExplicitTime, lanes_give_the_bits_of_one_trajectory) {
    for (const auto& [name, model] : moving_models()) {
        const auto system = make_system<double>(model);
        const auto lanes = make_system<Pack>(model);
        for (const auto& at : samples::random_states(2)) {
            const auto expected = samples::all_values(*system, at);
            const auto found = samples::all_values(*lanes, at);
            for (std::size_t k = 0; k < expected.size(); ++k) {
                EXPECT_EQ(found[k].lane[1], expected[k]) << name << ", value " << k;
            }
        }
    }
}

TEST(ExplicitTime, a_model_without_t_is_not_said_to_contain_it) {
    for (const auto* name : {"pendulum", "double-pendulum", "charged-particle", "kepler"}) {
        const auto system = make_system<double>(Model::load(name));
        EXPECT_FALSE(system->properties().depends_on_time) << name;
        EXPECT_FALSE(system->properties().moving_constraints) << name;
        EXPECT_TRUE(system->properties().conservative) << name;
        std::vector<double> rate(system->constraints(), 1.0), q(system->dimension(), 0.5);
        system->constraint_rate(2.0, q, rate);
        for (const double value : rate) {
            EXPECT_EQ(value, 0) << name;
        }
    }
    const auto driven =
        make_system<double>(model_of(samples::head + "[dynamics]\nmass = 1\npotential = \"x*sin(t)\"\n"));
    EXPECT_TRUE(driven->properties().depends_on_time);
    EXPECT_FALSE(driven->properties().moving_constraints);
    EXPECT_TRUE(driven->properties().separable);
    EXPECT_FALSE(driven->properties().conservative);
}

TEST(ExplicitTime, the_builder_knows_the_time) {
    ModelBuilder builder("driven");
    const auto q = builder.coordinates({"x", "y"});
    const auto t = builder.time();
    const auto dx = q[0] - sin(t);
    builder.mass(1).potential(q[1] * cos(t)).constraint(dx * dx + q[1] * q[1] - 1);
    builder.initial_position({0, -1}).initial_velocity({1, 0});
    const auto built = builder.build();
    const auto read = Model::parse("[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\npotential = \"y*cos(t)\"\n"
                                   "constraints = [\"(x - sin(t))^2 + y^2 - 1\"]\n[initial]\nq = [0, -1]\nv = [1, 0]\n",
                                   "driven.toml");
    const auto a = make_system<double>(built), b = make_system<double>(read);
    for (const auto& at : samples::random_states(2)) {
        const auto of_built = samples::all_values(*a, at), of_read = samples::all_values(*b, at);
        for (std::size_t k = 0; k < of_built.size(); ++k) {
            EXPECT_NEAR(of_built[k], of_read[k], 1e-14) << k;
        }
    }
}

// The closed form: G v + g_t = 0 and lambda(t) = k + s sin(t).
TEST(ExplicitTime, multipliers_of_the_driven_pendulum_are_those_of_its_closed_form) {
    const auto system = make_system<double>(Model::load("driven-pendulum"));
    Manifold<double> manifold(*system);
    for (const double t : {0.0, 0.7, 2.0, 11.3}) {
        const double w = 1.5, phi = 0.8 * std::cos(w * t) + 0.5 * t, rate = 0.5 - 0.8 * w * std::sin(w * t);
        const std::vector<double> q{0.3 * std::sin(w * t) + std::sin(phi), 0.2 * (1 - std::cos(w * t)) - std::cos(phi)};
        const std::vector<double> p{0.3 * w * std::cos(w * t) + rate * std::cos(phi),
                                    0.2 * w * std::sin(w * t) + rate * std::sin(phi)};
        std::vector<double> rows(1), lambda(1);
        system->constraint(t, q, rows);
        EXPECT_NEAR(rows[0], 0, 1e-15);
        manifold.hidden_residual(t, q, p, rows);
        EXPECT_NEAR(rows[0], 0, 4e-15);
        manifold.multipliers(t, q, p, lambda);
        EXPECT_NEAR(lambda[0], 3 + std::sin(t), 1e-14);
        auto moved = q, kicked = p;
        moved[0] += 1e-3;
        kicked[1] -= 1e-3;
        EXPECT_EQ(manifold.project_position(t, moved, kicked), 1);
        manifold.project_momentum(t, moved, kicked);
        manifold.hidden_residual(t, moved, kicked, rows);
        EXPECT_NEAR(rows[0], 0, 4e-15);
    }
}

TEST(ExplicitTime, where_t_has_no_meaning_it_is_refused) {
    const std::string points = "points.r = { count = 4, dimension = 2, mass = 1 }\n"
                               "initial.r = { for = \"i in 0..3\", q = [\"i\", 0], v = [0, 0] }\n[[energy]]\n";
    const std::string plain = "[coordinates]\nq = [\"x\"]\n[dynamics]\nmass = 1\n[initial]\nv = [0]\n";
    const std::vector<std::pair<std::string, std::string>> refused{
        {points + "for = \"i in 0..2\"\nterm = \"r[i + t].x\"\n", "an index cannot depend on 't'"},
        {points + "term = \"r[t].x\"\n", "an index cannot depend on 't'"},
        {points + "term = \"sum(i in 0..t, r[i].x)\"\n", "an index cannot depend on 't'"},
        {points + "for = \"i in 0..t\"\nterm = \"r[i].x\"\n", "the time t cannot be used here"},
        {"points.r = { count = 4, dimension = 2, mass = \"1 + t\" }\n", "the time t cannot be used here"},
        {plain + "q = [\"t\"]\n", "the time t cannot be used here"},
        {"parameters.a = \"2*t\"\n" + plain + "q = [0]\n", "unknown name 't'"},
        {plain + "q = [0]\n[[constraint]]\nequation = \"sin(t)\"\n", "contains no coordinate"},
    };
    for (const auto& [text, message] : refused) {
        try {
            static_cast<void>(model_of(text));
            ADD_FAILURE() << "accepted:\n" << text;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace libration
