// A step allocates nothing. malloc itself is replaced, because C libraries do not ask operator new.
#include "integrate/start.hpp"
#include "manifold/supernodal_constraint_matrix.hpp"
#include "system/term_system.hpp"
#include <libration/analysis/certify.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>

namespace {
std::atomic<std::int64_t> allocations{0};
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);                  // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t count, std::size_t n);  // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* old, std::size_t size);      // NOLINT(bugprone-reserved-identifier)
void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t n) {
    ++allocations;
    return __libc_calloc(count, n);
}
void* realloc(void* old, std::size_t size) {
    ++allocations;
    return __libc_realloc(old, size);
}
}

namespace libration {
namespace {

TEST(Allocation, the_counter_counts) {
    const auto before = allocations.load();
    const std::vector<double> something(100);
    EXPECT_GT(allocations.load(), before);
    EXPECT_EQ(something.size(), 100U);
}

template <class S>
std::int64_t allocations_in_steps(const std::string& spec, const Model& model, double step) {
    const auto system = make_system<S>(model);
    const auto start = start_state<S>(model, *system);
    const auto stepper = make_stepper<S>(method(spec), *system);
    stepper->start(lit<S>(0), start.q, start.p, from_double<S>(step));
    const auto steps = [&](int count) {
        for (int n = 0; n < count; ++n) {
            stepper->advance();
            stepper->accept();
            (void)stepper->node();
        }
    };
    steps(10);
    const auto before = allocations.load();
    steps(100);
    return allocations.load() - before;
}

void expect_no_allocation(const std::string& spec, const std::string& problem, double step) {
    const auto model = Model::load(problem);
    EXPECT_EQ(allocations_in_steps<double>(spec, model, step), 0) << spec << ' ' << problem;
    EXPECT_EQ(allocations_in_steps<Dual<double>>(spec, model, step), 0) << spec << ' ' << problem;
    if (method(spec).lanes()) {
        EXPECT_EQ(allocations_in_steps<Pack>(spec, model, step), 0) << spec << ' ' << problem;
    }
}

TEST(Allocation, a_step_allocates_nothing_in_any_scalar) {
    int tried = 0;
    for (const auto* record : methods()) {
        for (const auto& spec : examples(*record)) {
            for (const auto* problem : certified_problems(method(spec))) {
                expect_no_allocation(spec, std::string(problem->model), problem->options.step / 10);
                ++tried;
            }
        }
    }
    EXPECT_GE(tried, 10);
}

// Longer chains of constraints and terms of many points.
TEST(Allocation, a_step_of_a_larger_system_allocates_nothing_in_any_scalar) {
    for (const auto* spec : {"shake", "rattle"}) {
        expect_no_allocation(spec, "triple-pendulum", 0.01);
        expect_no_allocation(spec, "chain", 0.01);
    }
    for (const auto* spec : {"verlet", "leapfrog", "rattle"}) {
        expect_no_allocation(spec, "argon", 1e-5);
    }
}

// The first call builds the programs, later ones run them.
TEST(Allocation, dense_derivatives_allocate_at_the_first_call_only) {
    const auto model = Model::load("triple-pendulum");
    TermSystem<double> system(model);
    const std::size_t d = model.dimension;
    const std::vector<double> q(d, 0.5), p(d, 0.25), rows(model.constraint_rows, 2.0);
    std::vector<double> J(4 * d * d), hessian(d * d), by_q(d), by_p(d);
    const auto all = [&] {
        const auto before = allocations.load();
        system.field_jacobian(0, q, p, J);
        system.part_hessian(all_parts, 0, q, hessian);
        system.reaction_gradient(0, q, p, rows, rows, by_q, by_p);
        return allocations.load() - before;
    };
    EXPECT_GT(all(), 0);
    EXPECT_EQ(all(), 0);
}

template <class S>
std::int64_t allocations_in_evaluations(const std::string& dynamics) {
    const auto model = Model::parse("coordinates.q = [\"x\", \"y\"]\ninitial.q = [1, 2]\n" + dynamics, "test.toml");
    const auto system = make_system<S>(model);
    const S t = lit<S>(0);
    const std::vector<S> q(2, lit<S>(1)), p(2, lit<S>(1, 2));
    std::vector<S> out(2, lit<S>(0)), rows(system->constraints(), t), entries(system->pattern().entries(), t);
    const auto before = allocations.load();
    (void)system->energy(t, q, p);
    system->velocity(t, q, p, out);
    system->force_gradient(t, q, p, out);
    system->solve_mass(t, q, p, p, out);
    system->velocity_rate(t, q, p, p, p, out);
    system->constraint(t, q, rows);
    system->jacobian(t, q, entries);
    system->curvature(t, q, p, rows);
    return allocations.load() - before;
}

TEST(Allocation, an_evaluation_of_any_kind_of_system_allocates_nothing) {
    const std::string constraint = "constraints = [\"x^2 + y^2 - 5\"]\n";
    for (const auto& dynamics : {"[dynamics]\nhamiltonian = \"(p_x^2 + p_y^2)*exp(x)\"\n" + constraint,
                                 "[dynamics]\nkinetic = \"(v_x^2 + v_y^2)*exp(x)\"\npotential = \"y\"\n" + constraint,
                                 std::string("[field]\nq = { x = \"v_y\", y = \"v_x\" }\nv = { x = \"y\", y = \"x\" }"),
                                 std::string("[field]\nq = { x = \"y\", y = \"sin(x)\" }")}) {
        EXPECT_EQ(allocations_in_evaluations<double>(dynamics), 0) << dynamics;
        EXPECT_EQ(allocations_in_evaluations<Dual<double>>(dynamics), 0) << dynamics;
        EXPECT_EQ(allocations_in_evaluations<Pack>(dynamics), 0) << dynamics;
    }
}

TEST(Allocation, a_supernodal_factorisation_allocates_nothing) {
    const auto model = Model::load("chain");
    TermSystem<double> system(model);
    const auto start = start_state<double>(model, system);
    SupernodalConstraintMatrix<double> matrix(system);
    std::vector<double> G(system.pattern().entries()), values(matrix.entries()), x(system.constraints(), 1.0);
    system.jacobian(0, start.q, G);
    const auto before = allocations.load();
    matrix.assemble(system, 0, start.q, {}, G, values);
    EXPECT_GT(matrix.factor(values), 0);
    matrix.solve(values, x);
    EXPECT_EQ(allocations.load(), before);
}

}  // namespace
}  // namespace libration
