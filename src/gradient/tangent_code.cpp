// When tangent steps are compiled, and how their memory is carried.
#include "tangent_code.hpp"

#include "methods/flat_memory.hpp"
#include <libration/kit/method_record.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Below this many steps recording is not worth while either.
constexpr std::int64_t least_tangent_steps = 3000;

// How many steps repay compiling a tangent step: compiling n instructions takes about 40 ms + n 40 us + n^2 10 ns, as
// of ordinary steps, and saves some 4 ns for each instruction and step, because interpreted dual numbers carry four
// tangents (measured: 7.5 us per step of the triple pendulum against 0.4).
double repaying_tangent_steps(double instructions) {
    return (4e7 + 4e4 * instructions + 10 * instructions * instructions) / (4 * instructions);
}

}  // namespace

std::unique_ptr<TangentCode> TangentCode::make(const Request& request, std::string& backend) {
    if (request.backend == Backend::interpreted) {
        backend = "interpreted on request";
        return nullptr;
    }
    if (!request.method->lanes(request.system->properties())) {
        backend = fmt::format("steps of {} select pivots at run time and cannot be traced", request.method->name());
        return nullptr;
    }
    const bool always = request.backend == Backend::generated;
    backend = "the run is too short to benefit from compilation";
    if (!always && request.steps < least_tangent_steps) {
        return nullptr;
    }
    if (!code_support().available) {
        backend = code_support().reason;
        return nullptr;
    }
    const auto integers = settled_integers(*request.method, *request.system, request.node, request.h);
    if (!integers) {
        backend = "the first steps fail, or their operations differ";
        return nullptr;
    }
    std::string obstacle;
    auto step = record_tangent_step(*request.extended, request.dimension, *request.method, *integers, obstacle);
    if (!step) {
        backend = obstacle;
        return nullptr;
    }
    const auto instructions = static_cast<double>(step->program.instructions());
    if (!always && static_cast<double>(request.steps) < repaying_tangent_steps(instructions)) {
        return nullptr;
    }
    auto code = generate_step(step->program, 1, &backend);
    if (!code) {
        return nullptr;
    }
    backend = fmt::format("generated step ({}, 1 lane)", code_support().name);
    return std::make_unique<TangentCode>(std::move(*step), std::move(code));
}

TangentCode::TangentCode(TangentStep step, std::shared_ptr<const StepCode> code)
    : step_(std::move(step)), code_(std::move(code)), prepare_(step_.program.prepare, {}),
      constants_(step_.program.constants()) {
    for (auto& memory : memory_) {
        memory.resize(step_.changing.size() + 2);  // then residual and verdict
    }
}

bool TangentCode::enter(Stepper<D>& method, std::size_t lane) {
    const FlatMemory<D> memory(method);
    if (memory.integer_values() != step_.integers) {
        return false;
    }
    const auto entries = memory.entries();
    const auto value = [&](const TangentStep::Part& part) {
        return part.tangent ? entries[part.entry]->tangent[lane] : entries[part.entry]->value;
    };
    for (std::size_t k = 0; k < step_.fixed.size(); ++k) {
        prepare_.input(k) = value(step_.fixed[k]);
    }
    prepare_.run();
    for (std::size_t k = 0; k < constants_.size(); ++k) {
        constants_[k] = prepare_.output(k);
    }
    std::ranges::transform(step_.changing, state(), value);
    return true;
}

std::int64_t TangentCode::leap(std::int64_t steps) {
    double worst = 0;
    const auto made =
        code_->run(steps, constants_.data(), memory_[current_].data(), memory_[1 - current_].data(), &worst);
    current_ = made % 2 == 0 ? current_ : 1 - current_;
    return made;
}

void TangentCode::leave(Stepper<D>& method, std::size_t lane) {
    const FlatMemory<D> memory(method);
    const auto entries = memory.entries();
    for (auto* entry : entries) {
        entry->tangent = {};
    }
    for (std::size_t k = 0; k < step_.fixed.size(); ++k) {
        if (step_.fixed[k].tangent) {
            entries[step_.fixed[k].entry]->tangent[lane] = prepare_.input(k);
        }
    }
    for (std::size_t k = 0; k < step_.changing.size(); ++k) {
        const auto [entry, tangent] = step_.changing[k];
        (tangent ? entries[entry]->tangent[lane] : entries[entry]->value) = state()[k];
    }
}

double TangentCode::distance(std::span<const double> q) const {
    double largest = 0;
    for (std::size_t j = 0; j < step_.q.size(); ++j) {
        const double apart = std::abs(memory_[current_][step_.q[j]] - q[j]);
        largest = apart <= largest ? largest : apart;  // also if it is not a number
    }
    return largest;
}

double TangentCode::tangent_size() const {
    double sum = 0;
    for (const auto& list : {step_.dq, step_.p}) {
        for (const auto k : list) {
            sum += memory_[current_][k] * memory_[current_][k];
        }
    }
    return std::sqrt(sum);
}

}  // namespace libration
