// Trajectory files that were cut, damaged, torn or met a full disk.
#include "unit/io/trajectory_fixture.hpp"

#include "io/superblock.hpp"
#include "io/write_journal.hpp"

#include <sys/resource.h>

#include <bit>

namespace libration {
namespace {

using namespace trajectory_test;

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

// A cut file is refused with FileError, or it is whole up to its checkpoint; reading a damaged column is a FileError
// too.
void expect_refused_or_whole(const std::string& cut) {
    const auto refused = message<FileError>([&] { TrajectoryFile::open_for_resume(cut).rows(); });
    if (refused.empty()) {
        expect_whole_up_to_the_checkpoint(TrajectoryFile::open_read_only(cut));
    } else {
        expect_contains(refused, cut);
        expect_contains(refused, "`overwrite`");
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

// Flips one bit in every copy of a checkpoint, also that in the journal; how many there were. Only its first bytes are
// sure to lie together in the file.
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

// As a kill between two pages leaves it: the journal says what is written to `target`, and only zeros have arrived
// there.
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
    // A limit on the size of files fails as a full disk does, at the write. The child ends by exit(), so that HDF5's
    // own clearing up after a failed close is run as well; it must neither crash nor print.
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

}  // namespace
}  // namespace libration
