#include "model/set_section.hpp"
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

TEST(SetSection, IsCutOutOfTheTextAndNothingElse) {
    EXPECT_EQ(without_set_section("a = 1\n"), "a = 1\n");
    EXPECT_EQ(without_set_section("a = 1\n\n[set]\ng = 2\n"), "a = 1\n");
    EXPECT_EQ(without_set_section("a = 1\n[ set ] # values\ng = '''\n[b]\n'''\n# of c\n[c]\nd = 2\n"),
              "a = 1\n# of c\n[c]\nd = 2\n");
    EXPECT_EQ(without_set_section("[\"set\"]\n[[c]]\nd = 2"), "[[c]]\nd = 2\n");
}

TEST(SetSection, IsNotATextThatLooksLikeIt) {
    const std::string text = "a = \"\"\"\n[set]\ng = 2\n\"\"\"\n[c]\nd = 2\n";
    EXPECT_EQ(without_set_section(text), text);
    EXPECT_EQ(without_set_section(text + "[set]\ng = 3\n"), text);
}

TEST(SetSection, MayStandBeforeATableThatIsOpenedTwice) {
    EXPECT_EQ(without_set_section("[a.b]\nc = 1\n[set]\ng = 2\n[a]\nd = 2\n"), "[a.b]\nc = 1\n[a]\nd = 2\n");
}

TEST(SetSection, WrittenInAnotherWayIsLeftToTheUser) {
    EXPECT_THROW(without_set_section("set = { g = 2 }\n[c]\nd = 2\n"), InputError);
    EXPECT_THROW(without_set_section("set.g = 2\n[c]\nd = 2\n"), InputError);
}

}  // namespace
}  // namespace libration
