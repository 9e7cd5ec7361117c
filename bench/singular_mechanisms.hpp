// Mechanisms whose motion leads through positions where the constraints become dependent. There the set {g = 0} has
// several branches; the motion follows the smooth one, and its energy is kept. What is 0 on that branch alone is
// watched as the invariant `branch`.
#pragma once

#include "model/embedded.hpp"
#include <libration/model/model.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace libration::singular {

struct Mechanism {
    std::string name;
    Model model;
    double duration;
    double scale;  // of its energies: max T + (max U - min U)
    double longest_step, shortest_step;
};

// Crank and rod of equal length: the slider passes the pivot of the crank, where the rod lies on the crank.
inline constexpr const char* folding_slider_crank = R"toml(
name = "folding-slider-crank"
[coordinates]
q = ["x1", "y1", "x2"]
[dynamics]
kinetic = "(v_x1^2 + v_y1^2)/6 + (v_x1^2 + v_y1^2 + v_x1*v_x2 + v_x2^2)/6 + v_x2^2/2"
potential = "9.81*y1"
constraints = { crank = "(x1^2 + y1^2 - 1)/2", rod = "((x2 - x1)^2 + y1^2 - 1)/2" }
[observables]
branch = "x2 - 2*x1"
invariants = ["branch"]
[initial]
q = [1, 0, 2]
v = [0, 6, 0]
)toml";

// Four bars A-B-C-D-E between A = (0, 0) and E = (2, 0), of lengths 3/2, 1/2, 1/2, 3/2. The symmetric motion leads
// through the position in which all bars lie on one line.
inline constexpr const char* five_bar = R"toml(
name = "five-bar"
[parameters]
a = 0.6                              # angle of the first bar at the start
[coordinates]
q = ["bx", "by", "cx", "cy", "dx", "dy"]
[dynamics]
mass = 1
potential = "9.81*(by + cy + dy)"
[dynamics.constraints]
ab = "bx^2 + by^2 - 9/4"
bc = "(cx - bx)^2 + (cy - by)^2 - 1/4"
cd = "(dx - cx)^2 + (dy - cy)^2 - 1/4"
de = "(dx - 2)^2 + dy^2 - 9/4"
[observables]
branch = "bx + dx - 2"
invariants = ["branch"]
[initial]
q = ["3/2*cos(a)", "3/2*sin(a)", 1, "3/2*sin(a) + sqrt(1/4 - (3/2*cos(a) - 1)^2)", "2 - 3/2*cos(a)", "3/2*sin(a)"]
)toml";

// The crossed position of a parallelogram.
inline constexpr const char* antiparallelogram = R"toml(
name = "antiparallelogram"
[coordinates]
q = ["x", "y", "u", "w"]
[dynamics]
mass = [1, 1, 2, 2]
potential = "9.81*y + 2*9.81*w"
constraints = { left = "x^2 + y^2 - 1", right = "(u - 2)^2 + w^2 - 1", coupler = "(u - x)^2 + (w - y)^2 - 4" }
[observables]
branch = "u*y + w*(2 - x)"           # the diagonals are parallel
invariants = ["branch"]
[initial]
q = [0, 1, "6/5", "-3/5"]
v = [6, 0, "54/25", "-72/25"]
)toml";

// A curve that crosses itself: its one gradient vanishes at the crossing.
inline constexpr const char* figure_eight = R"toml(
name = "figure-eight"
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "y + 3/10*x"
constraints = { curve = "(x^2 + y^2)^2 - 4*(x^2 - y^2)" }
[initial]
q = [2, 0]
v = [0, 4]
)toml";

using Settings = std::vector<std::pair<std::string, std::string>>;

// Andrews' mechanism with short links e and zf. Both of its dyads stretch out, or fold, at the same position of the
// point that they share; there each of them could turn either way, and the motion turns both: the angles phi and omega
// remain opposite. A dyad that turned the wrong way would keep the energy.
inline Model short_linked_andrews(const std::string& name, const std::string& link, Settings start) {
    const auto all = embedded_problems();
    const auto swing = std::ranges::find(all, "andrews-swing", &EmbeddedProblem::name);
    start.insert(start.end(), {{"e", link}, {"zf", link}, {"ea", "0.0042"}, {"fa", "0.0042"}});
    return Model::parse(
        std::string(swing->text) + "[observables]\nbranch = \"phi + omega\"\ninvariants = [\"branch\"]\n", name, start);
}

// Through the stretched position four times until t = 0.03; the folded one is out of reach, by 4e-4 of 0.034.
inline const Settings stretching_start{
    {"beta", "2.032681212378919042672534"},    {"theta", "-1.744807848607768876307371"},
    {"gamma", "0.1833905550410157775433747"},  {"phi", "-0.1789578762620642433364739"},
    {"delta", "0.165412372230155931335361"},   {"omega", "0.1789578762620642433364739"},
    {"epsilon", "1.435194953008468537385666"}, {"v_beta", "800"},
    {"v_theta", "-855.2831399426174868136"},   {"v_gamma", "-158.4477791409758372962"},
    {"v_phi", "-911.5597779759268973907"},     {"v_delta", "-27.56768696807236453556"},
    {"v_omega", "911.5597779759268973907"},    {"v_epsilon", "-19.6652437018569070745"}};

// Through both in turn, nine times: the dyads go round.
inline const Settings folding_start{
    {"beta", "2.032681212378919042672534"},    {"theta", "-1.744807848607768876307371"},
    {"gamma", "0.1833905550410157775433747"},  {"phi", "-0.182123343885019729214475"},
    {"delta", "0.152706164761710654341472"},   {"omega", "0.182123343885019729214475"},
    {"epsilon", "1.447901160476913814379555"}, {"v_beta", "800"},
    {"v_theta", "-855.2831399426174868136"},   {"v_gamma", "-158.4477791409758372962"},
    {"v_phi", "-995.0035830562491954389"},     {"v_delta", "-29.77428717091204514202"},
    {"v_omega", "995.0035830562491954389"},    {"v_epsilon", "-17.45864349901722646804"}};

inline std::vector<Mechanism> mechanisms() {
    const auto parsed = [](const char* text, const char* name) { return Model::parse(text, name); };
    return {
        {"four-bar", Model::load("four-bar"), 10, 36, 0.025, 0.0025},
        {"four-bar n=4", Model::load("four-bar", {{"n", "4"}}), 10, 65, 0.025, 0.0025},
        {"folding-slider-crank", parsed(folding_slider_crank, "folding-slider-crank"), 10, 20, 0.025, 0.0025},
        {"five-bar", parsed(five_bar, "five-bar"), 5, 40, 0.0125, 0.00125},
        {"antiparallelogram", parsed(antiparallelogram, "antiparallelogram"), 10, 20, 0.025, 0.0025},
        {"figure-eight", parsed(figure_eight, "figure-eight"), 10, 10, 0.02, 0.002},
        {"andrews-swing", Model::load("andrews-swing"), 0.03, 1.6, 7.5e-5, 7.5e-6},
    };
}

inline std::vector<Mechanism> short_linked_mechanisms() {
    return {
        {"andrews-stretching", short_linked_andrews("andrews-stretching", "0.006", stretching_start), 0.03, 2.54, 4e-5,
         4e-6},
        {"andrews-folding", short_linked_andrews("andrews-folding", "0.0055", folding_start), 0.03, 2.58, 4e-5, 4e-6},
    };
}

}  // namespace libration::singular
