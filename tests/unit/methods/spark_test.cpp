// SPARK methods: against an independent program, against `lobatto`, there and back, and what the treatment promises.
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include "methods/spark_scheme.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

template <class S>
struct End {
    std::vector<S> q, p;
};

template <class S>
std::vector<double> differences(std::span<const S> a, std::span<const S> b) {
    std::vector<double> result;
    for (std::size_t k = 0; k < a.size(); ++k) {
        result.push_back(std::abs(to_double(a[k] - b[k])));
    }
    return result;
}

template <class S>
double distance(std::span<const S> a, std::span<const S> b) {
    double most = 0;
    for (const double difference : differences(a, b)) {
        most = std::max(most, difference);
    }
    return most;
}

template <class S>
End<S> walk(System<S>& system, const std::string& spec, const S& t0, const End<S>& from, const S& h, int steps) {
    const auto stepper = make_stepper<S>(method(spec), system);
    stepper->start(t0, from.q, from.p, h);
    for (int n = 0; n < steps; ++n) {
        EXPECT_EQ(to_double(stepper->advance().converged), 1) << spec << " step " << n;
        stepper->accept();
    }
    const auto node = stepper->node();
    return {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}};
}

template <class S>
End<S> start_of(const Model& model, System<S>& system) {
    const auto start = start_state<S>(model, system);
    return {start.q, start.p};
}

std::string with(const std::string& model, const std::string& more) {
    auto text = Model::load(model).text;
    return text + "\n" + more;
}

// ------------------------------------------------------------------------------------- an independent program

struct Golden {
    const char* problem;
    const char* method;
    double h;
    int steps;
    std::vector<double> q, p, lambda;
};

// Definition 4.1 in momenta with all unknowns in one Newton system, 40 digits.
const std::vector<Golden> golden{
    {"damped-spherical-pendulum",
     "spark(3)",
     0.1,
     1,
     {0.756028650338413611, 0.229795012833947214, -0.612874319860216336},
     {0.783637384035833522, -1.06015093325828097, 0.569178549646019427},
     {2.33206178561661075}},
    {"damped-spherical-pendulum",
     "spark(3)",
     0.1,
     10,
     {0.866365692646127837, -0.343886096746430517, -0.362150299006227227},
     {-0.121901868042784629, 0.0108847436472943286, -0.301959458956064988},
     {-0.615028037343695017}},
    {"friction-pendulum",
     "spark(3)",
     0.1,
     1,
     {0.81712742041012344, -0.699554078384238029, 0.796023054412694992},
     {1.34432491416392759, 0.300680745090985453, 0.140259960574627782},
     {0.564673928435419321}},
    {"friction-pendulum",
     "spark(3)",
     0.1,
     10,
     {1.95681981479221514, -0.642589733314869194, 0.872922907270162118},
     {1.19204991963018367, -0.18673854544285344, -0.0812390157615814566},
     {0.470344596242180754}},
    // With two stages the formulas printed in the introduction of the paper give the same digits.
    {"structural",
     "spark(2)",
     0.1,
     10,
     {0.514646808187779007, 0.482449161614334938, 0.4538019007655379, 0.525154639916740863},
     {-1.05967823569539385, 0.106379342378283431, 0.325715163460193915, 0.2657947772253234},
     {0.0765128396703507623}},
    {"structural",
     "spark(3)",
     0.1,
     10,
     {0.523155441815314884, 0.479802773996698772, 0.452500309261639549, 0.525197844526580326},
     {-1.05942933439816324, 0.11293593344095413, 0.326444112115354976, 0.263346598205301884},
     {0.0871180769280145954}},
    {"slider-crank",
     "spark(3)",
     0.001,
     10,
     {2.27533039223635566, -0.390830807511369455, 0.180226028479678285},
     {0.893837674964728912, -0.253043504704383306, -0.989467070725347842},
     {-23.9324593710431608, 137.890217190563782}},
};

