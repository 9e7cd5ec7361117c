// Trajectory files: what is written is read back, whatever happens to the process or to the file in between.
#include <libration/io/trajectory_file.hpp>

#include "io/superblock.hpp"
#include "io/write_journal.hpp"

#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

// HDF5 does not free everything after it has met a damaged file.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }

namespace libration {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t dimension = 6;
constexpr std::size_t constraints = 3;

class TrajectoryFileTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "libration-trajectory-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        directory = name;
        path = (directory / "run.h5").string();
    }
    void TearDown() override { fs::remove_all(directory); }

    fs::path directory;
    std::string path;
};

TrajectoryLayout layout() {
    TrajectoryLayout result;
    result.dimension = dimension;
    result.constraints = constraints;
    result.coordinate_names = {"x1", "y1", "x2", "y2", "x3", "y3"};
    result.multiplier_names = {"g1", "g2", "g3"};
    result.observable_names = {"zeta", "alpha"};  // not in the order of the alphabet
    result.attributes = {{"model", "triple-pendulum"}, {"method", "rattle"}, {"version", "0.1.0"}, {"model_text", ""}};
    result.step = 0.1;
    result.points = {{.name = "r", .count = 2, .dimension = 2, .first = 2}};
    return result;
}

// Row n of column c, entry i: full mantissas, so that every bit of a row is put to the test.
double value(std::int64_t n, int c, std::size_t i) {
    return std::sin(0.1 * static_cast<double>(n) + 7.0 * c + static_cast<double>(i));
}

struct Row {
    explicit Row(std::int64_t n, std::size_t size = dimension, std::size_t multipliers = constraints) {
        for (std::size_t i = 0; i < size; ++i) {
            q.push_back(value(n, 0, i));
            p.push_back(value(n, 1, i));
            v.push_back(value(n, 2, i));
        }
        for (std::size_t i = 0; i < multipliers; ++i) {
            lambda.push_back(value(n, 3, i));
        }
        observables = {value(n, 4, 0), value(n, 4, 1)};
        row = {.step = 10 * n,
               .t = value(n, 5, 0),
               .q = q,
               .p = p,
               .v = v,
               .lambda = lambda,
               .observables = observables,
               .energy = value(n, 6, 0),
               .constraint = value(n, 7, 0),
               .hidden = value(n, 8, 0)};
    }
    std::vector<double> q, p, v, lambda, observables;
    TrajectoryRow row;
};

void append_rows(TrajectoryFile& file, std::int64_t end) {
    for (std::int64_t n = file.rows(); n < end; ++n) {
        file.append(Row(n).row);
    }
}

// The memory of a checkpoint after `rows` rows; sizes differ, so that slots grow and are only partly in use.
std::vector<std::byte> memory(std::int64_t rows) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(100 + 37 * rows % 5000));
    std::minstd_rand random(static_cast<unsigned>(rows) + 1);
    for (auto& byte : bytes) {
        byte = static_cast<std::byte>(random() >> 8);
    }
    return bytes;
}

// The first `rows` rows of the column, bit for bit.
void expect_column(const TrajectoryFile& file, const std::string& name, std::size_t width, std::int64_t rows,
                   const std::function<double(std::int64_t, std::size_t)>& expected) {
    const auto read = file.read(name);
    ASSERT_GE(read.size(), static_cast<std::size_t>(rows) * width) << name;
    for (std::int64_t n = 0; n < rows; ++n) {
        for (std::size_t i = 0; i < width; ++i) {
            ASSERT_EQ(std::bit_cast<std::uint64_t>(read[static_cast<std::size_t>(n) * width + i]),
                      std::bit_cast<std::uint64_t>(expected(n, i)))
                << name << " row " << n << " entry " << i;
        }
    }
}

void expect_rows(const TrajectoryFile& file, std::int64_t rows) {
    const auto column = [](int c) { return [c](std::int64_t n, std::size_t i) { return value(n, c, i); }; };
    expect_column(file, "/run/step", 1, rows, [](std::int64_t n, std::size_t) { return static_cast<double>(10 * n); });
    expect_column(file, "/run/q", dimension, rows, column(0));
    expect_column(file, "/run/p", dimension, rows, column(1));
    expect_column(file, "/run/v", dimension, rows, column(2));
    expect_column(file, "/run/lambda", constraints, rows, column(3));
    expect_column(file, "/run/observables/zeta", 1, rows, column(4));
    expect_column(file, "/run/observables/alpha", 1, rows, [](std::int64_t n, std::size_t) { return value(n, 4, 1); });
    expect_column(file, "/run/t", 1, rows, column(5));
    expect_column(file, "/run/energy", 1, rows, column(6));
    expect_column(file, "/run/constraint", 1, rows, column(7));
    expect_column(file, "/run/hidden", 1, rows, column(8));
    expect_column(file, "/particles/r/position/value", 4, rows,
                  [](std::int64_t n, std::size_t i) { return value(n, 0, 2 + i); });
    expect_column(file, "/particles/r/velocity/value", 4, rows,
                  [](std::int64_t n, std::size_t i) { return value(n, 2, 2 + i); });
    expect_column(file, "/particles/r/position/time", 1, rows, column(5));
}

