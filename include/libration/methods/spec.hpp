// Method specifications: `rattle`, `lobatto(3)`, `compose(rattle, kahanli8)`, `multistep(6, -0.7, 0.4, beta=0.1)`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

struct MethodSpec {
    std::string name;  // of a method, or the text of a number
    std::vector<MethodSpec> arguments;
    std::string key;  // for `key=value` arguments

    friend bool operator==(const MethodSpec&, const MethodSpec&) = default;
};

// Throws an InputError that points at the fault.
MethodSpec parse_spec(std::string_view text);
// The form in which it is written; parses back to the same.
std::string to_string(const MethodSpec& spec);

}  // namespace libration
