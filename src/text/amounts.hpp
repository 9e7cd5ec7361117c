// Counts and times as people write them.
#pragma once

#include <cstdint>
#include <string>

namespace libration {

// 1,234,567
std::string grouped(std::int64_t number);
// "3 s", "2 min 10 s", "5 h 12 min"
std::string duration_text(double seconds);
// The time of a step, which may be nanoseconds or seconds, in at most four digits.
std::string short_time_text(double seconds);

}  // namespace libration
