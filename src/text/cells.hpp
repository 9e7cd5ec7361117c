// The cells of a line of a CSV file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace libration {

// Between commas; those inside of double quotes belong to the cell, the quotes do not.
std::vector<std::string> cells_of(std::string_view line);

}  // namespace libration
