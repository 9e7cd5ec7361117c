// Machine code for the programs that are run through tapes: collects them by a visit, compiles them together, and
// hands the code out.
#pragma once

#include "expression/tape_visitor.hpp"
#include "machine_code.hpp"

namespace libration {

class TapeCode final : public TapeVisitor<double> {
  public:
    void tape(Tape<double>& tape) override;
    void block(BlockTape<double>& tape, std::size_t instances) override;

    // Operations in one run of every program on all its instances.
    [[nodiscard]] double work() const { return work_; }
    // From now on the tapes run code; false, and why not, if they stay as they are. Programs so long that compiling
    // them would last (`most_row_instructions`) are still interpreted.
    bool generate(std::string& why_not);

  private:
    struct Target {
        Tape<double>* tape;
        BlockTape<double>* block;
    };
    std::vector<Target> targets_;
    double work_ = 0;
};

}  // namespace libration
