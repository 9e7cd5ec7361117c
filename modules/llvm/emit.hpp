// Writes the lines of one unit as LLVM instructions. A value of `lanes` numbers is a list of parts, each as wide as a
// register, so that LLVM never has to split a vector or a mask.
#pragma once

#include "codegen/module_interface.hpp"

#include <llvm-c/Core.h>

#include <functional>
#include <vector>

namespace libration::codegen {

using Parts = std::vector<LLVMValueRef>;

class Emitter {
  public:
    // `at`: where the caller places the builder before it asks for values.
    Emitter(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function, const Unit& unit,
            const Functions& functions, unsigned width, unsigned parts);

    // Entry k of an array of doubles is at base + k*stride; parts follow each other.
    struct Array {
        LLVMValueRef base = nullptr;
        unsigned stride = 1;
        unsigned alignment = 8;
    };
    Array constants, state;

    // All of the unit, where the builder stands; `listed` is called after each line that is outside of loops.
    void lines(const std::function<void(std::uint32_t)>& listed);
    const Parts& number(std::uint32_t line);
    const Parts& mask(std::uint32_t line);
    // Whether it is 1 or 0 and nothing else.
    [[nodiscard]] bool is_condition(std::uint32_t line) const;
    LLVMValueRef all_ones(const Parts& masks);

    LLVMValueRef load(const Array& array, std::uint32_t entry, unsigned part);
    void store(const Array& array, std::uint32_t entry, unsigned part, LLVMValueRef value);
    // Moves `count` entries; the arrays do not overlap and have the same stride.
    void move(const Array& from, std::uint32_t source, const Array& to, std::uint32_t target, std::uint32_t count);
    LLVMValueRef splat(double value);
    LLVMBasicBlockRef block(const char* name);
    LLVMTypeRef number_type() { return number_type_; }
    unsigned parts() const { return parts_; }

    LLVMContextRef context;
    LLVMBuilderRef builder;

  private:
    struct Value {
        Parts number, mask;
    };
    // The values that go round a loop.
    struct LoopState {
        LLVMBasicBlockRef header = nullptr, before = nullptr;
        std::vector<Parts> x;
        Parts previous, idle, passes, residual, converged, active, foreseen;
        LLVMValueRef pass = nullptr;
        bool wants_passes = false, wants_residual = false, wants_converged = false;
    };

    Parts each(const std::function<LLVMValueRef(unsigned)>& part);
    Parts phis(LLVMTypeRef type, LLVMValueRef start, LLVMBasicBlockRef before);
    void next(const Parts& phi, const Parts& value);
    void operation(std::uint32_t line);
    Parts elementary(Op op, const std::vector<Parts>& arguments);
    LLVMValueRef call(const void* address, LLVMTypeRef type, std::vector<LLVMValueRef> arguments);
    LLVMValueRef intrinsic(const char* name, std::initializer_list<LLVMValueRef> arguments);
    LLVMValueRef compare(LLVMRealPredicate predicate, LLVMValueRef a, LLVMValueRef b) {
        return LLVMBuildFCmp(builder, predicate, a, b, "");
    }
    LLVMValueRef select(LLVMValueRef m, LLVMValueRef a, LLVMValueRef b) {
        return LLVMBuildSelect(builder, m, a, b, "");
    }
    LLVMValueRef pointer(const Array& array, std::uint32_t entry, unsigned part);
    void forget();  // values that were made on demand, at the border of a loop

    void begin_loop(std::uint32_t index);
    void end_loop(std::uint32_t index);
    Parts done(const LoopLines& lines, const Parts& residual, Parts& idle);
    // The residual as the report has it: where it is foreseen, what is foreseen at most.
    Parts reported(const LoopLines& lines, const Parts& residual);
    void end_scalar_loop(std::uint32_t index);
    void end_lanes_loop(std::uint32_t index);

    LLVMModuleRef module_;
    LLVMValueRef function_;
    const Unit& unit_;
    const Functions& functions_;
    unsigned width_, parts_;
    LLVMTypeRef scalar_type_, number_type_, mask_type_, index_type_;
    std::vector<Value> values_;
    std::vector<std::uint32_t> on_demand_numbers_, on_demand_masks_;
    std::vector<LoopState> loops_;
};

// The whole functions: StepCode::run and RowCode. Their names are given.
void emit_step(LLVMModuleRef module, const Unit& unit, const Functions& functions, const char* name);
void emit_rows(LLVMModuleRef module, const Unit& unit, const Functions& functions, const char* name);

}  // namespace libration::codegen
