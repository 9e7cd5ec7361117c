// Conditions and orders of the Lobatto SPARK method, all families together.
#pragma once

#include "tableau_report.hpp"

namespace libration {

// Entries and conditions of tableaux: sums of s terms below 1 with some ten roundings each.
inline Wide tableau_round_off(std::size_t stages) { return 16 * static_cast<Wide>(stages) * wide_epsilon; }

// Families IIIA, IIIB, IIIC, IIIC*, IIID, and the pairs of IIIA with each of the others.
SparkReport spark_report(const std::vector<FamilyReport>& families, const std::vector<PairReport>& pairs);

}  // namespace libration
