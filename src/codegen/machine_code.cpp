// Programs to the module, code back, and what was made before.
#include "machine_code.hpp"

#include "code_module.hpp"
#include "functions.hpp"
#include "lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

namespace libration {

namespace {

using codegen::Code;

using StepFunction = std::int64_t (*)(std::int64_t, const double*, double*, double*, double*);

class CompiledStep final : public StepCode {
  public:
    CompiledStep(std::size_t lanes, StepFunction function) : lanes_(lanes), function_(function) {}
    [[nodiscard]] std::size_t lanes() const override { return lanes_; }
    std::int64_t run(std::int64_t steps, const double* constants, double* state, double* other,
                     double* worst) const override {
        return function_(steps, constants, state, other, worst);
    }

  private:
    std::size_t lanes_;
    StepFunction function_;
};

// One compilation at a time, and all that was compiled by its content: code lives as long as the process.
std::mutex compiling;

template <class Number>
void append(std::string& key, const Number& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    key.append(bytes, sizeof value);
}

template <class Number>
void append(std::string& key, const std::vector<Number>& values) {
    append(key, values.size());
    for (const auto& value : values) {
        append(key, value);
    }
}

std::string content(const Code& code, std::size_t lanes) {
    std::string key;
    append(key, lanes);
    append(key, code.rows);
    for (const auto& line : code.lines) {
        append(key, line.what);
        append(key, line.arguments);
        append(key, line.number);
    }
    append(key, code.outputs);
    append(key, code.offsets);
    for (const auto& loop : code.loops) {
        append(key, loop.control.max_passes);
        append(key, loop.control.stagnation);
        append(key, loop.control.patience);
        append(key, loop.control.correct_last);
        append(key, loop.control.foresee);
        append(key, loop.start);
        append(key, loop.correction);
        append(key, loop.residual);
    }
    return key;
}

// The module's view of code that lives as long as this.
struct View {
    View(const Code& code, std::size_t lanes, std::size_t register_lanes) {
        for (const auto& loop : code.loops) {
            loops.push_back({loop.control.max_passes, loop.control.stagnation, loop.control.patience,
                             loop.control.correct_last ? 1U : 0U, loop.control.foresee ? 1U : 0U,
                             static_cast<std::uint32_t>(loop.start.size() - loop.correction.size()),
                             static_cast<std::uint32_t>(loop.correction.size()), loop.residual, loop.start.data(),
                             loop.correction.data()});
        }
        unit.is_rows = code.rows ? 1 : 0;
        unit.lanes = static_cast<std::uint32_t>(lanes);
        unit.register_lanes = static_cast<std::uint32_t>(register_lanes);
        unit.line_count = static_cast<std::uint32_t>(code.lines.size());
        unit.loop_count = static_cast<std::uint32_t>(loops.size());
        unit.output_count = static_cast<std::uint32_t>(code.outputs.size());
        unit.lines = code.lines.data();
        unit.loops = loops.data();
        unit.outputs = code.outputs.data();
        unit.offsets = code.offsets.data();
    }
    std::vector<codegen::LoopLines> loops;
    codegen::Unit unit;
};

// Null addresses and a reason if it fails. The caller holds the lock.
std::vector<void*> compile_units(std::span<const codegen::Unit> units, std::string& why_not) {
    std::vector<void*> addresses(units.size(), nullptr);
    char error[500] = "";
    if (!codegen::code_module().table->compile(units.data(), units.size(), &codegen::elementary_functions(),
                                               addresses.data(), error, sizeof error)) {
        why_not = fmt::format("LLVM: {}", error);
        addresses.assign(units.size(), nullptr);
    }
    return addresses;
}

}  // namespace

std::shared_ptr<const StepCode> generate_step(const StepProgram& program, std::size_t lanes, std::string* why_not) {
    std::string ignored;
    auto& reason = why_not != nullptr ? *why_not : ignored;
    const auto& support = code_support();
    if (!support.available) {
        reason = support.reason;
        return nullptr;
    }
    if (lanes == 0) {
        reason = "a step without lanes";
        return nullptr;
    }
    const std::size_t registers = (lanes + support.vector_lanes - 1) / support.vector_lanes;
    const auto too_large = [&](std::size_t size) {
        if (size * registers <= most_step_instructions) {
            return false;
        }
        reason = fmt::format("one step has {} operations in {} lanes; at most {} can be compiled as one unit", size,
                             lanes, most_step_instructions / registers);
        return true;
    };
    // Sharing makes programs of many stages several times smaller; what is far too large is not even listed.
    if (program.instructions() > 10 * most_step_instructions && too_large(program.instructions())) {
        return nullptr;
    }
    const auto code = codegen::code_of(program);
    if (too_large(code.lines.size())) {
        return nullptr;
    }
    static std::map<std::string, std::shared_ptr<const StepCode>> made;
    const std::lock_guard lock(compiling);
    auto& place = made[content(code, lanes)];
    if (place == nullptr) {
        const View view(code, lanes, support.vector_lanes);
        void* address = compile_units(std::span(&view.unit, 1), reason)[0];
        if (address != nullptr) {
            place = std::make_shared<CompiledStep>(lanes, reinterpret_cast<StepFunction>(address));
        }
    }
    return place;
}

std::vector<RowCode> generate_rows(std::span<const RowProgram> programs, std::string* why_not) {
    std::string ignored;
    auto& reason = why_not != nullptr ? *why_not : ignored;
    const auto& support = code_support();
    if (!support.available) {
        reason = support.reason;
        return {};
    }
    std::vector<Code> codes;
    std::vector<std::string> keys;
    for (const auto& program : programs) {
        codes.push_back(codegen::code_of(program));
        if (codes.back().lines.size() > most_row_instructions) {
            reason = fmt::format("a term has {} operations; at most {} can be compiled as one unit",
                                 codes.back().lines.size(), most_row_instructions);
            return {};
        }
        keys.push_back(content(codes.back(), support.vector_lanes));
    }
    static std::map<std::string, void*> made;
    const std::lock_guard lock(compiling);
    std::vector<View> views;
    std::vector<codegen::Unit> units;
    std::vector<std::string> missing;
    views.reserve(codes.size());
    for (std::size_t k = 0; k < codes.size(); ++k) {
        if (!made.contains(keys[k]) && std::find(missing.begin(), missing.end(), keys[k]) == missing.end()) {
            missing.push_back(keys[k]);
            views.emplace_back(codes[k], support.vector_lanes, support.vector_lanes);
            units.push_back(views.back().unit);
        }
    }
    if (!units.empty()) {
        const auto addresses = compile_units(units, reason);
        if (addresses[0] == nullptr) {
            return {};
        }
        for (std::size_t k = 0; k < missing.size(); ++k) {
            made.emplace(missing[k], addresses[k]);
        }
    }
    std::vector<RowCode> result;
    for (const auto& key : keys) {
        result.push_back(reinterpret_cast<RowCode>(made.at(key)));
    }
    return result;
}

}  // namespace libration
