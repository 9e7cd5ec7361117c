// Systems of every kind: their derivatives against dual numbers, against each other, and over every scalar.
#include "system_samples.hpp"

#include "codegen/traced_program.hpp"
#include "integrate/start.hpp"
#include <libration/kit/dual.hpp>
#include <libration/kit/pack.hpp>
#include <libration/text/error.hpp>

#include <bit>

namespace libration {
namespace {

using namespace samples;
using Tangent = Dual<double>;

// Some dozens of operations on numbers of order one, with masses whose condition is below ten.
constexpr double round_off = 1e-14;

void expect_equal(std::span<const double> a, std::span<const double> b, const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t k = 0; k < a.size(); ++k) {
        EXPECT_NEAR(a[k], b[k], round_off * std::max(1.0, std::abs(a[k]))) << what << " entry " << k;
    }
}

void expect_same_mechanics(const std::string& a, const std::string& b, bool with_time) {
    const auto first = make_system<double>(model_of(a)), second = make_system<double>(model_of(b));
    for (auto state : random_states(2)) {
        state.t = with_time ? state.t : 0;
        expect_equal(all_values(*first, state), all_values(*second, state), "all values");
        std::vector<double> p(2), other(2);
        first->apply_mass(state.t, state.q, state.x, p);
        second->apply_mass(state.t, state.q, state.x, other);
        expect_equal(p, other, "momenta");
    }
}

TEST(GeneralSystem, a_kinetic_energy_is_the_hamiltonian_with_the_inverse_mass) {
    expect_same_mechanics(kinetic, hamiltonian, true);
}

TEST(GeneralSystem, a_mass_with_coordinates_is_a_kinetic_energy) {
    const auto model = model_of(curved_mass);
    ASSERT_TRUE(model.kinetic.has_value());
    EXPECT_TRUE(model.mass.matrix.empty() && model.mass.diagonal.empty());
    std::string still = kinetic;
    still.replace(still.find(" + t)"), 4, "");
    expect_same_mechanics(still, curved_mass, true);
}

TEST(GeneralSystem, a_separable_hamiltonian_is_the_system_of_terms) {
    expect_same_mechanics(separable, separable_whole, true);
    EXPECT_TRUE(make_system<double>(model_of(separable))->properties().separable);
    EXPECT_FALSE(make_system<double>(model_of(separable_whole))->properties().separable);
}

// d/ds of H at (t, q, p) + s*direction is what the gradients say; likewise for the velocity.
TEST(GeneralSystem, derivatives_are_those_of_dual_numbers) {
    for (const auto& text : {kinetic, hamiltonian, curved_mass, separable, separable_whole, relativistic}) {
        const auto model = model_of(text);
        const auto system = make_system<double>(model);
        const auto dual = make_system<Tangent>(model);
        for (const auto& [t, q, p, x, y] : random_states(2)) {
            std::vector<double> force(2), v(2), rate(2), solved(2);
            system->force_gradient(t, q, p, force);
            system->velocity(t, q, p, v);
            system->velocity_rate(t, q, p, x, y, rate);
            system->solve_mass(t, q, p, x, solved);
            // Directions: x in q, y in p, x in p, and the motion (dt, x, y).
            std::vector<Tangent> dq, dp, dv(2, lit<Tangent>(0));
            for (std::size_t k = 0; k < 2; ++k) {
                dq.push_back({q[k], {x[k], 0, 0, x[k]}});
                dp.push_back({p[k], {0, y[k], x[k], y[k]}});
            }
            const Tangent dt{t, {0, 0, 0, 1}};
            const auto energy = dual->energy(dt, dq, dp);
            dual->velocity(dt, dq, dp, dv);
            const auto expect_close = [&](double a, double b, const char* what) {
                EXPECT_NEAR(a, b, round_off * std::max(1.0, std::abs(a))) << what << "\n" << text;
            };
            expect_close(force[0] * x[0] + force[1] * x[1], energy.tangent[0], "force");
            expect_close(v[0] * y[0] + v[1] * y[1], energy.tangent[1], "velocity");
            for (std::size_t k = 0; k < 2; ++k) {
                expect_close(solved[k], dv[k].tangent[2], "solve_mass");
                expect_close(rate[k], dv[k].tangent[3], "velocity_rate");
            }
        }
    }
}

TEST(GeneralSystem, momenta_are_found_from_velocities_and_outputs_may_share_memory_with_inputs) {
    for (const auto& text : {kinetic, hamiltonian, separable, relativistic}) {
        const auto system = make_system<double>(model_of(text));
        for (const auto& [t, q, p, x, y] : random_states(2)) {
            std::vector<double> v(2), again(2), out(2);
            system->velocity(t, q, p, v);
            system->apply_mass(t, q, v, again);
            EXPECT_NEAR(again[0], p[0], 2e-14) << text;
            EXPECT_NEAR(again[1], p[1], 2e-14) << text;
            auto shared = x;
            system->solve_mass(t, q, p, x, out);
            system->solve_mass(t, q, p, shared, shared);
            EXPECT_EQ(shared, out);
            shared = y;
            system->velocity_rate(t, q, p, x, y, out);
            system->velocity_rate(t, q, p, x, shared, shared);
            EXPECT_EQ(shared, out);
        }
    }
}

TEST(GeneralSystem, a_start_without_solution_is_refused) {
    auto text = relativistic;  // its speeds stay below 3
    text.replace(text.find("\"1/2\""), 5, "\"7\"");
    const auto model = model_of(text);
    const auto system = make_system<double>(model);
    EXPECT_THROW(start_state<double>(model, *system), InputError);
}

TEST(GeneralSystem, parts_of_a_potential_add_up_and_all_of_them_are_the_force) {
    for (const auto& text :
         {separable, head + "[dynamics]\nkinetic = \"(2 + y^2)*v_x^2 + v_y^2\"\n[dynamics.potential]\n"
                            "slow = \"k*x^2*y\"\nfast = \"exp(y)\"\nstiff = \"cos(x)\"\n"}) {
        const auto system = make_system<double>(model_of(text));
        EXPECT_EQ(system->properties().parts, slow_part | fast_part | stiff_part);
        const std::vector<double> q{0.3, -0.7};
        std::vector<double> slow(2), fast(2), both(2), all(2), force(2);
        system->part_gradient(slow_part, 0, q, slow);
        system->part_gradient(fast_part, 0, q, fast);
        system->part_gradient(slow_part | fast_part, 0, q, both);
        system->part_gradient(all_parts, 0, q, all);
        EXPECT_DOUBLE_EQ(slow[0], 2 * 1.4 * q[0] * q[1]);
        EXPECT_DOUBLE_EQ(slow[1], 1.4 * q[0] * q[0]);
        EXPECT_DOUBLE_EQ(fast[0], 0);
        EXPECT_DOUBLE_EQ(fast[1], std::exp(q[1]));
        EXPECT_DOUBLE_EQ(both[1], slow[1] + fast[1]);
        EXPECT_DOUBLE_EQ(all[0], both[0] - std::sin(q[0]));
        system->force_gradient(0, q, std::vector<double>(2), force);  // at rest: U_q
        EXPECT_EQ(all, force);
    }
}

TEST(GeneralSystem, properties_say_what_a_model_can_do) {
    const auto properties = [](const std::string& text) { return make_system<double>(model_of(text))->properties(); };
    EXPECT_TRUE(properties(kinetic).depends_on_time);
    EXPECT_FALSE(properties(kinetic).conservative);
    EXPECT_FALSE(properties(kinetic).separable);
    EXPECT_TRUE(properties(curved_mass).conservative);
    EXPECT_FALSE(properties(curved_mass).depends_on_time);
    EXPECT_FALSE(properties(curved_mass).separable);
    EXPECT_TRUE(properties(relativistic).hamiltonian);
    EXPECT_FALSE(properties(relativistic).conservative);
    EXPECT_TRUE(properties(separable_whole).conservative);
    EXPECT_TRUE(properties(separable).conservative);
    EXPECT_EQ(properties(separable_whole).parts, 0U);
    for (const auto& text : {field, flow}) {
        EXPECT_FALSE(properties(text).hamiltonian);
        EXPECT_FALSE(properties(text).separable);
        EXPECT_FALSE(properties(text).conservative);
    }
    EXPECT_TRUE(properties(field).partitioned);
    EXPECT_TRUE(properties(field).depends_on_time);
    EXPECT_FALSE(properties(flow).partitioned);
    EXPECT_FALSE(properties(flow).depends_on_time);
    EXPECT_EQ(properties(flow).blocks, (std::vector<std::vector<std::uint32_t>>{{1}, {0, 2}}));
}

TEST(GeneralSystem, a_field_gives_its_equations_and_their_derivatives_along_a_motion) {
    const auto model = model_of(field);
    const auto system = make_system<double>(model);
    const auto dual = make_system<Tangent>(model);
    for (const auto& [t, q, v, x, y] : random_states(2)) {
        std::vector<double> out(2), rate(2), solved(2);
        system->velocity(t, q, v, out);
        EXPECT_NEAR(out[0], v[0] + 1.4 * q[1] * v[1] * v[1] + t * q[0], round_off);
        EXPECT_NEAR(out[1], std::exp(v[1]) * q[0], round_off);
        system->force_gradient(t, q, v, out);
        EXPECT_NEAR(out[0], std::sin(q[0]) + v[0] * v[0] / 5, round_off);
        EXPECT_NEAR(out[1], t - q[0] * v[0], round_off);
        EXPECT_EQ(system->energy(t, q, v), 0);
        system->velocity_rate(t, q, v, x, y, rate);
        system->solve_mass(t, q, v, y, solved);
        std::vector<Tangent> dq, dv, df(2, lit<Tangent>(0));
        for (std::size_t k = 0; k < 2; ++k) {
            dq.push_back({q[k], {x[k], 0}});
            dv.push_back({v[k], {y[k], y[k]}});
        }
        dual->velocity({t, {1, 0}}, dq, dv, df);
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_NEAR(rate[k], df[k].tangent[0], round_off);
            EXPECT_NEAR(solved[k], df[k].tangent[1], round_off);
        }
    }
    const auto start = start_state<double>(model, *system);
    EXPECT_EQ(start.p, (std::vector<double>{0.5, -0.25}));
}