TEST(Spark, agrees_with_an_independent_program) {
    for (const auto& known : golden) {
        const auto run =
            integrate(Model::load(known.problem), method(known.method), {.step = known.h, .steps = known.steps});
        ASSERT_EQ(run.status, RunStatus::completed) << known.problem;
        EXPECT_LT(distance<double>(run.q, known.q), 4e-15 * known.steps) << known.problem;
        EXPECT_LT(distance<double>(run.p, known.p), 8e-15 * known.steps) << known.problem;
        double largest = 1;
        for (const double lambda : known.lambda) {
            largest = std::max(largest, std::abs(lambda));
        }
        EXPECT_LT(distance<double>(run.lambda, known.lambda), 1e-13 * largest * known.steps) << known.problem;
    }
}

// ------------------------------------------------------------------------------------------- the pair IIIA-IIIB

template <class S>
double off_lobatto(const std::string& problem, int stages) {
    const auto model = Model::load(problem);
    const auto system = make_system<S>(model);
    const auto start = start_of<S>(model, *system);
    const S h = lit<S>(1, 50);
    const auto a = walk<S>(*system, "spark(" + std::to_string(stages) + ")", lit<S>(0), start, h, 50);
    const auto b = walk<S>(*system, "lobatto(" + std::to_string(stages) + ")", lit<S>(0), start, h, 50);
    return std::max(distance<S>(a.q, b.q), distance<S>(a.p, b.p));
}

// Constant mass, M(q), general H, split potential, rigid body, no constraints.
TEST(Spark, with_a_and_b_is_lobatto) {
    for (const auto* problem :
         {"double-pendulum", "charged-particle", "sprung-pendulum", "heavy-top", "henon-heiles"}) {
        for (const int s : {2, 3, 4}) {
            EXPECT_LT(off_lobatto<double>(problem, s), 5e-14) << problem << " s = " << s;
        }
    }
    EXPECT_LT(off_lobatto<Quad>("charged-particle", 3), 1e-31);
    const auto model = Model::load("andrews");
    const auto system = make_system<double>(model);
    const auto start = start_of<double>(model, *system);
    const auto a = walk<double>(*system, "spark(3)", 0, start, 5e-5, 20);
    const auto b = walk<double>(*system, "lobatto(3)", 0, start, 5e-5, 20);
    EXPECT_LT(distance<double>(a.q, b.q), 1e-14);
    EXPECT_LT(distance<double>(a.p, b.p), 1e-14);
}

// -------------------------------------------------------------------------------------------------- there and back

template <class S>
void expect_way_back(const Model& model, const std::string& spec, double h, int steps, double bound) {
    const auto system = make_system<S>(model);
    const auto start = start_of<S>(model, *system);
    const S step = from_double<S>(h);
    const auto there = walk<S>(*system, spec, lit<S>(0), start, step, steps);
    const S end = lit<S>(steps) * step;
    const auto back = walk<S>(*system, spec, end, there, S(-step), steps);
    EXPECT_LT(distance<S>(start.q, back.q), bound) << model.name << " " << spec;
    EXPECT_LT(distance<S>(start.p, back.p), bound) << model.name << " " << spec;
    EXPECT_GT(distance<S>(start.q, there.q), 1e-3) << model.name << ": it must have moved";
}

// C and C* change places for h < 0; without that the way back misses by far, see the size of the steps.
TEST(Spark, a_step_back_undoes_a_step) {
    for (const auto* spec : {"spark(2)", "spark(3)", "spark(4)"}) {
        expect_way_back<double>(Model::load("damped-spherical-pendulum"), spec, 0.125, 8, 1e-13);
        expect_way_back<double>(Model::load("structural"), spec, 0.125, 8, 1e-12);
        expect_way_back<double>(Model::load("friction-pendulum"), spec, 0.125, 8, 1e-13);
        expect_way_back<Quad>(Model::load("damped-spherical-pendulum"), spec, 0.125, 8, 1e-30);
    }
    const auto mixed = Model::parse(with("double-pendulum", R"toml(
[spark]
position = { x1 = "C", y1 = { A = 0.75, C = 0.25 } }
force.potential = { B = 0.9, C = 0.1 }
force.reaction = { x1 = "C", y1 = "D", x2 = "C*" }
)toml"),
                                    "mixed");
    expect_way_back<double>(mixed, "spark(3)", 0.125, 8, 1e-13);
    expect_way_back<Quad>(mixed, "spark(3)", 0.125, 8, 1e-30);
}

