// The parts of `yardsticks`. Each returns an exit status.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

int triple_table(std::size_t lanes, bool json);
int angles_table(bool json);
int andrews_table(bool json);
int costs_table(bool json);

// Do all make the same motion?
int check_triple();
int check_angles();
int check_andrews();

// Makes steps and nothing else, for those who count instructions.
int make_steps(std::size_t lanes, std::int64_t steps, bool by_hand);

}  // namespace bench