TEST(GeneralSystem, a_field_in_q_alone_has_no_p) {
    const auto model = model_of(flow);
    const auto system = make_system<double>(model);
    const std::vector<double> q{0.5, -0.25, 2};
    std::vector<double> p(3, 1), out(3), rate(3);
    system->apply_mass(0, q, p, p);
    EXPECT_EQ(p, std::vector<double>(3, 0));
    system->velocity(0, q, p, out);
    EXPECT_NEAR(out[0], std::sin(2) + std::cos(0.25), round_off);
    EXPECT_NEAR(out[1], std::sin(0.5) * 2, round_off);
    EXPECT_NEAR(out[2], -0.125, round_off);
    system->velocity_rate(0, q, p, out, p, rate);
    EXPECT_NEAR(rate[2], out[0] * q[1] + q[0] * out[1], round_off);
    system->force_gradient(0, q, p, out);
    EXPECT_EQ(out, std::vector<double>(3, 0));
}

#ifdef LIBRATION_HAS_QUAD
TEST(GeneralSystem, quadruple_precision_agrees_with_double) {
    for (const auto& text : {kinetic, hamiltonian, relativistic, field}) {
        const auto model = model_of(text);
        const auto system = make_system<double>(model);
        const auto quad = make_system<Quad>(model);
        for (const auto& state : random_states(2)) {
            std::vector<double> rounded;
            for (const auto& value : all_values(*quad, state)) {
                rounded.push_back(to_double(value));
            }
            expect_equal(all_values(*system, state), rounded, text);
        }
        const auto start = start_state<Quad>(model, *quad);
        EXPECT_NEAR(to_double(start.p[0]), start_state<double>(model, *system).p[0], round_off);
    }
}
#endif