// Q_s is q1 only with A and C: with the others the last multiplier has a direction of its own. Errors at t = 4 against
// 60 digits.
TEST(Spark, positions_by_any_letter_have_the_full_order_and_a_way_back) {
    const std::vector<double> exact{0.2147448797043593, 0.6475341071479947, -0.7311526630744154};
    for (const auto* position :
         {"\"A\"", "\"B\"", "\"C\"", "\"C*\"", "\"D\"", "{ A = 0.9, B = 0.1 }", "{ x = \"B\" }"}) {
        const auto model = Model::parse(
            with("damped-spherical-pendulum", fmt::format("[spark]\nposition = {}\n", position)), position);
        const auto error = [&](std::int64_t steps) {
            const auto run =
                integrate(model, method("spark(3)"), {.step = 4.0 / static_cast<double>(steps), .steps = steps});
            EXPECT_EQ(run.status, RunStatus::completed) << position;
            EXPECT_LT(run.constraint.max, 1e-15) << position;
            EXPECT_LT(run.constraint.hidden_max, 1e-14) << position;
            return distance<double>(run.q, exact);
        };
        EXPECT_NEAR(std::log2(error(64) / error(128)), 4, 0.15) << position;
        expect_way_back<double>(model, "spark(3)", 0.125, 8, 1e-13);
    }
}

// |v| v has no derivative at rest by the chain rule.
TEST(Spark, starts_at_rest_with_quadratic_drag) {
    const auto model = Model::parse(R"toml(
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "y"
[[forces]]
name = "drag"
class = "dissipative"
on = { x = "-hypot(v_x, v_y)*v_x", y = "-hypot(v_x, v_y)*v_y" }
[initial]
q = [1, 0]
)toml",
                                    "drag");
    const auto run = integrate(model, method("spark(3)"), {.step = 0.01, .steps = 200});
    ASSERT_EQ(run.status, RunStatus::completed);
    EXPECT_NEAR(run.q[1], -std::log(std::cosh(2.0)), 1e-9);  // y'' = -1 + y'^2
    EXPECT_NEAR(run.p[1], -std::tanh(2.0), 1e-9);
}

// A stiff spring that swings: the rounding of its force, 1e-8, is far larger than that of the velocities. Both
// constraints hold to round-off nevertheless.
TEST(Spark, noise_of_stiff_springs_neither_stops_it_nor_leaves_the_manifold) {
    for (const auto* newton : {"full", "simplified"}) {
        auto text = Model::load("stiff-spring-pendulum").text;
        text.replace(text.find("newton = \"full\""), 15, fmt::format("newton = \"{}\"", newton));
        for (const auto* stiffness : {"1e4", "1e6", "1e8"}) {
            const auto model = Model::parse(text, newton, {{"gamma", "0"}, {"stiffness", stiffness}});
            const auto run = integrate(model, method("spark(3)"), {.step = 0.02, .steps = 400});
            EXPECT_EQ(run.status, RunStatus::completed) << newton << " " << stiffness << " " << run.failure->message;
            EXPECT_LT(run.constraint.max, 1e-15);
            EXPECT_LT(run.constraint.hidden_max, 1e-14);
        }
    }
}

TEST(Spark, is_no_base_for_methods_that_go_back_in_time) {
    EXPECT_THROW(static_cast<void>(method("compose(spark(2), kahanli8)")), InputError);
    EXPECT_THROW(static_cast<void>(method("constrain(spark(2))")), InputError);
}

