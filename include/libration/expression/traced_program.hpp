// A recorded step, ready to run: straight-line sections with the loops between them. Running it on doubles gives the bits
// of the method that was recorded, because the loops go through the same `iterate`.
#pragma once

#include <libration/expression/tape.hpp>
#include <libration/expression/traced.hpp>

namespace libration {

class TracedProgram {
  public:
    // `inputs`: the symbols that the recorded code started from. An output that depends on anything else (such as a value
    // that leaked out of a loop) is an InputError.
    TracedProgram(const TraceRecorder& recorder, std::span<const Expression> inputs,
                  std::span<const Expression> outputs);

    void run(std::span<const double> inputs, std::span<double> outputs);
    [[nodiscard]] std::size_t instructions() const;

  private:
    struct Loop {
        IterationControl control;
        Tape<double> start;  // environment -> x, and the residual before the first correction where it contains one
        Tape<double> body;   // environment and x -> correction and residual
        std::size_t width = 0;
        bool corrected = false;  // x was corrected once already
    };
    void load(Tape<double>& tape) const;

    std::vector<Loop> loops_;
    Tape<double> end_;
    std::vector<double> environment_;  // inputs, then the results of each loop
    std::vector<double> x_, correction_;
};

}  // namespace libration
