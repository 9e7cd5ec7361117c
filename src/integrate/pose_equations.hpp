// Least-squares steps on the rows of a pose, where rows may depend on each other.
//
//     dq = -W^-1 J^T (J W^-1 J^T + mu I)^-1 r        W: masses
//
// Rows are divided by the lengths of their gradients. mu is at least the round-off of J W^-1 J^T: what is smaller is
// noise, which is how dependent rows are left out. In the range of J such a step is exact up to mu/sigma^2.
#pragma once

#include "pose_rows.hpp"

#include <span>
#include <vector>

namespace libration {

// J W^-1 J^T + mu I of some rows, factored.
class RowFactor {
  public:
    // `slopes`: one row after another; `inverse`: one inverse weight per column.
    void assemble(std::span<const double> slopes, std::span<const double> inverse, std::size_t rows);
    // Of a matrix that is known, row-major, whose entries are sums of so many terms.
    void take(std::span<const double> matrix, std::size_t rows, std::size_t terms);
    void factor(double damping);
    // In place.
    void solve(std::span<double> rows) const;
    [[nodiscard]] double largest() const { return largest_; }
    // Times the matrix without damping.
    void multiply(std::span<const double> x, std::span<double> y) const;

  private:
    std::size_t rows_ = 0;
    double largest_ = 0, noise_ = 0;
    std::vector<double> matrix_, factor_;
};

// Positive weights of the coordinates: their masses; of those without mass, the mean mass of the others.
std::vector<double> pose_weights(const Model& model);

// The rows at a pose, linearized and scaled.
class PoseEquations {
  public:
    PoseEquations(PoseRows<double>& rows, std::vector<double> weights);

    // Lengths of gradients at this pose divide the rows from now on.
    void scale_at(std::span<const double> q);
    // The scaled rows, and their Jacobian and its factor.
    void values(std::span<const double> q, std::span<double> scaled);
    void linearize(std::span<const double> q);
    void factor(double damping) { factor_.factor(damping); }
    // dq, the shortest step that changes the scaled rows by `change`; and its length in the metric of the weights.
    double step(std::span<const double> change, std::span<double> dq);
    // Takes from a displacement what changes the rows; returns the length of the rest.
    double tangential(std::span<double> dq);
    [[nodiscard]] double distance(std::span<const double> a, std::span<const double> b) const;
    [[nodiscard]] double largest() const { return factor_.largest(); }
    // How much the last step reduces the sum of the squared rows, to first order.
    [[nodiscard]] double reduction(std::span<const double> rows);
    // Whether all rows vanish as a run demands it: within 1e-10 of the sizes of their terms.
    bool closed(std::span<const double> q);
    [[nodiscard]] PoseRows<double>& rows() { return *rows_; }
    [[nodiscard]] std::span<const double> scale() const { return scale_; }

  private:
    double length(std::span<const double> dq) const;

    PoseRows<double>* rows_;
    std::vector<double> weights_, inverse_, scale_, slopes_, y_, work_;
    double total_ = 0;
    RowFactor factor_;
};

}  // namespace libration
