// The constraint room: factorisation, projection, rank, and a client with coupled stages.
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include "manifold/multiplier_history.hpp"
#include "manifold/rank.hpp"
#include "system/term_system.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/builder.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// `evaluate(multipliers, residual)` writes the residual; `correct(residual)` turns it in place into the correction of
// the multipliers. `scratch` has the size of the multipliers.
template <class S, class Evaluate, class Correct>
IterationReport<Real<S>> solve_constraints(const IterationControl& control, std::span<S> multipliers,
                                           std::span<S> scratch, std::span<const S> floor, Evaluate&& evaluate,
                                           Correct&& correct) {
    return iterate(control, multipliers, scratch, [&](std::span<const S> x, std::span<S> residual) {
        evaluate(x, residual);
        const Real<S> worst = largest_in_floors<S>(residual, floor);
        correct(residual);
        return worst;
    });
}

Model four_bars(bool with_matrix) {
    ModelBuilder builder("bars");
    const auto q = builder.coordinates({"a", "b", "c", "d"});
    if (with_matrix) {
        builder.mass_matrix({{2, 0.5, 0, 0}, {0.5, 3, 0, 0.25}, {0, 0, 1, 0}, {0, 0.25, 0, 4}});
    } else {
        builder.mass({2, 3, 1, 4});
    }
    builder.potential(q[0] * q[1] + sin(q[2]));
    builder.constraint("sphere", q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1);
    builder.constraint("surface", q[3] - q[0] * q[1]);
    builder.initial_position({0.6, 0.8, 0, 0.48}).initial_velocity({0.8, -0.6, 0.3, 0.28});
    return builder.build();
}

// Zero has no digits to lose; where a position starts there, the size of the correction is the only one.
TEST(Manifold, projection_moves_what_is_exactly_zero) {
    for (const auto* constraint : {"x - 0.3", "x - sin(t) - 0.3", "x^2 + y^2 - 1e-20 - x"}) {
        const auto model =
            Model::parse(std::string("[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\n") +
                             "constraints = [\"" + constraint + "\"]\n[initial]\nq = [0, 0]\nv = [0, 0]\n",
                         "zero");
        TermSystem<double> system(model);
        std::vector<double> q{0, 0}, rows(1);
        EXPECT_EQ(Manifold<double>(system).project_position(0, q, {}), 1) << constraint;
        system.constraint(0, q, rows);
        EXPECT_LT(std::abs(rows[0]), 1e-16) << constraint;
    }
}

// q - M^-1 G^T mu is the nearest point to first order; the test asks for what defines it: g = 0, G v = 0, and that the
// momentum moved along G^T only, so that every tangential velocity w (G w = 0) sees the same w^T p.
TEST(Manifold, projection_reaches_both_constraints_in_the_mass_metric) {
    for (const bool with_matrix : {false, true}) {
        const auto model = four_bars(with_matrix);
        TermSystem<double> system(model);
        Manifold<double> manifold(system);
        std::vector<double> q{0.7, 0.75, 0.1, 0.5}, p{1, -2, 0.5, 3}, rows(2);
        EXPECT_EQ(manifold.project_position(0, q, {}), 1);
        system.constraint(0, q, rows);
        EXPECT_LT(std::abs(rows[0]) + std::abs(rows[1]), 4 * 2e-16 * 3);
        const auto before = p;
        manifold.project_momentum(0, q, p);
        manifold.hidden_residual(0, q, p, rows);
        EXPECT_LT(std::abs(rows[0]) + std::abs(rows[1]), 1e-14);
        // Tangents: solve G w = 0 by hand for w = (w0, w1, w2, q1 w0 + q0 w1) with q0 w0 + q1 w1 + q2 w2 = 0.
        for (const auto& [w0, w1] : {std::pair{1.0, 0.0}, std::pair{0.0, 1.0}}) {
            const double w2 = -(q[0] * w0 + q[1] * w1) / q[2];
            const double w3 = q[1] * w0 + q[0] * w1;
            const auto power = [&](const std::vector<double>& m) {
                return w0 * m[0] + w1 * m[1] + w2 * m[2] + w3 * m[3];
            };
            EXPECT_NEAR(power(p), power(before), 1e-12);
        }
    }
}

// Along the exact solution G v' + G_q(v,v) = 0 with M v' = -U_q - G^T lambda.
TEST(Manifold, multipliers_make_the_acceleration_tangential) {
    for (const bool with_matrix : {false, true}) {
        const auto model = four_bars(with_matrix);
        TermSystem<double> system(model);
        Manifold<double> manifold(system);
        const auto start = start_state<double>(model, system);
        std::vector<double> lambda(2), f(4), G(system.pattern().entries()), v(4), a(4), rows(2), curvature(2);
        manifold.multipliers(0, start.q, start.p, lambda);
        system.force_gradient(0, start.q, start.p, f);
        system.jacobian(0, start.q, G);
        add_transposed<double>(system.pattern(), G, lambda, f);
        system.solve_mass(0, start.q, {}, f, a);
        apply_jacobian<double>(system.pattern(), G, a, rows);
        system.velocity(0, start.q, start.p, v);
        system.curvature(0, start.q, v, curvature);
        for (int i = 0; i < 2; ++i) {
            EXPECT_NEAR(curvature[i] - rows[i], 0, 1e-14);
        }
    }
}

