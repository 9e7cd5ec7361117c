// Looking for the module, and for what the processor and the system allow.
#include "code_module.hpp"

#include "machine_code.hpp"
#include <libration/kit/tuned.hpp>

#include <fmt/format.h>

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

// Defined by the tests and benches of a build tree only.
extern "C" [[gnu::weak]] const char libration_module_directory[];

namespace libration {

namespace codegen {

namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "liblibration-llvm.so";

// Beside the library or the program, below the prefix that they are installed in, or where it was built.
std::vector<fs::path> places() {
    if (const char* given = std::getenv("LIBRATION_LLVM_MODULE"); given != nullptr) {
        return {given};
    }
    std::vector<fs::path> found;
    std::error_code error;
    const auto around = [&](const fs::path& file) {
        if (!file.empty()) {
            const auto directory = fs::absolute(file, error).parent_path();
            found.push_back(directory / file_name);
            found.push_back(directory / "libration" / file_name);
            found.push_back(directory.parent_path() / "lib" / "libration" / file_name);
        }
    };
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&code_module), &info) != 0 && info.dli_fname != nullptr) {
        around(info.dli_fname);
    }
    around(fs::read_symlink("/proc/self/exe", error));
    if (&libration_module_directory != nullptr) {
        found.push_back(fs::path(libration_module_directory) / file_name);
    }
    found.emplace_back(file_name);  // where the system looks for libraries: programs elsewhere that hold the library
    return found;
}

// Some systems allow no memory that is executable and was written by the process.
bool executable_memory() {
    if (std::getenv("LIBRATION_DENY_EXECUTABLE_MEMORY") != nullptr) {
        return false;  // how the tests see what follows
    }
    const std::size_t size = 4096;
    void* page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return false;
    }
    const bool allowed = mprotect(page, size, PROT_READ | PROT_EXEC) == 0;
    munmap(page, size);
    return allowed;
}

// What forbids code before a module is even looked for; empty: nothing does.
std::string obstacle() {
    const char* backend = std::getenv("LIBRATION_BACKEND");
    if (backend != nullptr && std::strcmp(backend, "interpreted") == 0) {
        return "LIBRATION_BACKEND selects the interpreter";
    }
    if (std::getenv("LIBRATION_PLAIN_CODE") != nullptr) {
        return "LIBRATION_PLAIN_CODE is set";
    }
    if (!tuned_code) {
        return "the processor has no AVX2 or no FMA";
    }
    return executable_memory() ? "" : "the system does not permit executable memory";
}

OpenedModule open() {
    OpenedModule result;
    auto& reason = result.support.reason;
    reason = obstacle();
    if (!reason.empty()) {
        return result;
    }
    reason = fmt::format("no LLVM module: {} was not found", file_name);
    for (const auto& place : places()) {
        std::error_code error;
        const bool anywhere = !place.has_parent_path();
        if (!anywhere && !fs::exists(place, error)) {
            if (std::getenv("LIBRATION_LLVM_MODULE") != nullptr) {
                reason =
                    fmt::format("no LLVM module: LIBRATION_LLVM_MODULE names {}, which does not exist", place.string());
            }
            continue;
        }
        void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            const char* why = dlerror();
            if (!anywhere || std::getenv("LIBRATION_LLVM_MODULE") != nullptr) {
                reason = fmt::format("no LLVM module: {}", why != nullptr ? why : place.string());
            }
            continue;
        }
        const auto entry = reinterpret_cast<Entry>(dlsym(library, entry_name));
        const auto* table = entry != nullptr ? entry() : nullptr;
        if (table == nullptr || table->version != interface_version) {
            reason = fmt::format("no LLVM module: {} belongs to another version of the library", place.string());
            dlclose(library);
            continue;
        }
        result.table = table;
        result.support.available = true;
        // The variable: to see on one machine what others do.
        const bool wide = std::getenv("LIBRATION_NARROW_VECTORS") == nullptr &&
                          __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                          __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0;
        result.support.vector_lanes = wide ? 8 : 4;
        result.support.name = fmt::format("{}, {}", table->name, wide ? "AVX-512" : "AVX2");
        reason.clear();
        return result;
    }
    return result;
}

}  // namespace

const OpenedModule& code_module() {
    static const OpenedModule module = open();
    return module;
}

}  // namespace codegen

const CodeSupport& code_support() { return codegen::code_module().support; }

}  // namespace libration
