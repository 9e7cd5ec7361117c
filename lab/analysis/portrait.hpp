// Phase portraits: one quantity of a recorded run against another.
#pragma once

#include <libration/integrate/trajectory.hpp>
#include <libration/plot/figure.hpp>

#include <string>
#include <utility>
#include <vector>

namespace libration {

struct Portrait {
    std::string x_name, y_name;  // formulas, see quantity.hpp
    std::vector<double> x, y;    // one a recorded state
};

// InputError for what is not a quantity of the model.
Portrait portrait(const Trajectory& trajectory, const std::string& x, const std::string& y);

// (q_i, p_i) of the first coordinates, up to a maximum number; of a field in q alone its coordinates in pairs.
std::vector<std::pair<std::string, std::string>> portrait_pairs(const Model& model, std::size_t most = 6);

// Units are equally long where both are coordinates: then it is a path in space.
plot::Figure portrait_figure(const Model& model, const Portrait& portrait);

}  // namespace libration
