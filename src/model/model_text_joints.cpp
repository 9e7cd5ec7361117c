// The text of joints: as they were given.
#include "couplings.hpp"
#include "joint_types.hpp"
#include "model_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

bool belongs_to_joint(const Model& model, const Constraint& constraint) {
    const auto found = model.joint_numbers.find(constraint.name.substr(0, constraint.name.find('.')));
    return found != model.joint_numbers.end() &&
           std::ranges::find(model.joints[found->second].rows, constraint.first_row, &JointRow::number) !=
               model.joints[found->second].rows.end();
}

void ModelText::write_joints() {
    const auto vectors = [](const std::vector<std::array<Expression, 3>>& all) {
        std::vector<std::string> texts;
        for (const auto& one : all) {
            texts.push_back(toml_list({toml_formula(one[0]), toml_formula(one[1]), toml_formula(one[2])}, 8));
        }
        return texts.size() == 1 ? texts[0] : toml_list(texts, 8);
    };
    for (const auto& joint : model_.joints) {
        const auto& given = joint.given;
        const auto types = joint_types();
        const auto type = std::ranges::find(types, given.type, &JointType::name);
        const auto* coupled = coupling_type(given.type);
        const auto& ends = coupled != nullptr ? given.of : given.between;
        Entries entries{
            {"name", toml_quoted(given.name)},
            {"type", toml_quoted(given.type)},
            {coupled != nullptr ? "of" : "between", toml_list({toml_quoted(ends[0]), toml_quoted(ends[1])}, 11)}};
        if (given.factor) {
            entries.emplace_back(coupled != nullptr ? std::string(coupled->factor_key)
                                 : type->rolls()    ? "radius"
                                                    : "pitch",
                                 toml_formula(*given.factor));
        }
        if (given.offset) {
            entries.emplace_back("offset", toml_formula(*given.offset));
        }
        if (!given.at.empty()) {
            entries.emplace_back("at", vectors(given.at));
        }
        if (!given.axes.empty()) {
            entries.emplace_back(std::string(type->axes_key), vectors(given.axes));
        }
        for (const auto& [key, value] :
             {std::pair("length", &given.length), std::pair("zero", &given.zero), std::pair("motion", &given.motion)}) {
            if (*value) {
                entries.emplace_back(key, toml_formula(**value));
            }
        }
        if (given.on) {
            entries.emplace_back("on", vectors({*given.on}));
        }
        if (given.slides) {
            entries.emplace_back("slides", "true");
        }
        if (given.turns) {
            entries.emplace_back("turns", "true");
        }
        section("[joint]", entries);
    }
}

}  // namespace libration
