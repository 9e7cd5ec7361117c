// Measuring what a method claims, with the methods' own code over doubles and dual numbers.
#pragma once

#include "reference.hpp"

#include <libration/integrate/integrate.hpp>
#include <libration/integrate/start.hpp>
#include <libration/manifold/manifold.hpp>
#include <libration/methods/method.hpp>
#include <libration/system/term_system.hpp>

#include <cmath>

namespace libration::conformance {

struct Measured {
    double order_q = 0, order_p = 0, order_lambda = 0;
    double asymmetry = 0;             // Phi_-h Phi_h = id: nodes there and back, 200 steps
    double symplecticity_defect = 0;  // on the tangent space of the manifold, 20 steps
    double position = 0, hidden = 0;  // largest residuals
    double hidden_order = 0;          // fitted where the residual is far above round-off
    double forces_a_step = 0;         // from 500 to 1000 steps; whole for methods without an iteration over forces
    double energy_slope = 0, energy_spread = 0, energy_time = 0;
};

struct Exact {
    std::vector<double> q, p, lambda;
};

template <std::size_t N>
std::vector<double> numbers(const std::array<std::string_view, N>& texts) {
    std::vector<double> values;
    for (const auto text : texts) {
        values.push_back(from_text<double>(text));
    }
    return values;
}

// Kepler's ellipse with eccentricity 0.6 at time t, by his equation E - e sin E = t.
inline Exact kepler_at(double t) {
    const double e = 0.6, root = std::sqrt(1 - e * e);
    double E = t;
    for (int k = 0; k < 50; ++k) {
        E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
    }
    const double r = 1 - e * std::cos(E);
    return {{std::cos(E) - e, root * std::sin(E)}, {-std::sin(E) / r, root * std::cos(E) / r}, {}};
}

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        most = std::max(most, std::abs(a[k] - b[k]));
    }
    return most;
}

template <class S>
void go(Stepper<S>& stepper, int steps) {
    for (int n = 0; n < steps; ++n) {
        stepper.advance();
        stepper.accept();
    }
}

// Moving initial values on the manifold, so that nothing vanishes by symmetry.
template <class S>
StartState<S> moving_start(const Model& model, System<S>& system) {
    auto start = start_state<S>(model, system);
    for (std::size_t j = 0; j < start.p.size(); ++j) {
        start.p[j] = start.p[j] + from_double<S>(0.05 * static_cast<double>(j + 1));
    }
    Manifold<S>(system).project_momentum(lit<S>(0), start.q, start.p);
    return start;
}

// The nodes on the way back against those on the way there. Methods with late momenta define p_n by its neighbours, so the
// given p_0 is not one of theirs: they are compared from p_1 on.
inline double measure_asymmetry(const Method& method, const Model& model) {
    constexpr std::size_t steps = 200;
    TermSystem<double> system(model);
    const auto lag = static_cast<std::size_t>(method.record().lag);
    auto start = moving_start<double>(model, system);
    std::array<std::vector<StartState<double>>, 2> ways;
    for (const int back : {0, 1}) {
        const auto stepper = method.make<double>(system);
        stepper->start(0, start.q, start.p, back != 0 ? -0.02 : 0.02);
        ways[back].push_back(start);
        for (std::size_t n = 1; n <= steps + lag; ++n) {
            go(*stepper, 1);
            if (n > lag) {
                const auto node = stepper->node();
                ways[back].push_back({{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}});
            }
        }
        start = ways[back].back();
    }
    double worst = 0;
    for (std::size_t n = 0; n <= steps; ++n) {
        worst = std::max(worst, distance(ways[0][n].q, ways[1][steps - n].q));
        if (lag == 0 || n > 0) {
            worst = std::max(worst, distance(ways[0][n].p, ways[1][steps - n].p));
        }
    }
    return worst;
}

inline double measure_symplecticity(const Method& method, const Model& model) {
    using S = Dual<double>;
    TermSystem<S> system(model);
    auto start = moving_start<S>(model, system);
    const std::size_t d = system.dimension();
    for (int k = 0; k < dual_width; ++k) {
        for (std::size_t j = 0; j < d; ++j) {
            start.q[j].tangent[k] = std::sin(1.0 + static_cast<double>(j * 3) + k);
            start.p[j].tangent[k] = std::cos(2.0 + static_cast<double>(j) + 5 * k);
        }
    }
    Manifold<S> manifold(system);
    manifold.project_position(lit<S>(0), start.q, start.p);
    manifold.project_momentum(lit<S>(0), start.q, start.p);
    const auto omega = [&](std::span<const S> q, std::span<const S> p, int a, int b) {
        double sum = 0;
        for (std::size_t j = 0; j < d; ++j) {
            sum += q[j].tangent[a] * p[j].tangent[b] - p[j].tangent[a] * q[j].tangent[b];
        }
        return sum;
    };
    const auto stepper = method.make<S>(system);
    stepper->start(lit<S>(0), start.q, start.p, from_double<S>(0.02));
    go(*stepper, 20 + method.record().lag);
    const auto node = stepper->node();
    double worst = 0;
    for (int a = 0; a < dual_width; ++a) {
        for (int b = 0; b < a; ++b) {
            worst = std::max(worst, std::abs(omega(node.q, node.p, a, b) - omega(start.q, start.p, a, b)));
        }
    }
    return worst;
}

