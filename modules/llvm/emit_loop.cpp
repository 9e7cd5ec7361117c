// Loops: what `iterate` does, with the registers of one lane or of many.
#include "emit.hpp"

#include <limits>

namespace libration::codegen {

Parts Emitter::phis(LLVMTypeRef type, LLVMValueRef start, LLVMBasicBlockRef before) {
    return each([&](unsigned) {
        auto phi = LLVMBuildPhi(builder, type, "");
        LLVMAddIncoming(phi, &start, &before, 1);
        return phi;
    });
}

void Emitter::next(const Parts& phi, const Parts& value) {
    auto from = LLVMGetInsertBlock(builder);
    for (std::size_t p = 0; p < phi.size(); ++p) {
        auto incoming = value[p];
        LLVMAddIncoming(phi[p], &incoming, &from, 1);
    }
}

void Emitter::begin_loop(std::uint32_t index) {
    const auto& lines = unit_.loops[index];
    auto& loop = loops_[index];
    for (std::uint32_t n = 0; n < unit_.line_count; ++n) {
        const auto& line = unit_.lines[n];
        if (line.arguments[0] == index) {
            loop.wants_passes = loop.wants_passes || line.what == loop_passes;
            loop.wants_residual = loop.wants_residual || line.what == loop_residual;
            loop.wants_converged = loop.wants_converged || line.what == loop_converged;
        }
    }
    std::vector<Parts> start;
    for (std::uint32_t i = 0; i < lines.width + lines.corrected; ++i) {
        start.push_back(number(lines.start[i]));
    }
    forget();
    loop.before = LLVMGetInsertBlock(builder);
    loop.header = block("loop");
    LLVMBuildBr(builder, loop.header);
    LLVMPositionBuilderAtEnd(builder, loop.header);
    const auto begin_with = [&](const Parts& parts) {
        return each([&](unsigned p) {
            auto phi = LLVMBuildPhi(builder, number_type_, "");
            auto value = parts[p];
            LLVMAddIncoming(phi, &value, &loop.before, 1);
            return phi;
        });
    };
    for (std::uint32_t i = 0; i < lines.width; ++i) {
        loop.x.push_back(begin_with(start[i]));
    }
    // With an infinite previous residual the first pass is like the others: no finite one fails to improve on it.
    loop.previous = lines.corrected != 0
                        ? begin_with(start.back())
                        : phis(number_type_, splat(std::numeric_limits<double>::infinity()), loop.before);
    if (lines.patience > 1) {
        loop.idle = phis(number_type_, splat(0), loop.before);
    }
    if (loop.wants_passes) {
        loop.passes = phis(number_type_, splat(lines.corrected != 0 ? 1 : 0), loop.before);
    }
    if (unit_.lanes > 1) {
        loop.active = phis(mask_type_, LLVMConstAllOnes(mask_type_), loop.before);
        if (loop.wants_residual) {
            loop.residual = phis(number_type_, splat(0), loop.before);
        }
        if (loop.wants_converged) {
            loop.converged = phis(mask_type_, LLVMConstNull(mask_type_), loop.before);
        }
    }
    auto zero = LLVMConstInt(index_type_, 0, 0);
    loop.pass = LLVMBuildPhi(builder, index_type_, "pass");
    LLVMAddIncoming(loop.pass, &zero, &loop.before, 1);
}

// At most one floor, or no better than before within `stagnation` floors, `patience` times in a row; or the last
// correction is foreseen to be enough.
Parts Emitter::done(const LoopLines& lines, const Parts& residual, Parts& idle) {
    auto& loop = loops_[static_cast<std::size_t>(&lines - unit_.loops)];
    if (lines.patience > 1) {
        idle = each([&](unsigned p) {
            return select(compare(LLVMRealOLT, residual[p], loop.previous[p]), splat(0),
                          LLVMBuildFAdd(builder, loop.idle[p], splat(1), ""));
        });
    }
    if (lines.foresee != 0) {
        loop.foreseen = each([&](unsigned p) {
            const auto square = LLVMBuildFMul(builder, residual[p], residual[p], "");
            const auto enough =
                compare(LLVMRealOLE, LLVMBuildFMul(builder, splat(16), square, ""), loop.previous[p]);
            const auto near = compare(LLVMRealOLE, residual[p], splat(static_cast<double>(lines.stagnation)));
            auto both = LLVMBuildAnd(builder, enough, near, "");
            if (lines.corrected == 0) {  // nothing is known of the rate in the first pass
                both = LLVMBuildAnd(
                    builder, both,
                    compare(LLVMRealOLT, loop.previous[p], splat(std::numeric_limits<double>::infinity())), "");
            }
            return both;
        });
    }
    return each([&](unsigned p) {
        const auto stuck = lines.patience > 1
                               ? compare(LLVMRealOLE, splat(static_cast<double>(lines.patience)), idle[p])
                               : compare(LLVMRealUGE, residual[p], loop.previous[p]);
        const auto near = compare(LLVMRealOLE, residual[p], splat(static_cast<double>(lines.stagnation)));
        const auto small = compare(LLVMRealOLE, residual[p], splat(1));
        const auto finished = LLVMBuildOr(builder, small, LLVMBuildAnd(builder, stuck, near, ""), "");
        return lines.foresee != 0 ? LLVMBuildOr(builder, finished, loop.foreseen[p], "") : finished;
    });
}

Parts Emitter::reported(const LoopLines& lines, const Parts& residual) {
    if (lines.foresee == 0) {
        return residual;
    }
    const auto& loop = loops_[static_cast<std::size_t>(&lines - unit_.loops)];
    return each([&](unsigned p) {
        const auto bound = splat(1.0 / 16);
        const auto smaller = select(compare(LLVMRealOLT, bound, residual[p]), bound, residual[p]);
        return select(loop.foreseen[p], smaller, residual[p]);
    });
}

void Emitter::end_loop(std::uint32_t index) {
    if (unit_.lanes > 1) {
        end_lanes_loop(index);
    } else {
        end_scalar_loop(index);
    }
    forget();
}

void Emitter::end_lanes_loop(std::uint32_t index) {
    const auto& lines = unit_.loops[index];
    auto& loop = loops_[index];
    const Parts residual = number(lines.residual);
    Parts idle;
    const Parts finished = done(lines, residual, idle);
    Parts last_residual, converged;
    if (loop.wants_residual) {
        const Parts now = reported(lines, residual);
        last_residual = each([&](unsigned p) { return select(loop.active[p], now[p], loop.residual[p]); });
    }
    if (loop.wants_converged) {
        converged = each([&](unsigned p) {
            return LLVMBuildOr(builder, loop.converged[p], LLVMBuildAnd(builder, loop.active[p], finished[p], ""), "");
        });
    }
    const Parts finite = each([&](unsigned p) {
        const auto zero = LLVMBuildFSub(builder, residual[p], residual[p], "");
        return LLVMBuildAnd(builder, loop.active[p], compare(LLVMRealOLT, zero, splat(1)), "");
    });
    const Parts active = each([&](unsigned p) {
        return LLVMBuildAnd(builder, finite[p], LLVMBuildNot(builder, finished[p], ""), "");
    });
    auto any = active[0];
    for (unsigned p = 1; p < parts_; ++p) {
        any = LLVMBuildOr(builder, any, active[p], "");
    }
    const auto bits = LLVMIntTypeInContext(context, width_);
    const auto none =
        LLVMBuildICmp(builder, LLVMIntEQ, LLVMBuildBitCast(builder, any, bits, ""), LLVMConstNull(bits), "");
    const auto most = LLVMConstInt(index_type_, static_cast<std::uint64_t>(lines.max_passes), 0);
    const auto last = LLVMBuildOr(builder, none, LLVMBuildICmp(builder, LLVMIntEQ, loop.pass, most, ""), "");
    const auto exit = block("after");
    if (lines.correct_last == 0) {
        const auto again = block("again");
        LLVMBuildCondBr(builder, last, exit, again);
        LLVMPositionBuilderAtEnd(builder, again);
        forget();
    }
    const Parts& corrected = lines.correct_last != 0 ? finite : active;
    std::vector<Parts> x;
    for (std::uint32_t i = 0; i < lines.width; ++i) {
        const Parts correction = number(lines.correction[i]);
        x.push_back(each([&](unsigned p) {
            return select(corrected[p], LLVMBuildFAdd(builder, loop.x[i][p], correction[p], ""), loop.x[i][p]);
        }));
    }
    Parts passes;
    if (loop.wants_passes) {
        passes = each([&](unsigned p) {
            return select(corrected[p], LLVMBuildFAdd(builder, loop.passes[p], splat(1), ""), loop.passes[p]);
        });
    }
    const Parts previous = each([&](unsigned p) {
        const auto best = lines.patience > 1 ? select(compare(LLVMRealOLT, residual[p], loop.previous[p]), residual[p],
                                                      loop.previous[p])
                                             : residual[p];
        return select(active[p], best, loop.previous[p]);
    });
    const auto pass = LLVMBuildAdd(builder, loop.pass, LLVMConstInt(index_type_, 1, 0), "");
    for (std::uint32_t i = 0; i < lines.width; ++i) {
        next(loop.x[i], x[i]);
    }
    next(loop.previous, previous);
    next(loop.idle, idle);
    next(loop.passes, passes);
    next(loop.residual, last_residual);
    next(loop.converged, converged);
    next(loop.active, active);
    next({loop.pass}, {pass});
    if (lines.correct_last != 0) {
        LLVMBuildCondBr(builder, last, exit, loop.header);
        loop.x = x;
        loop.passes = passes;
    } else {
        LLVMBuildBr(builder, loop.header);
    }
    loop.residual = last_residual;
    loop.converged = converged;
    LLVMPositionBuilderAtEnd(builder, exit);
}

void Emitter::move(const Array& from, std::uint32_t source, const Array& to, std::uint32_t target,
                   std::uint32_t count) {
    constexpr unsigned unrolled = 4;
    const auto wide = LLVMVectorType(scalar_type_, unit_.register_lanes);
    const std::uint64_t total = std::uint64_t{count} * from.stride;
    const auto piece = [&](LLVMTypeRef type, LLVMValueRef offset) {
        LLVMValueRef places[2] = {nullptr, nullptr};
        for (int k = 0; k < 2; ++k) {
            const auto& array = k == 0 ? from : to;
            auto base = LLVMConstInt(index_type_, std::uint64_t{k == 0 ? source : target} * array.stride, 0);
            base = LLVMBuildAdd(builder, base, offset, "");
            const auto place = LLVMBuildGEP2(builder, scalar_type_, array.base, &base, 1, "");
            places[k] = LLVMBuildBitCast(builder, place, LLVMPointerType(type, 0), "");
        }
        const auto value = LLVMBuildLoad2(builder, type, places[0], "");
        LLVMSetAlignment(value, 8);
        LLVMSetAlignment(LLVMBuildStore(builder, value, places[1]), 8);
    };
    const std::uint64_t chunk = std::uint64_t{unrolled} * unit_.register_lanes;
    std::uint64_t done = 0;
    if (total >= 2 * chunk) {
        done = total / chunk * chunk;
        const auto before = LLVMGetInsertBlock(builder);
        const auto loop = block("move"), after = block("moved");
        LLVMBuildBr(builder, loop);
        LLVMPositionBuilderAtEnd(builder, loop);
        const auto at = LLVMBuildPhi(builder, index_type_, "");
        for (unsigned u = 0; u < unrolled; ++u) {
            piece(wide, LLVMBuildAdd(builder, at, LLVMConstInt(index_type_, u * unit_.register_lanes, 0), ""));
        }
        const auto next_at = LLVMBuildAdd(builder, at, LLVMConstInt(index_type_, chunk, 0), "");
        LLVMValueRef values[2] = {LLVMConstInt(index_type_, 0, 0), next_at};
        LLVMBasicBlockRef blocks[2] = {before, loop};
        LLVMAddIncoming(at, values, blocks, 2);
        const auto end = LLVMConstInt(index_type_, done, 0);
        LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, next_at, end, ""), loop, after);
        LLVMPositionBuilderAtEnd(builder, after);
    }
    for (; done + unit_.register_lanes <= total; done += unit_.register_lanes) {
        piece(wide, LLVMConstInt(index_type_, done, 0));
    }
    for (; done < total; ++done) {
        piece(scalar_type_, LLVMConstInt(index_type_, done, 0));
    }
}

