// What the ends of a joint are.
#include "joint_places.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

std::vector<std::string> joint_end_names(const Model& model) {
    std::vector<std::string> names{"ground"};
    for (const auto& body : model.bodies) {
        names.push_back(body.name);
    }
    return names;
}

JointEnd joint_end(const Model& model, const std::string& text, const Place& place) {
    if (text == "ground") {
        return {};
    }
    const auto dot = text.find('.');
    const auto name = text.substr(0, dot);
    const auto found = std::ranges::find(model.bodies, name, &Body::name);
    if (found == model.bodies.end()) {
        const auto reason = name == "ground" ? std::string("the ground has no points with names; write \"ground\" and "
                                                           "give `at` in the world")
                                             : fmt::format("there is no body '{}'{}", name,
                                                           suggestion(name, joint_end_names(model)));
        throw InputError(place, reason, std::max<std::size_t>(characters(text), 1));
    }
    JointEnd end{&*found, static_cast<std::size_t>(found - model.bodies.begin()), {}, {}, {}};
    if (dot != std::string::npos) {
        throw InputError(place, fmt::format("the body {} has no point or frame '{}'", name, text.substr(dot + 1)));
    }
    return end;
}

bool is_planar(const Body&) { return false; }
Expression planar_angle(const Body&) { return 0; }
Expression planar_start_angle(const Body&) { return 0; }

}  // namespace libration
