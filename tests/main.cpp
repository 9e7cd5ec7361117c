// The main function of all test programs. Exit status: 0 passed, 1 failed, 77 if a test was skipped and none failed, so
// that ctest can tell; 1 as well if the filter chose no test. A shard of a suite may be empty.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int count, char** words) {
    testing::InitGoogleTest(&count, words);
    const int status = RUN_ALL_TESTS();
    if (testing::GTEST_FLAG(list_tests)) {
        return status;
    }
    const auto& tests = *testing::UnitTest::GetInstance();
    const char* shards = std::getenv("GTEST_TOTAL_SHARDS");
    if (tests.test_to_run_count() == 0 && (shards == nullptr || shards == std::string_view("1"))) {
        std::fprintf(stderr, "no test has this name\n");
        return 1;
    }
    return status == 0 && tests.skipped_test_count() > 0 ? 77 : status;
}