// Where nothing contains the velocity and positions are treated by A, all of B, C, C* and D give the same step.
TEST(Spark, with_positions_by_a_no_other_letter_damps) {
    const auto plain = Model::load("sprung-pendulum");
    const auto start_system = make_system<double>(plain);
    const auto start = start_of<double>(plain, *start_system);
    const auto b = walk<double>(*start_system, "spark(3)", 0, start, 0.05, 40);
    for (const auto* letter : {"C", "C*", "D"}) {
        const auto model = Model::parse(
            with("sprung-pendulum", fmt::format("[spark]\nforce.slow = \"{0}\"\nforce.reaction = \"{0}\"\n", letter)),
            letter);
        const auto system = make_system<double>(model);
        const auto other = walk<double>(*system, "spark(3)", 0, start, 0.05, 40);
        EXPECT_LT(distance<double>(other.q, b.q), 2e-13) << letter;
        EXPECT_LT(distance<double>(other.p, b.p), 2e-13) << letter;
        EXPECT_TRUE(*method("spark(3)").claims(system->properties(), system->constraints()).symplectic);
    }
    const auto damped = Model::parse(
        with("sprung-pendulum", "[spark]\nposition = \"C\"\nforce.slow = \"C\"\nforce.fast = \"C\"\n"), "C");
    const auto system = make_system<double>(damped);
    const auto c = walk<double>(*system, "spark(3)", 0, start, 0.05, 40);
    EXPECT_GT(distance<double>(c.q, b.q), 1e-7);
}

// ----------------------------------------------------------------------------------------------- ways to solve

// The result of a step is that of its equations, to round-off, whichever iteration found it.
TEST(Spark, every_iteration_finds_the_same_step) {
    const auto structured =
        Model::parse(with("double-pendulum", "[spark]\nforce.reaction = \"C*\"\nposition = \"D\"\n"), "a");
    const auto full = Model::parse(
        with("double-pendulum", "[spark]\nforce.reaction = \"C*\"\nposition = \"D\"\nnewton = \"full\"\n"), "b");
    const auto system = make_system<double>(structured);
    const auto other = make_system<double>(full);
    const auto start = start_of<double>(structured, *system);
    const auto a = walk<double>(*system, "spark(3)", 0, start, 0.05, 40);
    const auto b = walk<double>(*other, "spark(3)", 0, start, 0.05, 40);
    EXPECT_LT(distance<double>(a.q, b.q), 2e-13);
    EXPECT_LT(distance<double>(a.p, b.p), 2e-13);
    const auto stiff = Model::load("friction-pendulum");
    const auto again = Model::parse(with("friction-pendulum", "[spark]\nnewton = \"full\"\n"), "c");
    const auto simplified = integrate(stiff, method("spark(3)"), {.step = 0.05, .steps = 100});
    const auto fresh = integrate(again, method("spark(3)"), {.step = 0.05, .steps = 100});
    EXPECT_LT(distance<double>(simplified.q, fresh.q), 1e-13);
    // A matrix that fits every pass needs fewer of them.
    EXPECT_LT(fresh.evaluations.newton_iterations, simplified.evaluations.newton_iterations);
    EXPECT_LT(fresh.evaluations.newton_iterations, 100 * 7);
}

// ------------------------------------------------------------------------------------------------------- weights

// One component of q'' = -w^2 q: the step as a matrix, from the tableaux. [Jay 1998, (30)]
std::array<double, 2> oscillator_step(const Tableau& a, const Tableau& ahat, double w, double h) {
    const std::size_t s = a.stages;
    // Stage values of V and F for q0 = 1, p0 = 0 by solving (I + h^2 w^2 A Ahat) V = -h w^2 Ahat 1 with Jacobi's
    // iteration.
    std::vector<double> V(s, 0), F(s, 0);
    for (int pass = 0; pass < 2000; ++pass) {
        for (std::size_t i = 0; i < s; ++i) {
            double q = 1, p = 0;
            for (std::size_t j = 0; j < s; ++j) {
                q += h * static_cast<double>(a.a(i, j)) * V[j];
                p += h * static_cast<double>(ahat.a(i, j)) * F[j];
            }
            F[i] = -w * w * q;
            V[i] = p;
        }
    }
    std::array<double, 2> end{1, 0};
    for (std::size_t j = 0; j < s; ++j) {
        end[0] += h * static_cast<double>(a.b[j]) * V[j];
        end[1] += h * static_cast<double>(a.b[j]) * F[j];
    }
    return end;
}

