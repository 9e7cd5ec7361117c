// A zero between two points of opposite sign: inverse quadratic interpolation where it is safe, bisection otherwise.
#include "event_watch.hpp"
#include <libration/integrate/events.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

// The interpolation through three points is trusted where it is monotone: T. R. Chandrupatla, Adv. Eng. Softw. 28
// (1997) 145.
double find_zero(const std::function<double(double)>& f, double a, double fa, double b, double fb) {
    constexpr int most = 200;  // bisection alone would need 60
    const double width = 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b));
    // The zero lies between x1, the newest point, and x2; x3 is the point before.
    double x1 = a, f1 = fa, x2 = b, f2 = fb, part = 0.5;
    for (int pass = 0; pass < most; ++pass) {
        const double x = x1 + part * (x2 - x1), fx = f(x);
        double x3 = x2, f3 = f2;
        if ((fx < 0) == (f1 < 0)) {
            x3 = x1;
            f3 = f1;
        } else {
            x2 = x1;
            f2 = f1;
        }
        x1 = x;
        f1 = fx;
        const double best = std::abs(f2) < std::abs(f1) ? x2 : x1;
        const double least = width / std::abs(x2 - x1);
        if (f1 == 0) {
            return x1;
        }
        if (!(least < 0.5)) {
            return best;
        }
        const double at = (x1 - x2) / (x3 - x2), phi = (f1 - f2) / (f3 - f2);
        const bool monotone = phi * phi < at && (1 - phi) * (1 - phi) < 1 - at;
        part = monotone
                   ? f1 / (f2 - f1) * (f3 / (f2 - f3)) + (x3 - x1) / (x2 - x1) * (f1 / (f3 - f1)) * (f2 / (f3 - f2))
                   : 0.5;
        part = std::clamp(part, least, 1 - least);
    }
    return x1;
}

}  // namespace libration
