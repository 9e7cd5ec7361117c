// Values: every operation of the expression graph, with the meaning that `operate` gives it.
#include "emit.hpp"

#include <cstring>

namespace libration::codegen {

Emitter::Emitter(LLVMModuleRef module, LLVMBuilderRef at, LLVMValueRef function, const Unit& unit,
                 const Functions& functions, unsigned width, unsigned parts)
    : context(LLVMGetModuleContext(module)), builder(at), module_(module), function_(function), unit_(unit),
      functions_(functions), width_(width), parts_(parts), scalar_type_(LLVMDoubleTypeInContext(context)),
      number_type_(width == 1 ? scalar_type_ : LLVMVectorType(scalar_type_, width)),
      mask_type_(width == 1 ? LLVMInt1TypeInContext(context) : LLVMVectorType(LLVMInt1TypeInContext(context), width)),
      index_type_(LLVMInt64TypeInContext(context)), values_(unit.line_count), loops_(unit.loop_count) {}

Parts Emitter::each(const std::function<LLVMValueRef(unsigned)>& part) {
    Parts result;
    for (unsigned p = 0; p < parts_; ++p) {
        result.push_back(part(p));
    }
    return result;
}

LLVMBasicBlockRef Emitter::block(const char* name) { return LLVMAppendBasicBlockInContext(context, function_, name); }

LLVMValueRef Emitter::splat(double value) {
    std::vector<LLVMValueRef> lanes(width_, LLVMConstReal(scalar_type_, value));
    return width_ == 1 ? lanes[0] : LLVMConstVector(lanes.data(), width_);
}

LLVMValueRef Emitter::pointer(const Array& array, std::uint32_t entry, unsigned part) {
    LLVMValueRef offset =
        LLVMConstInt(index_type_, std::uint64_t{entry} * array.stride + std::uint64_t{part} * width_, 0);
    LLVMValueRef place = LLVMBuildGEP2(builder, scalar_type_, array.base, &offset, 1, "");
    return LLVMBuildBitCast(builder, place, LLVMPointerType(number_type_, 0), "");
}

LLVMValueRef Emitter::load(const Array& array, std::uint32_t entry, unsigned part) {
    const auto value = LLVMBuildLoad2(builder, number_type_, pointer(array, entry, part), "");
    LLVMSetAlignment(value, array.alignment);
    return value;
}

void Emitter::store(const Array& array, std::uint32_t entry, unsigned part, LLVMValueRef value) {
    LLVMSetAlignment(LLVMBuildStore(builder, value, pointer(array, entry, part)), array.alignment);
}

void Emitter::forget() {
    for (const auto line : on_demand_numbers_) {
        values_[line].number.clear();
    }
    for (const auto line : on_demand_masks_) {
        values_[line].mask.clear();
    }
    on_demand_numbers_.clear();
    on_demand_masks_.clear();
}

const Parts& Emitter::number(std::uint32_t line) {
    auto& value = values_[line];
    if (value.number.empty()) {
        const auto& source = unit_.lines[line];
        if (!value.mask.empty()) {
            value.number = each([&](unsigned p) { return select(value.mask[p], splat(1), splat(0)); });
        } else if (source.what == static_cast<std::uint32_t>(Op::constant)) {
            value.number = each([&](unsigned) { return splat(source.number); });
        } else {
            const auto& array = source.what == from_constants ? constants : state;
            value.number = each([&](unsigned p) { return load(array, source.arguments[0], p); });
        }
        on_demand_numbers_.push_back(line);
    }
    return value.number;
}

// A condition holds where it is not 0.
const Parts& Emitter::mask(std::uint32_t line) {
    if (values_[line].mask.empty()) {
        const auto& numbers = number(line);
        values_[line].mask = each([&](unsigned p) { return compare(LLVMRealUNE, numbers[p], splat(0)); });
        on_demand_masks_.push_back(line);
    }
    return values_[line].mask;
}

bool Emitter::is_condition(std::uint32_t line) const {
    const auto what = unit_.lines[line].what;
    const auto is = [&](Op op) { return what == static_cast<std::uint32_t>(op); };
    return what == loop_converged || is(Op::less) || is(Op::less_equal) || is(Op::equal) || is(Op::logical_not) ||
           is(Op::logical_and) || is(Op::logical_or);
}

LLVMValueRef Emitter::all_ones(const Parts& masks) {
    auto together = masks[0];
    for (unsigned p = 1; p < parts_; ++p) {
        together = LLVMBuildAnd(builder, together, masks[p], "");
    }
    if (width_ == 1) {
        return together;
    }
    const auto bits = LLVMIntTypeInContext(context, width_);
    return LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildBitCast(builder, together, bits, ""), LLVMConstAllOnes(bits), "");
}

