// Dense derivatives against dual numbers: the first derivatives that every system has, differentiated once more.
#include "model/model_values.hpp"
#include <libration/kit/make_system.hpp>

#include "system/dense_derivatives.hpp"
#include <libration/kit/dual.hpp>
#include <libration/kit/pack.hpp>
#include <libration/model/builder.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace libration {
namespace {

using Tangent = Dual<double>;

struct SampleState {
    std::string name;
    Model model;
};

Model coupled_masses() {
    return Model::parse(R"toml(
        [coordinates]
        q = ["a", "b", "c"]
        [dynamics]
        mass = [[3, 1, 0.5], [1, 2, 0.25], [0.5, 0.25, 4]]
        potential = "a*b*exp(c) + sin(a*c)"
        constraints = ["a*sin(b) + c^3 - 1", "a*b*c + cos(a)"]
        [initial]
        q = [1, 0, 0]
        p = [0, 0, 0]
        )toml",
                        "coupled.toml");
}

// One instance names a coordinate twice.
Model points_with_lists() {
    return Model::parse(R"toml(
        parameters.k = [2, 3, 5, 7]
        parameters.pairs = [[0, 1], [1, 2], [2, 2], [3, 0]]
        points.r = { count = 4, dimension = 2, mass = 1.5 }
        initial.r = { for = "i in 0..3", q = ["i", 0], v = [0, 0] }
        [[energy]]
        for = "(i, j) in pairs"
        term = "k[i]*r[i].x*r[j].x + sin(r[i].y - 2*r[j].y)*r[j].x^2"
        [[constraint]]
        for = "(i, j) in pairs"
        equation = "r[i].x*r[j].x*r[i].y + k[j]*exp(r[j].y) - 1"
        )toml",
                        "lists.toml");
}

Model of_two(const std::string& dynamics) {
    return Model::parse(
        "[parameters]\nk = \"7/5\"\n[coordinates]\nq = [\"x\", \"y\"]\n[initial]\nq = [0.3, 0.2]\nv = [0.5, 0.1]\n" +
            dynamics,
        "two.toml");
}

std::vector<SampleState> samples() {
    const std::string rod = "constraints = [\"x^2 + k*sin(y) - x*y^3\"]\n";
    const std::string moving = "constraints = [\"x^2*cos(t) + k*sin(y + t) - t^2*x*y^3\"]\n";
    return {
        {"kinetic", of_two("[dynamics]\npotential = \"k*x^2*y + exp(y)\"\nkinetic = \"((3 + cos(x) + t*y)*v_x^2 + (2 + "
                           "y^2)*v_y^2)/2 + sin(x*y)*v_x*v_y\"\n" +
                           rod)},
        {"hamiltonian",
         of_two("[dynamics]\nhamiltonian = \"sqrt(1 + (p_x - y)^2 + (p_y + k*x*t)^2)*(2 + cos(x*y))\"\n" + rod)},
        {"charged particle", Model::parse(R"toml(
                [coordinates]
                q = ["x", "y", "z"]
                [dynamics]
                hamiltonian = "((p_x + y)^2 + (p_y - x)^2 + p_z^2)/2 - z"
                constraints = ["sqrt(x^2 + y^2 + z^2) - 1"]
                [initial]
                q = [0.2, 0.2, 0.96]
                p = [1, -1, 0]
                )toml",
                                          "charged.toml")},
        {"field", of_two("[field]\nq = { x = \"v_x + k*y*v_y^2 + t*x\", y = \"exp(v_y)*x\" }\n"
                         "v = { x = \"-sin(x) - v_x^2/5\", y = \"x*v_x - t*y^2\" }\n")},
        {"flow", Model::parse("[coordinates]\nq = [\"x\", \"y\"]\n[initial]\nq = [0.3, 0.2]\n[field]\n"
                              "q = { x = \"sin(x*y)\", y = \"x*exp(y)\" }\n",
                              "flow.toml")},
        {"triple-pendulum", Model::load("triple-pendulum")},
        {"two-body-sphere", Model::load("two-body-sphere")},
        {"kepler", Model::load("kepler")},
        {"argon", Model::load("argon")},
        {"polymer", Model::load("polymer", {{"n", "5"}})},
        {"driven-pendulum", Model::load("driven-pendulum")},
        {"moving, separable",
         of_two("[dynamics]\nmass = [\"k\", 3]\npotential = \"k*x^2*y*cos(t) + exp(y*t)\"\n" + moving)},
        {"moving, kinetic", of_two("[dynamics]\npotential = \"sin(x*t)*y\"\n"
                                   "kinetic = \"((3 + cos(x) + t*y)*v_x^2 + (2 + y^2)*v_y^2)/2 + sin(x*y)*v_x*v_y\"\n" +
                                   moving)},
        {"moving, hamiltonian",
         of_two("[dynamics]\nhamiltonian = \"sqrt(1 + (p_x - y)^2 + (p_y + k*x*t)^2)*(2 + cos(x*y))\"\n" + moving)},
        {"moving, mass", of_two("[dynamics]\nmass = [\"2 + sin(t)\", \"3 + t*x^2\"]\n" + moving)},
        {"full mass", coupled_masses()},
        {"lists", points_with_lists()}};
}

