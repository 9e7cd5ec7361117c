// Joints whose rows are satisfied half a turn off, too: cosines between axes that must vanish, and sines of motions.
#pragma once

#include "expression/tape.hpp"
#include <libration/model/model.hpp>

#include <span>
#include <string>
#include <vector>

namespace libration {

class HalfTurns {
  public:
    explicit HalfTurns(const Model& model);

    // The first joint that is more than a quarter of a turn off, ready for a user; empty: there is none.
    [[nodiscard]] std::string fault(double t, std::span<const double> q);

  private:
    [[nodiscard]] std::string fault_of(const Joint& joint, double cosine, double t, std::span<const double> q) const;

    const Model* model_;
    std::vector<const Joint*> joints_;                     // with a cosine each
    std::vector<std::optional<std::size_t>> coordinates_;  // of the inputs; none: t
    Tape<double> cosines_;
};

}  // namespace libration
