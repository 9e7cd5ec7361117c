// HDF5's virtual file interface on pread and pwrite.
#include "io/hdf5_driver.hpp"

#include "io/exclusive_file.hpp"
#include "io/superblock.hpp"
#include "io/write_journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <compare>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace libration::hdf5 {

namespace {

// HDF5 knows the first member only, and hands out pointers to it.
struct DriverFile {
    H5FD_t base{};
    int descriptor = -1;
    dev_t device = 0;
    ino_t inode = 0;
    haddr_t allocated = 0;  // HDF5's "eoa": addresses below are in use
    haddr_t end = 0;        // HDF5's "eof"
    bool reading = false;
    bool swmr_writing = false;
    std::optional<Superblock> superblock;  // as HDF5 wants it, while it marks the file as being written
    haddr_t stated_end = 0;                // what the superblock in the file says instead; the file is that long
    std::optional<WriteJournal> journal;
    std::optional<WriteJournal::Pending> unfinished;  // a reader's view of what a killed writer left
    bool dropping = false;
    int failure = 0;

    // Takes an errno, or 0.
    void note(int error) {
        if (error != 0) {
            dropping = true;
            failure = failure == 0 ? error : failure;
        }
    }
};

DriverFile& own(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& own(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_driver_file(const char* name, unsigned flags, hid_t /*access*/, haddr_t /*most*/) {
    int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
    mode |= (flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0;
    mode |= (flags & H5F_ACC_CREAT) != 0 ? O_CREAT : 0;
    mode |= (flags & H5F_ACC_EXCL) != 0 ? O_EXCL : 0;
    const int descriptor = open(name, mode | O_CLOEXEC, 0666);
    struct stat status {};
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        return nullptr;
    }
    auto* file = new (std::nothrow) DriverFile;
    if (file == nullptr) {
        close(descriptor);
        return nullptr;
    }
    file->descriptor = descriptor;
    file->device = status.st_dev;
    file->inode = status.st_ino;
    file->end = static_cast<haddr_t>(status.st_size);
    file->reading = (flags & H5F_ACC_RDWR) == 0;
    file->swmr_writing = (flags & H5F_ACC_SWMR_WRITE) != 0;
    file->journal = WriteJournal::find(descriptor);
    // A living writer is about to finish its write by itself, and will then write other things to the same place.
    if (file->journal && file->reading && !ExclusiveFile::is_held(descriptor)) {
        file->unfinished = file->journal->pending(descriptor);
    }
    return &file->base;
}

herr_t close_file(H5FD_t* file) {
    close(own(file).descriptor);
    delete &own(file);
    return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
    const auto order = std::pair(own(a).device, own(a).inode) <=> std::pair(own(b).device, own(b).inode);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

herr_t features(const H5FD_t* /*file*/, unsigned long* flags) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t allocated(const H5FD_t* file, H5FD_mem_t /*type*/) { return own(file).allocated; }

herr_t allocate(H5FD_t* file, H5FD_mem_t /*type*/, haddr_t address) {
    own(file).allocated = address;
    return 0;
}

haddr_t end(const H5FD_t* file, H5FD_mem_t /*type*/) {
    const auto& f = own(file);
    // HDF5 asks after it has read the superblock, which a living writer may have renewed since the file was opened.
    struct stat status {};
    return f.reading && fstat(f.descriptor, &status) == 0 ? static_cast<haddr_t>(status.st_size) : f.end;
}

herr_t handle(H5FD_t* file, hid_t /*access*/, void** result) {
    *result = &own(file);
    return 0;
}

herr_t read(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, std::size_t size, void* buffer) {
    auto& f = own(file);
    const std::span target(static_cast<std::byte*>(buffer), size);
    if (read_all(f.descriptor, address, target) != 0) {
        return -1;
    }
    if (f.unfinished) {
        const auto& [begin, bytes] = *f.unfinished;
        const auto from = std::max<haddr_t>(address, begin);
        const auto to = std::min<haddr_t>(address + size, begin + bytes.size());
        if (from < to) {
            std::memcpy(target.data() + (from - address), bytes.data() + (from - begin), to - from);
        }
    }
    return 0;
}

// Errno, or 0.
int state_end(DriverFile& f, haddr_t end) {
    f.stated_end = end;
    return f.superblock ? write_all(f.descriptor, 0, f.superblock->clean(end)) : 0;
}

// A plain reader believes the end of the file that it has found when it opened it. So that it can follow the file for a
// while, the file is made longer than it need be, by a hole that takes no space and goes with the close. Where that
// cannot be, the file ends where it ends.
haddr_t end_with_room(const DriverFile& f) {
    constexpr haddr_t least = haddr_t{256} << 10;
    constexpr haddr_t most = haddr_t{16} << 20;
    const auto end = f.end + std::clamp(f.end / 8, least, most);
    rlimit limit{};  // beyond it there is a signal
    const bool allowed = getrlimit(RLIMIT_FSIZE, &limit) == 0 && end <= limit.rlim_cur;
    return allowed && ftruncate(f.descriptor, static_cast<off_t>(end)) == 0 ? end : f.end;
}

// A reader cannot get to new bytes at the end of the file but by old ones that are overwritten to point there. Before
// these are, the new ones are there and the superblock says so. Errno, or 0.
int overwrite(DriverFile& f, haddr_t address, std::span<const std::byte> source, haddr_t old_end) {
    const auto old = static_cast<std::size_t>(std::min<haddr_t>(old_end - address, source.size()));
    if (const int error = write_all(f.descriptor, old_end, source.subspan(old)); error != 0) {
        return error;
    }
    std::vector<std::byte> changed;
    if (address == 0) {  // HDF5 gathers neighbouring pieces of metadata in one write, but does not cut them
        f.superblock = Superblock::marked(source);
        if (f.superblock) {
            f.stated_end = std::max(f.end, f.stated_end);
            changed.assign(source.begin(), source.end());
            std::ranges::copy(f.superblock->clean(f.stated_end), changed.begin());
            source = changed;
        }
    } else if (f.superblock && f.stated_end < f.end) {
        if (const int error = state_end(f, end_with_room(f)); error != 0) {
            return error;
        }
    }
    const bool guarded = f.journal && WriteJournal::wanted(address, source.size());
    return guarded ? f.journal->write(f.descriptor, address, source) : write_all(f.descriptor, address, source);
}

herr_t write(H5FD_t* file, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t address, std::size_t size,
             const void* buffer) {
    auto& f = own(file);
    const std::span source(static_cast<const std::byte*>(buffer), size);
    const auto old_end = std::exchange(f.end, std::max<haddr_t>(f.end, address + size));
    if (!f.dropping) {
        f.note(address < old_end ? overwrite(f, address, source, old_end) : write_all(f.descriptor, address, source));
    }
    return 0;
}

herr_t truncate(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
    auto& f = own(file);
    if (std::max(f.end, f.stated_end) != f.allocated && !f.dropping) {
        // The file is never shorter than it says.
        f.note(f.allocated < f.stated_end ? state_end(f, f.allocated) : 0);
        f.note(!f.dropping && ftruncate(f.descriptor, static_cast<off_t>(f.allocated)) != 0 ? errno : 0);
    }
    f.end = f.allocated;
    return 0;
}

// HDF5 holds no lock while it writes in SWMR mode, because the marks in the file keep other writers away. They are not
// there: a shared lock does it, which lets readers in.
herr_t lock(H5FD_t* file, hbool_t exclusive) {
    const auto& f = own(file);
    const int result = flock(f.descriptor, (exclusive && !f.swmr_writing ? LOCK_EX : LOCK_SH) | LOCK_NB);
    return result != 0 && errno == EWOULDBLOCK ? -1 : 0;
}

herr_t unlock(H5FD_t* file) {
    if (!own(file).swmr_writing) {
        flock(own(file).descriptor, LOCK_UN);
    }
    return 0;
}

H5FD_class_t driver_class() {
    H5FD_class_t result{};
#if H5_VERSION_GE(1, 14, 0)
    result.version = H5FD_CLASS_VERSION;
    result.value = static_cast<H5FD_class_value_t>(600);  // any in the range that is free for tests and own use
#endif
    result.name = "libration";
    result.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    result.fc_degree = H5F_CLOSE_STRONG;
    result.open = open_driver_file;
    result.close = close_file;
    result.cmp = compare_files;
    result.query = features;
    result.get_eoa = allocated;
    result.set_eoa = allocate;
    result.get_eof = end;
    result.get_handle = handle;
    result.read = read;
    result.write = write;
    result.truncate = truncate;
    result.lock = lock;
    result.unlock = unlock;
    const H5FD_mem_t kinds[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(kinds), std::end(kinds), std::begin(result.fl_map));
    return result;
}

DriverFile* find(const Handle& file) {
    void* result = nullptr;
    return file && H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &result) >= 0 ? static_cast<DriverFile*>(result) : nullptr;
}

}  // namespace

void use_own_driver(const Handle& access, const std::string& path) {
    static const H5FD_class_t driver = driver_class();
    const auto id = checked(H5FDregister(&driver), H5FDunregister, path, "prepare HDF5");
    checked(H5Pset_driver(access.id(), id.id(), nullptr), path, "prepare HDF5");
}

int failed_write(const Handle& file) {
    const auto* found = find(file);
    return found == nullptr ? 0 : found->failure;
}

std::uint64_t end_of_file(const Handle& file) {
    const auto* found = find(file);
    return found == nullptr ? 0 : found->end;
}

void drop_writes(const Handle& file) noexcept {
    if (auto* found = find(file); found != nullptr) {
        found->dropping = true;
    }
}

}  // namespace libration::hdf5
