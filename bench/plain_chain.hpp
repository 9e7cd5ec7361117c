// RATTLE for the hanging chain of problems/chain.toml as a careful programmer writes it for this one problem, in plain
// C++:
//
//     p'  = p  - h/2 (U_q + G^T lambda)      q' = q + h M^-1 p'      0 = |e'_i|^2 - l^2       e_i = q_i - q_i-1
//     p'' = p' - h/2 U_q - G'^T mu                                   0 = G' M^-1 p''          row i of G: 2 e_i at i, -2 e_i at i-1
//
// [HLW03 (6.12)] Arrays of x and y, fused loops, a tridiagonal LDL^T, any masses; the compiler alone makes vector code.
#pragma once

#include <bench/chain_parameters.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

// How plain_chain.cpp is compiled: -O3 alone, or with -march=native.
struct ForAnyMachine {};
struct ForThisMachine {};

template <class Build>
class PlainChain {
  public:
    explicit PlainChain(const ChainParameters& parameters);

    // One step in place; false if the iteration did not reach round-off. No allocation.
    bool step();

    [[nodiscard]] std::int64_t passes() const { return passes_; }
    // The largest residual with which an iteration ended, in floors.
    [[nodiscard]] double residual() const { return worst_; }
    // x0, y0, x1, ...
    [[nodiscard]] std::vector<double> positions() const;
    [[nodiscard]] std::vector<double> positions_low() const;
    [[nodiscard]] std::vector<double> momenta() const;

  private:
    // Coordinates of all points, and what rounding dropped from them.
    struct Points {
        double *x, *y, *x_low, *y_low;
    };

    void share_memory();
    void place_at_start();
    void predict();
    void find_floors();
    void move();
    [[nodiscard]] double find_residual();
    void correct();
    void factor();
    void project();

    std::size_t n_;
    double gravity_, rod_, step_, half_step_;
    std::vector<double> memory_;
    double *mass_, *inverse_mass_;
    Points q_, p_, next_q_, next_p_;
    double *ex_, *ey_;                // rods at q
    double *inverse_pivot_, *below_;  // L D L^T = A/4, L_i,i-1 = below_i
    double *size_x_, *size_y_;        // of what a step adds to a coordinate
    double *rows_, *per_floor_;       // right-hand side of a solve; 1/floor of each constraint
    std::array<double*, 5> lambda_;   // multipliers: of this step, of the last one, ...
    int filled_ = 0;
    std::int64_t passes_ = 0;
    double worst_ = 0;
};

extern template class PlainChain<ForAnyMachine>;
extern template class PlainChain<ForThisMachine>;

}  // namespace bench
