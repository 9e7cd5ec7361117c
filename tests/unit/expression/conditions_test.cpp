#include "expression/conditions.hpp"
#include <libration/expression/parse.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

TEST(Conditions, AreComparisonsAndWhatIsMadeOfThem) {
    for (const char* text : {"x < 1", "x >= 1", "x == y", "x < 1 and y < 1", "x < 1 or y < 1", "not (x < 1)"}) {
        EXPECT_TRUE(is_comparison(parse(text))) << text;
        EXPECT_TRUE(is_condition(parse(text))) << text;
    }
    for (const char* text : {"if(x < 1, y < 1, 0)", "(x < 1)*(y < 1)", "max(x < 1, y < 1)"}) {
        EXPECT_FALSE(is_comparison(parse(text))) << text;
        EXPECT_TRUE(is_condition(parse(text))) << text;
    }
}

TEST(Conditions, AreNoNumbers) {
    for (const char* text : {"x", "1", "x + (y < 1)", "if(x < 1, x, 0)", "x*(y < 1)"}) {
        EXPECT_FALSE(is_condition(parse(text))) << text;
    }
}

}  // namespace
}  // namespace libration
