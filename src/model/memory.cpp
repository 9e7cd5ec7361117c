// How much memory there is, and messages about too little of it.
#include "memory.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

#include <unistd.h>

namespace libration {

namespace {

double machine_memory() {
    // Asking the system takes longer than most of what is judged here. Containers have less than the machine.
    static const double bytes =
        std::min(static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)),
                 memory_limit("/sys/fs/cgroup/memory.max"));
    return bytes;
}

std::string in_bytes(double bytes) {
    constexpr std::array units{"GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    double size = bytes / 1e9;
    for (; size >= 1000 && unit + 1 < units.size(); ++unit) {
        size /= 1000;
    }
    return fmt::format("{:.3g} {}", size, units[unit]);
}

}  // namespace

double memory_limit(const std::string& file) {
    double bytes = 0;
    return std::ifstream(file) >> bytes && bytes > 0 ? bytes : std::numeric_limits<double>::infinity();
}

void require_memory(const AskedSize& asked, std::string_view whose, const Place& place) {
    const double bytes = asked.count * asked.bytes_each;
    if (asked.count <= most_numbered && bytes <= machine_memory()) {
        return;
    }
    throw InputError(place, fmt::format("{} requires {:.10g} {}, which need about {} of memory; this machine has {}{}",
                                        whose, asked.count, asked.what, in_bytes(bytes), in_bytes(machine_memory()),
                                        asked.count > most_numbered
                                            ? fmt::format(", and more than {:.10g} cannot be indexed", most_numbered)
                                            : std::string(". Make the model smaller")));
}

}  // namespace libration
