// Couplings: joints that relate the coordinates of two other joints. A new type is one entry of the table in
// couplings.cpp.
#pragma once

#include <libration/model/model.hpp>

#include <span>
#include <string_view>

namespace libration {

struct CouplingType {
    std::string_view name;
    std::string_view factor_key;
    bool needs_factor = true;  // otherwise it is 1
    bool has_offset = false;
    // What the two coordinates are; `any` may be both.
    enum class Kind { angle, displacement, any };
    Kind first, second;
    // From the start of both joints, where angles have the value `zero`; otherwise from 0.
    bool from_start = true;
};

std::span<const CouplingType> coupling_types();
// Null: it is a joint between bodies, or unknown.
const CouplingType* coupling_type(std::string_view name);
bool is_coupling(const JointProperties& given);

// The joints that it names exist already.
Joint make_coupling(const Model& model, const JointProperties& given);

}  // namespace libration
