// Trajectory files: what is written is read back, and misuse is refused.
#include "unit/io/trajectory_fixture.hpp"

// HDF5 does not free everything after it has met a damaged file.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

namespace libration {
namespace {

using namespace trajectory_test;

TEST_F(TrajectoryFileTest, what_is_written_is_read_back) {
    // 2,500 rows: full blocks, and a part of one.
    {
        auto file = TrajectoryFile::create(path, layout(), false);
        EXPECT_EQ(file.status(), "running");
        append_rows(file, 1500);
        file.write_checkpoint(memory(1500));
        append_rows(file, 2500);
        EXPECT_EQ(file.rows(), 2500);
        file.finish("completed");
        EXPECT_EQ(file.rows(), 2500);
        EXPECT_EQ(file.status(), "completed");
    }
    const auto file = TrajectoryFile::open_read_only(path);
    EXPECT_EQ(file.rows(), 2500);
    EXPECT_EQ(file.read("/run/q").size(), 2500 * dimension);
    expect_rows(file, 2500);
    EXPECT_EQ(file.status(), "completed");
    EXPECT_EQ(file.attribute("status"), "completed");
    EXPECT_EQ(file.attribute("method"), "rattle");
    EXPECT_EQ(file.attribute("model_text"), "");
    EXPECT_EQ(file.attribute("step"), "0.1");
    EXPECT_TRUE(file.has_attribute("model"));
    EXPECT_FALSE(file.has_attribute("weather"));
    ASSERT_TRUE(file.checkpoint());
    EXPECT_EQ(*file.checkpoint(), memory(1500));
    EXPECT_EQ(file.checkpoint_rows(), 1500);
}

TEST_F(TrajectoryFileTest, a_model_text_may_be_longer_than_an_object_header) {
    auto with_text = layout();
    const std::string text(1 << 20, 'x');
    with_text.attributes = {{"model_text", text}};
    for (int i = 0; i < 40; ++i) {
        with_text.attributes.emplace_back("attribute" + std::to_string(i), "value");
    }
    auto file = TrajectoryFile::create(path, with_text, false);
    file.finish("stopped");
    const auto read = TrajectoryFile::open_read_only(path);
    EXPECT_EQ(read.attribute("model_text"), text);
    EXPECT_EQ(read.attribute("attribute39"), "value");
    EXPECT_EQ(read.status(), "stopped");
}

TEST_F(TrajectoryFileTest, without_constraints_lambda_is_there_and_empty) {
    TrajectoryLayout plain;
    plain.dimension = 1;
    auto file = TrajectoryFile::create(path, plain, false);
    Row row(3, 1, 0);
    row.row.observables = {};
    for (int n = 0; n < 5; ++n) {
        file.append(row.row);
    }
    file.finish("completed");
    const auto read = TrajectoryFile::open_read_only(path);
    EXPECT_EQ(read.rows(), 5);
    EXPECT_TRUE(read.read("/run/lambda").empty());
    EXPECT_EQ(read.read("/run/q"), std::vector<double>(5, row.q[0]));
}

TEST_F(TrajectoryFileTest, rows_longer_than_a_chunk_are_read_back) {
    TrajectoryLayout large;
    large.dimension = 300'001;  // 2.4 MB: three chunks
    large.constraints = 150'000;
    auto file = TrajectoryFile::create(path, large, false);
    for (int n = 0; n < 3; ++n) {
        Row row(n, large.dimension, large.constraints);
        row.row.observables = {};
        file.append(row.row);
        EXPECT_EQ(TrajectoryFile::open_read_only(path).rows(), n + 1)
            << "a row that fills the buffer is written at once";
    }
    file.finish("completed");
    const auto q = TrajectoryFile::open_read_only(path).read("/run/q");
    ASSERT_EQ(q.size(), 3 * large.dimension);
    for (std::size_t k = 0; k < q.size(); ++k) {
        ASSERT_EQ(q[k], value(static_cast<std::int64_t>(k / large.dimension), 0, k % large.dimension));
    }
}

TEST_F(TrajectoryFileTest, a_file_destroyed_without_finish_is_readable_and_running) {
    {
        auto file = TrajectoryFile::create(path, layout(), false);
        append_rows(file, 1100);
        auto moved = std::move(file);
        append_rows(moved, 1200);
    }
    const auto file = TrajectoryFile::open_read_only(path);
    EXPECT_EQ(file.status(), "running");
    EXPECT_FALSE(file.checkpoint());
    EXPECT_EQ(file.rows(), 1200);
    expect_rows(file, 1200);
}

TEST_F(TrajectoryFileTest, resume_drops_the_rows_after_the_last_checkpoint) {
    auto file = TrajectoryFile::create(path, layout(), false);
    append_rows(file, 700);
    file.write_checkpoint(memory(700));
    append_rows(file, 1300);
    file.write_checkpoint(memory(1300));
    append_rows(file, 5000);
    file.finish("stopped");
    {
        auto resumed = TrajectoryFile::open_for_resume(path);
        EXPECT_EQ(resumed.rows(), 1300);
        EXPECT_EQ(resumed.status(), "running");
        EXPECT_EQ(resumed.checkpoint(), memory(1300));
        append_rows(resumed, 2000);
        resumed.write_checkpoint(memory(2000));
    }
    auto again = TrajectoryFile::open_for_resume(path);
    EXPECT_EQ(again.rows(), 2000);
    EXPECT_EQ(again.checkpoint(), memory(2000));
    append_rows(again, 5000);
    again.finish("completed");
    const auto read = TrajectoryFile::open_read_only(path);
    EXPECT_EQ(read.rows(), 5000);
    EXPECT_EQ(read.status(), "completed");
    expect_rows(read, 5000);
}

TEST_F(TrajectoryFileTest, resume_without_a_checkpoint_starts_with_no_rows) {
    {
        auto file = TrajectoryFile::create(path, layout(), false);
        append_rows(file, 3000);
    }
    auto file = TrajectoryFile::open_for_resume(path);
    EXPECT_EQ(file.rows(), 0);
    EXPECT_FALSE(file.checkpoint());
    append_rows(file, 100);
    file.finish("completed");
    const auto read = TrajectoryFile::open_read_only(path);
    EXPECT_EQ(read.rows(), 100);
    expect_rows(read, 100);
}

TEST_F(TrajectoryFileTest, a_place_that_cannot_be_written_is_named_with_the_reason) {
    write_content(path, "x");
    const std::vector<std::pair<std::string, std::string>> places{
        {(directory / "nowhere" / "run.h5").string(), "No such file or directory"},
        {path + "/run.h5", "Not a directory"},
        {"/proc/run.h5", ""}};
    for (const auto& [place, reason] : places) {
        const auto refused = message<FileError>([&, p = place] { TrajectoryFile::create(p, layout(), false); });
        expect_contains(refused, place + ": cannot create the file");
        expect_contains(refused, reason);
    }
    expect_contains(message<FileError>([&] { TrajectoryFile::create(directory.string(), layout(), true); }),
                    "not a regular file");
}

TEST_F(TrajectoryFileTest, an_existing_file_is_replaced_only_with_overwrite) {
    write_content(path, "precious");
    const auto refused = message<InputError>([&] { TrajectoryFile::create(path, layout(), false); });
    expect_contains(refused, "`overwrite`");
    expect_contains(refused, "`resume`");
    EXPECT_EQ(content(path), "precious");
    TrajectoryFile::create(path, layout(), true).finish("completed");
    EXPECT_EQ(TrajectoryFile::open_read_only(path).rows(), 0);
}

TEST_F(TrajectoryFileTest, a_second_writer_is_refused_and_a_reader_is_not) {
    auto file = TrajectoryFile::create(path, layout(), false);
    append_rows(file, 10);
    file.write_checkpoint(memory(10));
    expect_contains(message<FileError>([&] { TrajectoryFile::open_for_resume(path); }), "another run");
    expect_contains(message<FileError>([&] { TrajectoryFile::create(path, layout(), true); }), "another run");
    const int reader = exit_status(in_child([&] {
        const auto seen = TrajectoryFile::open_read_only(path);
        return seen.rows() == 10 && seen.checkpoint() == memory(10) ? 0 : 1;
    }));
    EXPECT_EQ(reader, 0);
    file.finish("completed");
    EXPECT_EQ(TrajectoryFile::open_for_resume(path).rows(), 10);
}

TEST_F(TrajectoryFileTest, misuse_is_an_input_error) {
    auto bad = layout();
    bad.observable_names = {"a/b"};
    expect_contains(message<InputError>([&] { TrajectoryFile::create(path, bad, false); }), "a/b");
    bad.observable_names = {"a", "a"};
    expect_contains(message<InputError>([&] { TrajectoryFile::create(path, bad, false); }), "two observables");
    bad = layout();
    bad.points[0].count = 4;
    expect_contains(message<InputError>([&] { TrajectoryFile::create(path, bad, false); }), "points 'r'");
    EXPECT_FALSE(fs::exists(path));

    auto file = TrajectoryFile::create(path, layout(), false);
    expect_contains(message<InputError>([&] { file.append(Row(0, 5).row); }), "5 values of q, the file has 6");
    expect_contains(message<InputError>([&] { file.finish("done"); }), "not 'done'");
    expect_contains(message<InputError>([&] { static_cast<void>(file.attribute("weather")); }), "weather");
    expect_contains(message<FileError>([&] { static_cast<void>(file.read("/run/weather")); }), "no such dataset");
    append_rows(file, 3);
    file.finish("completed");
    expect_contains(message<InputError>([&] { file.append(Row(3).row); }), "is closed");
    expect_contains(message<InputError>([&] { static_cast<void>(file.read("/run/q")); }), "is closed");
    auto reader = TrajectoryFile::open_read_only(path);
    expect_contains(message<InputError>([&] { reader.write_checkpoint({}); }), "reading only");
}

TEST_F(TrajectoryFileTest, a_creation_that_fails_leaves_no_file) {
    auto twice = layout();
    twice.points.push_back(twice.points[0]);  // HDF5 finds the second group of the same name
    EXPECT_FALSE(message<FileError>([&] { TrajectoryFile::create(path, twice, false); }).empty());
    EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace libration