// Near the initial state of the model, but nowhere special.
struct NearbyState {
    double t = 0.3;
    std::vector<double> q, p, y, lambda;
    explicit NearbyState(const Model& model) {
        std::mt19937_64 random(7);
        const auto number = [&] { return std::normal_distribution<double>(0, 1)(random); };
        const auto start = initial_state<double>(model);
        for (std::size_t i = 0; i < model.dimension; ++i) {
            q.push_back(start.q[i] * (1 + 0.02 * number()) + 0.002 * number());
            p.push_back(number());
        }
        for (std::size_t i = 0; i < model.constraint_rows; ++i) {
            y.push_back(number());
            lambda.push_back(number());
        }
    }
};

std::vector<Tangent> constants(const std::vector<double>& x) {
    std::vector<Tangent> result;
    for (const double value : x) {
        result.push_back({value, {}});
    }
    return result;
}

// The Jacobian of f(q, p) by (q, p), rows of outputs, by dual numbers.
using Function = std::function<std::vector<Tangent>(std::span<const Tangent> q, std::span<const Tangent> p)>;
std::vector<double> jacobian_by_duals(const NearbyState& at, const Function& f) {
    const std::size_t d = at.q.size();
    std::vector<double> J;
    for (std::size_t first = 0; first < 2 * d; first += dual_width) {
        auto q = constants(at.q), p = constants(at.p);
        const std::size_t count = std::min<std::size_t>(dual_width, 2 * d - first);
        for (std::size_t k = 0; k < count; ++k) {
            (first + k < d ? q[first + k] : p[first + k - d]).tangent[k] = 1;
        }
        const auto values = f(q, p);
        J.resize(values.size() * 2 * d);
        for (std::size_t i = 0; i < values.size(); ++i) {
            for (std::size_t k = 0; k < count; ++k) {
                J[i * 2 * d + first + k] = values[i].tangent[k];
            }
        }
    }
    return J;
}

// Both come from exact derivatives. An entry is a sum of at most some hundred products, each as large as the largest
// entries: some hundred round-offs of those, 1e-13, and a margin for products that cancel.
void expect_near(const std::vector<double>& found, const std::vector<double>& expected, const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    double largest = 0;
    for (const double value : expected) {
        largest = std::max(largest, std::abs(value));
    }
    EXPECT_GT(largest, 0) << what;
    for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(found[k], expected[k], 1e-12 * largest) << what << ", entry " << k;
    }
}

std::vector<double> unset(std::size_t size) { return std::vector<double>(size, std::nan("")); }

TEST(DenseDerivatives, field_jacobian_is_that_of_velocity_and_force) {
    for (const auto& [name, model] : samples()) {
        const NearbyState at(model);
        const std::size_t d = model.dimension;
        const auto system = make_system<double>(model);
        ASSERT_TRUE(system->properties().dense_derivatives) << name;
        auto J = unset(4 * d * d);
        system->field_jacobian(at.t, at.q, at.p, J);
        const auto duals = make_system<Tangent>(model);
        const Tangent t{at.t, {}};
        expect_near(J,
                    jacobian_by_duals(at,
                                      [&](auto q, auto p) {
                                          std::vector<Tangent> rates(2 * d, lit<Tangent>(0));
                                          duals->velocity(t, q, p, std::span(rates).first(d));
                                          duals->force_gradient(t, q, p, std::span(rates).last(d));
                                          for (std::size_t i = d; i < 2 * d; ++i) {
                                              rates[i] = -rates[i];
                                          }
                                          return rates;
                                      }),
                    name);
    }
}

// y^T r - y^T A lambda by the calls that every system has.
Tangent reaction(System<Tangent>& system, const NearbyState& at, std::span<const Tangent> q,
                 std::span<const Tangent> p) {
    const std::size_t d = system.dimension();
    const auto& pattern = system.pattern();
    const Tangent zero = lit<Tangent>(0), t{at.t, {}};
    std::vector<Tangent> v(d, zero), force(d, zero), rate(d, zero), G(pattern.entries(), zero),
        curvature(pattern.rows(), zero), reaction_force(d, zero);
    system.velocity(t, q, p, v);
    system.force_gradient(t, q, p, force);
    system.jacobian(t, q, G);
    system.curvature(t, q, v, curvature);
    for (auto& f : force) {
        f = -f;
    }
    system.velocity_rate(t, q, p, v, force, rate);
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            auto& target = reaction_force[pattern.column[e]];
            target = target + G[e] * Tangent{at.lambda[i], {}};
        }
    }
    system.solve_mass(t, q, p, reaction_force, reaction_force);
    Tangent sum = zero;
    for (std::size_t i = 0; i < pattern.rows(); ++i) {
        Tangent row = curvature[i];
        for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
            const auto j = pattern.column[e];
            row = row + G[e] * (rate[j] - reaction_force[j]);
        }
        sum = sum + Tangent{at.y[i], {}} * row;
    }
    return sum;
}

