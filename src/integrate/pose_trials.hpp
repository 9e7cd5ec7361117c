// Poses around a rough one, from which other ways to close are found. The same sequence everywhere: whole numbers and
// plain arithmetic only.
#pragma once

#include "pose_rows.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace libration {

class PoseTrials {
  public:
    PoseTrials(const Model& model, PoseRows<double>& rows, std::vector<double> rough);

    // Lengths are moved by a part of the size of the mechanism, bodies are turned; angles are spread over the circle.
    std::vector<double> next();
    // Angles back to the turn that is nearest to the rough pose.
    void unwind(std::span<double> q) const;
    // The size of the mechanism.
    [[nodiscard]] double extent() const { return extent_; }
    // Whether all bodies are rotated, none reflected.
    [[nodiscard]] bool proper(std::span<const double> q) const;

  private:
    double uniform();  // from -1 to 1
    void measure();
    // Which coordinates are in the rows, and which of them are angles: 2 pi more changes nothing.
    void classify(PoseRows<double>& rows);
    void turn(const Body& body, double amount, std::span<double> q);

    const Model* model_;
    std::vector<double> rough_;
    std::vector<bool> used_, angle_;
    double extent_ = 1;
    std::uint64_t state_ = 1;
    std::size_t count_ = 0;
};

}  // namespace libration