LLVMValueRef Emitter::intrinsic(const char* name, std::initializer_list<LLVMValueRef> arguments) {
    const unsigned id = LLVMLookupIntrinsicID(name, std::strlen(name));
    const auto type = LLVMIntrinsicGetType(context, id, &number_type_, 1);
    const auto function = LLVMGetIntrinsicDeclaration(module_, id, &number_type_, 1);
    std::vector<LLVMValueRef> list(arguments);
    return LLVMBuildCall2(builder, type, function, list.data(), static_cast<unsigned>(list.size()), "");
}

LLVMValueRef Emitter::call(const void* address, LLVMTypeRef type, std::vector<LLVMValueRef> arguments) {
    const auto count = static_cast<unsigned>(arguments.size());
    std::vector<LLVMTypeRef> types(count, type);
    const auto signature = LLVMFunctionType(type, types.data(), count, 0);
    const auto function = LLVMConstIntToPtr(LLVMConstInt(index_type_, reinterpret_cast<std::uintptr_t>(address), 0),
                                            LLVMPointerType(signature, 0));
    return LLVMBuildCall2(builder, signature, function, arguments.data(), count, "");
}

Parts Emitter::elementary(Op op, const std::vector<Parts>& arguments) {
    const auto index = static_cast<std::size_t>(op);
    const void* wide = width_ == 1   ? functions_.one[index]
                       : width_ == 4 ? functions_.four[index]
                       : width_ == 8 ? functions_.eight[index]
                                     : nullptr;
    const auto part_of_all = [&](unsigned p) {
        std::vector<LLVMValueRef> all;
        for (const auto& argument : arguments) {
            all.push_back(argument[p]);
        }
        return all;
    };
    if (wide != nullptr) {
        return each([&](unsigned p) { return call(wide, number_type_, part_of_all(p)); });
    }
    return each([&](unsigned p) {
        auto result = LLVMGetUndef(number_type_);
        for (unsigned lane = 0; lane < width_; ++lane) {
            const auto place = LLVMConstInt(index_type_, lane, 0);
            auto values = part_of_all(p);
            for (auto& value : values) {
                value = LLVMBuildExtractElement(builder, value, place, "");
            }
            result =
                LLVMBuildInsertElement(builder, result, call(functions_.one[index], scalar_type_, values), place, "");
        }
        return result;
    });
}

