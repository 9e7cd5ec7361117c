// The registry against the catalogue.
#include "catalogue.hpp"

#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace libration::conformance {
namespace {

bool is_registered(std::string_view name) {
    return std::ranges::any_of(methods(), [&](const MethodRecord* record) { return record->name == name; });
}

std::string name_of(const Promise& promise) { return parse_spec(promise.spec).name; }

// A method over one that has not landed has not landed either.
bool is_pending(const MethodSpec& spec) {
    return std::ranges::find(not_yet_registered, spec.name) != not_yet_registered.end() ||
           std::ranges::any_of(spec.arguments, is_pending);
}

TEST(Catalogue, no_method_claims_less) {
    for (const auto& promise : catalogue) {
        if (is_pending(parse_spec(promise.spec))) {
            continue;  // the next test keeps the list of these
        }
        const auto claims = method(promise.spec).claims();
        EXPECT_GE(claims.order, promise.order) << promise.spec;
        EXPECT_GE(claims.symmetric, promise.symmetric) << promise.spec;
        EXPECT_EQ(claims.symplectic, promise.symplectic) << promise.spec;
    }
}

TEST(Catalogue, what_is_not_registered_yet_is_exactly_what_the_list_says) {
    std::set<std::string> refused;
    for (const auto& promise : catalogue) {
        if (!is_registered(name_of(promise))) {
            refused.insert(name_of(promise));
            EXPECT_THROW(static_cast<void>(method(promise.spec)), InputError) << promise.spec;
        }
    }
    EXPECT_EQ(refused, std::set<std::string>(not_yet_registered.begin(), not_yet_registered.end()));
}

TEST(Catalogue, has_every_method_that_is_registered) {
    for (const auto* record : methods()) {
        EXPECT_TRUE(std::ranges::any_of(catalogue, [&](const Promise& p) { return name_of(p) == record->name; }))
            << record->name;
    }
}

}  // namespace
}  // namespace libration::conformance
