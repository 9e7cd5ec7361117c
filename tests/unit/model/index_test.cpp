// Integer arithmetic of indices at the ends of what integers can be, and limits of memory.
#include "model/index.hpp"
#include "model/memory.hpp"

#include <libration/expression/expression.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

namespace libration {
namespace {

constexpr std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest_integer = std::numeric_limits<std::int64_t>::min();

Expression a() { return symbol("a"); }
Expression b() { return symbol("b"); }
Expression quotient() { return floor(a() / b()); }
Expression remainder() { return a() - b() * quotient(); }  // as the parser writes a % b

std::int64_t value(const Expression& e, std::int64_t at_a, std::int64_t at_b) {
    return IndexProgram(e, std::array{a(), b()}, {}).value(std::array{at_a, at_b});
}

std::string fault_of_work(const std::function<void()>& work) {
    try {
        work();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

void expect_too_large(const Expression& e, std::int64_t at_a, std::int64_t at_b) {
    const auto fault = fault_of_work([&] { value(e, at_a, at_b); });
    EXPECT_NE(fault.find("exceeds 9.2e18"), std::string::npos) << to_string(e) << ": " << fault;
}

TEST(Index, quotients_and_remainders_round_down) {
    for (const std::int64_t x : {-7, -6, -1, 0, 1, 6, 7}) {
        for (const std::int64_t y : {-3, -2, -1, 1, 2, 3}) {
            const auto down = static_cast<std::int64_t>(std::floor(static_cast<double>(x) / static_cast<double>(y)));
            EXPECT_EQ(value(quotient(), x, y), down) << x << " // " << y;
            EXPECT_EQ(value(remainder(), x, y), x - y * down) << x << " % " << y;
        }
    }
}

TEST(Index, the_least_integer_is_divided_by_minus_one) {
    expect_too_large(quotient(), smallest_integer, -1);
    expect_too_large(floor(a() / Expression(-1)), smallest_integer, 0);
    expect_too_large(-a(), smallest_integer, 0);
    EXPECT_EQ(value(quotient(), smallest_integer + 1, -1), largest_integer);
    EXPECT_EQ(value(remainder(), smallest_integer, -1), 0);
    EXPECT_EQ(value(a() + floor(-a()), smallest_integer, 0), 0);  // a % -1 with the -1 spelled out
    EXPECT_EQ(value(remainder(), largest_integer, -1), 0);
}

TEST(Index, what_is_too_large_in_the_end_is_refused_and_what_is_so_on_the_way_is_not) {
    expect_too_large(a() * b(), largest_integer, 2);
    expect_too_large(a() + b(), largest_integer, 1);
    expect_too_large(a() - b(), smallest_integer, 1);
    EXPECT_EQ(value(floor((a() * b()) / b()), largest_integer, 4), largest_integer);
    // Beyond 128 bits, and the least integer of those by -1.
    const auto cube = a() * a() * a();
    expect_too_large(cube - cube * b(), largest_integer, 1);
    expect_too_large(floor((a() * a() * Expression(2)) / b()), smallest_integer, -1);
    EXPECT_EQ(value(floor((a() * b()) / b()), smallest_integer, -1), smallest_integer);
}

TEST(Index, integers_of_a_range_are_counted_within_1e15) {
    constexpr std::int64_t limit = 1'000'000'000'000'000;
    EXPECT_EQ(number_of_integers(3, 3), 1);
    EXPECT_EQ(number_of_integers(3, 2), 0);
    EXPECT_EQ(number_of_integers(limit - 1, limit), 2);
    EXPECT_EQ(number_of_integers(-limit, limit), 2e15 + 1);
    for (const auto& [first, last] : {std::pair{limit, limit + 1},
                                      {-limit - 1, -limit},
                                      {largest_integer - 1, largest_integer},
                                      {smallest_integer, smallest_integer + 1}}) {
        EXPECT_NE(fault_of_work([&] { number_of_integers(first, last); }).find("too large: indices are at most 1e+15"),
                  std::string::npos)
            << first;
    }
}

TEST(Index, literals_are_called_too_large_or_no_integers_as_they_are) {
    for (const auto* text : {"9223372036854775807", "9007199254740993", "1e300"}) {
        const auto fault = fault_of_work([&] { value(constant(text), 0, 0); });
        EXPECT_NE(fault.find(std::string(text) + ", which is too large: indices are at most 1e+15"), std::string::npos)
            << fault;
    }
    for (const auto* text : {"0.5", "0.12345678901234567890123", "1e-40", "pi"}) {
        const auto fault = fault_of_work([&] { value(constant(text), 0, 0); });
        EXPECT_NE(fault.find("which is not an integer"), std::string::npos) << fault;
    }
    EXPECT_EQ(value(constant("1e15"), 0, 0), 1'000'000'000'000'000);
}

TEST(Memory, of_a_control_group_is_read_if_it_is_limited) {
    const auto file = std::filesystem::path(testing::TempDir()) / "libration_memory_max";
    const auto limit_of = [&](const char* text) {
        std::ofstream(file) << text;
        return memory_limit(file.string());
    };
    EXPECT_EQ(limit_of("536870912\n"), 536870912.0);
    for (const auto* text : {"max\n", "", "0\n", "-1\n"}) {
        EXPECT_EQ(limit_of(text), std::numeric_limits<double>::infinity()) << text;
    }
    std::filesystem::remove(file);
    EXPECT_EQ(memory_limit(file.string()), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace libration
