// Loops compiled twice: for every processor, and for those with AVX2 and FMA, chosen when the program starts. Both give
// the same bits, because a*b+c is fused only where the source says mad() and no sum is reordered by the compiler.
//
//     tuned<S>([&]() LIBRATION_TUNED { for (...) y[i] = mad(a, x[i], y[i]); });
//
// What the loop calls must be inlined into it to profit: mark it LIBRATION_INLINE.
#pragma once

#include <type_traits>
#include <utility>

#define LIBRATION_INLINE [[gnu::always_inline]] inline
#define LIBRATION_TUNED __attribute__((always_inline))

namespace [[gnu::visibility("default")]] libration {

// True if the processor has AVX2 and FMA and the environment does not set LIBRATION_PLAIN_CODE.
extern const bool tuned_code;

#if defined(__x86_64__) && defined(__GNUC__)
namespace tuned_detail {

template <class Body>
[[gnu::target("avx2,fma"), gnu::noinline]] void run(Body& body) {
    body();
}

}  // namespace tuned_detail
#endif

template <class S, class Body>
LIBRATION_INLINE void tuned(Body&& body) {
#if defined(__x86_64__) && defined(__GNUC__)
    if constexpr (std::is_same_v<S, double>) {
        if (tuned_code) {
            tuned_detail::run(body);
            return;
        }
    }
#endif
    body();
}

}  // namespace libration
