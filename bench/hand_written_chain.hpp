// RATTLE for the hanging chain of problems/chain.toml and for nothing else, with vector types: what this machine can
// do. plain_chain.hpp is the one to compare with.
//
// Lengths are counted in rods and w = h v / l is the way of one step, so that neither mass, rod nor step enters a loop:
//
//     w'  = w - c - (s_i e_i - s_i+1 e_i+1)     q' = q + w'     0 = |e'_i|^2 - 1       e_i = q_i - q_i-1, e' = e + d
//     w'' = w' - c - (u_i e'_i - u_i+1 e'_i+1)                  0 = e'_i . (w''_i - w''_i-1)
//
// with c = (0, h^2 g / (2 l)). s is h^2 lambda / m of the library. [HLW03 (6.12)]
#pragma once

#include <bench/chain_parameters.hpp>
#include <bench/twisted_tridiagonal.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace bench {

// Positions and way of a step with what rounding drops (x + x_low), or without.
template <bool compensated>
class HandWrittenChain {
  public:
    explicit HandWrittenChain(const ChainParameters& parameters);

    // One step in place; false if the iteration did not reach round-off. No allocation.
    bool step();

    [[nodiscard]] std::int64_t passes() const { return passes_; }
    // The largest residual with which an iteration ended, in floors.
    [[nodiscard]] double residual() const { return worst_; }
    // x0, y0, x1, ... in the units of the parameters
    [[nodiscard]] std::vector<double> positions() const;
    [[nodiscard]] std::vector<double> positions_low() const;
    [[nodiscard]] std::vector<double> momenta() const;

  private:
    struct Free {
        void operator()(double* memory) const;
    };

    void place_at_start();
    [[nodiscard]] double predict();
    [[nodiscard]] double find_residual();
    void correct();
    void move();
    void project();
    void clear_tail(double* array) const;

    std::size_t n_;
    double scale_, momentum_scale_, kick_;
    std::unique_ptr<double, Free> memory_;
    double *x_, *y_, *x_low_, *y_low_, *wx_, *wy_, *wx_low_, *wy_low_;
    double *ex_, *ey_;    // rods at q
    double *dwx_, *dwy_;  // w_i - w_i-1 at the start of the step
    double* gap_;         // (|e|^2 - 1)/2 at the pair q + q_low
    TwistedTridiagonal matrix_;
    double *rows_, *per_floor_;
    std::array<double*, 5> s_;  // multipliers: of this step, of the last one, ...
    int filled_ = 0;
    std::int64_t passes_ = 0;
    double worst_ = 0;
};

extern template class HandWrittenChain<true>;
extern template class HandWrittenChain<false>;

}  // namespace bench
