// "Did you mean": the known names nearest to a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace libration {

// ": did you mean 'rattle'?" for the nearest name if one is near, otherwise "; known are a, b, c" (at most `most`
// names), ready to be appended to "unknown method 'ratle'".
std::string suggestion(std::string_view misspelt, std::span<const std::string> known, std::size_t most = 12);

}  // namespace libration
