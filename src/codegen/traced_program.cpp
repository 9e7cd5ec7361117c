// The interpreter of recorded steps.
#include "traced_program.hpp"

#include "expression/tape.hpp"

#include <algorithm>

namespace libration {

TracedProgram::Section::Section(Program program) : program_(std::move(program)), registers_(program_.registers) {
    for (const auto& text : program_.constants) {
        constants_.push_back(from_text<double>(text));
    }
}

void TracedProgram::Section::set(std::size_t first, std::span<const double> values) {
    std::copy(values.begin(), values.end(), registers_.begin() + static_cast<std::ptrdiff_t>(first));
}

void TracedProgram::Section::prepare() { execute(0, program_.prepared); }
void TracedProgram::Section::run() { execute(program_.prepared, program_.instructions.size()); }

void TracedProgram::Section::execute(std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
        const auto& i = program_.instructions[n];
        registers_[i.target] = i.op == Op::constant ? constants_[i.arguments[0]]
                                                    : operate(i.op, registers_[i.arguments[0]],
                                                              registers_[i.arguments[1]], registers_[i.arguments[2]]);
    }
}

TracedProgram::TracedProgram(StepProgram program, std::span<const double> parameters)
    : constants_(program.constants()), memory_(program.memory), instructions_(program.instructions()),
      end_(std::move(program.end)) {
    std::size_t widest = 0, entries = constants_ + memory_;
    for (auto& loop : program.loops) {
        loops_.push_back(
            {loop.control, loop.width, loop.corrected, Section(std::move(loop.start)), Section(std::move(loop.body))});
        loops_.back().start.prepare();
        widest = std::max(widest, loop.width);
        entries += loop.width + 3;
    }
    end_.prepare();
    environment_.resize(entries);
    x_.resize(widest);
    correction_.resize(widest);
    Section prepare(std::move(program.prepare));
    prepare.set(0, parameters);
    prepare.prepare();
    prepare.run();
    for (std::size_t k = 0; k < constants_; ++k) {
        environment_[k] = prepare.output(k);
    }
}

TracedProgram::TracedProgram(const TraceRecorder& recorder, std::span<const Expression> inputs,
                             std::span<const Expression> outputs)
    : TracedProgram(step_program(recorder.loops(), {}, inputs, outputs)) {}

void TracedProgram::run(std::span<const double> inputs, std::span<double> outputs) {
    std::copy_n(inputs.begin(), memory_, environment_.begin() + static_cast<std::ptrdiff_t>(constants_));
    std::size_t filled = constants_ + memory_;
    for (auto& loop : loops_) {
        const auto known = std::span<const double>(environment_).first(filled);
        loop.start.set(0, known);
        loop.start.run();
        for (std::size_t i = 0; i < loop.width; ++i) {
            x_[i] = loop.start.output(i);
        }
        loop.body.set(loop.width, known);
        loop.body.prepare();
        const double before = loop.corrected ? loop.start.output(loop.width) : 0;
        const auto report = iterate<double>(
            loop.control, std::span(x_).first(loop.width), std::span(correction_).first(loop.width),
            [&](std::span<const double> x, std::span<double> correction) {
                loop.body.set(0, x);
                loop.body.run();
                for (std::size_t i = 0; i < x.size(); ++i) {
                    correction[i] = loop.body.output(i);
                }
                return loop.body.output(x.size());
            },
            loop.corrected ? &before : nullptr);
        std::copy_n(x_.begin(), loop.width, environment_.begin() + static_cast<std::ptrdiff_t>(filled));
        filled += loop.width;
        environment_[filled++] = report.passes;
        environment_[filled++] = report.residual;
        environment_[filled++] = report.converged;
    }
    end_.set(0, std::span<const double>(environment_).first(filled));
    end_.run();
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        outputs[k] = end_.output(k);
    }
}

}  // namespace libration
