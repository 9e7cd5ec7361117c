// Lists all programs that are run: counting their work and giving them machine code are visits.
#pragma once

#include "block_tape.hpp"

namespace libration {

template <class S>
class TapeVisitor {
  public:
    virtual ~TapeVisitor() = default;
    virtual void tape(Tape<S>& tape) = 0;
    virtual void block(BlockTape<S>& tape, std::size_t instances) = 0;
};

}  // namespace libration
