// What `printed` means: digits that come out of what is reproduced, and do not come out of what is corrected.
#include "reproduce/judge_checks.hpp"
#include "reproduce/numbers.hpp"

#include "reproduce/recipe.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace libration {
namespace {

// The number was measured, and an independent program gives the same; `printed` is as in a recipe.
CheckResult judged(const std::vector<double>& measured, const std::string& printed, const std::string& kind) {
    const auto text =
        fmt::format("title = \"t\"\nverdict = \"{}\"\nremark = \"r\"\n[[check]]\nwhat = \"w\"\nvalue = \"a.x\"\n"
                    "printed = {}\nexpected = [{}]\nrelative = 1e-12\nwhy = \"w\"\nkind = \"{}\"\n",
                    kind, printed, fmt::join(measured, ", "), kind);
    Numbers numbers;
    numbers.set("a", "x", measured);
    return judge(parse_recipe(text, "test", false).checks.at(0), numbers);
}

struct PrintedCase {
    double measured;
    const char* printed;
};

// Rounded or truncated; half a unit goes either way.
constexpr PrintedCase same_digits[] = {
    {5.265e-5, "0.52e-4"},
    {5.265e-5, "0.53e-4"},
    {1.053e-4, "[0.10e-3]"},
    {1.053e-4, "1e-4"},
    {-2.5980762113533, "-2.5980762113"},
    {1.74, "2"},
    {1.74, "1"},
    {-1.74, "-2"},
    {-1.74, "-1"},
    {0.125, "0.12"},
    {0.125, "0.13"},
    {160000.3, "160_000"},
    {1234, "1.2e+3"},
    {0.1, "+0.1  # comment"},
    {0.77, "[\t0.77\t]"},
    {0.125, "[\"0.12\"]"},
    {0.125, "[\"1/8\"]"},
    {1e-3, "[\n  1.0e-3, # comment\n]"},
};

constexpr PrintedCase other_digits[] = {
    {5.265e-5, "0.51e-4"},  {5.265e-5, "0.54e-4"}, {1.053e-4, "[0.11e-4]"},
    {1.053e-4, "1.00e-4"},  {7.0e-6, "8e-6"},      {-2.5980762113533, "-2.5980762115"},
    {-1.74, "2"},           {-1.74, "1"},          {0.77, "0.770001"},
    {0.15, "0.14"},         {1e-3, "0"},           {0.125, "[\"1/9\"]"},
    {0.125, "[\"1-0.9\"]"},
};

TEST(PrintedDigits, come_out_of_what_is_reproduced) {
    for (const auto& [measured, printed] : same_digits) {
        const auto result = judged({measured}, printed, "reproduced");
        EXPECT_TRUE(result.passed) << measured << " " << printed << " " << result.fault;
    }
    for (const auto& [measured, printed] : other_digits) {
        const auto result = judged({measured}, printed, "reproduced");
        EXPECT_FALSE(result.passed) << measured << " " << printed;
        EXPECT_NE(result.fault.find("neither rounding nor truncation"), std::string::npos) << result.fault;
        EXPECT_TRUE(result.rows.at(0).passed) << "the independent program agrees";
    }
}

TEST(PrintedDigits, do_not_come_out_of_what_is_corrected) {
    for (const auto* kind : {"corrected", "not-reproduced"}) {
        for (const auto& [measured, printed] : same_digits) {
            const auto result = judged({measured}, printed, kind);
            EXPECT_FALSE(result.passed) << measured << " " << printed;
            EXPECT_NE(result.fault.find("after all"), std::string::npos) << result.fault;
        }
        for (const auto& [measured, printed] : other_digits) {
            const auto result = judged({measured}, printed, kind);
            EXPECT_TRUE(result.passed) << measured << " " << printed << " " << result.fault;
        }
    }
}

TEST(PrintedDigits, are_compared_row_by_row) {
    EXPECT_TRUE(judged({0.151, 0.312}, "[0.15, 0.31]", "reproduced").passed);
    EXPECT_FALSE(judged({0.151, 0.312}, "[0.15, 0.32]", "reproduced").passed);
    EXPECT_TRUE(judged({0.151, 0.152}, "0.15", "reproduced").passed) << "one number for all rows";
    EXPECT_FALSE(judged({0.151, 0.162}, "0.15", "reproduced").passed);
    EXPECT_TRUE(judged({0.151, 0.312}, "[0.3, 0.4]", "corrected").passed);
    EXPECT_FALSE(judged({0.151, 0.312}, "[0.3, 0.31]", "corrected").passed) << "one row is right in print";
    EXPECT_FALSE(judged({0.151, 0.312}, "[0.151, 0.312]", "corrected").passed) << "printed is what is expected";
}

TEST(PrintedDigits, do_not_matter_for_statements_about_many_runs) {
    EXPECT_TRUE(judged({3.9}, "3", "statistical").passed);
    EXPECT_TRUE(judged({3.9}, "5", "statistical").passed);
}

}  // namespace
}  // namespace libration
