// Which unknowns travel together.
#include "directions.hpp"

namespace libration {

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
