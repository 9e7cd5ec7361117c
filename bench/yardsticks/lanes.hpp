// One trajectory as a double, eight as a vector, sixteen as two vectors: the same formulas serve all three.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace bench {

using Eight = double __attribute__((vector_size(64)));
using EightBits = std::int64_t __attribute__((vector_size(64)));

struct Sixteen {
    Eight low, high;
};

inline Sixteen operator+(const Sixteen& a, const Sixteen& b) { return {a.low + b.low, a.high + b.high}; }
inline Sixteen operator-(const Sixteen& a, const Sixteen& b) { return {a.low - b.low, a.high - b.high}; }
inline Sixteen operator*(const Sixteen& a, const Sixteen& b) { return {a.low * b.low, a.high * b.high}; }
inline Sixteen operator/(const Sixteen& a, const Sixteen& b) { return {a.low / b.low, a.high / b.high}; }
inline Sixteen operator+(const Sixteen& a, double b) { return {a.low + b, a.high + b}; }
inline Sixteen operator-(const Sixteen& a, double b) { return {a.low - b, a.high - b}; }
inline Sixteen operator-(double a, const Sixteen& b) { return {a - b.low, a - b.high}; }
inline Sixteen operator*(double a, const Sixteen& b) { return {a * b.low, a * b.high}; }
inline Sixteen operator/(double a, const Sixteen& b) { return {a / b.low, a / b.high}; }
inline Sixteen operator-(const Sixteen& a) { return {-a.low, -a.high}; }

template <class V>
constexpr std::size_t lanes_of = sizeof(V) / sizeof(double);

inline double lane(const double& value, std::size_t) { return value; }
inline void set_lane(double& value, std::size_t, double x) { value = x; }
inline double lane(const Eight& value, std::size_t k) { return value[k]; }
inline void set_lane(Eight& value, std::size_t k, double x) { value[k] = x; }
inline double lane(const Sixteen& value, std::size_t k) { return k < 8 ? value.low[k] : value.high[k - 8]; }
inline void set_lane(Sixteen& value, std::size_t k, double x) {
    auto& half = k < 8 ? value.low : value.high;
    half[k % 8] = x;
}

inline double size_of(double a) { return std::abs(a); }
inline Eight size_of(Eight a) { return reinterpret_cast<Eight>(reinterpret_cast<EightBits>(a) & INT64_MAX); }
inline Sixteen size_of(const Sixteen& a) { return {size_of(a.low), size_of(a.high)}; }

// Whether all lanes are at most `bound`; what is not a number is not.
inline bool all_within(double a, double bound) { return a <= bound; }
inline bool all_within(Eight a, double bound) {
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask(a, _mm512_set1_pd(bound), _CMP_LE_OQ) == 0xff;
#else
    bool within = true;
    for (std::size_t k = 0; k < 8; ++k) {
        within = within && a[k] <= bound;
    }
    return within;
#endif
}
inline bool all_within(const Sixteen& a, double bound) {
#if defined(__AVX512F__)
    const auto limit = _mm512_set1_pd(bound);
    return (_mm512_cmp_pd_mask(a.low, limit, _CMP_LE_OQ) & _mm512_cmp_pd_mask(a.high, limit, _CMP_LE_OQ)) == 0xff;
#else
    return all_within(a.low, bound) && all_within(a.high, bound);
#endif
}

// What is not a number stays.
inline double larger(double a, double b) { return b <= a ? a : b; }
inline Eight larger(Eight a, Eight b) { return b <= a ? a : b; }
inline Sixteen larger(const Sixteen& a, const Sixteen& b) { return {larger(a.low, b.low), larger(a.high, b.high)}; }

}  // namespace bench