void Emitter::operation(std::uint32_t line) {
    const auto op = static_cast<Op>(unit_.lines[line].what);
    const auto* arguments = unit_.lines[line].arguments;
    auto& value = values_[line];
    // Masks of conditions, numbers of all else; each is asked for only where it is used.
    const auto a = [&](unsigned p) { return number(arguments[0])[p]; };
    const auto b = [&](unsigned p) { return number(arguments[1])[p]; };
    const auto c = [&](unsigned p) { return number(arguments[2])[p]; };
    const auto numbers = [&](const auto& part) { value.number = each(part); };
    const auto masks = [&](const auto& part) { value.mask = each(part); };
    switch (op) {
        case Op::negate: return numbers([&](unsigned p) { return LLVMBuildFNeg(builder, a(p), ""); });
        case Op::add: return numbers([&](unsigned p) { return LLVMBuildFAdd(builder, a(p), b(p), ""); });
        case Op::subtract: return numbers([&](unsigned p) { return LLVMBuildFSub(builder, a(p), b(p), ""); });
        case Op::multiply: return numbers([&](unsigned p) { return LLVMBuildFMul(builder, a(p), b(p), ""); });
        case Op::divide: return numbers([&](unsigned p) { return LLVMBuildFDiv(builder, a(p), b(p), ""); });
        case Op::mad: return numbers([&](unsigned p) { return intrinsic("llvm.fma", {a(p), b(p), c(p)}); });
        case Op::sqrt: return numbers([&](unsigned p) { return intrinsic("llvm.sqrt", {a(p)}); });
        case Op::floor: return numbers([&](unsigned p) { return intrinsic("llvm.floor", {a(p)}); });
        case Op::abs: return numbers([&](unsigned p) { return intrinsic("llvm.fabs", {a(p)}); });
        case Op::sign:
            return numbers([&](unsigned p) {
                const auto zero = splat(0);
                const auto below = select(compare(LLVMRealOLT, a(p), zero), splat(-1), a(p));
                return select(compare(LLVMRealOGT, a(p), zero), splat(1), below);
            });
        case Op::min: return numbers([&](unsigned p) { return select(compare(LLVMRealOLT, b(p), a(p)), b(p), a(p)); });
        case Op::max: return numbers([&](unsigned p) { return select(compare(LLVMRealOLT, a(p), b(p)), b(p), a(p)); });
        case Op::floors:
            return numbers([&](unsigned p) {
                const auto quotient = LLVMBuildFDiv(builder, intrinsic("llvm.fabs", {a(p)}), b(p), "");
                return select(compare(LLVMRealOEQ, a(p), splat(0)), splat(0), quotient);
            });
        case Op::select:
            return numbers([&](unsigned p) {
                const auto condition = mask(arguments[0])[p];
                return select(condition, b(p), c(p));
            });
        case Op::less: return masks([&](unsigned p) { return compare(LLVMRealOLT, a(p), b(p)); });
        case Op::less_equal: return masks([&](unsigned p) { return compare(LLVMRealOLE, a(p), b(p)); });
        case Op::equal: return masks([&](unsigned p) { return compare(LLVMRealOEQ, a(p), b(p)); });
        case Op::logical_not:
            return masks([&](unsigned p) { return LLVMBuildNot(builder, mask(arguments[0])[p], ""); });
        case Op::logical_and:
            return masks([&](unsigned p) {
                const auto first = mask(arguments[0])[p];
                return LLVMBuildAnd(builder, first, mask(arguments[1])[p], "");
            });
        case Op::logical_or:
            return masks([&](unsigned p) {
                const auto first = mask(arguments[0])[p];
                return LLVMBuildOr(builder, first, mask(arguments[1])[p], "");
            });
        case Op::constant:
        case Op::symbol: return;
        default: {
            std::vector<Parts> all;
            const bool two = op == Op::power || op == Op::atan2 || op == Op::hypot;
            for (int k = 0; k < (op == Op::interp ? 3 : (two ? 2 : 1)); ++k) {
                all.push_back(number(arguments[k]));
            }
            value.number = elementary(op, all);
        }
    }
}

void Emitter::lines(const std::function<void(std::uint32_t)>& listed) {
    bool inside = false;
    for (std::uint32_t n = 0; n < unit_.line_count; ++n) {
        const auto& line = unit_.lines[n];
        const auto index = line.arguments[0];
        switch (line.what) {
            case loop_begin:
                begin_loop(index);
                inside = true;
                break;
            case loop_end:
                end_loop(index);
                inside = false;
                break;
            case carried:
            case loop_x: values_[n].number = loops_[index].x[line.arguments[1]]; break;
            case loop_passes: values_[n].number = loops_[index].passes; break;
            case loop_residual: values_[n].number = loops_[index].residual; break;
            case loop_converged: values_[n].mask = loops_[index].converged; break;
            case from_constants:
            case from_state: break;
            default: operation(n); break;
        }
        if (!inside) {
            listed(n);
        }
    }
}

}  // namespace libration::codegen
