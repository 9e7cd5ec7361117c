// What the members of a family have in common, for tables.
#pragma once

#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

namespace libration {

// `order`: a formula with the range of its parameter ("2s-2, s = 2-40"), or the range over the examples of the record
// ("1-2"), "4 or more" where members can be built on members without end. Of the examples: "yes", "no", "some" or
// "no claim".
struct FamilyClaims {
    std::string order, symmetric, symplectic;
};

FamilyClaims family_claims(const MethodRecord& record);

}  // namespace libration
