// What the members of a family have in common, for tables.
#pragma once

#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>

namespace libration {

// Of the examples in the record: the range of their orders ("2-12"); "yes", "no", "some" or "no claim".
struct FamilyClaims {
    std::string order, symmetric, symplectic;
};

FamilyClaims family_claims(const MethodRecord& record);

}  // namespace libration
