// Pairs of a registered method and a problem of the suite that it can run: the instances of the parametrised tests.
//
// There are some five hundred, and `make test` runs those that matter: so many that every claim of every method is
// measured, every method family meets every kind of problem that it accepts, and every problem is there. What a pair
// measures is read from docs/certificates.md, the record of all pairs. The environment variable LIBRATION_PAIRS says
// which pairs to run:
//     chosen   as described (the default)
//     all      all of them: `make test-all`
//     K/N      the K-th of N slices of all, K = 1 ... N: CI takes another one for every commit
#pragma once

#include <libration/analysis/certify.hpp>

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace libration::conformance {

struct Pair {
    std::string spec;
    const CertifiedProblem* problem;
    friend void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.spec << " on " << pair.problem->model; }
};

const std::vector<Pair>& all_pairs();
std::vector<Pair> chosen_pairs();
// Those that LIBRATION_PAIRS asks for; throws an InputError if it makes no sense.
std::vector<Pair> pairs_to_run();

// What is known once a pair has been run: "rattle: symmetry" for every claim that docs/certificates.md shows as
// measured, "rattle meets SORT" for the sort of the problem, and the name of the problem. Pairs that the record does
// not know are worth running for that alone.
std::set<std::string> facts_of(const Pair& pair);

// gtest allows letters, digits and _ only.
std::string pair_name(const testing::TestParamInfo<Pair>& info);

}  // namespace libration::conformance
