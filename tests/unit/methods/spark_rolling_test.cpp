// Nonholonomic constraints in spark(s): orders against closed forms, an independent program, residuals, there and back,
// bad starts.
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
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
struct RollingEnd {
    std::vector<S> q, p, lambda;
};

template <class S>
double largest_gap(std::span<const S> a, std::span<const S> b) {
    double most = a.size() == b.size() ? 0 : 1e300;
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        most = std::max(most, std::abs(to_double(S(a[k] - b[k]))));
    }
    return most;
}

template <class S>
RollingEnd<S> roll(System<S>& system, const std::string& spec, const S& t0, const RollingEnd<S>& from, const S& h,
                   int steps) {
    const auto stepper = make_stepper<S>(method(spec), system);
    stepper->start(t0, from.q, from.p, h);
    for (int n = 0; n < steps; ++n) {
        EXPECT_EQ(to_double(stepper->advance().converged), 1) << spec << " step " << n;
        stepper->accept();
    }
    const auto node = stepper->node();
    RollingEnd<S> end{{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}, {}};
    end.lambda.assign(reaction_count(system), lit<S>(0));
    Manifold<S>(system).multipliers(node.t, node.q, node.p, end.lambda);
    return end;
}

template <class S>
RollingEnd<S> rolling_start(const Model& model, System<S>& system) {
    const auto start = start_state<S>(model, system);
    return {start.q, start.p, {}};
}

// The disk of problems/rolling-disk.toml with its heading (c, s) on the unit circle: one holonomic constraint beside
// the two others.
Model disk_with_vector() {
    return Model::parse(R"toml(
        [parameters]
        m = 2
        J = 0.5
        I = 0.3
        R = 0.5
        G = 4.9
        w = 2
        u0 = 1
        [coordinates]
        q = ["x", "y", "phi", "c", "s"]
        [dynamics]
        mass = ["m", "m", "J", "I", "I"]
        potential = "-m*G*x"
        constraints = ["c^2 + s^2 - 1"]
        nonholonomic = ["v_x - R*v_phi*c", "v_y - R*v_phi*s"]
        [initial]
        q = [0, 0, 0, 1, 0]
        v = ["u0", 0, "u0/R", 0, "w"]
        )toml",
                        "disk-with-vector.toml");
}

// ----------------------------------------------------------------------------------------------------------- orders

struct Exact {
    Model model;
    int duration;
    std::vector<const char*> q, p, lambda;
};

// The closed forms in the comments of the problems, 36 digits (mpmath).
Exact sleigh() {
    return {Model::load("chaplygin-sleigh"),
            2,
            {"-1.50381850167850983720557764494590892", "0.312519575809436597399362956994937615",
             "0.591197351969208275357933407377068029"},
            {"-0.0370825100262955979366631166398777178", "0.839244460433140366497334827215670693",
             "1.07620640088777932580245346996852305"},
            {"-0.470268747269614706555087635019845073"}};
}

Exact disk() {
    return {Model::load("rolling-disk"),
            1,
            {"0.707862892857581422127132560992715449", "1.43645880036759770699021947609750492",
             "3.73477987477024942407202108113843368", "2.0"},
            {"-1.75937672984649688192661934977851502", "3.8443082892092879862250207561182339",
             "2.11388934786146007686012433574188743", "0.6"},
            {"16.6400434495344251633160035608259562", "5.37291957319741797971620448111101132"}};
}

// cos 2 and sin 2; lambda of the circle is I w^2/2.
Exact vector_disk() {
    return {disk_with_vector(),
            1,
            {"0.707862892857581422127132560992715449", "1.43645880036759770699021947609750492",
             "3.73477987477024942407202108113843368", "-0.416146836547142386997568229500762190",
             "0.909297426825681695396019865911744843"},
            {"-1.75937672984649688192661934977851502", "3.8443082892092879862250207561182339",
             "2.11388934786146007686012433574188743", "-0.545578456095409017237611919547046906",
             "-0.249688101928285432198540937700457314"},
            {"0.6", "16.6400434495344251633160035608259562", "5.37291957319741797971620448111101132"}};
}

std::vector<Quad> numbers(const std::vector<const char*>& texts) {
    std::vector<Quad> values;
    for (const auto* text : texts) {
        values.push_back(from_text<Quad>(text));
    }
    return values;
}

struct Errors {
    double q, p, lambda;
};

