// Events in trajectory files: rows of their own that belong to checkpoints.
#include "unit/io/trajectory_fixture.hpp"

#include <hdf5.h>

namespace libration {
namespace {

using namespace trajectory_test;

TrajectoryLayout layout_with_events() {
    auto result = layout();
    result.event_names = {"section", "turn"};
    return result;
}

void append_events(TrajectoryFile& file, std::int64_t end) {
    for (std::int64_t n = file.events(); n < end; ++n) {
        file.append_event({.event = static_cast<std::size_t>(n % 2), .rising = n % 3 == 0, .state = Row(n).row});
    }
}

void expect_events(const TrajectoryFile& file, std::int64_t count) {
    ASSERT_EQ(file.events(), count);
    ASSERT_EQ(file.read("/events/t").size(), static_cast<std::size_t>(count));
    const auto number = [&](const char* name, const std::function<double(std::int64_t)>& wanted) {
        expect_column(file, name, 1, count, [&](std::int64_t n, std::size_t) { return wanted(n); });
    };
    number("/events/event", [](std::int64_t n) { return static_cast<double>(n % 2); });
    number("/events/rising", [](std::int64_t n) { return n % 3 == 0 ? 1.0 : 0.0; });
    number("/events/step", [](std::int64_t n) { return static_cast<double>(10 * n); });
    number("/events/t", [](std::int64_t n) { return value(n, 5, 0); });
    number("/events/hidden", [](std::int64_t n) { return value(n, 8, 0); });
    expect_column(file, "/events/q", dimension, count, [](auto n, auto i) { return value(n, 0, i); });
    expect_column(file, "/events/v", dimension, count, [](auto n, auto i) { return value(n, 2, i); });
    expect_column(file, "/events/lambda", constraints, count, [](auto n, auto i) { return value(n, 3, i); });
}

TEST_F(TrajectoryFileTest, events_are_read_back) {
    {
        auto file = TrajectoryFile::create(path, layout_with_events(), false);
        EXPECT_TRUE(file.keeps_events());
        append_rows(file, 10);
        append_events(file, 2500);  // full blocks, and a part of one
        file.finish("completed");
    }
    const auto file = TrajectoryFile::open_read_only(path);
    expect_events(file, 2500);
    expect_rows(file, 10);
}

TEST_F(TrajectoryFileTest, events_after_the_checkpoint_are_dropped_and_found_again) {
    {
        auto file = TrajectoryFile::create(path, layout_with_events(), false);
        append_rows(file, 100);
        append_events(file, 7);
        file.write_checkpoint(memory(100));
        append_rows(file, 3000);
        append_events(file, 2200);  // and left without an end
    }
    EXPECT_EQ(TrajectoryFile::open_read_only(path).checkpoint_events(), 7);
    {
        auto file = TrajectoryFile::open_for_resume(path);
        EXPECT_EQ(*file.checkpoint(), memory(100));
        EXPECT_EQ(file.rows(), 100);
        expect_events(file, 7);
        append_rows(file, 150);
        append_events(file, 20);
        file.write_checkpoint(memory(150));
        append_events(file, 25);
        file.finish("stopped");
    }
    expect_events(TrajectoryFile::open_read_only(path), 25);
    expect_events(TrajectoryFile::open_for_resume(path), 20);
}

TEST_F(TrajectoryFileTest, a_file_without_a_checkpoint_has_no_events_to_go_on_from) {
    {
        auto file = TrajectoryFile::create(path, layout_with_events(), false);
        append_events(file, 5);
    }
    EXPECT_EQ(TrajectoryFile::open_read_only(path).events(), 5);
    EXPECT_EQ(TrajectoryFile::open_for_resume(path).events(), 0);
}

TEST_F(TrajectoryFileTest, a_checkpoint_whose_events_are_missing_is_not_taken) {
    {
        auto file = TrajectoryFile::create(path, layout_with_events(), false);
        for (const std::int64_t number : {100, 200}) {
            append_rows(file, number);
            append_events(file, number / 10);
            file.write_checkpoint(memory(number));
        }
    }
    {
        // As a disk that lost one dataset would leave it.
        const auto file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        const auto dataset = H5Dopen2(file, "/events/hidden", H5P_DEFAULT);
        const hsize_t fewer = 15;
        ASSERT_GE(H5Dset_extent(dataset, &fewer), 0);
        H5Dclose(dataset);
        H5Fclose(file);
    }
    auto file = TrajectoryFile::open_for_resume(path);
    EXPECT_EQ(*file.checkpoint(), memory(100));
    EXPECT_EQ(file.rows(), 100);
    expect_events(file, 10);
}

TEST_F(TrajectoryFileTest, a_file_without_events_refuses_them) {
    auto file = TrajectoryFile::create(path, layout(), false);
    EXPECT_FALSE(file.keeps_events());
    EXPECT_THROW(file.append_event({.state = Row(0).row}), InputError);
    auto with_events = TrajectoryFile::create((directory / "other.h5").string(), layout_with_events(), false);
    EXPECT_THROW(with_events.append_event({.state = Row(0, dimension - 1).row}), InputError);
    EXPECT_EQ(with_events.events(), 0);
}

}  // namespace
}  // namespace libration
