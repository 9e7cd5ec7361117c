// From a pose that violates constraints to one that satisfies them.
#pragma once

#include "pose_equations.hpp"

namespace libration {

struct FoundPose {
    std::vector<double> q;
    bool closed = false;
    double gap = 0;  // the length of the scaled rows
    int steps = 0;   // least-squares solves
};

class PoseSearch {
  public:
    explicit PoseSearch(PoseEquations& equations) : equations_(&equations) {}

    // By continuation, g(q) = s g(q0) from s = 1 to 0, which keeps to the branch of q0; where that branch ends before s
    // is 0, by Levenberg and Marquardt's method. If nothing closes, the pose with the smallest gap that was reached.
    FoundPose close(const std::vector<double>& from);
    // Moves a closed pose along the closed poses to the one next to `wanted`, which is what makes it unique where a
    // mechanism can move.
    void draw_near(FoundPose& pose, const std::vector<double>& wanted);

  private:
    // Gauss-Newton steps to rows = target. False if they contract too slowly to stay on a branch, or do not reach it.
    bool correct(std::vector<double>& q, std::span<const double> target);
    bool follow(FoundPose& pose);
    void descend(FoundPose& pose);
    // The last digits.
    void polish(FoundPose& pose);

    PoseEquations* equations_;
    int steps_ = 0;
};

}  // namespace libration
