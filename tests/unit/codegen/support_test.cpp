// Where code cannot be had: a reason and no crash. Each case is a process of its own, because support is looked up
// once.
#include "random_program.hpp"

#include "codegen/machine_code.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace libration::test {
namespace {

class NoCode : public testing::Test {
  protected:
    void SetUp() override {
        // The child starts this program again, so that nothing was looked up before.
        GTEST_FLAG_SET(death_test_style, "threadsafe");
    }
};

// Ends with 0 if there is no code, and prints why.
[[noreturn]] void ask(const char* variable, const char* value) {
    if (setenv(variable, value, 1) != 0) {
        std::exit(2);
    }
    Random random(1);
    std::string step, rows;
    const bool none = !code_support().available && generate_step(random.step(2, 1), 4, &step) == nullptr &&
                      generate_rows(std::array{RowProgram{}}, &rows).empty();
    std::fprintf(stderr, "%s", code_support().reason.c_str());
    std::exit(none && step == code_support().reason && rows == step ? 0 : 1);
}

TEST_F(NoCode, without_the_module) {
    EXPECT_EXIT(ask("LIBRATION_LLVM_MODULE", "/nonexistent/module.so"), testing::ExitedWithCode(0),
                "no LLVM module.*/nonexistent/module.so");
}

TEST_F(NoCode, if_the_module_is_something_else) {
    const auto file = testing::TempDir() + "not_a_module.so";
    std::ofstream(file) << "not a library";
    EXPECT_EXIT(ask("LIBRATION_LLVM_MODULE", file.c_str()), testing::ExitedWithCode(0), "no LLVM module");
    EXPECT_EXIT(ask("LIBRATION_LLVM_MODULE", "libm.so.6"), testing::ExitedWithCode(0), "no LLVM module");
    std::remove(file.c_str());
}

TEST_F(NoCode, if_the_environment_asks_for_none) {
    EXPECT_EXIT(ask("LIBRATION_BACKEND", "interpreted"), testing::ExitedWithCode(0), "LIBRATION_BACKEND");
    EXPECT_EXIT(ask("LIBRATION_PLAIN_CODE", "1"), testing::ExitedWithCode(0), "PLAIN_CODE|AVX2");
}

TEST_F(NoCode, if_memory_cannot_be_executed) {
    EXPECT_EXIT(ask("LIBRATION_DENY_EXECUTABLE_MEMORY", "1"), testing::ExitedWithCode(0), "executable memory");
}

TEST(CodeSupport, says_what_makes_the_code) {
    ASSERT_TRUE(code_support().available) << code_support().reason;
    EXPECT_TRUE(code_support().reason.empty());
    EXPECT_EQ(code_support().name.rfind("LLVM ", 0), 0U);
    EXPECT_TRUE(code_support().vector_lanes == 4 || code_support().vector_lanes == 8);
}

}  // namespace
}  // namespace libration::test
