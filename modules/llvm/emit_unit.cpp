// The functions around the lines: the walk over steps, and the walk over rows.
#include "emit.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace libration::codegen {

namespace {

constexpr std::uint32_t nowhere = 0xffffffff;

void attribute(LLVMContextRef context, LLVMValueRef function, unsigned index, const char* name) {
    LLVMAddAttributeAtIndex(
        function, index,
        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, std::strlen(name)), 0));
}

void text_attribute(LLVMContextRef context, LLVMValueRef function, const char* name, const std::string& value) {
    LLVMAddAttributeAtIndex(function, static_cast<LLVMAttributeIndex>(LLVMAttributeFunctionIndex),
                            LLVMCreateStringAttribute(context, name, static_cast<unsigned>(std::strlen(name)),
                                                      value.c_str(), static_cast<unsigned>(value.size())));
}

void mark(LLVMContextRef context, LLVMValueRef function, unsigned register_lanes) {
    attribute(context, function, static_cast<unsigned>(LLVMAttributeFunctionIndex), "nounwind");
    if (register_lanes > 1) {
        const auto bits = std::to_string(64 * register_lanes);
        // Without it vectors are spilled to addresses that are not aligned.
        text_attribute(context, function, "stackrealign", "");
        text_attribute(context, function, "prefer-vector-width", bits);
        text_attribute(context, function, "min-legal-vector-width", bits);
    }
}

// The widest part that fits into a register and divides the lanes.
unsigned part_width(const Unit& unit) {
    unsigned width = 1;
    while (width * 2 <= unit.register_lanes && unit.lanes % (width * 2) == 0) {
        width *= 2;
    }
    return width;
}

LLVMValueRef add_phi(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef value, LLVMBasicBlockRef from) {
    const auto phi = LLVMBuildPhi(builder, type, "");
    LLVMAddIncoming(phi, &value, &from, 1);
    return phi;
}

void add_incoming(LLVMValueRef phi, LLVMValueRef value, LLVMBasicBlockRef from) {
    LLVMAddIncoming(phi, &value, &from, 1);
}

}  // namespace

void emit_step(LLVMModuleRef module, const Unit& unit, const Functions& functions, const char* name) {
    const auto context = LLVMGetModuleContext(module);
    const auto index_type = LLVMInt64TypeInContext(context);
    const auto pointer_type = LLVMPointerType(LLVMDoubleTypeInContext(context), 0);
    LLVMTypeRef types[5] = {index_type, pointer_type, pointer_type, pointer_type, pointer_type};
    const auto function = LLVMAddFunction(module, name, LLVMFunctionType(index_type, types, 5, 0));
    const unsigned width = part_width(unit);
    mark(context, function, unit.register_lanes);
    for (unsigned k = 2; k <= 5; ++k) {
        attribute(context, function, k, "noalias");
    }
    const auto builder = LLVMCreateBuilderInContext(context);
    Emitter emitter(module, builder, function, unit, functions, width, unit.lanes / width);
    const unsigned alignment = std::min(64U, 8 * width);
    const auto steps = LLVMGetParam(function, 0);
    const auto zero = LLVMConstInt(index_type, 0, 0), one = LLVMConstInt(index_type, 1, 0);

    const auto entry = emitter.block("entry"), begin = emitter.block("begin"), step = emitter.block("step"),
               refused = emitter.block("refused"), made = emitter.block("made"), finish = emitter.block("finish");
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntSGT, steps, zero, ""), begin, finish);

    const std::uint32_t memory = unit.output_count - 2;
    const auto copied_from = [&](std::uint32_t k) {
        const auto& line = unit.lines[unit.outputs[k]];
        return line.what == from_state ? line.arguments[0] : nowhere;
    };
    const auto copy = [&](const Emitter::Array& from, std::uint32_t source, const Emitter::Array& to, std::uint32_t k) {
        for (unsigned p = 0; p < emitter.parts(); ++p) {
            emitter.store(to, k, p, emitter.load(from, source, p));
        }
    };

    // What a step does not change is copied once: afterwards it is in both arrays.
    LLVMPositionBuilderAtEnd(builder, begin);
    const Emitter::Array first{LLVMGetParam(function, 2), unit.lanes, alignment},
        second{LLVMGetParam(function, 3), unit.lanes, alignment};
    for (std::uint32_t k = 0; k < memory; ++k) {
        if (copied_from(k) == k) {
            copy(first, k, second, k);
        }
    }
    LLVMBuildBr(builder, step);

    LLVMPositionBuilderAtEnd(builder, step);
    const auto count = add_phi(builder, index_type, zero, begin);
    const auto from = add_phi(builder, pointer_type, first.base, begin);
    const auto to = add_phi(builder, pointer_type, second.base, begin);
    const Emitter::Array target{to, unit.lanes, alignment}, worst{LLVMGetParam(function, 4), unit.lanes, alignment};
    emitter.constants = {LLVMGetParam(function, 1), unit.lanes, alignment};
    emitter.state = {from, unit.lanes, alignment};
    // Each result is stored as soon as it is known, so that few of them wait in registers.
    std::vector<std::vector<std::uint32_t>> places(unit.line_count);
    for (std::uint32_t k = 0; k < memory; ++k) {
        places[unit.outputs[k]].push_back(k);
    }
    emitter.lines([&](std::uint32_t line) {
        for (const auto k : places[line]) {
            if (copied_from(k) == nowhere) {
                for (unsigned p = 0; p < emitter.parts(); ++p) {
                    emitter.store(target, k, p, emitter.number(line)[p]);
                }
            }
        }
    });
    // What moves to another place, such as the history of a multistep method: runs of it as loops.
    for (std::uint32_t k = 0, end = 0; k < memory; k = end) {
        const auto source = copied_from(k);
        end = k + 1;
        if (source != nowhere && source != k) {
            while (end < memory && copied_from(end) == source + (end - k)) {
                ++end;
            }
            emitter.move(emitter.state, source, target, k, end - k);
        }
    }
    const Parts residual = emitter.number(unit.outputs[memory]);
    const auto good = unit.outputs[memory + 1];
    Parts is_good;
    if (emitter.is_condition(good)) {
        is_good = emitter.mask(good);
    } else {
        for (const auto part : Parts(emitter.number(good))) {
            is_good.push_back(LLVMBuildFCmp(builder, LLVMRealOEQ, part, emitter.splat(1), ""));
        }
    }
    LLVMBuildCondBr(builder, emitter.all_ones(is_good), made, refused);

    LLVMPositionBuilderAtEnd(builder, refused);
    const Parts verdict = emitter.number(good);
    for (unsigned p = 0; p < emitter.parts(); ++p) {
        emitter.store(target, memory, p, residual[p]);
        emitter.store(target, memory + 1, p, verdict[p]);
    }
    LLVMBuildRet(builder, count);

    LLVMPositionBuilderAtEnd(builder, made);
    for (unsigned p = 0; p < emitter.parts(); ++p) {
        const auto so_far = emitter.load(worst, 0, p);
        const auto larger = LLVMBuildFCmp(builder, LLVMRealOLT, so_far, residual[p], "");
        emitter.store(worst, 0, p, LLVMBuildSelect(builder, larger, residual[p], so_far, ""));
    }
    const auto next = LLVMBuildAdd(builder, count, one, "");
    add_incoming(count, next, made);
    add_incoming(from, to, made);
    add_incoming(to, from, made);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntSLT, next, steps, ""), step, finish);

    LLVMPositionBuilderAtEnd(builder, finish);
    const auto result = add_phi(builder, index_type, zero, entry);
    add_incoming(result, next, made);
    LLVMBuildRet(builder, result);
    LLVMDisposeBuilder(builder);
}

