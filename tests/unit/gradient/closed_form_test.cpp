// Gradients that can be written down.
#include "reference.hpp"

namespace libration::gradient_test {
namespace {

// Verlet's solution of x'' = -omega^2 x from rest is x_n = x_0 cos(n phi) with cos phi = 1 - (h omega)^2/2.
TEST(ClosedGradient, of_the_harmonic_oscillator_is_that_of_the_numerical_solution) {
    const Case one{"harmonic-oscillator", "verlet", "x", {"omega", "x0"}, 0.1, 77};
    const double h = one.step, n = 77, omega = 1, phi = std::acos(1 - h * h / 2);
    const std::vector exact{-n * std::sin(n * phi) * h * h * omega / std::sin(phi), std::cos(n * phi)};
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        const auto result = gradient(Model::load(one.model), method(one.method), one.options(mode));
        // acos near 1 loses a hundredfold, sin(n phi) n times.
        EXPECT_LT(difference(values_of(result), exact), 1e-12) << to_string(mode);
    }
}

// The pendulum of length l in the gravity g is that of l = g = 1, X(s), in other units: x = l X(t sqrt(g/l)). So the
// period is proportional to sqrt(l/g), and x_g = v t/(2 g), x_l = x/l - v t/(2 l).
TEST(ClosedGradient, of_the_pendulum_follows_from_its_period) {
    const Case one{"pendulum", "lobatto(5)", "x", {"g", "l", "m"}, 0.05, 140};
    const auto model = Model::load(one.model);
    const auto end = integrate(model, method(one.method), {.step = one.step, .steps = one.steps});
    const std::vector exact{end.v[0] * end.t / 2, end.q[0] - end.v[0] * end.t / 2, 0.0};
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        // The method is of order 8: 0.05^8 is 4e-11.
        EXPECT_LT(difference(values_of(gradient(model, method(one.method), one.options(mode))), exact), 1e-10);
    }
}

}  // namespace
}  // namespace libration::gradient_test
