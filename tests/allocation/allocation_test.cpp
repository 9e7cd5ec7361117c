// A step allocates nothing. malloc itself is replaced, because C libraries do not ask operator new.
#include <libration/integrate/start.hpp>
#include <libration/manifold/supernodal_constraint_matrix.hpp>
#include <libration/methods/method.hpp>
#include <libration/system/make_system.hpp>
#include <libration/system/term_system.hpp>

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
std::int64_t allocations_in_steps(const std::string& spec, const char* problem) {
    const auto model = Model::load(problem);
    TermSystem<S> system(model);
    const auto start = start_state<S>(model, system);
    const auto stepper = method(spec).make<S>(system);
    stepper->start(lit<S>(0), start.q, start.p, lit<S>(1, 100));
    const auto steps = [&](int count) {
        for (int n = 0; n < count; ++n) {
            stepper->advance();
            stepper->accept();
            (void)stepper->node();
        }
    };
    steps(10);
    const auto before = allocations.load();
    steps(1000);
    return allocations.load() - before;
}

TEST(Allocation, a_step_allocates_nothing_in_any_scalar) {
    for (const auto* record : methods()) {
        for (const auto* problem : {"triple-pendulum", "chain", "kepler", "argon"}) {
            const bool constrained = Model::load(problem).constraint_rows > 0;
            if ((constrained && record->needs.unconstrained) || (!constrained && record->needs.constrained)) {
                continue;
            }
            const auto spec = examples(*record).front();
            EXPECT_EQ(allocations_in_steps<double>(spec, problem), 0) << spec << ' ' << problem;
            EXPECT_EQ(allocations_in_steps<Dual<double>>(spec, problem), 0) << spec << ' ' << problem;
            EXPECT_EQ(allocations_in_steps<Pack>(spec, problem), 0) << spec << ' ' << problem;
        }
    }
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
