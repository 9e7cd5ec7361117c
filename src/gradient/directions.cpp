// Which unknowns travel together, and which cannot.
#include "directions.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

void refuse_start(const Unknown& parameter) {
    throw InputError(
        {.argument = "by",
         .value = parameter.name,
         .problem = fmt::format("the initial values do not follow {}: they satisfy the constraints for one "
                                "value of it only",
                                parameter.name),
         .remedy = "write them as formulas of it, or let `project` move them onto the constraints"});
}

std::vector<std::vector<Unknown>> grouped(const std::vector<Unknown>& unknowns, std::size_t width) {
    std::vector<std::vector<Unknown>> groups;
    for (const bool parameters : {true, false}) {
        bool open = false;
        for (const auto& unknown : unknowns) {
            if ((unknown.kind == Unknown::Kind::parameter) != parameters) {
                continue;
            }
            if (!open || groups.back().size() == width) {
                groups.emplace_back();
                open = true;
            }
            groups.back().push_back(unknown);
        }
    }
    return groups;
}

}  // namespace libration
