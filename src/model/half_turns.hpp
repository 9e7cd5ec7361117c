// Joints whose rows are satisfied half a turn off, too: cosines between axes that must vanish, and sines of motions.
#pragma once

#include "expression/tape.hpp"
#include <libration/model/model.hpp>

#include <span>
#include <string>
#include <vector>

namespace libration {

// Of formulas over coordinates and t.
class PoseNumbers {
  public:
    PoseNumbers(const Model& model, std::span<const Expression> formulas);
    // Until the next call.
    std::span<const double> at(double t, std::span<const double> q);

  private:
    std::size_t count_;
    std::vector<std::optional<std::size_t>> coordinates_;  // of the inputs; none: t
    Tape<double> tape_;
    std::vector<double> values_;
};

class HalfTurns {
  public:
    explicit HalfTurns(const Model& model);

    // The first joint that is more than a quarter of a turn off, ready for a user; empty: there is none.
    [[nodiscard]] std::string fault(double t, std::span<const double> q);

  private:
    [[nodiscard]] std::string fault_of(const Joint& joint, double cosine, double t, std::span<const double> q) const;

    const Model* model_;
    std::vector<const Joint*> joints_;  // with a cosine each
    PoseNumbers cosines_;
};

// Axes of hinges may be parallel or antiparallel, but a mechanism need not be taken apart to be closed.
class AxisSenses {
  public:
    AxisSenses(const Model& model, double t, std::span<const double> rough);
    // How many joints have axes in the same direction in one of both poses and in opposite directions in the other.
    [[nodiscard]] std::size_t reversed(std::span<const double> q);

  private:
    double t_;
    PoseNumbers cosines_;
    std::vector<double> rough_;
};

}  // namespace libration
