// What varies between the trajectories of an ensemble: a parameter, or an initial value, and its distribution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

struct Distribution {
    enum class Kind { uniform, normal, log_uniform, linspace };
    Kind kind = Kind::uniform;
    double first = 0, second = 0;  // ends of an interval; of `normal`: mean and standard deviation
};

struct Variation {
    std::string name;  // of a parameter, or x1, p_x1, v_x1 for the start of the coordinate x1
    Distribution distribution;
};

// "name = uniform(a, b)", and likewise normal(mean, sd), log_uniform(a, b), linspace(a, b); arguments are constant
// expressions. InputError if it is anything else.
Variation read_variation(const std::string& text);
std::string to_string(const Variation& variation);

struct Draw {
    std::uint64_t seed = 0, trajectory = 0, count = 0;
};
// The value in one trajectory. It depends only on the seed, the trajectory and the name, for `linspace` also on the
// count: it is independent of the order of the trajectories, and a larger ensemble contains the smaller one.
double draw(const Variation& variation, const Draw& which);

// The values of all trajectories.
struct VariedValues {
    std::vector<std::string> names;
    std::vector<double> values;  // [trajectory][name]
    [[nodiscard]] std::size_t count() const { return names.empty() ? 0 : values.size() / names.size(); }
    [[nodiscard]] double at(std::size_t trajectory, std::size_t name) const {
        return values[trajectory * names.size() + name];
    }
};
VariedValues draw_all(const std::vector<Variation>& variations, std::uint64_t seed, std::size_t count);

}  // namespace libration
