// One trajectory as a double, eight as a vector: the same formulas serve both.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

// A call inside a step costs a tenth of it, and the compiler does not know.
#define BENCH_INLINE [[gnu::always_inline]] inline

namespace bench {

using Eight = double __attribute__((vector_size(64)));
using EightBits = std::int64_t __attribute__((vector_size(64)));

template <class V>
constexpr std::size_t lanes_of = sizeof(V) / sizeof(double);

BENCH_INLINE double lane(const double& value, std::size_t) { return value; }
BENCH_INLINE void set_lane(double& value, std::size_t, double x) { value = x; }
BENCH_INLINE double lane(const Eight& value, std::size_t k) { return value[k]; }
BENCH_INLINE void set_lane(Eight& value, std::size_t k, double x) { value[k] = x; }

BENCH_INLINE double size_of(double a) { return std::abs(a); }
BENCH_INLINE Eight size_of(Eight a) { return reinterpret_cast<Eight>(reinterpret_cast<EightBits>(a) & INT64_MAX); }

// Whether all lanes are at most `bound`; what is not a number is not.
BENCH_INLINE bool all_within(double a, double bound) { return a <= bound; }
BENCH_INLINE bool all_within(Eight a, double bound) {
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

}  // namespace bench
