// One source, four scalars: the same RATTLE in double, quadruple precision, dual numbers, and packs.
#include "reference.hpp"

#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include "system/term_system.hpp"
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace libration {
namespace {

template <class S>
void take_steps(Stepper<S>& stepper, int steps) {
    for (int n = 0; n < steps; ++n) {
        stepper.advance();
        stepper.accept();
    }
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// The four that the first papers name; the conformance tests try all on smaller problems.
std::vector<std::string> methods_in_lanes() { return {"verlet", "leapfrog", "shake", "rattle"}; }

// The first of these that the method can run; empty: none.
std::string problem_of(const Method& method) {
    for (const auto* problem : {"triple-pendulum", "kepler"}) {
        const TermSystem<double> system(Model::load(problem));
        if (unmet_needs(method, system.properties(), system.constraints()).empty()) {
            return problem;
        }
    }
    return {};
}

Model spec_problem(const std::string& spec) { return Model::load(problem_of(method(spec))); }

// Extrapolation in h^2: RATTLE is symmetric, so its error at a fixed time has even powers of h only. Sixteen step sizes
// from 5/160 down to 5/1360 remove all terms below h^32. The weights of the extrapolation add up to 1.3e5 in absolute
// value, so round-off of 1e-34 in each of some thousand steps stays below 1e-25.
TEST(GenericScalar, quadruple_precision_meets_the_reference_to_22_digits) {
    const auto model = Model::load("triple-pendulum");
    TermSystem<Quad> system(model);
    const auto start = start_state<Quad>(model, system);
    std::vector<int> counts;
    for (int k = 0; k < 16; ++k) {
        counts.push_back(160 + 80 * k);
    }
    std::vector<std::vector<Quad>> table;
    for (const int n : counts) {
        const auto stepper = make_stepper<Quad>(method("rattle"), system);
        stepper->start(0, start.q, start.p, Quad{5} / n);
        take_steps(*stepper, n);
        const auto node = stepper->node();
        std::vector<Quad> state(node.q.begin(), node.q.end());
        state.insert(state.end(), node.p.begin(), node.p.end());
        table.push_back(state);
    }
    for (std::size_t level = 1; level < counts.size(); ++level) {
        for (std::size_t k = counts.size() - 1; k >= level; --k) {
            const Quad ratio = Quad{1} * counts[k] / counts[k - level];
            for (std::size_t j = 0; j < 12; ++j) {
                table[k][j] += (table[k][j] - table[k - 1][j]) / (ratio * ratio - 1);
            }
        }
    }
    double worst = 0;
    for (std::size_t j = 0; j < 6; ++j) {
        worst = std::max(
            worst, std::abs(static_cast<double>(table.back()[j] - from_text<Quad>(reference::triple_pendulum_q[j]))));
        worst = std::max(worst, std::abs(static_cast<double>(table.back()[6 + j] -
                                                             from_text<Quad>(reference::triple_pendulum_p[j]))));
    }
    RecordProperty("worst", fmt::format("{:.2e}", worst));
    EXPECT_LT(worst, 1e-22);
}

// omega(xi, eta) = xi_q . eta_p - xi_p . eta_q must be the same before and after for tangents of the manifold, that is
// for G xi_q = 0 and (G M^-1 p)_q xi_q + G M^-1 xi_p = 0. Other vectors leave the manifold, and for them it must fail.
template <class T>
std::pair<double, double> symplecticity_defects(const char* problem, int steps, double h) {
    using S = Dual<T>;
    const auto model = Model::load(problem);
    TermSystem<S> system(model);
    auto start = start_state<S>(model, system);
    const std::size_t d = system.dimension(), m = system.constraints();
    Manifold<S> manifold(system);
    // Move off the start, so that nothing is special: positions and momenta with a tangential part in every direction.
    for (std::size_t j = 0; j < d; ++j) {
        start.p[j] = start.p[j] + from_double<S>(0.1 * static_cast<double>(j + 1));
    }
    manifold.project_momentum(lit<S>(0), start.q, start.p);
    const auto defect = [&](bool tangential) {
        auto q = start.q;
        auto p = start.p;
        for (int k = 0; k < dual_width; ++k) {
            for (std::size_t j = 0; j < d; ++j) {
                q[j].tangent[k] = from_double<T>(std::sin(1.0 + static_cast<double>(j * 3 + k)));
                p[j].tangent[k] = from_double<T>(std::cos(2.0 + static_cast<double>(j + 5 * k)));
            }
        }
        if (tangential && m > 0) {
            // The projection of a point is the identity on the manifold, and its derivative projects tangents.
            manifold.project_position(lit<S>(0), q, {});
            manifold.project_momentum(lit<S>(0), q, p);
        }
        const auto omega = [&](std::span<const S> x, std::span<const S> y, int a, int b) {
            T sum = lit<T>(0);
            for (std::size_t j = 0; j < d; ++j) {
                sum = sum + x[j].tangent[a] * y[j].tangent[b] - y[j].tangent[a] * x[j].tangent[b];
            }
            return sum;
        };
        const auto stepper = make_stepper<S>(method("rattle"), system);
        stepper->start(lit<S>(0), q, p, from_double<S>(h));
        take_steps(*stepper, steps);
        const auto node = stepper->node();
        double worst = 0;
        for (int a = 0; a < dual_width; ++a) {
            for (int b = 0; b < a; ++b) {
                worst = std::max(worst, std::abs(static_cast<double>(omega(node.q, node.p, a, b) - omega(q, p, a, b))));
            }
        }
        return worst;
    };
    return {defect(true), defect(false)};
}

// Bounds: a few hundred units of round-off of each scalar (2.2e-16 and 1.9e-34) for tangents of size one; the values
// seen are recorded as properties of the test.
TEST(GenericScalar, the_tangent_map_of_rattle_is_symplectic_on_the_manifold_and_only_there) {
    for (const auto* problem : {"triple-pendulum", "kepler-sphere", "two-body-sphere"}) {
        const auto [tangential, other] = symplecticity_defects<double>(problem, 20, 0.02);
        RecordProperty(std::string(problem) + "_double", fmt::format("{:.2e} / {:.2e}", tangential, other));
        EXPECT_LT(tangential, 1e-13) << problem;
        EXPECT_GT(other, 1e-3) << problem;
        const auto [tangential_quad, other_quad] = symplecticity_defects<Quad>(problem, 5, 0.02);
        RecordProperty(std::string(problem) + "_quad", fmt::format("{:.2e} / {:.2e}", tangential_quad, other_quad));
        EXPECT_LT(tangential_quad, 1e-30) << problem;
        EXPECT_GT(other_quad, 1e-4) << problem;
    }
}

// One trajectory a lane, each elsewhere on the manifold, so that the lanes need different numbers of passes.
struct LaneCase {
    Model model;
    double step, spread;  // spread: how far apart the lanes start
    int steps;
};

void expect_lanes_like_doubles(const std::string& spec, const LaneCase& given) {
    const auto what = fmt::format("{} on {}", spec, given.model.name);
    TermSystem<Pack> packs(given.model);
    TermSystem<double> singles(given.model);
    const std::size_t d = packs.dimension();
    std::vector<Pack> q(d, lit<Pack>(0)), p(d, lit<Pack>(0));
    const auto start = start_state<double>(given.model, singles);
    for (int lane = 0; lane < pack_width; ++lane) {
        auto q0 = start.q;
        auto p0 = start.p;
        for (std::size_t j = 0; j < d; ++j) {
            q0[j] += given.spread * lane * sin(static_cast<double>(j) + 1);
            p0[j] += 2 * given.spread * lane * cos(static_cast<double>(j));
        }
        Manifold<double>(singles).project_position(0, q0, {});
        Manifold<double>(singles).project_momentum(0, q0, p0);
        for (std::size_t j = 0; j < d; ++j) {
            q[j].lane[lane] = q0[j];
            p[j].lane[lane] = p0[j];
        }
    }
    const auto together = make_stepper<Pack>(method(spec), packs);
    together->start(lit<Pack>(0), q, p, from_double<Pack>(given.step));
    take_steps(*together, given.steps);
    const auto node = together->node();
    std::vector<double> passes;
    for (int lane = 0; lane < pack_width; ++lane) {
        std::vector<double> q0(d), p0(d);
        for (std::size_t j = 0; j < d; ++j) {
            q0[j] = q[j].lane[lane];
            p0[j] = p[j].lane[lane];
        }
        const auto alone = make_stepper<double>(method(spec), singles);
        alone->start(0, q0, p0, given.step);
        take_steps(*alone, given.steps);
        const auto single = alone->node();
        std::size_t different = 0;
        for (std::size_t j = 0; j < d; ++j) {
            ASSERT_TRUE(std::isfinite(single.q[j])) << what;
            different += same_bits(node.q[j].lane[lane], single.q[j]) ? 0 : 1;
            different += same_bits(node.p[j].lane[lane], single.p[j]) ? 0 : 1;
        }
        EXPECT_EQ(different, 0) << what << " lane " << lane;
        passes.push_back(alone->evaluations().count[Evaluations<double>::newton_iterations]);
        EXPECT_EQ(together->evaluations().count[Evaluations<double>::newton_iterations].lane[lane], passes.back())
            << what << " lane " << lane;
    }
    EXPECT_EQ(passes.front() != passes.back(), packs.constraints() > 0) << what;
}

TEST(GenericScalar, every_lane_of_a_pack_has_the_bits_of_its_own_double_run) {
    for (const auto& spec : methods_in_lanes()) {
        expect_lanes_like_doubles(spec, {spec_problem(spec), 0.03, 0.05, 2000});
        if (!method(spec).needs().unconstrained) {
            // A ring closes and a net has loops all over: their factors fill in.
            const auto ring = Model::load("ring");
            const auto net = Model::load("net", {{"n", "5"}, {"m", "5"}});
            expect_lanes_like_doubles(spec, {ring, *ring.run.step, 0.02, 300});
            expect_lanes_like_doubles(spec, {net, *net.run.step, 0.02, 300});
        }
    }
}

}  // namespace
}  // namespace libration