// One lane is active as long as the loop runs, so that nothing need be frozen.
void Emitter::end_scalar_loop(std::uint32_t index) {
    const auto& lines = unit_.loops[index];
    auto& loop = loops_[index];
    const auto residual = number(lines.residual)[0];
    Parts idle;
    const auto finished = done(lines, {residual}, idle)[0];
    const auto zero = LLVMBuildFSub(builder, residual, residual, "");
    const auto finite = compare(LLVMRealOLT, zero, splat(1));
    const auto most = LLVMConstInt(index_type_, static_cast<std::uint64_t>(lines.max_passes), 0);
    const auto end = LLVMBuildICmp(builder, LLVMIntEQ, loop.pass, most, "");
    const auto exit = block("after"), again = block("again");
    const auto judged = LLVMGetInsertBlock(builder);
    if (lines.correct_last != 0) {
        LLVMBuildCondBr(builder, finite, again, exit);
    } else {
        const auto active = LLVMBuildAnd(builder, finite, LLVMBuildNot(builder, finished, ""), "");
        const auto goes_on = LLVMBuildAnd(builder, active, LLVMBuildNot(builder, end, ""), "");
        LLVMBuildCondBr(builder, goes_on, again, exit);
    }
    LLVMPositionBuilderAtEnd(builder, again);
    forget();
    std::vector<Parts> x;
    for (std::uint32_t i = 0; i < lines.width; ++i) {
        const auto correction = number(lines.correction[i])[0];
        x.push_back({LLVMBuildFAdd(builder, loop.x[i][0], correction, "")});
        next(loop.x[i], x[i]);
    }
    Parts passes;
    if (loop.wants_passes) {
        passes = {LLVMBuildFAdd(builder, loop.passes[0], splat(1), "")};
        next(loop.passes, passes);
    }
    const auto best = lines.patience > 1 ? select(compare(LLVMRealOLT, residual, loop.previous[0]), residual,
                                                  loop.previous[0])
                                         : residual;
    next(loop.previous, {best});
    next(loop.idle, idle);
    next({loop.pass}, {LLVMBuildAdd(builder, loop.pass, LLVMConstInt(index_type_, 1, 0), "")});
    const auto corrected = LLVMGetInsertBlock(builder);
    if (lines.correct_last == 0) {
        LLVMBuildBr(builder, loop.header);
        LLVMPositionBuilderAtEnd(builder, exit);
    } else {
        LLVMBuildCondBr(builder, LLVMBuildOr(builder, finished, end, ""), exit, loop.header);
        LLVMPositionBuilderAtEnd(builder, exit);
        const auto either = [&](Parts& before, const Parts& after) {
            if (!before.empty()) {
                const auto phi = LLVMBuildPhi(builder, number_type_, "");
                LLVMValueRef values[2] = {before[0], after[0]};
                LLVMBasicBlockRef from[2] = {judged, corrected};
                LLVMAddIncoming(phi, values, from, 2);
                before = {phi};
            }
        };
        for (std::uint32_t i = 0; i < lines.width; ++i) {
            either(loop.x[i], x[i]);
        }
        either(loop.passes, passes);
    }
    loop.residual = reported(lines, {residual});
    loop.converged = {finished};
}

}  // namespace libration::codegen
