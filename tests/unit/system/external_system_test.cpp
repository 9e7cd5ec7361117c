// Functions that cannot be traced: their system against that of the same formulas, and what a model refuses.
#include "system/external_system.hpp"

#include "unit/system/external_samples.hpp"

#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include <libration/analysis/check.hpp>
#include <libration/kit/dual.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/pack.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace libration {
namespace {

using namespace external_samples;
using Vector = std::vector<double>;

const Vector swinging_q{0.6, -0.8, 1.4, -1.4}, swinging_v{0.4, 0.3, -0.2, 0.9};

std::string fault_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

void expect_mention(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

// Everything that a system answers, one number after the other.
Vector answers(System<double>& system) {
    const std::size_t d = system.dimension(), m = system.constraints();
    Vector all{system.energy(0, swinging_q, swinging_v)}, vector(d), rows(m), dense(m * d),
        G(system.pattern().entries());
    const auto add = [&](const Vector& more) { all.insert(all.end(), more.begin(), more.end()); };
    system.force_gradient(0, swinging_q, swinging_v, vector);
    add(vector);
    system.velocity(0, swinging_q, swinging_v, vector);
    add(vector);
    system.constraint(0, swinging_q, rows);
    add(rows);
    const Vector low{1e-9, 2e-9, -1e-9, 3e-9};  // larger than it ever is, so that it shows
    system.constraint(0, swinging_q, low, rows);
    add(rows);
    system.jacobian(0, swinging_q, G);
    for (std::size_t i = 0; i < m; ++i) {
        for (auto e = system.pattern().row_start[i]; e < system.pattern().row_start[i + 1]; ++e) {
            dense[i * d + system.pattern().column[e]] = G[e];
        }
    }
    add(dense);
    system.curvature(0, swinging_q, swinging_v, rows);
    add(rows);
    system.constraint_rate(0, swinging_q, rows);
    add(rows);
    return all;
}

void expect_answers(const Model& model, double tolerance) {
    const auto expected = answers(*make_system<double>(text_pendulum(2)));
    const auto found = answers(*make_system<double>(model));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(found[k], expected[k], tolerance) << "number " << k;
    }
}

TEST(external_system, answers_like_the_system_of_the_same_formulas) {
    expect_answers(external_pendulum(2, true), 1e-15 * 8);
}

TEST(external_system, a_curvature_by_differences_has_ten_digits) { expect_answers(external_pendulum(2), 1e-10); }

TEST(external_system, functions_add_to_what_the_text_says) {
    const auto half = weights();
    expect_answers(with_functions(2, "potential = \"y1 + y2/2\"\n" + double_rods,
                                  {ExternalPotential{[](auto at) { return at[3] / 2; },
                                                     [](auto, auto out) {
                                                         std::fill(out.begin(), out.end(), 0.0);
                                                         out[3] = 0.5;
                                                     }},
                                   {}}),
                   1e-15 * 8);
    expect_answers(with_functions(2, double_potential + single_rod, {{}, rods(1, 2, true)}), 1e-15 * 8);
}

TEST(external_system, rows_of_functions_are_named_after_those_of_the_text) {
    auto model = with_functions(2, double_potential + single_rod, {{}, rods(1, 2, true)});
    EXPECT_EQ(model.constraint_rows, 2U);
    EXPECT_EQ(model.multipliers(), 2U);
    EXPECT_EQ(model.constraint_name(0), "g1");
    EXPECT_EQ(model.constraint_name(1), "g2");
    EXPECT_EQ(model.multiplier_name(1), "lambda_2");
    ASSERT_EQ(model.multiplier_symbols().size(), 2U);
    EXPECT_EQ(model.multiplier_symbols()[1].text(), "lambda_2");

    auto named = rods(0, 2, false);
    named.names = {"upper", "lower"};
    model = Model::parse(text_of(2, double_potential) + "[observables]\npull = \"lambda_lower\"\n", "pendulum", {},
                         shared({{}, named}));
    EXPECT_EQ(model.constraint_name(1), "lower");
    EXPECT_EQ(model.multiplier_name(0), "lambda_upper");
    EXPECT_EQ(model.observables.size(), 1U);
}

TEST(external_system, a_builder_takes_functions) {
    ModelBuilder builder("pendulum");
    builder.coordinates({"x", "y"});
    builder.mass(1).external({weights(), rods(0, 1, true)}).initial_position({1, 0});
    EXPECT_EQ(builder.multipliers().size(), 1U);
    EXPECT_THROW(builder.constraint(symbol("x")), InputError);
    const auto model = builder.build();
    EXPECT_EQ(model.constraint_rows, 1U);
    EXPECT_TRUE(check(model).faults.empty());
}

TEST(external_system, a_point_at_the_origin_has_a_floor_all_the_same) {
    // g = x^2 + (y - 1)^2 - 1 at 0: G q = 0, but the squares are rounded at the size of 1.
    ExternalConstraints rod{.rows = 1};
    rod.value = [](auto at, auto rows) { rows[0] = at[0] * at[0] + (at[1] - 1) * (at[1] - 1) - 1; };
    rod.jacobian = [](auto at, auto G) {
        G[0] = 2 * at[0];
        G[1] = 2 * (at[1] - 1);
    };
    const auto model = Model::parse("[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\n[initial]\nq = [0, 0]\n",
                                    "origin", {}, shared({{}, rod}));
    const auto system = make_system<double>(model);
    Vector G(2), rounding(1);
    system->jacobian(0, Vector{0, 0}, G, rounding);
    EXPECT_GT(rounding[0], 0.1);
    EXPECT_LT(rounding[0], 10);
}

TEST(external_system, other_scalars_are_refused_by_name) {
    const auto model = external_pendulum(1);
    const auto dual = fault_of([&] { (void)make_system<Dual<double>>(model); });
    expect_mention(dual, "the potential and the constraints");
    expect_mention(dual, "derivatives");
    expect_mention(fault_of([&] { (void)make_system<Pack>(model); }), "vectorized trajectories");
    expect_mention(fault_of([&] { (void)make_system<Traced>(model); }), "trace of every operation");
#ifdef LIBRATION_HAS_QUAD
    expect_mention(fault_of([&] { (void)make_system<Quad>(model); }), "double precision");
#endif
}

TEST(external_system, methods_that_need_derivatives_refuse_and_higher_derivatives_throw) {
    const auto system = make_system<double>(external_pendulum(2));
    EXPECT_FALSE(system->properties().dense_derivatives);
    const auto reason = unmet_needs(method("dirac-gauss(1)"), system->properties(), system->constraints());
    expect_mention(reason, "cannot be traced");
    Vector J(64);
    EXPECT_THROW(system->field_jacobian(0, swinging_q, swinging_v, J), InputError);
    EXPECT_THROW(system->part_hessian(slow_part, 0, swinging_q, J), InputError);
}

TEST(external_system, models_that_have_no_place_for_functions_refuse_them) {
    const auto refusal = [](const std::string& dynamics) {
        const auto text = "[coordinates]\nq = [\"x\", \"y\"]\n" + dynamics + "\n[initial]\nq = [1, 0]\n";
        return fault_of([&] { (void)Model::parse(text, "m", {}, shared({weights(), {}})); });
    };
    expect_mention(refusal("[dynamics]\nkinetic = \"v_x^2 + v_y^2*(1 + x^2)\""), "kinetic");
    expect_mention(refusal("[dynamics]\nhamiltonian = \"p_x^2 + p_y^2 + x^2\""), "hamiltonian");
    expect_mention(refusal("[field]\nq = { x = \"y\", y = \"-x\" }"), "field");
    expect_mention(refusal("[dynamics]\nmass = 1\nnonholonomic = [\"v_x - v_y\"]"), "nonholonomic");
    expect_mention(refusal("[dynamics]\nmass = [1, 0]\nconstraints = [\"x + y - 1\"]"), "singular");
    EXPECT_EQ(refusal("[dynamics]\nmass = 1"), "no error");
}

TEST(external_system, incomplete_functions_are_refused) {
    const auto refusal = [](ExternalFunctions functions) {
        return fault_of([&] { (void)with_functions(1, "", std::move(functions)); });
    };
    expect_mention(refusal({}), "neither");
    expect_mention(refusal({ExternalPotential{weights().value, {}}, {}}), "gradient");
    auto given = rods(0, 1, false);
    given.jacobian = nullptr;
    expect_mention(refusal({{}, given}), "Jacobian");
    given = rods(0, 1, false);
    given.rows = 0;
    expect_mention(refusal({{}, given}), "rows");
    given = rods(0, 1, false);
    given.names = {"a", "b"};
    expect_mention(refusal({{}, given}), "2 names");
    given.names = {"no name"};
    expect_mention(refusal({{}, given}), "'no name'");
    given.names = {"rod"};
    const auto twice = fault_of([&] { (void)with_functions(2, "constraints = { rod = \"x2\" }\n", {{}, given}); });
    expect_mention(twice, "lambda_rod");
}

TEST(external_system, a_wrong_derivative_is_found_and_named) {
    const auto faults = [](ExternalFunctions functions) {
        const auto found = check(with_functions(2, "", std::move(functions))).faults;
        return found.empty() ? std::string("no fault") : found[0];
    };
    EXPECT_EQ(faults({weights(), rods(0, 2, true)}), "no fault");
    auto potential = weights();
    potential.gradient = [](auto at, auto out) {
        weights().gradient(at, out);
        out[3] = -out[3];
    };
    expect_mention(faults({potential, rods(0, 2, true)}), "y2");
    auto constraints = rods(0, 2, true);
    constraints.jacobian = [](auto at, auto G) {
        rods(0, 2, true).jacobian(at, G);
        G[4] *= 1.001;  // 2 (x1 - x2) of the second rod
    };
    expect_mention(faults({weights(), constraints}), "g2 with respect to x1");
    constraints = rods(0, 2, true);
    constraints.curvature = [](auto, auto, auto rows) { std::fill(rows.begin(), rows.end(), 1.0); };
    expect_mention(faults({weights(), constraints}), "curvature");
    constraints = rods(0, 2, true);
    constraints.jacobian = [](auto at, auto G) {
        rods(0, 2, true).jacobian(at, G);
        G[7] = std::numeric_limits<double>::quiet_NaN();  // as if it were never written
    };
    expect_mention(faults({weights(), constraints}), "g2 with respect to y2");
}

TEST(external_system, a_wrong_component_of_a_large_model_is_found) {
    constexpr std::size_t n = 100;
    std::string names, zeros;
    for (std::size_t k = 0; k < n; ++k) {
        names += (k > 0 ? ", \"a" : "\"a") + std::to_string(k) + '"';
        zeros += k > 0 ? ", 0.5" : "0.5";
    }
    const auto text = "[coordinates]\nq = [" + names + "]\n[dynamics]\nmass = 1\n[initial]\nq = [" + zeros + "]\n";
    const auto faults = [&](double factor) {
        ExternalPotential springs;
        springs.value = [](auto at) {
            double sum = 0;
            for (const double x : at) {
                sum += x * x / 2;
            }
            return sum;
        };
        springs.gradient = [factor](auto at, auto out) {
            std::copy(at.begin(), at.end(), out.begin());
            out[77] *= factor;
        };
        return check(Model::parse(text, "springs", {}, shared({springs, {}}))).faults;
    };
    EXPECT_TRUE(faults(1).empty());
    ASSERT_FALSE(faults(2).empty());
    expect_mention(faults(2)[0], "a77");
}

TEST(external_system, the_check_of_a_good_model_says_what_it_costs) {
    const auto result = check(external_pendulum(2));
    EXPECT_TRUE(result.faults.empty());
    EXPECT_EQ(result.constraints, 2U);
    EXPECT_EQ(result.rank, 2U);
    EXPECT_EQ(result.terms, 3U);
    EXPECT_LT(result.derivative_error, 1e-8);
    ASSERT_EQ(result.warnings.size(), 1U);
    expect_mention(result.warnings[0], "cannot be traced");
}

}  // namespace
}  // namespace libration
