// A figure as markup, to be a document of its own or a panel of a page.
#pragma once

#include <libration/plot/figure.hpp>

#include <cstddef>
#include <string>

namespace libration::plot {

constexpr std::size_t points_in_all = 16000;  // of all series of a document together, about 13 bytes each

struct Drawing {
    std::string markup;  // from the origin on
    double width = 0, height = 0;
};

Drawing drawing_of(const Figure& figure, std::size_t most_points);
std::string document_of(const Drawing& drawing, const std::string& title);

}  // namespace libration::plot
