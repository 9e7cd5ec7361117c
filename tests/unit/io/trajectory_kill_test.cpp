// Trajectory files after a kill, and while they are written: readable by us and by plain HDF5.
#include "unit/io/trajectory_fixture.hpp"

#include "io/superblock.hpp"
#include "io/write_journal.hpp"

#include <hdf5.h>

#include <thread>

namespace libration {
namespace {

using namespace trajectory_test;

TEST_F(TrajectoryFileTest, a_run_killed_at_any_moment_leaves_a_file_that_opens_and_goes_on) {
    std::mt19937 random(20240229);
    for (int round = 0; round < 20 && !HasFailure(); ++round) {
        SCOPED_TRACE(round);
        fs::remove(path);
        std::int64_t before = 0;
        for (const bool resume : {false, true, true}) {
            kill_after(path, std::chrono::microseconds(random() % 30'000), resume);
            const auto file = TrajectoryFile::open_read_only(path);
            EXPECT_EQ(file.status(), "running");
            EXPECT_GE(file.checkpoint_rows(), before);
            before = file.checkpoint_rows();
            expect_whole_up_to_the_checkpoint(file);
        }
        auto file = TrajectoryFile::open_for_resume(path);
        EXPECT_EQ(file.rows(), before);
        append_rows(file, before + 2000);
        file.finish("completed");
        const auto read = TrajectoryFile::open_read_only(path);
        EXPECT_EQ(read.rows(), before + 2000);
        expect_rows(read, before + 2000);
    }
}

// A dataset as a program sees it that knows nothing of libration: HDF5's own driver, no SWMR. Empty if it cannot be
// read.
std::vector<double> read_plainly(const std::string& path, const char* name) {
    std::vector<double> values;
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = file < 0 ? file : H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset >= 0) {
        const hid_t space = H5Dget_space(dataset);
        values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
        if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
            values.clear();
        }
        H5Sclose(space);
        H5Dclose(dataset);
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    return values;
}

// The whole dataset must be readable, also the rows behind the checkpoint; those up to it must be right.
void expect_plainly_readable(const std::string& path, std::int64_t rows) {
    const auto q = read_plainly(path, "/run/q");
    const auto position = read_plainly(path, "/particles/r/position/value");
    const auto step = read_plainly(path, "/run/step");
    ASSERT_GE(q.size(), static_cast<std::size_t>(rows) * dimension);
    ASSERT_GE(position.size(), static_cast<std::size_t>(rows) * 4);
    ASSERT_GE(step.size(), static_cast<std::size_t>(rows));
    for (std::int64_t n = 0; n < rows; ++n) {
        const auto row = static_cast<std::size_t>(n);
        for (std::size_t i = 0; i < dimension; ++i) {
            ASSERT_EQ(q[row * dimension + i], value(n, 0, i)) << n;
        }
        ASSERT_EQ(position[row * 4], value(n, 0, 2)) << n;
        ASSERT_EQ(step[row], static_cast<double>(10 * n));
    }
}

bool has_pending_write(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY);
    const auto journal = WriteJournal::find(descriptor);
    const bool result = journal && journal->pending(descriptor);
    close(descriptor);
    return result;
}

TEST_F(TrajectoryFileTest, a_killed_file_opens_plainly) {
    std::mt19937 random(20240301);
    for (int round = 0; round < 20 && !HasFailure(); ++round) {
        SCOPED_TRACE(round);
        fs::remove(path);
        for (const bool resume : {false, true}) {
            kill_after(path, std::chrono::microseconds(random() % 30'000), resume);
            // Others know nothing of the journal: a write that the kill has torn is mended by libration only.
            if (!has_pending_write(path)) {
                expect_plainly_readable(path, TrajectoryFile::open_read_only(path).checkpoint_rows());
            }
        }
        auto file = TrajectoryFile::open_for_resume(path);
        const auto end = file.rows() + 500;
        append_rows(file, end);
        file.finish("completed");
        expect_plainly_readable(path, end);
        EXPECT_EQ(read_plainly(path, "/run/step").size(), static_cast<std::size_t>(end));
    }
}

TEST_F(TrajectoryFileTest, a_file_that_is_being_written_opens_plainly_but_not_for_a_second_writer) {
    auto file = TrajectoryFile::create(path, layout(), false);
    for (std::int64_t rows = 400; rows < 10'000; rows += 400) {
        append_rows(file, rows);
        file.write_checkpoint(memory(rows));
        const int reader = exit_status(in_child([&] {
            expect_plainly_readable(path, rows);
            return HasFailure() ? 1 : 0;
        }));
        ASSERT_EQ(reader, 0) << rows;
    }
    H5E_auto2_t function = nullptr;
    void* data = nullptr;
    H5Eget_auto2(H5E_DEFAULT, &function, &data);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    EXPECT_LT(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), 0);
    H5Eset_auto2(H5E_DEFAULT, function, data);
    file.finish("completed");
    EXPECT_FALSE(content(path).ends_with(std::string(200'000, '\0'))) << "the hole at the end is left";
}

}  // namespace
}  // namespace libration
