#include "reproduce/computations/named_family.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

Family family_named(const std::string& text) {
    std::string known;
    for (const auto family : {Family::lobatto_a, Family::lobatto_b, Family::lobatto_c, Family::lobatto_cstar,
                              Family::lobatto_d, Family::gauss, Family::radau}) {
        if (name(family) == text) {
            return family;
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", name(family));
    }
    throw InputError(fmt::format("there is no family '{}'; write one of {}", text, known));
}

}  // namespace libration
