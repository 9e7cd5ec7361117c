// The triple pendulum in its three angles by the classical Runge-Kutta method: what one writes who knows no
// constraints.
#pragma once

#include <array>
#include <cstdint>

namespace bench {

enum class Sines {
    library,  // sincos of the C library, three calls an evaluation
    vector,   // our own for three angles at once, good for angles up to some thousands
};

class TripleAngles {
  public:
    TripleAngles(double gravity_over_rod, double step, Sines sines)
        : gravity_(gravity_over_rod), step_(step), sines_(sines) {}
    // At rest, from the downward vertical.
    void start(const std::array<double, 3>& angles) {
        angle_ = angles;
        rate_ = {};
    }
    void run(std::int64_t steps);
    // Runs, and returns the largest |H - H0| met at the ends of steps, in units of m l^2.
    double watched_run(std::int64_t steps);
    [[nodiscard]] double energy() const;
    [[nodiscard]] const std::array<double, 3>& angles() const { return angle_; }

  private:
    double gravity_, step_;
    Sines sines_;
    std::array<double, 3> angle_{}, rate_{};
};

}  // namespace bench