Errors errors(const Exact& exact, const std::string& spec, int steps) {
    const auto system = make_system<Quad>(exact.model);
    const Quad h = lit<Quad>(exact.duration, steps);
    const auto end = roll<Quad>(*system, spec, lit<Quad>(0), rolling_start<Quad>(exact.model, *system), h, steps);
    return {largest_gap<Quad>(end.q, numbers(exact.q)), largest_gap<Quad>(end.p, numbers(exact.p)),
            largest_gap<Quad>(end.lambda, numbers(exact.lambda))};
}

void expect_orders(const Exact& exact) {
    for (const int s : {2, 3, 4}) {
        const auto spec = fmt::format("spark({})", s);
        const auto coarse = errors(exact, spec, 20), fine = errors(exact, spec, 40);
        EXPECT_NEAR(std::log2(coarse.q / fine.q), 2 * s - 2, 0.15) << exact.model.name << spec << " q " << fine.q;
        EXPECT_NEAR(std::log2(coarse.p / fine.p), 2 * s - 2, 0.15) << exact.model.name << spec << " p " << fine.p;
        EXPECT_NEAR(std::log2(coarse.lambda / fine.lambda), 2 * s - 2, 0.15)
            << exact.model.name << spec << " lambda " << fine.lambda;
        EXPECT_LT(fine.q, 1e-2);
    }
}

TEST(SparkRolling, the_sleigh_has_the_full_order_in_q_p_and_lambda) { expect_orders(sleigh()); }
TEST(SparkRolling, the_disk_has_the_full_order_in_q_p_and_lambda) { expect_orders(disk()); }
TEST(SparkRolling, beside_a_holonomic_constraint_the_order_is_the_same) { expect_orders(vector_disk()); }

// Reactions by C, C* and D, positions by C.
TEST(SparkRolling, every_treatment_of_the_reaction_has_the_full_order) {
    for (const auto* lines : {"force.reaction = \"C\"", "force.reaction = \"C*\"", "force.reaction = \"D\"",
                              "force.reaction = \"C\"\nposition = \"C\""}) {
        auto exact = sleigh();
        exact.model = Model::parse(exact.model.text + "\n[spark]\n" + lines + "\n", lines);
        const double order = std::log2(errors(exact, "spark(3)", 20).q / errors(exact, "spark(3)", 40).q);
        EXPECT_NEAR(order, 4, 0.2) << lines;
    }
}

// A blade that turns with the time: v_y = (2/(1 + cos(t)^2))^(1/2), v_x = v_y cos(t), and lambda = -v_x'.
TEST(SparkRolling, constraints_that_contain_the_time_have_the_full_order) {
    const auto model = Model::parse(R"toml(
        [coordinates]
        q = ["x", "y"]
        [dynamics]
        mass = 1
        nonholonomic = ["v_x - cos(t)*v_y"]
        [initial]
        q = [0, 0]
        v = [1, 1]
        )toml",
                                    "turning.toml");
    const double c = std::cos(2.0), s = std::sin(2.0), v_y = std::sqrt(2 / (1 + c * c));
    const double lambda = v_y * s - v_y * c * c * s / (1 + c * c);
    for (const int stages : {2, 3, 4}) {
        const auto errors = [&](std::int64_t steps) {
            const auto run = integrate(model, method(fmt::format("spark({})", stages)),
                                       {.step = 2.0 / static_cast<double>(steps), .steps = steps});
            EXPECT_TRUE(run.energy.conserved);
            EXPECT_LT(run.constraint.hidden_max, 1e-15);
            return std::pair{largest_gap<double>(run.p, std::vector{v_y * c, v_y}), std::abs(run.lambda[0] - lambda)};
        };
        const auto coarse = errors(10), fine = errors(20);
        EXPECT_NEAR(std::log2(coarse.first / fine.first), 2 * stages - 2, 0.2) << stages << " p " << fine.first;
        EXPECT_NEAR(std::log2(coarse.second / fine.second), 2 * stages - 2, 0.2) << stages << " " << fine.second;
    }
}

// ---------------------------------------------------------------------------------------------- an independent program

// One step of all unknowns at once with powers of c in the conditions, 45 digits (mpmath).
TEST(SparkRolling, agrees_with_an_independent_program) {
    const auto run = integrate(Model::load("chaplygin-sleigh"), method("spark(3)"), {.step = 0.1, .steps = 1});
    EXPECT_LT(
        largest_gap<double>(run.q, std::vector{-1.9091505541894125023, -1.410543880710937207, -1.8859225158131994597}),
        4e-15);
    EXPECT_LT(
        largest_gap<double>(run.p, std::vector{0.79509973267281583629, 1.0176322139212463524, 0.66081831198164412572}),
        4e-15);
    const auto both = integrate(disk_with_vector(), method("spark(3)"), {.step = 0.1, .steps = 1});
    EXPECT_LT(largest_gap<double>(both.q, std::vector<double>{0.11142260920642954925, 0.011588263743043682222,
                                                              0.22441943601887700513, 0.9800664455501847586,
                                                              0.19866998340621749239}),
              4e-15);
    EXPECT_LT(largest_gap<double>(both.p, std::vector<double>{2.4371725328043609565, 0.49404102022747815725,
                                                              1.2433710713543474754, -0.11920199004373049543,
                                                              0.58803986733011085516}),
              8e-15);
}

