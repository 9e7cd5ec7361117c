// The one source of elementary functions of double: SLEEF's deterministic `finz` family (1.0 ulp, with FMA), and `cinz`
// on processors without FMA. Same bits for one lane and for many, which the vector code generator relies on.
#include <libration/kit/elementary.hpp>

#include <libration/kit/tuned.hpp>

#include <cmath>
#include <cstdlib>

// The library holds both families; its header shows `finz` only to code compiled for FMA, which ours is not.
#define FP_FAST_FMA
#include <sleef.h>

namespace libration {

namespace {

const bool fused = __builtin_cpu_supports("fma") != 0;

}  // namespace

#define LIBRATION_UNARY(name, sleef_name) \
    double name(double x) { return fused ? Sleef_finz_##sleef_name##purecfma(x) : Sleef_cinz_##sleef_name##purec(x); }
#define LIBRATION_BINARY(name, sleef_name)                                                             \
    double name(double x, double y) {                                                                  \
        return fused ? Sleef_finz_##sleef_name##purecfma(x, y) : Sleef_cinz_##sleef_name##purec(x, y); \
    }

LIBRATION_UNARY(cbrt, cbrtd1_u10)
LIBRATION_UNARY(exp, expd1_u10)
LIBRATION_UNARY(log, logd1_u10)
LIBRATION_UNARY(sin, sind1_u10)
LIBRATION_UNARY(cos, cosd1_u10)
LIBRATION_UNARY(tan, tand1_u10)
LIBRATION_UNARY(asin, asind1_u10)
LIBRATION_UNARY(acos, acosd1_u10)
LIBRATION_UNARY(atan, atand1_u10)
LIBRATION_UNARY(sinh, sinhd1_u10)
LIBRATION_UNARY(cosh, coshd1_u10)
LIBRATION_UNARY(tanh, tanhd1_u10)
LIBRATION_UNARY(asinh, asinhd1_u10)
LIBRATION_UNARY(acosh, acoshd1_u10)
LIBRATION_UNARY(atanh, atanhd1_u10)
LIBRATION_BINARY(pow, powd1_u10)
LIBRATION_BINARY(atan2, atan2d1_u10)
LIBRATION_BINARY(hypot, hypotd1_u05)

#undef LIBRATION_UNARY
#undef LIBRATION_BINARY

// Exactly rounded by IEEE 754, hence the same everywhere.
double floor(double x) { return std::floor(x); }

bool has_fused_multiply_add() { return fused; }

const bool tuned_code = fused && __builtin_cpu_supports("avx2") != 0 && std::getenv("LIBRATION_PLAIN_CODE") == nullptr;

}  // namespace libration
