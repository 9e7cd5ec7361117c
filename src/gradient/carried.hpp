// What a backward run carries: a state of the extended model with tangents.
#pragma once

#include <libration/kit/dual.hpp>

#include <cmath>
#include <vector>

namespace libration {

// Lanes of the tangents: a generic one, by which the others are judged, and those that are wanted.
inline constexpr std::size_t generic = 1;                           // lane
inline constexpr std::array<std::size_t, 3> wanted_lanes{0, 2, 3};  // one for each row; the first one for a loss

// A state of the extended model with tangents.
struct Carried {
    std::vector<Dual<double>> q, p, low;
    explicit Carried(std::size_t n) : q(n, lit<Dual<double>>(0)), p(q), low(q) {}

    void add(double share, std::size_t from, std::size_t to) {
        for (auto* x : {&q, &p}) {
            for (auto& value : *x) {
                value.tangent[to] += share * value.tangent[from];
            }
        }
    }
};

// omega of a tangent and the generic tangent of `other`, and how large its terms are.
struct Pairing {
    double value = 0, size = 0;
};
inline Pairing pairing(const Carried& one, std::size_t lane, const Carried& other) {
    Pairing sum;
    for (std::size_t j = 0; j < one.q.size(); ++j) {
        const double there = one.q[j].tangent[lane] * other.p[j].tangent[generic];
        const double back = one.p[j].tangent[lane] * other.q[j].tangent[generic];
        sum.value += there - back;
        sum.size += std::abs(there) + std::abs(back);
    }
    return sum;
}

}  // namespace libration
