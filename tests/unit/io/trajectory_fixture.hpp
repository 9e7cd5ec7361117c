// What the tests of trajectory files share: a directory, rows with full mantissas, child processes.
#pragma once

#include <libration/io/trajectory_file.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

namespace libration::trajectory_test {

namespace fs = std::filesystem;

inline constexpr std::size_t dimension = 6;
inline constexpr std::size_t constraints = 3;

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

inline TrajectoryLayout layout() {
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
inline double value(std::int64_t n, int c, std::size_t i) {
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

inline void append_rows(TrajectoryFile& file, std::int64_t end) {
    for (std::int64_t n = file.rows(); n < end; ++n) {
        file.append(Row(n).row);
    }
}

// The memory of a checkpoint after `rows` rows; sizes differ, so that slots grow and are only partly in use.
inline std::vector<std::byte> memory(std::int64_t rows) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(100 + 37 * rows % 5000));
    std::minstd_rand random(static_cast<unsigned>(rows) + 1);
    for (auto& byte : bytes) {
        byte = static_cast<std::byte>(random() >> 8);
    }
    return bytes;
}

// The first `rows` rows of the column, bit for bit.
inline void expect_column(const TrajectoryFile& file, const std::string& name, std::size_t width, std::int64_t rows,
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

inline void expect_rows(const TrajectoryFile& file, std::int64_t rows) {
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

inline void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' does not contain '" << part << "'";
}

inline std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_content(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// Runs `action` in a child process, which ends with the status that it returns.
inline pid_t in_child(const std::function<int()>& action) {
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

inline int exit_status(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// One killed life of a run: continues the file for ever, with checkpoints in short distances.
[[noreturn]] inline void run_until_killed(const std::string& path, int ready, bool resume) {
    auto file = resume ? TrajectoryFile::open_for_resume(path) : TrajectoryFile::create(path, layout(), false);
    if (write(ready, "r", 1) != 1) {
        _exit(1);
    }
    for (std::int64_t end = file.rows() + 1;; end += 97) {
        append_rows(file, end);
        file.write_checkpoint(memory(end));
    }
}

inline void kill_after(const std::string& path, std::chrono::microseconds delay, bool resume) {
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

inline void expect_whole_up_to_the_checkpoint(const TrajectoryFile& file) {
    ASSERT_GE(file.rows(), file.checkpoint_rows());
    if (file.checkpoint()) {
        EXPECT_EQ(*file.checkpoint(), memory(file.checkpoint_rows()));
    }
    expect_rows(file, file.checkpoint_rows());
}

}  // namespace libration::trajectory_test
