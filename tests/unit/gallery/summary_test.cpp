#include "gallery/summary.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace libration {
namespace {

TEST(NumberText, HasTheDigitsThatItsToleranceWarrants) {
    EXPECT_EQ(number_text(1.21612345e-8, 7e-11), "1.216e-8");
    EXPECT_EQ(number_text(0.48083369533, 1e-6), "0.480834");
    EXPECT_EQ(number_text(-12.3456789, 0.02), "-12.35");
    EXPECT_EQ(number_text(1234567.26, 0.5), "1234567.3");
}

TEST(NumberText, HasTwoDigitsAtLeastAndNoneThatTheNumberDoesNotHave) {
    EXPECT_EQ(number_text(3.14159e-17, 1e-12), "3.1e-17");
    EXPECT_EQ(number_text(0.5, 1e-14), "0.5");
    EXPECT_EQ(number_text(0, 1e-12), "0");
}

TEST(NumberText, WithoutAToleranceReadsAsItWasWritten) {
    EXPECT_EQ(number_text(2.56e-4), "2.56e-4");
    EXPECT_EQ(number_text(0.0123), "0.0123");
    EXPECT_EQ(number_text(6), "6");
    EXPECT_EQ(number_text(-4096), "-4096");
    EXPECT_EQ(number_text(12345678), "12345678");
    EXPECT_EQ(number_text(1e9), "1e9");
    EXPECT_EQ(number_text(1.0 / 3), "0.333333333333");
}

TEST(NumberText, SaysInWordsWhatIsNoNumber) {
    EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN(), 1), "not a number");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-infinity");
}

TEST(SummaryCell, ShowsNumbersOrElseWords) {
    EXPECT_EQ((SummaryCell{{"1", "2"}, "words"}.text()), "1, 2");
    EXPECT_EQ((SummaryCell{{}, "words"}.text()), "words");
    EXPECT_EQ((SummaryCell{{"1", "2", "3", "4", "5", "6", "7", "8"}, ""}.text()), "1, 2, 3, 4, ..., 8");
}

TEST(MeasuredCell, ShowsWhereAnExactValueDiffersFromThePrint) {
    ItemResult item;
    item.checks.resize(1);
    item.checks[0].rows = {{"", 0.4808336955, 0.480833695337456, 0.4808336953374563, 1e-14, true},
                           {"", std::nullopt, 0.480833695337456, 0.4808336953374563, 1e-14, true}};
    EXPECT_EQ(measured_cell(item).text(), "0.48083369534, 0.48083370");
}

}  // namespace
}  // namespace libration