TEST(Rank, dependent_constraints_are_named_in_minimal_sets) {
    ModelBuilder builder("redundant");
    const auto q = builder.coordinates({"a", "b", "c", "d", "e"});
    builder.mass({1, 2, 3, 4, 5});
    builder.constraint(q[0] - q[1]);                      // 0
    builder.constraint(q[2] * q[2] + q[3] * q[3] - 1);    // 1
    builder.constraint(2 * q[1] - 2 * q[0]);              // 2 = -2 * 0
    builder.constraint(q[4] - q[0]);                      // 3
    builder.constraint(q[4] - q[1] + q[3] - q[3]);        // 4 = 3 + 0
    builder.constraint((q[2] * q[2] + q[3] * q[3]) * 3);  // 5 = 3 * 1
    builder.initial_position({1, 1, 0.6, 0.8, 1});
    TermSystem<double> system(builder.build());
    const auto found = dependent_constraints(system, 0, std::vector<double>{1, 1, 0.6, 0.8, 1});
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].rows, (std::vector<std::size_t>{0, 2}));
    EXPECT_EQ(found[1].rows, (std::vector<std::size_t>{0, 3, 4}));
    EXPECT_EQ(found[2].rows, (std::vector<std::size_t>{1, 5}));
}

TEST(MultiplierHistory, cubics_are_predicted_exactly) {
    MultiplierHistory<double> history(1);
    const auto cubic = [](double n) { return 3 - 2 * n + n * n - 0.5 * n * n * n; };
    std::vector<double> next(1);
    for (int n = 0; n < 8; ++n) {
        history.predict(next);
        if (n >= 4) {
            EXPECT_NEAR(next[0], cubic(n), 1e-12);
        }
        history.push(std::vector<double>{cubic(n)});
    }
}

// A client that is not RATTLE: two SHAKE steps solved at once. The unknowns are stacked (lambda_n, lambda_n+1), the
// second stage depends on both, and the approximate inverse is a block substitution with the one factored A:
//     -h^2 [ A  0 ; 2A  A ] (d1, d2) = (r1, r2).
// It must give the positions of two single steps.
TEST(Manifold, a_client_with_coupled_stages_fits) {
    const auto model = Model::load("double-pendulum");
    TermSystem<double> system(model);
    const auto start = start_state<double>(model, system);
    const std::size_t d = 4, m = 2;
    const double h = 0.05;
    const auto shake = make_stepper<double>(method("shake"), system);
    shake->start(0, start.q, start.p, h);
    std::vector<std::vector<double>> q;
    for (int n = 0; n < 5; ++n) {
        shake->advance();
        shake->accept();
        const auto node = shake->node();
        q.emplace_back(node.q.begin(), node.q.end());
    }
    // From q_2, q_3 to q_4, q_5 in one solve; q[k] is q_k.
    shake->advance();
    shake->accept();
    const auto last = shake->node();
    const std::vector<double> q5(last.q.begin(), last.q.end());
    const auto &q2 = q[2], &q3 = q[3], &q4 = q[4];

    const auto matrix = make_constraint_matrix<double>(system);
    const auto& pattern = system.pattern();
    std::vector<double> G3(pattern.entries()), G4(pattern.entries()), A(matrix->entries()), f3(d), f4(d), w(d), y4(d),
        y5(d);
    system.jacobian(0, q3, G3);
    matrix->assemble(system, 0, q3, {}, G3, A);
    matrix->factor(A);
    system.force_gradient(0, q3, start.p, f3);
    std::vector<double> multipliers(2 * m, 0.0), scratch(2 * m), floor(2 * m), sizes(d);
    for (std::size_t j = 0; j < d; ++j) {
        sizes[j] = 2 * std::abs(q3[j]);
    }
    const std::vector<double> rounding(m, 0.0);
    constraint_floors<double>(pattern, G3, sizes, rounding, std::span(floor).first(m));
    constraint_floors<double>(pattern, G3, sizes, rounding, std::span(floor).last(m));
    const auto report = solve_constraints<double>(
        {}, multipliers, scratch, floor,
        [&](std::span<const double> x, std::span<double> r) {
            w = f3;
            add_transposed<double>(pattern, G3, x.first(m), w);
            for (std::size_t j = 0; j < d; ++j) {
                y4[j] = 2 * q3[j] - q2[j] - h * h * w[j];
            }
            system.jacobian(0, y4, G4);
            system.force_gradient(0, y4, start.p, f4);
            w = f4;
            add_transposed<double>(pattern, G4, x.last(m), w);
            for (std::size_t j = 0; j < d; ++j) {
                y5[j] = 2 * y4[j] - q3[j] - h * h * w[j];
            }
            system.constraint(0, y4, r.first(m));
            system.constraint(0, y5, r.last(m));
        },
        [&](std::span<double> r) {
            matrix->solve(A, r.first(m));
            matrix->solve(A, r.last(m));
            for (std::size_t i = 0; i < m; ++i) {
                const double first = r[i] / (h * h);
                r[m + i] = r[m + i] / (h * h) - 2 * first;
                r[i] = first;
            }
        });
    EXPECT_EQ(report.converged, 1);
    EXPECT_GT(report.passes, 2);
    for (std::size_t j = 0; j < d; ++j) {
        EXPECT_NEAR(y4[j], q4[j], 1e-14);
        EXPECT_NEAR(y5[j], q5[j], 1e-14);
    }
}

}  // namespace
}  // namespace libration