// What `action` throws as Error; empty if it throws nothing.
template <class Error, class Action>
std::string message(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' does not contain '" << part << "'";
}

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_content(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Runs `action` in a child process, which ends with the status that it returns.
pid_t in_child(const std::function<int()>& action) {
    const pid_t child = fork();
    if (child == 0) {
        int status = 99;
        try {
            status = action();
        } catch (...) {
            status = 98;
        }
        _exit(status);
    }
    return child;
}

int exit_status(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

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

// One killed life of a run: continues the file for ever, with checkpoints in short distances.
[[noreturn]] void run_until_killed(const std::string& path, int ready, bool resume) {
    auto file = resume ? TrajectoryFile::open_for_resume(path) : TrajectoryFile::create(path, layout(), false);
    if (write(ready, "r", 1) != 1) {
        _exit(1);
    }
    for (std::int64_t end = file.rows() + 1;; end += 97) {
        append_rows(file, end);
        file.write_checkpoint(memory(end));
    }
}

void kill_after(const std::string& path, std::chrono::microseconds delay, bool resume) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = in_child([&]() -> int { run_until_killed(path, ends[1], resume); });
    close(ends[1]);
    char ready = 0;
    // A resumed run may be killed while it opens the file, a new one only when there is a file.
    const bool started = resume || read(ends[0], &ready, 1) == 1;
    EXPECT_TRUE(started);
    std::this_thread::sleep_for(delay);
    kill(child, SIGKILL);
    EXPECT_EQ(exit_status(child), -SIGKILL);
    close(ends[0]);
}

void expect_whole_up_to_the_checkpoint(const TrajectoryFile& file) {
    ASSERT_GE(file.rows(), file.checkpoint_rows());
    if (file.checkpoint()) {
        EXPECT_EQ(*file.checkpoint(), memory(file.checkpoint_rows()));
    }
    expect_rows(file, file.checkpoint_rows());
}

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

// A dataset as a program sees it that knows nothing of libration: HDF5's own driver, no SWMR. Empty if it cannot be read.
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

TEST_F(TrajectoryFileTest, the_checksum_of_a_superblock_is_that_of_hdf5) {
    // The examples at the end of lookup3.c: driver5().
    const std::string_view text = "Four score and seven years ago";
    EXPECT_EQ(hdf5::metadata_checksum(std::as_bytes(std::span(text))), 0x17770551u);
    EXPECT_EQ(hdf5::metadata_checksum({}), 0xdeadbeefu);
    TrajectoryFile::create(path, layout(), false).finish("completed");
    const auto whole = content(path);
    std::uint32_t stored = 0;
    std::memcpy(&stored, whole.data() + 44, sizeof stored);
    EXPECT_EQ(hdf5::metadata_checksum(std::as_bytes(std::span(whole).first(44))), stored);
}

// A cut file is refused with FileError, or it is whole up to its checkpoint; reading a damaged column is a FileError too.
void expect_refused_or_whole(const std::string& cut) {
    const auto refused = message<FileError>([&] { TrajectoryFile::open_for_resume(cut).rows(); });
    if (refused.empty()) {
        expect_whole_up_to_the_checkpoint(TrajectoryFile::open_read_only(cut));
    } else {
        expect_contains(refused, cut);
        expect_contains(refused, "--overwrite");
        // The reader may see less of the damage, but it never crashes.
        static_cast<void>(message<FileError>([&] {
            const auto file = TrajectoryFile::open_read_only(cut);
            for (const char* name : {"/run/q", "/run/step", "/run/lambda", "/particles/r/position/value"}) {
                static_cast<void>(file.read(name));
            }
        }));
    }
}

TEST_F(TrajectoryFileTest, a_finished_file_that_was_cut_anywhere_is_refused) {
    {
        auto file = TrajectoryFile::create(path, layout(), false);
        append_rows(file, 1500);
        file.write_checkpoint(memory(1500));
        file.finish("completed");
    }
    const auto whole = content(path);
    const auto cut = (directory / "cut.h5").string();
    for (std::size_t size = 1; size < whole.size() && !HasFailure(); size += 1 + size / 40) {
        SCOPED_TRACE(size);
        write_content(cut, std::string_view(whole).substr(0, size));
        const auto refused = message<FileError>([&] { TrajectoryFile::open_for_resume(cut).rows(); });
        expect_contains(refused, cut);
        EXPECT_EQ(content(cut).size(), size) << "a file that is refused is left alone";
        EXPECT_FALSE(message<FileError>([&] { TrajectoryFile::open_read_only(cut).rows(); }).empty());
    }
}

TEST_F(TrajectoryFileTest, a_killed_file_that_was_cut_anywhere_is_refused_or_whole) {
    kill_after(path, std::chrono::milliseconds(60), false);
    const auto whole = content(path);
    const auto cut = (directory / "cut.h5").string();
    for (std::size_t size = 8; size < whole.size() && !HasFailure(); size += 1 + size / 40) {
        SCOPED_TRACE(size);
        write_content(cut, std::string_view(whole).substr(0, size));
        expect_refused_or_whole(cut);
    }
}

TEST_F(TrajectoryFileTest, a_file_that_is_no_trajectory_is_refused) {
    write_content(path, "t,x,y\n0,1,2\n");
    for (const auto& open : {TrajectoryFile::open_for_resume, TrajectoryFile::open_read_only}) {
        expect_contains(message<FileError>([&] { open(path); }), "not an HDF5 file");
    }
    write_content(path, "");
    for (const auto& open : {TrajectoryFile::open_for_resume, TrajectoryFile::open_read_only}) {
        expect_contains(message<FileError>([&] { open(path); }), "empty");
    }
    fs::remove(path);
    for (const auto& open : {TrajectoryFile::open_for_resume, TrajectoryFile::open_read_only}) {
        expect_contains(message<FileError>([&] { open(path); }), "No such file or directory");
    }
    for (const auto& open : {TrajectoryFile::open_for_resume, TrajectoryFile::open_read_only}) {
        expect_contains(message<FileError>([&] { open(directory.string()); }), "directory");
    }
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
    expect_contains(refused, "--overwrite");
    expect_contains(refused, "--resume");
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

// Flips one bit in every copy of a checkpoint, also that in the journal; how many there were. Only its first bytes are sure
// to lie together in the file.
int damage(const std::string& path, const std::vector<std::byte>& memory) {
    auto whole = content(path);
    const std::string needle(reinterpret_cast<const char*>(memory.data()), 64);
    int count = 0;
    for (auto at = whole.find(needle); at != std::string::npos; at = whole.find(needle, at)) {
        whole[at] = static_cast<char>(whole[at] ^ 4);
        ++count;
    }
    write_content(path, whole);
    return count;
}

TEST_F(TrajectoryFileTest, a_damaged_newest_checkpoint_falls_back_to_the_older) {
    for (const std::string end : {"completed", ""}) {
        {
            auto file = TrajectoryFile::create(path, layout(), true);
            for (const std::int64_t rows : {100, 200, 300}) {
                append_rows(file, rows);
                file.write_checkpoint(memory(rows));
            }
            if (!end.empty()) {
                file.finish(end);
            }
        }
        ASSERT_GE(damage(path, memory(300)), 1);
        {
            auto file = TrajectoryFile::open_for_resume(path);
            EXPECT_EQ(file.checkpoint(), memory(200));
            EXPECT_EQ(file.rows(), 200);
            append_rows(file, 260);
            file.write_checkpoint(memory(260));
        }
        EXPECT_EQ(TrajectoryFile::open_read_only(path).checkpoint(), memory(260));
        ASSERT_GE(damage(path, memory(260)), 1);
        EXPECT_EQ(TrajectoryFile::open_read_only(path).checkpoint(), memory(200));
        ASSERT_GE(damage(path, memory(200)), 1);
        EXPECT_FALSE(TrajectoryFile::open_read_only(path).checkpoint());
        EXPECT_EQ(TrajectoryFile::open_for_resume(path).rows(), 0);
    }
}

// As a kill between two pages leaves it: the journal says what is written to `target`, and only zeros have arrived there.
void tear(const std::string& path, std::size_t target, std::size_t count) {
    auto whole = content(path);
    const int descriptor = open(path.c_str(), O_RDWR);
    auto journal = WriteJournal::find(descriptor);
    ASSERT_TRUE(journal);
    ASSERT_TRUE(WriteJournal::wanted(target, count));
    ASSERT_EQ(journal->write(descriptor, target, std::as_bytes(std::span(whole).subspan(target, count))), 0);
    const auto header = content(path).find("LIBRJRNL");
    const std::uint64_t size = count;
    const std::vector<std::byte> zeros(count);
    ASSERT_EQ(write_all(descriptor, header + 24, std::as_bytes(std::span(&size, 1))), 0);
    ASSERT_EQ(write_all(descriptor, target, zeros), 0);
    close(descriptor);
}

TEST_F(TrajectoryFileTest, a_write_torn_by_a_kill_is_mended) {
    {
        auto file = TrajectoryFile::create(path, layout(), false);
        append_rows(file, 1500);
        file.write_checkpoint(memory(1500));
    }
    const auto before = content(path);
    const auto behind_journal = before.find("LIBRJRNL") + WriteJournal::size;
    const auto end = fs::file_size(path);
    for (std::size_t target = behind_journal; target + 20'000 < end; target += 9'000) {
        SCOPED_TRACE(target);
        write_content(path, before);
        tear(path, target, 20'000);
        {
            const auto file = TrajectoryFile::open_read_only(path);
            EXPECT_EQ(file.checkpoint(), memory(1500));
            expect_rows(file, 1500);
        }
        EXPECT_TRUE(content(path).substr(target, 20'000) == std::string(20'000, '\0')) << "a reader changes nothing";
        EXPECT_EQ(TrajectoryFile::open_for_resume(path).rows(), 1500);
        expect_rows(TrajectoryFile::open_read_only(path), 1500);
    }
}

TEST_F(TrajectoryFileTest, a_full_disk_is_a_file_error_and_the_last_checkpoint_survives) {
    // A limit on the size of files fails as a full disk does, at the write. The child ends by exit(), so that HDF5's own
    // clearing up after a failed close is run as well; it must neither crash nor print.
    const auto said = (directory / "said").string();
    const pid_t child = in_child([&]() -> int {
        if (freopen(said.c_str(), "w", stderr) == nullptr || freopen(said.c_str(), "w", stdout) == nullptr) {
            return 2;
        }
        signal(SIGXFSZ, SIG_IGN);
        int status = 3;
        {
            auto file = TrajectoryFile::create(path, layout(), false);
            append_rows(file, 100);
            file.write_checkpoint(memory(100));
            const rlim_t size = fs::file_size(path) + 10'000;
            const rlimit limit{size, size};
            setrlimit(RLIMIT_FSIZE, &limit);
            const auto failure = message<FileError>([&] { append_rows(file, 100'000); });
            const auto again = message<FileError>([&] { file.write_checkpoint(memory(5)); });
            const auto last = message<FileError>([&] { file.finish("failed"); });
            const auto expected = [&](const std::string& text) {
                return text.find(path) != std::string::npos && text.find("File too large") != std::string::npos;
            };
            status = expected(failure) && expected(again) && expected(last) ? 0 : 1;
            if (status != 0) {
                std::puts(failure.c_str());
                std::puts(again.c_str());
                std::puts(last.c_str());
            }
        }
        exit(status);
    });
    EXPECT_EQ(exit_status(child), 0);
    EXPECT_EQ(content(said), "");
    auto file = TrajectoryFile::open_for_resume(path);
    EXPECT_EQ(file.checkpoint(), memory(100));
    EXPECT_EQ(file.rows(), 100);
    expect_rows(file, 100);
    append_rows(file, 3000);
    file.finish("completed");
    expect_rows(TrajectoryFile::open_read_only(path), 3000);
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
    expect_contains(message<InputError>([&] { file.append(Row(0, 5).row); }), "5 values of q, the file holds 6");
    expect_contains(message<InputError>([&] { file.finish("done"); }), "not as 'done'");
    expect_contains(message<InputError>([&] { static_cast<void>(file.attribute("weather")); }), "weather");
    expect_contains(message<FileError>([&] { static_cast<void>(file.read("/run/weather")); }), "no such dataset");
    append_rows(file, 3);
    file.finish("completed");
    expect_contains(message<InputError>([&] { file.append(Row(3).row); }), "finished");
    expect_contains(message<InputError>([&] { static_cast<void>(file.read("/run/q")); }), "finished");
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
