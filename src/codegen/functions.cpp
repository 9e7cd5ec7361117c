// SLEEF's `finz` family, as in scalar/elementary.cpp: one double with FMA, four with AVX2, eight with AVX-512, all the
// same bits.
#include "functions.hpp"

#include <libration/kit/scalar.hpp>

// Only addresses are taken, and SLEEF's header shows these names to code compiled for AVX alone.
#define LIBRATION_DECLARE(name, accuracy)                         \
    extern "C" void Sleef_finz_##name##d1_##accuracy##purecfma(); \
    extern "C" void Sleef_finz_##name##d4_##accuracy##avx2();     \
    extern "C" void Sleef_finz_##name##d8_##accuracy##avx512f();
#define LIBRATION_EACH(use)                                                                                    \
    use(cbrt, cbrt, u10) use(exp, exp, u10) use(log, log, u10) use(sin, sin, u10) use(cos, cos, u10)           \
        use(tan, tan, u10) use(asin, asin, u10) use(acos, acos, u10) use(atan, atan, u10) use(sinh, sinh, u10) \
            use(cosh, cosh, u10) use(tanh, tanh, u10) use(asinh, asinh, u10) use(acosh, acosh, u10)            \
                use(atanh, atanh, u10) use(power, pow, u10) use(atan2, atan2, u10) use(hypot, hypot, u05)
#define LIBRATION_DECLARE_ONE(op, name, accuracy) LIBRATION_DECLARE(name, accuracy)
#if defined(__x86_64__)
LIBRATION_EACH(LIBRATION_DECLARE_ONE)
#endif

namespace libration::codegen {

const Functions& elementary_functions() {
    static const Functions functions = [] {
        Functions f{};
#if defined(__x86_64__)
#define LIBRATION_ENTER(op, name, accuracy)                                                                            \
    f.one[static_cast<std::size_t>(Op::op)] =                                                                          \
        reinterpret_cast<const void*>(&Sleef_finz_##name##d1_##accuracy##purecfma);                                    \
    f.four[static_cast<std::size_t>(Op::op)] = reinterpret_cast<const void*>(&Sleef_finz_##name##d4_##accuracy##avx2); \
    f.eight[static_cast<std::size_t>(Op::op)] =                                                                        \
        reinterpret_cast<const void*>(&Sleef_finz_##name##d8_##accuracy##avx512f);
        LIBRATION_EACH(LIBRATION_ENTER)
#endif
        const auto table = static_cast<double (*)(double, double, double)>(&interpolate);
        f.one[static_cast<std::size_t>(Op::interp)] = reinterpret_cast<const void*>(table);
        return f;
    }();
    return functions;
}

}  // namespace libration::codegen
