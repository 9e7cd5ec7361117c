// The chain that all programs of chain_bench integrate: problems/chain.toml.
#pragma once

#include <cstddef>

namespace bench {

struct ChainParameters {
    std::size_t links = 10;
    double gravity = 1, rod = 1, mass = 1, step = 0.01;
};

}  // namespace bench
