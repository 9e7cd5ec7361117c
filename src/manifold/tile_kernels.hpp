// The dense kernels of the supernodal factorisation, on strips of four rows (see supernodal_structure.hpp). Each comes
// twice: for every scalar, and for double with AVX2 and FMA. Both add the same terms to each number in the same order,
// fused, so they give the same bits.
#pragma once

#include "supernodal_structure.hpp"
#include <libration/kit/scalar.hpp>
#include <libration/kit/tuned.hpp>

#if defined(__x86_64__) && defined(__GNUC__)
#define LIBRATION_TILE_VECTORS
#include <immintrin.h>
#endif

namespace libration::tiles {

// How many strips one call treats.
inline constexpr int group = 3;

// R strips of C minus U L^T for `count` tiles side by side: c[r] points to tiles (4x4, column after column), u to
// strips at distance u_stride, l to strips at distance l_stride; `depth` columns are summed.
template <int R, class S>
void subtract_plain(const S* u, std::size_t u_stride, const S* l, std::size_t l_stride, std::size_t depth,
                    S* const (&c)[R], std::size_t count) {
    for (std::size_t t = 0; t < count; ++t, l += l_stride) {
        for (int r = 0; r < R; ++r) {
            S* target = c[r] + t * tile * tile;
            for (std::size_t k = 0; k < depth; ++k) {
                for (std::size_t j = 0; j < tile; ++j) {
                    for (std::size_t i = 0; i < tile; ++i) {
                        S& sum = target[tile * j + i];
                        sum = mad(-u[r * u_stride + tile * k + i], l[tile * k + j], sum);
                    }
                }
            }
        }
    }
}

// Columns depth, ..., depth + C - 1 of R strips below a triangle: from A to U (= L D) and L. `triangle` is the strip of
// the triangle that holds those rows: L left of the diagonal, 1/D on it. `a` holds A, then L; `u` holds U.
template <int R, int C, class S>
void eliminate_plain(const S* triangle, std::size_t depth, S* a, std::size_t a_stride, S* u, std::size_t u_stride) {
    for (int r = 0; r < R; ++r, a += a_stride, u += u_stride) {
        for (std::size_t j = depth; j < depth + C; ++j) {
            for (std::size_t i = 0; i < tile; ++i) {
                S sum = a[tile * j + i];
                for (std::size_t k = 0; k < j; ++k) {
                    sum = mad(-u[tile * k + i], triangle[tile * k + (j - depth)], sum);
                }
                u[tile * j + i] = sum;
                a[tile * j + i] = sum * triangle[tile * j + (j - depth)];
            }
        }
    }
}

#ifdef LIBRATION_TILE_VECTORS

template <int R>
[[gnu::target("avx2,fma")]] inline void subtract_vector(const double* u, std::size_t u_stride, const double* l,
                                                        std::size_t l_stride, std::size_t depth, double* const (&c)[R],
                                                        std::size_t count) {
    for (std::size_t t = 0; t < count; ++t, l += l_stride) {
        __m256d sum[R][4];
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                sum[r][j] = _mm256_loadu_pd(c[r] + 16 * t + 4 * j);
            }
        }
        const double* column = u;
        for (std::size_t k = 0; k < depth; ++k, column += 4) {
            __m256d left[R];
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) {
                left[r] = _mm256_loadu_pd(column + r * u_stride);
            }
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                const __m256d right = _mm256_broadcast_sd(l + 4 * k + j);
#pragma GCC unroll 4
                for (int r = 0; r < R; ++r) {
                    sum[r][j] = _mm256_fnmadd_pd(left[r], right, sum[r][j]);
                }
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                _mm256_storeu_pd(c[r] + 16 * t + 4 * j, sum[r][j]);
            }
        }
    }
}

template <int R, int C>
[[gnu::target("avx2,fma")]] inline void eliminate_vector(const double* triangle, std::size_t depth, double* a,
                                                         std::size_t a_stride, double* u, std::size_t u_stride) {
    __m256d sum[R][C];
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
        for (int j = 0; j < C; ++j) {
            sum[r][j] = _mm256_loadu_pd(a + r * a_stride + 4 * (depth + j));
        }
    }
    const double* column = u;
    for (std::size_t k = 0; k < depth; ++k, column += 4) {
        __m256d left[R];
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
            left[r] = _mm256_loadu_pd(column + r * u_stride);
        }
#pragma GCC unroll 4
        for (int j = 0; j < C; ++j) {
            const __m256d right = _mm256_broadcast_sd(triangle + 4 * k + j);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) {
                sum[r][j] = _mm256_fnmadd_pd(left[r], right, sum[r][j]);
            }
        }
    }
    const double* diagonal = triangle + 4 * depth;
#pragma GCC unroll 4
    for (int j = 0; j < C; ++j) {
#pragma GCC unroll 4
        for (int k = 0; k < j; ++k) {
            const __m256d right = _mm256_broadcast_sd(diagonal + 4 * k + j);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) {
                sum[r][j] = _mm256_fnmadd_pd(sum[r][k], right, sum[r][j]);
            }
        }
        const __m256d inverse = _mm256_broadcast_sd(diagonal + 4 * j + j);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
            _mm256_storeu_pd(u + r * u_stride + 4 * (depth + j), sum[r][j]);
            _mm256_storeu_pd(a + r * a_stride + 4 * (depth + j), _mm256_mul_pd(sum[r][j], inverse));
        }
    }
}

#endif

// The choice between the two; `Vectors` is known where the whole factorisation starts.
template <bool Vectors, int R, class S>
void subtract(const S* u, std::size_t u_stride, const S* l, std::size_t l_stride, std::size_t depth, S* const (&c)[R],
              std::size_t count) {
#ifdef LIBRATION_TILE_VECTORS
    if constexpr (Vectors) {
        subtract_vector<R>(u, u_stride, l, l_stride, depth, c, count);
        return;
    }
#endif
    subtract_plain<R>(u, u_stride, l, l_stride, depth, c, count);
}

template <bool Vectors, int R, int C, class S>
void eliminate(const S* triangle, std::size_t depth, S* a, std::size_t a_stride, S* u, std::size_t u_stride) {
#ifdef LIBRATION_TILE_VECTORS
    if constexpr (Vectors) {
        eliminate_vector<R, C>(triangle, depth, a, a_stride, u, u_stride);
        return;
    }
#endif
    eliminate_plain<R, C>(triangle, depth, a, a_stride, u, u_stride);
}

}  // namespace libration::tiles
