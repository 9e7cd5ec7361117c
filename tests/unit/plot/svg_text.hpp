// What stands in the text of a figure.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace libration::plot {

inline bool contains(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

inline std::vector<double> numbers_in(const std::string& text) {
    std::vector<double> numbers;
    const std::regex number(R"(-?\d*\.?\d+)");
    for (std::sregex_iterator i(text.begin(), text.end(), number), end; i != end; ++i) {
        numbers.push_back(std::stod(i->str()));
    }
    return numbers;
}

}  // namespace libration::plot