TEST(DenseDerivatives, reaction_gradient_is_that_of_the_equation_of_the_multipliers) {
    for (const auto& [name, model] : samples()) {
        if (model.constraint_rows == 0 || model.field) {
            continue;
        }
        const NearbyState at(model);
        const std::size_t d = model.dimension;
        const auto system = make_system<double>(model);
        auto found = unset(2 * d);
        system->reaction_gradient(at.t, at.q, at.p, at.y, at.lambda, std::span(found).first(d),
                                  std::span(found).last(d));
        const auto duals = make_system<Tangent>(model);
        expect_near(
            found,
            jacobian_by_duals(at, [&](auto q, auto p) { return std::vector<Tangent>{reaction(*duals, at, q, p)}; }),
            name);
    }
}

TEST(DenseDerivatives, the_hessian_of_all_parts_is_that_of_the_potential) {
    for (const auto& [name, model] : samples()) {
        const NearbyState at(model);
        const std::size_t d = model.dimension;
        const auto system = make_system<double>(model);
        if (!system->properties().separable) {
            continue;
        }
        auto J = unset(4 * d * d), hessian = unset(d * d), from_jacobian = unset(d * d);
        system->field_jacobian(at.t, at.q, at.p, J);
        system->part_hessian(all_parts, at.t, at.q, hessian);
        for (std::size_t i = 0; i < d; ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                from_jacobian[i * d + j] = -J[(d + i) * 2 * d + j];
            }
        }
        EXPECT_EQ(hessian, from_jacobian) << name;
    }
}

// The Hessians of the parts, by hand; a potential that is not split is slow.
TEST(DenseDerivatives, parts_have_hessians_of_their_own) {
    const auto system = make_system<double>(
        of_two("[dynamics]\nmass = 1\n[dynamics.potential]\nslow = \"x^2*y\"\nfast = \"y^3\"\nstiff = \"5*x^2\"\n"));
    const std::vector<double> q{2, 3};
    const auto hessian = [&](System<double>& of, unsigned parts) {
        auto values = unset(4);
        of.part_hessian(parts, 0, q, values);
        return values;
    };
    using Values = std::vector<double>;
    EXPECT_EQ(hessian(*system, slow_part), (Values{6, 4, 4, 0}));
    EXPECT_EQ(hessian(*system, fast_part), (Values{0, 0, 0, 18}));
    EXPECT_EQ(hessian(*system, stiff_part), (Values{10, 0, 0, 0}));
    EXPECT_EQ(hessian(*system, slow_part | stiff_part), (Values{16, 4, 4, 0}));
    EXPECT_EQ(hessian(*system, all_parts), (Values{16, 4, 4, 18}));
    const auto whole = make_system<double>(of_two("[dynamics]\nmass = 1\npotential = \"x^2*y\"\n"));
    EXPECT_EQ(hessian(*whole, slow_part), (Values{6, 4, 4, 0}));
    EXPECT_EQ(hessian(*whole, fast_part), (Values{0, 0, 0, 0}));
}

// Whatever the scalar: a lane holds the bits of double, and quadruple precision agrees to round-off.
TEST(DenseDerivatives, all_scalars_agree) {
    const auto model = coupled_masses();
    const NearbyState at(model);
    const std::size_t d = model.dimension, m = model.constraint_rows;
    const auto gradient_in = [&]<class S>(S) {
        const auto system = make_system<S>(model);
        const auto convert = [](const std::vector<double>& x) {
            std::vector<S> result;
            for (const double value : x) {
                result.push_back(from_double<S>(value));
            }
            return result;
        };
        std::vector<S> out(2 * d + 4 * d * d, lit<S>(0));
        const auto all = std::span(out);
        system->reaction_gradient(lit<S>(0), convert(at.q), convert(at.p), convert(at.y), convert(at.lambda),
                                  all.first(d), all.subspan(d, d));
        system->field_jacobian(lit<S>(0), convert(at.q), convert(at.p), all.subspan(2 * d));
        return out;
    };
    ASSERT_EQ(m, 2U);
    const auto numbers = gradient_in(double{});
    const auto lanes = gradient_in(Pack{});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        EXPECT_EQ(lanes[k].lane[3], numbers[k]) << k;
    }
#ifdef LIBRATION_HAS_QUAD
    std::vector<double> rounded;
    for (const auto& value : gradient_in(Quad{})) {
        rounded.push_back(to_double(value));
    }
    expect_near(numbers, rounded, "quad");
#endif
}

TEST(DenseDerivatives, only_small_models_have_them) {
    const auto has = [](const char* n) {
        return make_system<double>(Model::load("chain", {{"n", n}}))->properties().dense_derivatives;
    };
    EXPECT_EQ(2 * 64, most_dense_coordinates);
    EXPECT_TRUE(has("64"));
    EXPECT_FALSE(has("65"));
}

}  // namespace
}  // namespace libration
