// Andrews' squeezing mechanism (problems/andrews.toml) by the Lobatto IIIA-IIIB pair with four stages, order 6, in a
// program that can do nothing else.
#pragma once

#include <array>
#include <cstdint>

namespace bench {

enum class AndrewsMatrix {
    frozen,  // G M^-1 G^T at the beginning of the step, 6 x 6, times a 3 x 3 matrix that is known beforehand
    stages,  // the derivatives of all constraints at the predicted stages, 18 x 18
};

class Andrews {
  public:
    // Stages are iterated until no angle changes by more than `tolerance`; 0: until round-off.
    Andrews(AndrewsMatrix matrix, double step, double tolerance);
    // theta = 0, at rest.
    void start();
    void run(std::int64_t steps);
    // beta, theta, gamma, phi, delta, omega, epsilon; momenta belong to them.
    [[nodiscard]] std::array<double, 7> angles() const;
    [[nodiscard]] std::array<double, 7> momenta() const;
    [[nodiscard]] double energy() const;
    // The largest |g_i|, from the angles, in extended precision.
    [[nodiscard]] double largest_gap() const;
    [[nodiscard]] std::int64_t passes() const { return passes_; }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    using Seven = std::array<double, 7>;
    void step();

    AndrewsMatrix matrix_;
    double step_, tolerance_;
    // beta, psi = beta + theta, gamma, delta, chi = phi + delta, epsilon, kappa = omega + epsilon: in the directions of
    // the bodies themselves the constraints need no sums of angles. A linear change of coordinates changes no result of
    // the method.
    Seven q_{}, p_{};
    std::array<Seven, 4> velocity_{};                // of the stages of the last step
    std::array<std::array<double, 6>, 3> lambda_{};  // and its multipliers
    bool has_past_ = false, failed_ = false;
    std::int64_t passes_ = 0;
};

}  // namespace bench