// Least squares slope of the energy against time.
struct Trend final : Observer {
    void see(const Sample& sample) override {
        ++n;
        const double dt = sample.t - mean_t;
        mean_t += dt / n;
        mean_h += (sample.energy - mean_h) / n;
        tt += dt * (sample.t - mean_t);
        th += dt * (sample.energy - mean_h);
        low = std::min(low, sample.energy);
        high = std::max(high, sample.energy);
    }
    [[nodiscard]] double slope() const { return th / tt; }
    double n = 0, mean_t = 0, mean_h = 0, tt = 0, th = 0, low = 1e300, high = -1e300;
};

// Steps 1/100 and 1/200 up to t = 5: far above round-off and, for order two, in the asymptotic regime.
inline Measured measure(const Method& method, bool constrained) {
    const auto model = Model::load(constrained ? "double-pendulum" : "kepler");
    const Exact exact = constrained
                            ? Exact{numbers(reference::double_pendulum_q), numbers(reference::double_pendulum_p),
                                    numbers(reference::double_pendulum_lambda)}
                            : kepler_at(5);
    const auto coarse = integrate(model, method, {.step = 0.01, .steps = 500});
    const auto fine = integrate(model, method, {.step = 0.005, .steps = 1000});
    const auto order = [](double a, double b) { return std::log2(a / b); };
    Measured m;
    m.order_q = order(distance(coarse.q, exact.q), distance(fine.q, exact.q));
    m.order_p = order(distance(coarse.p, exact.p), distance(fine.p, exact.p));
    m.order_lambda =
        constrained ? order(distance(coarse.lambda, exact.lambda), distance(fine.lambda, exact.lambda)) : 0;
    m.asymmetry = measure_asymmetry(method, model);
    m.symplecticity_defect = measure_symplecticity(method, model);
    m.position = std::max(coarse.constraint.max, fine.constraint.max);
    m.hidden = std::max(coarse.constraint.hidden_max, fine.constraint.hidden_max);
    m.hidden_order = constrained ? order(coarse.constraint.hidden_max, fine.constraint.hidden_max) : 0;
    m.forces_a_step = static_cast<double>(fine.evaluations.force - coarse.evaluations.force) / 500;
    Trend trend;
    integrate(model, method, {.step = 0.02, .steps = 100'000}, trend);
    m.energy_slope = trend.slope();
    m.energy_spread = trend.high - trend.low;
    m.energy_time = 2000;
    return m;
}

// What the measurement contradicts, in words. Order two is recognised within 0.05; round-off of a hundred operations on
// numbers of size one is 1e-13 (there and back, symplecticity) or 2e-14 (residuals). Oscillation of the energy over 300
// periods cannot look like a slope of more than its spread over the whole time divided by 20.
inline std::vector<std::string> contradictions(const Claims& claims, const Measured& m, bool constrained) {
    std::vector<std::string> found;
    const auto expect = [&](bool holds, const char* what) {
        if (!holds) {
            found.emplace_back(what);
        }
    };
    expect(std::abs(m.order_q - claims.order) < 0.05, "order of q");
    expect(std::abs(m.order_p - claims.order_p) < 0.05, "order of p");
    expect(claims.symmetric == (m.asymmetry < 1e-13), "symmetry");
    if (claims.symplectic) {
        expect(*claims.symplectic == (m.symplecticity_defect < 1e-13), "symplecticity");
    }
    expect(claims.is_explicit == (m.forces_a_step == std::round(m.forces_a_step)), "explicitness");
    expect(claims.energy_bounded == (std::abs(m.energy_slope) * m.energy_time < m.energy_spread / 20), "energy");
    if (constrained) {
        expect(std::abs(m.order_lambda - claims.order_lambda) < 0.05, "order of lambda");
        expect(claims.position.exact == (m.position < 2e-14), "position residual");
        expect(claims.hidden.exact == (m.hidden < 2e-14), "hidden residual");
        if (!claims.hidden.exact) {
            expect(std::abs(m.hidden_order - claims.hidden.order) < 0.1, "order of the hidden residual");
        }
    }
    return found;
}

}  // namespace libration::conformance
