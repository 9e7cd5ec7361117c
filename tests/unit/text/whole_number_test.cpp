#include "text/whole_number.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace libration {
namespace {

TEST(WholeNumber, is_read_exactly_in_every_form) {
    const auto most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
    for (const auto& [text, value] : std::vector<std::pair<std::string, std::int64_t>>{
             {"0", 0},
             {"007", 7},
             {"+12", 12},
             {"-3", -3},
             {"1e5", 100'000},
             {"2.5e3", 2500},
             {"1E+2", 100},
             {"1200e-2", 12},
             {"0.5e1", 5},
             {".5e1", 5},
             {"5.", 5},
             {"0e999999999999999999999", 0},
             {"9223372036854775807", most},
             {"9.223372036854775807e18", most},
             {"-9223372036854775808", least},
             {"9007199254740993e0", 9'007'199'254'740'993}}) {  // no double
        const auto found = whole_number(text);
        EXPECT_EQ(found.error, std::errc{}) << text;
        EXPECT_EQ(found.value, value) << text;
    }
}

TEST(WholeNumber, is_refused_where_it_is_not_whole_or_no_number) {
    for (const char* text :
         {"",   "-",  "+",     ".",    "e5",  "1e",  "1e+", "1e+-3", "1.5",   "1.5e0", "25e-1", "1e-999999999999999999",
          "1 ", " 1", "1_000", "0x10", "nan", "inf", "--1", "1.2.3", "1e5e5", "1,5"}) {
        EXPECT_EQ(whole_number(text).error, std::errc::invalid_argument) << text;
    }
}

TEST(WholeNumber, is_refused_where_it_is_too_large) {
    for (const char* text :
         {"1e19", "1e30", "9223372036854775808", "-9223372036854775809", "1e999999999999999999999"}) {
        EXPECT_EQ(whole_number(text).error, std::errc::result_out_of_range) << text;
    }
}

}  // namespace
}  // namespace libration