// The same sleigh by the knife edge, with M(q), and by a hamiltonian.
TEST(SparkRolling, kinetic_energies_and_hamiltonians_give_the_same_motion) {
    const auto plain = Model::load("chaplygin-sleigh");
    auto text = plain.text;
    const std::string mass = "mass = [\"m\", \"m\", \"J\"]";
    ASSERT_NE(text.find(mass), std::string::npos);
    auto with_h = text;
    with_h.replace(text.find(mass), mass.size(), "hamiltonian = \"(p_x^2 + p_y^2)/(2*m) + p_phi^2/(2*J)\"");
    const IntegrationOptions options{.step = 0.05, .steps = 40};
    const auto a = integrate(plain, method("spark(3)"), options);
    const auto b = integrate(Model::parse(with_h, "h"), method("spark(3)"), options);
    EXPECT_LT(largest_gap<double>(a.q, b.q), 1e-13);
    EXPECT_LT(largest_gap<double>(a.lambda, b.lambda), 1e-12);

    const auto edge = Model::parse(R"toml(
        [parameters]
        a = 0.5
        [coordinates]
        q = ["x", "y", "phi"]
        [dynamics]
        kinetic = "((v_x - a*v_phi*sin(phi))^2 + (v_y + a*v_phi*cos(phi))^2)/2 + 3*a^2*v_phi^2/2"
        nonholonomic = ["v_y*cos(phi) - v_x*sin(phi)"]
        [initial]
        q = [0, 0, 0]
        v = [0, 0, 1.5]
        )toml",
                                   "edge.toml");
    // The closed form with tau0 = 0, b = 1, c = 1.5.
    const auto error = [&](std::int64_t steps) {
        const auto run =
            integrate(edge, method("spark(3)"), {.step = 2.0 / static_cast<double>(steps), .steps = steps});
        EXPECT_LT(run.constraint.hidden_max, 1e-14);
        EXPECT_LT(run.energy.max_error, 1e-4);
        const double tau = 1.5, sech = 1 / std::cosh(tau), gd = 2 * std::atan(std::tanh(tau / 2));
        const std::vector<double> exact{2 * (1 - sech * sech - std::log(std::cosh(tau))),
                                        2 * (gd - sech * std::tanh(tau)), 2 * gd};
        EXPECT_NEAR(run.lambda[0], -0.75 * 2.25 * sech * std::tanh(tau), 1e-4);
        return largest_gap<double>(run.q, exact);
    };
    EXPECT_NEAR(std::log2(error(40) / error(80)), 4, 0.1);
}

// ------------------------------------------------------------------------------------------------ constraints and
// symmetry

TEST(SparkRolling, both_kinds_of_constraints_stay_at_round_off) {
    for (const auto* spec : {"spark(2)", "spark(3)", "spark(5)"}) {
        for (const auto& model : {Model::load("chaplygin-sleigh"), Model::load("rolling-disk"), disk_with_vector()}) {
            const auto run = integrate(model, method(spec), {.step = 0.02, .steps = 2000});
            ASSERT_EQ(run.status, RunStatus::completed) << model.name << spec << run.failure->message;
            EXPECT_LT(run.constraint.max, 4e-15) << model.name << spec;
            EXPECT_LT(run.constraint.hidden_max, 3e-14) << model.name << spec;
            EXPECT_EQ(run.lambda.size(), model.multipliers());
        }
    }
}

// A sleigh tied to the origin winds up: the last digit of its angle is worth 1e-12 in the end, but k stays at that of
// the velocities.
TEST(SparkRolling, angles_of_many_turns_do_not_spoil_the_constraint) {
    const auto model = Model::parse(R"toml(
        [coordinates]
        q = ["x", "y", "phi"]
        [dynamics]
        mass = [1, 1, 0.75]
        potential = "(x^2 + 1.3*y^2)/2"
        nonholonomic = ["v_y*cos(phi) - v_x*sin(phi) - 0.5*v_phi"]
        [initial]
        q = [1, 0.2, 10000]
        v = [0, 0, 0]
        )toml",
                                    "turns.toml");
    const auto run = integrate(model, method("spark(3)"), {.step = 0.1, .steps = 2000});
    ASSERT_EQ(run.status, RunStatus::completed) << run.failure->message;
    EXPECT_LT(run.constraint.hidden_max, 1e-14);
    EXPECT_LT(run.energy.max_error, 1e-5);
}

