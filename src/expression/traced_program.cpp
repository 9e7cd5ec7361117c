// Compiling and running a recorded step.
#include <libration/expression/traced_program.hpp>

#include <algorithm>

namespace libration {

TracedProgram::TracedProgram(const TraceRecorder& recorder, std::span<const Expression> inputs,
                             std::span<const Expression> outputs) {
    std::vector<Expression> known(inputs.begin(), inputs.end());
    std::size_t widest = 0;
    for (const auto& loop : recorder.loops()) {
        auto inside = known;
        inside.insert(inside.end(), loop.carried.begin(), loop.carried.end());
        auto computed = loop.correction;
        computed.push_back(loop.residual);
        auto first = loop.start;
        if (loop.before) {
            first.push_back(*loop.before);
        }
        loops_.push_back({loop.control, Tape<double>(compile(first, known), {}),
                          Tape<double>(compile(computed, inside), {}), loop.carried.size(), loop.before.has_value()});
        known.insert(known.end(), loop.result.begin(), loop.result.end());
        known.insert(known.end(), {loop.passes, loop.final_residual, loop.converged});
        widest = std::max(widest, loop.carried.size());
    }
    end_ = Tape<double>(compile(outputs, known), {});
    environment_.resize(known.size());
    x_.resize(widest);
    correction_.resize(widest);
}

void TracedProgram::load(Tape<double>& tape) const {
    const std::size_t count = std::min<std::size_t>(tape.inputs(), environment_.size());
    for (std::size_t k = 0; k < count; ++k) {
        tape.input(k) = environment_[k];
    }
}

void TracedProgram::run(std::span<const double> inputs, std::span<double> outputs) {
    std::copy(inputs.begin(), inputs.end(), environment_.begin());
    std::size_t filled = inputs.size();
    for (auto& loop : loops_) {
        load(loop.start);
        loop.start.run();
        for (std::size_t i = 0; i < loop.width; ++i) {
            x_[i] = loop.start.output(i);
        }
        for (std::size_t k = 0; k < filled; ++k) {
            loop.body.input(k) = environment_[k];
        }
        const double before = loop.corrected ? loop.start.output(loop.width) : 0;
        const auto report = iterate<double>(
            loop.control, std::span(x_).first(loop.width), std::span(correction_).first(loop.width),
            [&](std::span<const double> x, std::span<double> correction) {
                for (std::size_t i = 0; i < x.size(); ++i) {
                    loop.body.input(filled + i) = x[i];
                }
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
    load(end_);
    end_.run();
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        outputs[k] = end_.output(k);
    }
}

std::size_t TracedProgram::instructions() const {
    std::size_t count = end_.program().instructions.size();
    for (const auto& loop : loops_) {
        count += loop.start.program().instructions.size() + loop.body.program().instructions.size();
    }
    return count;
}

}  // namespace libration
