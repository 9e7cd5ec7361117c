// LLVM, accessed through the table of module_interface.hpp: units become a module, the module an object, the object
// code in memory.
#include "emit.hpp"

#include <llvm-c/Analysis.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace libration::codegen {

namespace {

struct Failure {
    std::string why;
};

void check(LLVMErrorRef error) {
    if (error != nullptr) {
        char* text = LLVMGetErrorMessage(error);
        Failure failure{text};
        LLVMDisposeErrorMessage(text);
        throw failure;
    }
}

// LLVM's texts are freed by LLVM.
std::string taken(char* text) {
    std::string result = text == nullptr ? "" : text;
    LLVMDisposeMessage(text);
    return result;
}

// The compiler and the place where its code lives, as long as the process.
class Machine {
  public:
    explicit Machine(std::uint32_t register_lanes) {
        LLVMInitializeNativeTarget();
        LLVMInitializeNativeAsmPrinter();
        triple_ = taken(LLVMGetDefaultTargetTriple());
        LLVMTargetRef target = nullptr;
        char* error = nullptr;
        if (LLVMGetTargetFromTriple(triple_.c_str(), &target, &error) != 0) {
            throw Failure{taken(error)};
        }
        auto cpu = taken(LLVMGetHostCPUName()), features = taken(LLVMGetHostCPUFeatures());
        if (register_lanes < 8 && features.find("+avx512f") != std::string::npos) {
            cpu = "haswell";  // the first one with AVX2 and FMA
            features.clear();
        }
        target_ = LLVMCreateTargetMachine(target, triple_.c_str(), cpu.c_str(), features.c_str(),
                                          LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelJITDefault);
        if (target_ == nullptr) {
            throw Failure{"LLVM does not support this processor"};
        }
        check(LLVMOrcCreateLLJIT(&jit_, nullptr));
    }

    void compile(const Unit* units, std::size_t count, const Functions& functions, void** addresses) {
        const std::unique_ptr<LLVMOpaqueContext, void (*)(LLVMContextRef)> context(LLVMContextCreate(),
                                                                                   LLVMContextDispose);
        const std::unique_ptr<LLVMOpaqueModule, void (*)(LLVMModuleRef)> module(
            LLVMModuleCreateWithNameInContext("libration", context.get()), LLVMDisposeModule);
        LLVMSetTarget(module.get(), triple_.c_str());
        const auto layout = LLVMCreateTargetDataLayout(target_);
        LLVMSetModuleDataLayout(module.get(), layout);
        LLVMDisposeTargetData(layout);
        const auto name = [&](std::size_t k) { return "code" + std::to_string(made_) + "_" + std::to_string(k); };
        // Steps of one trajectory gain by joining like operations into vectors; nothing else gains by passes over the
        // code.
        bool single = false;
        for (std::size_t k = 0; k < count; ++k) {
            single = single || (units[k].is_rows == 0 && units[k].lanes == 1);
            (units[k].is_rows != 0 ? emit_rows : emit_step)(module.get(), units[k], functions, name(k).c_str());
        }
        char* error = nullptr;
        if (std::getenv("LIBRATION_SHOW_CODE") != nullptr) {
            LLVMPrintModuleToFile(module.get(), std::getenv("LIBRATION_SHOW_CODE"), &error);
        }
        if (single) {
            const auto options = LLVMCreatePassBuilderOptions();
            const auto failed = LLVMRunPasses(module.get(), "function(slp-vectorizer)", target_, options);
            LLVMDisposePassBuilderOptions(options);
            check(failed);
        }
        LLVMMemoryBufferRef object = nullptr;
        if (LLVMTargetMachineEmitToMemoryBuffer(target_, module.get(), LLVMObjectFile, &error, &object) != 0) {
            throw Failure{taken(error)};
        }
        check(LLVMOrcLLJITAddObjectFile(jit_, LLVMOrcLLJITGetMainJITDylib(jit_), object));
        for (std::size_t k = 0; k < count; ++k) {
            LLVMOrcExecutorAddress address = 0;
            check(LLVMOrcLLJITLookup(jit_, &address, name(k).c_str()));
            addresses[k] = reinterpret_cast<void*>(address);
        }
        ++made_;
    }

  private:
    std::string triple_;
    LLVMTargetMachineRef target_ = nullptr;
    LLVMOrcLLJITRef jit_ = nullptr;
    std::size_t made_ = 0;
};

bool compile(const Unit* units, std::size_t count, const Functions* functions, void** addresses, char* error,
             std::size_t error_size) {
    try {
        static Machine machine(units[0].register_lanes);
        machine.compile(units, count, *functions, addresses);
        return true;
    } catch (const Failure& failure) {
        std::snprintf(error, error_size, "%s", failure.why.c_str());
    } catch (const std::exception& failure) {
        std::snprintf(error, error_size, "%s", failure.what());
    }
    return false;
}

#define LIBRATION_TEXT(x) #x
#define LIBRATION_LLVM_NAME(version) "LLVM " LIBRATION_TEXT(version)
const ModuleTable table{interface_version, LIBRATION_LLVM_NAME(LLVM_VERSION_MAJOR), compile};

}  // namespace

}  // namespace libration::codegen

extern "C" [[gnu::visibility("default")]] const libration::codegen::ModuleTable* libration_code_module();
extern "C" const libration::codegen::ModuleTable* libration_code_module() { return &libration::codegen::table; }