void emit_rows(LLVMModuleRef module, const Unit& unit, const Functions& functions, const char* name) {
    const auto context = LLVMGetModuleContext(module);
    const auto number = LLVMDoubleTypeInContext(context);
    const auto index_type = LLVMInt64TypeInContext(context);
    LLVMTypeRef types[2] = {LLVMPointerType(number, 0), index_type};
    const auto function =
        LLVMAddFunction(module, name, LLVMFunctionType(LLVMVoidTypeInContext(context), types, 2, 0));
    mark(context, function, unit.register_lanes);
    const auto builder = LLVMCreateBuilderInContext(context);
    const auto rows = LLVMGetParam(function, 0), count = LLVMGetParam(function, 1);
    auto before = LLVMAppendBasicBlockInContext(context, function, "entry");
    LLVMPositionBuilderAtEnd(builder, before);
    auto done = LLVMConstInt(index_type, 0, 0);
    // As long as whole registers can be filled, then one by one.
    for (unsigned width = unit.register_lanes; width > 0; width = width > 1 ? 1 : 0) {
        Emitter emitter(module, builder, function, unit, functions, width, 1);
        const auto test = emitter.block("test"), body = emitter.block("body"), after = emitter.block("after");
        LLVMBuildBr(builder, test);
        LLVMPositionBuilderAtEnd(builder, test);
        const auto at = add_phi(builder, index_type, done, before);
        auto next = LLVMBuildAdd(builder, at, LLVMConstInt(index_type, width, 0), "");
        LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULE, next, count, ""), body, after);
        LLVMPositionBuilderAtEnd(builder, body);
        auto offset = at;
        emitter.state = {LLVMBuildGEP2(builder, number, rows, &offset, 1, ""), 1, 8};
        emitter.lines([](std::uint32_t) {});
        std::vector<LLVMValueRef> values;
        for (std::uint32_t k = 0; k < unit.output_count; ++k) {
            values.push_back(emitter.number(unit.outputs[k])[0]);
        }
        for (std::uint32_t k = 0; k < unit.output_count; ++k) {
            emitter.store(emitter.state, unit.offsets[k], 0, values[k]);
        }
        add_incoming(at, next, LLVMGetInsertBlock(builder));
        LLVMBuildBr(builder, test);
        LLVMPositionBuilderAtEnd(builder, after);
        done = at;
        before = after;
    }
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
}

}  // namespace libration::codegen
