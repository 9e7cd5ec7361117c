// The few functions of wide numbers that coefficients need.
#include "wide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace libration {

#ifdef LIBRATION_HAS_QUAD

Wide wide_sqrt(Wide x) { return sqrtq(x); }
Wide wide_sin(Wide x) { return sinq(x); }
Wide wide_cos(Wide x) { return cosq(x); }
Wide wide_root(Wide x, int n) { return powq(x, Wide{1} / n); }
Wide wide_from_text(std::string_view text) { return from_text<Quad>(text); }
std::string wide_to_text(Wide x) {
    std::array<char, 64> buffer{};
    quadmath_snprintf(buffer.data(), buffer.size(), "%.17Qg", x);
    std::string text = buffer.data();
    std::replace(text.begin(), text.end(), ',', '.');  // whatever the locale of the host program
    return text;
}

#else

Wide wide_sqrt(Wide x) { return std::sqrt(x); }
Wide wide_sin(Wide x) { return std::sin(x); }
Wide wide_cos(Wide x) { return std::cos(x); }
Wide wide_root(Wide x, int n) { return std::pow(x, Wide{1} / static_cast<Wide>(n)); }
Wide wide_from_text(std::string_view text) {
    Wide value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}
std::string wide_to_text(Wide x) { return fmt::format("{:.17g}", x); }

#endif

}  // namespace libration