template <class S>
void expect_roll_back(const Model& model, const std::string& spec, double bound) {
    const auto system = make_system<S>(model);
    const auto start = rolling_start<S>(model, *system);
    const S h = lit<S>(1, 8);
    const auto there = roll<S>(*system, spec, lit<S>(0), start, h, 8);
    const auto back = roll<S>(*system, spec, lit<S>(1), there, S(-h), 8);
    EXPECT_LT(largest_gap<S>(start.q, back.q), bound) << model.name << spec;
    EXPECT_LT(largest_gap<S>(start.p, back.p), bound) << model.name << spec;
    EXPECT_GT(largest_gap<S>(start.q, there.q), 1e-3) << "it must have moved";
}

// k of Appell's kind, quadratic in v.
Model quadratic() {
    return Model::parse(R"toml(
        [coordinates]
        q = ["x", "y", "z"]
        [dynamics]
        mass = [1, 2, 3]
        potential = "z + x^2*y"
        nonholonomic = { cone = "v_x^2 + v_y^2 - v_z^2" }
        [initial]
        q = [1, 0, 0.5]
        v = [3, 4, 5]
        )toml",
                        "quadratic.toml");
}

TEST(SparkRolling, a_step_back_undoes_a_step) {
    for (const auto* spec : {"spark(2)", "spark(3)", "spark(4)"}) {
        for (const auto& model :
             {Model::load("chaplygin-sleigh"), Model::load("rolling-disk"), disk_with_vector(), quadratic()}) {
            expect_roll_back<double>(model, spec, 3e-13);
        }
        expect_roll_back<Quad>(disk_with_vector(), spec, 1e-30);
    }
}

TEST(SparkRolling, claims_no_form_but_symmetry) {
    const auto system = make_system<double>(Model::load("rolling-disk"));
    const auto claims = method("spark(3)").claims(system->properties(), 0);
    EXPECT_EQ(claims.order, 4);
    EXPECT_EQ(claims.order_lambda, 4);
    EXPECT_TRUE(claims.symmetric);
    EXPECT_FALSE(claims.symplectic.has_value());
    EXPECT_FALSE(claims.momentum_map);
}

// --------------------------------------------------------------------------------------------------------- bad input

std::string fault_of(const Model& model, const std::string& spec, bool project = false) {
    try {
        const auto run = integrate(model, method(spec), {.step = 0.01, .steps = 3, .project = project});
        return run.failure ? run.failure->message : "";
    } catch (const InputError& error) {
        return error.what();
    }
}

Model skate(const std::string& nonholonomic, const std::string& v, const std::string& more = {}) {
    return Model::parse("[coordinates]\nq = [\"x\", \"y\", \"phi\"]\n[initial]\nq = [1, 0, 0.3]\nv = " + v +
                            "\n[dynamics]\nmass = [1, 2, 0.5]\nnonholonomic = " + nonholonomic + "\n" + more,
                        "skate.toml");
}

const std::string blade = "v_y*cos(phi) - v_x*sin(phi)";

TEST(SparkRolling, other_methods_refuse_and_name_it) {
    for (const auto* spec : {"rattle", "lobatto(3)", "verlet", "gauss(3)"}) {
        const auto fault = fault_of(Model::load("rolling-disk"), spec);
        EXPECT_NE(fault.find("nonholonomic constraints"), std::string::npos) << fault;
        EXPECT_NE(fault.find("suitable methods: spark("), std::string::npos) << fault;
    }
}

TEST(SparkRolling, a_start_that_violates_k_is_refused_or_projected) {
    const auto model = skate("{ blade = \"" + blade + "\" }", "[1, 1, 1]");
    const auto fault = fault_of(model, "spark(3)");
    EXPECT_NE(fault.find("0.66 (blade)"), std::string::npos) << fault;
    EXPECT_NE(fault.find("`project`"), std::string::npos) << fault;
    EXPECT_EQ(fault_of(model, "spark(3)", true), "");
    auto bent = disk_with_vector().text;
    bent.replace(bent.find("q = [0, 0, 0, 1, 0]"), 19, "q = [0, 0, 0, 1, 1]");
    EXPECT_NE(fault_of(Model::parse(bent, "bent"), "spark(3)").find("largest |g| = 1 (g1)"), std::string::npos);
    EXPECT_EQ(fault_of(Model::parse(bent, "bent"), "spark(3)", true), "");
}

