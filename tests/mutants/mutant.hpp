// Chooses one of the mistakes of mutants.toml at run time; the runner puts this text at the head of every file that it
// mutates.
#ifndef LIBRATION_MUTANT_HPP
#define LIBRATION_MUTANT_HPP
#ifdef __cplusplus

#include <cstdlib>

// LIBRATION_MUTANT, read once; 0: the code as it is.
inline const int libration_chosen_mutant =
    std::getenv("LIBRATION_MUTANT") == nullptr ? 0 : std::atoi(std::getenv("LIBRATION_MUTANT"));

inline bool libration_mutant(int number) { return libration_chosen_mutant == number; }

#endif
#endif