TEST(Spark, weights_mix_matrices_component_by_component) {
    const auto model = Model::parse(R"toml(
[coordinates]
q = ["x", "y", "z"]
[dynamics]
mass = 1
potential = "(x^2 + 4*y^2 + 9*z^2)/2"
[spark]
position = { y = "C", z = { A = 0.5, D = 0.5 } }
force.potential = { x = { B = 0.9, C = 0.1 }, z = "C*" }
[initial]
q = [1, 1, 1]
v = [0, 0, 0]
)toml",
                                    "oscillators");
    const double h = 0.2;
    const auto run = integrate(model, method("spark(3)"), {.step = h, .steps = 1});
    const auto of = [](Family family) { return tableau(family, 3); };
    const auto mix = [&](Family a, Family b, double share) {
        auto result = of(a);
        const auto other = of(b);
        for (std::size_t k = 0; k < result.A.size(); ++k) {
            result.A[k] = Wide(share) * result.A[k] + (1 - Wide(share)) * other.A[k];
        }
        return result;
    };
    const auto x = oscillator_step(of(Family::lobatto_a), mix(Family::lobatto_b, Family::lobatto_c, 0.9), 1, h);
    const auto y = oscillator_step(of(Family::lobatto_c), of(Family::lobatto_b), 2, h);
    const auto z = oscillator_step(mix(Family::lobatto_a, Family::lobatto_d, 0.5), of(Family::lobatto_cstar), 3, h);
    EXPECT_NEAR(run.q[0], x[0], 1e-15);
    EXPECT_NEAR(run.q[1], y[0], 1e-15);
    EXPECT_NEAR(run.q[2], z[0], 1e-15);
    EXPECT_NEAR(run.p[0], x[1], 1e-15);
    EXPECT_NEAR(run.p[1], y[1], 2e-15);
    EXPECT_NEAR(run.p[2], z[1], 4e-15);
}

// -------------------------------------------------------------------------------------------------------- claims

bool claims_symplectic(const std::string& problem, const std::string& spark) {
    const auto model = Model::parse(with(problem, spark), problem);
    const auto system = make_system<double>(model);
    return *method("spark(3)").claims(system->properties(), system->constraints()).symplectic;
}

TEST(Spark, claims_follow_the_treatment) {
    EXPECT_TRUE(claims_symplectic("double-pendulum", ""));
    EXPECT_FALSE(claims_symplectic("double-pendulum", "[spark]\nposition = \"C\"\n"));
    EXPECT_FALSE(claims_symplectic("double-pendulum", "[spark]\nposition = {x1 = {A = 0.99, C = 0.01}}\n"));
    EXPECT_FALSE(claims_symplectic("charged-particle", "[spark]\nforce.hamiltonian = {x = \"C\"}\n"));
    EXPECT_FALSE(claims_symplectic("charged-particle", "[spark]\nforce.reaction = \"C\"\n"));
    EXPECT_FALSE(claims_symplectic("double-pendulum",
                                   "[spark]\nposition = \"D\"\nforce.potential = \"D\"\nforce.reaction = \"D\"\n"));
    // Without constraints D for all is symplectic, and so are C with C*, conjugate to each other.
    EXPECT_TRUE(claims_symplectic("kepler", "[spark]\nposition = \"D\"\nforce.potential = \"D\"\n"));
    EXPECT_TRUE(claims_symplectic("kepler", "[spark]\nposition = \"C\"\nforce.potential = \"C*\"\n"));
    EXPECT_FALSE(claims_symplectic("kepler", "[spark]\nposition = \"C\"\nforce.potential = \"C\"\n"));
    const auto forced = make_system<double>(Model::load("damped-spherical-pendulum"));
    EXPECT_FALSE(method("spark(3)").claims(forced->properties(), 1).symplectic.has_value());
}

TEST(Spark, others_refuse_forces_and_name_it) {
    const auto system = make_system<double>(Model::load("friction-pendulum"));
    const auto reason = unmet_needs(method("rattle"), system->properties(), system->constraints());
    EXPECT_NE(reason.find("[[forces]]"), std::string::npos) << reason;
    EXPECT_NE(reason.find("spark(2)"), std::string::npos) << reason;
    EXPECT_EQ(unmet_needs(method("spark(3)"), system->properties(), system->constraints()), "");
}

}  // namespace
}  // namespace libration
