// Systems of singular masses: the mass matrix without a search for pivots, and G M^-1 G^T.
#include "integrate/start.hpp"
#include "manifold/constraint_matrix.hpp"
#include "manifold/manifold.hpp"
#include "manifold/rank.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/sparse_product.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// The two kinds: constant M with a massless coordinate, and M(q) of rank one.
std::vector<Model> singular_models() {
    return {Model::load("pendulum-redundant"),
            Model::parse("coordinates.q = [\"x\", \"y\", \"s\"]\ninitial.q = [1, 2, 3]\ninitial.v = [-0.5, 0.9, 0.4]\n"
                         "[dynamics]\nkinetic = \"(8 + x*y)/2*(v_x + v_s)^2\"\npotential = \"x*y*s\"\n"
                         "constraints = [\"x*y*s - 6 + (x - 1)\", \"x + y - s\"]",
                         "test.toml")};
}

struct Setting {
    explicit Setting(const Model& model)
        : system(make_system<double>(model)), start(start_state<double>(model, *system)), q(start.q), x(q.size()),
          y(q.size()) {
        for (std::size_t k = 0; k < q.size(); ++k) {
            const auto number = static_cast<double>(k);
            q[k] += 0.1 * std::sin(1 + number);
            x[k] = std::cos(2 * number);
        }
    }
    std::unique_ptr<System<double>> system;
    StartState<double> start;
    std::vector<double> q, x, y;
};

TEST(SingularMassSystem, solves_with_its_mass_matrix_on_both_sides_of_zero) {
    for (const auto& model : singular_models()) {
        Setting at(model);
        auto& system = *at.system;
        EXPECT_EQ(system.dimension(), model.dimension + model.constraint_rows);
        EXPECT_EQ(system.properties().added, model.constraint_rows);
        system.solve_mass(0, at.q, at.q, at.x, at.y);
        std::vector<double> back(at.x.size());
        system.apply_mass(0, at.q, at.y, back);
        for (std::size_t k = 0; k < back.size(); ++k) {
            EXPECT_NEAR(back[k], at.x[k], 1e-13) << model.name << ' ' << k;
        }
    }
}

TEST(SingularMassSystem, constraint_matrix_is_that_of_its_rows) {
    for (const auto& model : singular_models()) {
        Setting at(model);
        auto& system = *at.system;
        const std::size_t m = system.constraints();
        const auto matrix = constraint_matrix(system);
        std::vector<double> G(system.pattern().entries()), A(matrix->entries()), rows(m), lambda(m);
        system.jacobian(0, at.q, G);
        matrix->assemble(system, 0, at.q, at.q, G, A);
        EXPECT_GT(matrix->factor(A), 1e-3);
        EXPECT_LE(matrix->factor(A), 1 + 1e-15);
        for (std::size_t i = 0; i < m; ++i) {
            lambda[i] = std::sin(1 + static_cast<double>(i));
        }
        const auto wanted = lambda;
        matrix->solve(A, lambda);
        std::fill(at.x.begin(), at.x.end(), 0.0);
        add_transposed<double>(system.pattern(), G, lambda, at.x);
        system.solve_mass(0, at.q, at.q, at.x, at.y);
        apply_jacobian<double>(system.pattern(), G, at.y, rows);
        for (std::size_t i = 0; i < m; ++i) {
            EXPECT_NEAR(rows[i], wanted[i], 1e-13) << model.name << ' ' << i;
        }
    }
}

// Energy, velocity and force belong together, and so do the dense derivatives of implicit methods.
TEST(SingularMassSystem, dense_derivatives_are_those_of_the_field) {
    for (const auto& model : singular_models()) {
        Setting at(model);
        auto& system = *at.system;
        const std::size_t d = system.dimension();
        std::vector<double> J(4 * d * d);
        system.field_jacobian(0, at.q, at.x, J);
        const auto field = [&](const std::vector<double>& q, const std::vector<double>& p) {
            std::vector<double> f(2 * d);
            system.velocity(0, q, p, std::span(f).first(d));
            system.force_gradient(0, q, p, std::span(f).last(d));
            for (std::size_t k = d; k < 2 * d; ++k) {
                f[k] = -f[k];
            }
            return f;
        };
        constexpr double h = 1e-5;
        for (std::size_t j = 0; j < 2 * d; ++j) {
            auto q = at.q, p = at.x, q2 = at.q, p2 = at.x;
            (j < d ? q[j] : p[j - d]) += h;
            (j < d ? q2[j] : p2[j - d]) -= h;
            const auto up = field(q, p), down = field(q2, p2);
            for (std::size_t i = 0; i < 2 * d; ++i) {
                const double slope = (up[i] - down[i]) / (2 * h);
                EXPECT_NEAR(J[i * 2 * d + j], slope, 1e-7 * (1 + std::abs(slope)))
                    << model.name << ' ' << i << ' ' << j;
            }
        }
    }
}

// The rod of a pendulum pulls with v^2/l + g cos(theta).
TEST(SingularMassSystem, multipliers_are_forces_in_the_rod) {
    const auto model = Model::load("pendulum-redundant");
    const auto system = make_system<double>(model);
    const double angle = 0.3, speed = 0.7;
    const std::vector<double> q{std::sin(angle), -std::cos(angle), angle, 0, 0},
        v{speed * std::cos(angle), speed * std::sin(angle), speed, 0, 0};
    std::vector<double> p(5), lambda(4);
    system->apply_mass(0, q, v, p);
    Manifold<double>(*system).multipliers(0, q, p, lambda);
    const double tension = speed * speed + std::cos(angle);
    EXPECT_NEAR(lambda[0], tension * std::sin(angle), 1e-14);
    EXPECT_NEAR(lambda[1], -tension * std::cos(angle), 1e-14);
    EXPECT_NEAR(lambda[2], 0, 1e-14);
    EXPECT_NEAR(lambda[3], 0, 1e-14);
    EXPECT_TRUE(dependent_constraints(*system, 0, q).empty());
}

TEST(SingularMassSystem, dependent_rows_are_those_of_the_model) {
    const auto model = Model::parse("coordinates.q = [\"x\", \"y\", \"s\"]\ninitial.q = [1, 2, 3]\n[dynamics]\n"
                                    "mass = [1, 1, 0]\nconstraints = [\"x + y - s\", \"x - 1\", \"2*y - 2*s + 2\"]",
                                    "test.toml");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    const auto found = dependent_constraints(*system, 0, start.q);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rows, (std::vector<std::size_t>{0, 1, 2}));
    const auto fault = start_fault(model, *system, start.q, start.p);
    EXPECT_NE(fault.find("2 of 3 constraints are independent"), std::string::npos) << fault;
    EXPECT_NE(fault.find("g1, g2, g3 are linearly dependent"), std::string::npos) << fault;
}

}  // namespace
}  // namespace libration
