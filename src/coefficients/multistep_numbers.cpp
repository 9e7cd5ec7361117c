// The numbers that name a multistep method, from texts.
#include "multistep.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace libration {

Wide multistep_number(const std::string& name, const std::string& text) {
    double value = 0;
    const auto* first = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(first, last, value);
    if (error != std::errc{} || end != last || !std::isfinite(value)) {
        throw InputError(fmt::format("{} = {}: expected a number such as -0.7", name, text));
    }
    return wide_from_text({first, last});
}

void check_multistep_steps(std::int64_t k) {
    if (k % 2 != 0) {
        throw InputError(fmt::format("{} steps: the number of steps of a symmetric method is even, since for odd "
                                     "numbers rho and sigma have the common root -1; use {} or {}",
                                     k, std::max<std::int64_t>(k - 1, 2), std::max<std::int64_t>(k + 1, 2)));
    }
    if (k < 2 || k > most_multistep_steps) {
        throw InputError(fmt::format("{} steps: expected an even number from 2 to {}", k, most_multistep_steps));
    }
}

}  // namespace libration
