// Whole numbers as people write them: 100000, 1e5, 2.5e3.
#pragma once

#include <cstdint>
#include <string_view>
#include <system_error>

namespace libration {

struct WholeNumber {
    std::int64_t value = 0;
    // invalid_argument: not a decimal number, or not a whole one (1.5e0); result_out_of_range: beyond 64 bits.
    std::errc error{};
};

// Exact: no digit goes through floating point.
WholeNumber whole_number(std::string_view text);

}  // namespace libration