TEST(SparkRolling, redundant_constraints_are_named) {
    const auto twice =
        fault_of(skate("[\"" + blade + "\", \"v_phi\", \"2*v_x*sin(phi) - 2*v_y*cos(phi)\"]", "[0, 0, 0]"), "spark(3)");
    EXPECT_NE(twice.find("2 of 3 are independent"), std::string::npos) << twice;
    EXPECT_NE(twice.find("k1, k3 are linearly dependent"), std::string::npos) << twice;
    const auto hidden = fault_of(skate("[\"v_x + v_y\"]", "[0, 0, 0]", "constraints = [\"x + y - 1\"]"), "spark(3)");
    EXPECT_NE(hidden.find("g1, k1 are linearly dependent"), std::string::npos) << hidden;
    const auto flat = fault_of(skate("[\"v_x^2\"]", "[0, 0, 0]"), "spark(3)");
    EXPECT_NE(flat.find("k1 does not depend on the velocities"), std::string::npos) << flat;
    const auto undefined = fault_of(skate("[\"v_x*log(y)\"]", "[0, 0, 0]"), "spark(3)");
    EXPECT_NE(undefined.find("not a finite number"), std::string::npos) << undefined;
}

// k2 becomes k1 where phi = 0: a clear end of the run, and no numbers that are none.
TEST(SparkRolling, rank_lost_on_the_way_ends_the_run) {
    const auto model = skate("[\"v_x\", \"v_x*cos(phi) + v_y*phi\"]", "[0, 0, -1]");
    const auto run = integrate(model, method("spark(2)"), {.step = 0.1, .steps = 10});
    ASSERT_EQ(run.status, RunStatus::failed);
    EXPECT_EQ(run.steps, 2);
    EXPECT_TRUE(std::isfinite(run.q[0]) && std::isfinite(run.q[2]));
    EXPECT_EQ(run.failure->kind, "rank") << run.failure->message;
}

TEST(SparkRolling, forces_act_beside_it) {
    const auto model = skate("{ blade = \"" + blade + "\" }", "[\"cos(0.3)\", \"sin(0.3)\", 1]",
                             "[[forces]]\nname = \"damper\"\nclass = \"dissipative\"\non = { x = \"-v_x\", y = "
                             "\"-2*v_y\", phi = \"-0.5*v_phi - lambda_blade^2*v_phi\" }\n");
    const auto run = integrate(model, method("spark(3)"), {.step = 0.05, .steps = 200});
    ASSERT_EQ(run.status, RunStatus::completed) << run.failure->message;
    EXPECT_LT(run.constraint.hidden_max, 1e-14);
    EXPECT_LT(run.energy.final, 1e-3 * run.energy.initial);
}

// Of 130 coordinates, two of which are coupled by a blade.
Model large_model(const std::string& masses) {
    std::string names, zeros;
    for (int k = 0; k < 130; ++k) {
        names += fmt::format("{}\"x{}\"", k == 0 ? "" : ", ", k);
        zeros += k == 0 ? "0" : ", 0";
    }
    return Model::parse("[coordinates]\nq = [" + names + "]\n[initial]\nq = [" + zeros + "]\n[dynamics]\n" + masses +
                            "\nnonholonomic = [\"v_x0 - v_x1\"]\n",
                        "large.toml");
}

TEST(SparkRolling, models_that_are_too_large_for_a_dense_matrix_are_refused) {
    std::string kinetic = "kinetic = \"0.5*(1 + 0.1*x1^2)*v_x0^2";
    for (int k = 1; k < 130; ++k) {
        kinetic += fmt::format(" + 0.5*v_x{}^2", k);
    }
    EXPECT_NE(fault_of(large_model(kinetic + "\""), "spark(2)").find("diagonal at most 1000 are supported"),
              std::string::npos);
}

// x0 and x1 share the force on x0.
TEST(SparkRolling, models_of_any_size_with_constant_masses_run) {
    const auto run =
        integrate(large_model("mass = 1\npotential = \"-3*x0\""), method("spark(2)"), {.step = 0.1, .steps = 10});
    ASSERT_EQ(run.status, RunStatus::completed);
    EXPECT_NEAR(run.q[0], 0.75, 1e-14);
    EXPECT_NEAR(run.q[1], 0.75, 1e-14);
    EXPECT_NEAR(run.lambda[0], 1.5, 1e-12);
    EXPECT_EQ(run.q[2], 0);
}

}  // namespace
}  // namespace libration
