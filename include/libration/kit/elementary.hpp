// Elementary functions of double. Every one of them comes from elementary.cpp (SLEEF, 1.0 ulp), never from the C
// library: the two differ in the last bit for some percent of all arguments, and our results are reproducible bit for
// bit.
#pragma once

namespace [[gnu::visibility("default")]] libration {

double cbrt(double x);
double exp(double x);
double log(double x);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double floor(double x);
double pow(double x, double y);
double atan2(double y, double x);
double hypot(double x, double y);

// Exactly rounded by IEEE 754, hence the same everywhere; inline, so that tuned loops hold the one instruction.
inline double sqrt(double x) { return __builtin_sqrt(x); }
// x*y + z with one rounding.
inline double mad(double x, double y, double z) { return __builtin_fma(x, y, z); }

// False on a processor without fused multiply-add: results are then reproducible, but may differ in the last bits from
// those of other processors. Files record it.
bool has_fused_multiply_add();

}  // namespace libration
