// Names of constraints: of a vector each component is a row, joint.x and joint.y, of a family joint[3].x.
#pragma once

#include <string>
#include <string_view>

namespace libration {

// Whether it is the name of a component: names that users give have no dot, and those of bodies are longer, top.rigid.
inline bool names_component(std::string_view name) { return name.size() > 2 && name[name.size() - 2] == '.'; }

// Of the row of component c of a vector with `size` components; a number has no component.
inline std::string component_name(std::string_view name, std::size_t c, std::size_t size) {
    std::string row(name);
    if (size > 1) {
        row.append(1, '.').append(1, (size == 4 ? "wxyz" : "xyz")[c]);
    }
    return row;
}

// joint of joint.x; other names as they are.
inline std::string_view without_component(std::string_view name) {
    return names_component(name) ? name.substr(0, name.size() - 2) : name;
}

// With the indices of an instance, such as "[3]", where they belong.
inline std::string with_indices(std::string_view name, std::string_view indices) {
    const auto stem = without_component(name);
    return std::string(stem).append(indices).append(name.substr(stem.size()));
}

// Rows that a rigid body brings.
inline bool is_rigid_name(std::string_view name) {
    return name.find('.') != std::string_view::npos && !names_component(name);
}

}  // namespace libration
