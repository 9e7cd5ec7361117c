// `libration doctor`: what this build and this machine have, and what to do about what is missing.
#include "commands.hpp"
#include "terminal.hpp"

#include "codegen/machine_code.hpp"
#include "request/run_fields.hpp"
#include <libration/kit/elementary.hpp>
#include <libration/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <thread>
#include <unistd.h>

namespace libration::app {

namespace {

struct DoctorRequest {
    bool json = false;
};
constexpr std::array doctor_fields{
    RequestField<DoctorRequest>{"json", &DoctorRequest::json, "", "print the findings as one JSON object"},
};

constexpr const char* doctor_examples = "Examples:\n"
                                        "  libration doctor\n"
                                        "  libration doctor --json\n\n"
                                        "Exit status: 0, even if an optional component is missing.";

// Those that the library or generated code makes use of.
std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const auto add = [&](bool has, const char* name) {
        if (has) {
            names.emplace_back(name);
        }
    };
    add(__builtin_cpu_supports("sse2") != 0, "SSE2");
    add(__builtin_cpu_supports("avx") != 0, "AVX");
    add(__builtin_cpu_supports("fma") != 0, "FMA");
    add(__builtin_cpu_supports("avx2") != 0, "AVX2");
    add(__builtin_cpu_supports("avx512f") != 0, "AVX-512");
#endif
    return names;
}

double memory_gib() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE)) / (1 << 30);
}

std::string in_json(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        quoted += c == '\n' ? ' ' : c;
    }
    return quoted + "\"";
}

void print_json(const CodeSupport& code, const std::vector<std::string>& sets, unsigned threads) {
    std::vector<std::string> quoted;
    std::ranges::transform(sets, std::back_inserter(quoted), in_json);
    fmt::print("{{\"version\": {}, \"compiler\": {}, \"hdf5\": {}, \"threads\": {}, \"memory_gib\": {:.2f}, "
               "\"instruction_sets\": [{}], \"fused_multiply_add\": {}, \"generated_code\": {{\"available\": {}, "
               "\"name\": {}, \"lanes\": {}, \"reason\": {}}}}}\n",
               in_json(version), in_json(__VERSION__), in_json(hdf5_version), threads, memory_gib(),
               fmt::join(quoted, ", "), has_fused_multiply_add(), code.available,
               code.available ? in_json(code.name) : "null", code.vector_lanes,
               code.available ? "null" : in_json(code.reason));
}

int examine(const DoctorRequest& request) {
    const auto& code = code_support();
    const auto sets = instruction_sets();
    const auto threads = std::max(1U, std::thread::hardware_concurrency());
    if (request.json) {
        print_json(code, sets, threads);
        return success;
    }
    const auto line = [](const char* label, const std::string& text) { fmt::print("  {:<18}{}\n", label, text); };
    fmt::print("{}\n", bold(fmt::format("libration {}", version), stdout));
    line("compiler", __VERSION__);
    line("HDF5", std::string(hdf5_version));
    line("threads", fmt::format("{}; 'ensemble' and 'reproduce' use all of them by default", threads));
    line("memory", fmt::format("{:.1f} GiB", memory_gib()));
    line("instruction sets", sets.empty() ? "unknown" : fmt::format("{}", fmt::join(sets, ", ")));
    line("bits",
         has_fused_multiply_add()
             ? "fused multiply-add: results are bitwise identical to those of other processors that have it"
             : red("no fused multiply-add: results differ in the last digits from those of other processors", stdout));
    line("generated code", code.available ? fmt::format("{}, {} lanes per vector", code.name, code.vector_lanes)
                                          : red("none: " + said(code.reason), stdout));
    if (!code.available) {
        fmt::print("\nWithout generated code, results are bitwise identical but runs are slower. On Debian 12 install "
                   "libllvm14 and build with llvm-14-dev.\n");
    }
    return success;
}

}  // namespace

Command doctor_command() {
    return make_command<DoctorRequest>("doctor", "show the features of this build and this machine", doctor_examples,
                                       doctor_fields, examine);
}

}  // namespace libration::app
