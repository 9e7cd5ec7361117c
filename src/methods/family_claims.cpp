// Claims over the examples of a record.
#include "family_claims.hpp"
#include <libration/kit/method_record.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace libration {

FamilyClaims family_claims(const MethodRecord& record) {
    int low = std::numeric_limits<int>::max();
    int high = 0;
    std::set<std::string> symmetric;
    std::set<std::string> symplectic;
    for (const auto& example : examples(record)) {
        const auto claims = method(example).claims();
        low = std::min(low, claims.order);
        high = std::max(high, claims.order);
        symmetric.insert(claims.symmetric ? "yes" : "no");
        symplectic.insert(!claims.symplectic ? "no claim" : (*claims.symplectic ? "yes" : "no"));
    }
    const auto common = [](const std::set<std::string>& words) { return words.size() == 1 ? *words.begin() : "some"; };
    return {.order = low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high),
            .symmetric = common(symmetric),
            .symplectic = common(symplectic)};
}

}  // namespace libration
