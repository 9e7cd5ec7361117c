// What stands in the text of a figure, and what is said where there is none.
#pragma once

#include <libration/plot/figure.hpp>
#include <libration/text/error.hpp>

#include <regex>
#include <string>
#include <utility>
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

constexpr double rounding = 0.0101;  // coordinates have two decimals, and so have the corners they are compared with

struct Corners {
    double left, top, bottom, right;
};

// The path of the axes begins with the frame: M left top V bottom H right.
inline Corners corners(const std::string& svg) {
    const auto at = svg.find(" d=\"", svg.find("class=\"axes\""));
    const auto n = numbers_in(svg.substr(at, svg.find('"', at + 4) - at));
    return {n.at(0), n.at(1), n.at(2), n.at(3)};
}

inline Figure figure_of(Series series) {
    Figure figure;
    figure.series.push_back(std::move(series));
    return figure;
}

inline std::string message_of(const Figure& figure) {
    try {
        to_svg(figure);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace libration::plot