TEST(GeneralSystem, a_lane_of_a_pack_has_the_bits_of_the_double) {
    for (const auto& text : {kinetic, hamiltonian, relativistic, field}) {
        const auto model = model_of(text);
        const auto system = make_system<double>(model);
        const auto packs = make_system<Pack>(model);
        for (const auto& state : random_states(2)) {
            const auto single = all_values(*system, state);
            const auto many = all_values(*packs, state);
            for (std::size_t k = 0; k < single.size(); ++k) {
                EXPECT_EQ(std::bit_cast<std::uint64_t>(single[k]), std::bit_cast<std::uint64_t>(many[k].lane[1]))
                    << text;
            }
        }
        EXPECT_EQ(start_state<Pack>(model, *packs).p[0].lane[0], start_state<double>(model, *system).p[0]);
    }
}

// Also the search for momenta, with its loop.
TEST(GeneralSystem, a_traced_evaluation_has_the_bits_of_the_double) {
    for (const auto& text : {kinetic, relativistic, field}) {
        const auto model = model_of(text);
        const auto system = make_system<double>(model);
        TraceRecorder recorder;
        const auto traced = make_system<Traced>(model);
        std::vector<Expression> inputs, outputs;
        std::vector<Traced> q, v, p(2, lit<Traced>(0)), force(2, lit<Traced>(0));
        for (auto* vector : {&q, &v}) {
            for (int k = 0; k < 2; ++k) {
                inputs.push_back(fresh_symbol("input"));
                vector->push_back({inputs.back()});
            }
        }
        traced->apply_mass(lit<Traced>(1), q, v, p);
        traced->force_gradient(lit<Traced>(1), q, p, force);
        for (const auto* vector : {&p, &force}) {
            for (const auto& value : *vector) {
                outputs.push_back(value.expression);
            }
        }
        TracedProgram program(recorder, inputs, outputs);
        for (const auto& state : random_states(2)) {
            std::vector<double> momenta(2), gradient(2), result(4);
            system->apply_mass(1, state.q, state.x, momenta);
            system->force_gradient(1, state.q, momenta, gradient);
            program.run(std::vector{state.q[0], state.q[1], state.x[0], state.x[1]}, result);
            EXPECT_EQ(result, (std::vector{momenta[0], momenta[1], gradient[0], gradient[1]})) << text;
        }
    }
}

}  // namespace
}  // namespace libration
