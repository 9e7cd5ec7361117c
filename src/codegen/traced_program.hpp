// Runs a recorded step on doubles, without machine code. It gives the bits of the method that was recorded, because the
// loops go through the same `iterate`: the oracle of generated code, and what runs where there is none.
#pragma once

#include "machine_code.hpp"
#include "step_program.hpp"

namespace libration {

class TracedProgram {
  public:
    // `parameters`: values of the parameters of the program.
    explicit TracedProgram(StepProgram program, std::span<const double> parameters = {});
    // A step without parameters; outputs may be any list.
    TracedProgram(const TraceRecorder& recorder, std::span<const Expression> inputs,
                  std::span<const Expression> outputs);

    void run(std::span<const double> inputs, std::span<double> outputs);
    [[nodiscard]] std::size_t instructions() const { return instructions_; }
    // What the parameters were made into, as StepCode::run wants it.
    [[nodiscard]] std::span<const double> constants() const { return std::span(environment_).first(constants_); }

  private:
    class Section {
      public:
        explicit Section(Program program);
        void set(std::size_t first, std::span<const double> values);
        void prepare();
        void run();
        [[nodiscard]] double output(std::size_t k) const { return registers_[program_.outputs[k]]; }
        [[nodiscard]] const Program& program() const { return program_; }

      private:
        void execute(std::size_t first, std::size_t last);
        Program program_;
        std::vector<double> constants_, registers_;
    };
    struct Loop {
        IterationControl control;
        std::size_t width = 0;
        bool corrected = false;
        Section start, body;
    };

    std::size_t constants_ = 0, memory_ = 0, instructions_ = 0;
    std::vector<Loop> loops_;
    Section end_;
    std::vector<double> environment_;  // constants, memory, then the results of each loop
    std::vector<double> x_, correction_;
};

}  // namespace libration
