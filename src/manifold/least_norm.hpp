// Reactions of redundant constraints: of all multipliers with the same G^T lambda, those of least norm.
#pragma once

#include "constraint_matrix.hpp"
#include <libration/kit/system.hpp>

#include <functional>
#include <vector>

namespace libration {

// What multipliers of some rows, those of a joint, amount to: the components of a wrench, with torques divided by a
// length, so that all are forces. Component c is the sum of map[c * rows.size() + i] lambda[rows[i]].
struct WrenchBlock {
    std::vector<std::size_t> rows;
    std::size_t components = 0;
    std::vector<double> map;
};

class LeastNorm {
  public:
    // The system with all rows, the one with those that are carried, and their numbers in the first; both must outlive
    // this. `of_bodies`: rows that hold bodies together, whose multipliers are internal stresses.
    LeastNorm(System<double>& whole, System<double>& carried, std::vector<std::size_t> rows,
              std::vector<std::size_t> of_bodies = {});

    // Where too many redundant rows interact, finding their reactions takes longer than steps do: they are left alone.
    [[nodiscard]] bool available() const { return available_; }
    // At a state: the null space of G^T and, with these wrenches W lambda, the directions in which |W lambda| can be
    // made smaller. Rows in no block have one component each, the multiplier times the length of the row of G M^-1/2;
    // those of bodies and of blocks without components have none.
    void set_state(double t, std::span<const double> q, std::span<const double> p,
                   std::span<const WrenchBlock> blocks = {});
    // Calls see(rows, values) for a basis of the null space of G^T, what can be added to the multipliers of all rows:
    // one vector per row left out, which has the value 1 there.
    void for_null_vectors(const std::function<void(std::span<const std::size_t>, std::span<const double>)>& see) const;
    // lambda of all rows becomes that of least |W lambda| with the same G^T lambda.
    void distribute(std::span<double> lambda) const;
    // Whether the mechanism determines each multiplier: its row of the null space vanishes. Rounding leaves there eps
    // divided by the smallest pivot of the rows carried, some times.
    [[nodiscard]] std::vector<bool> determined() const;
    // The same for the components of the wrenches, block after block.
    [[nodiscard]] std::vector<bool> determined_components() const;

  private:
    struct Weight {
        std::size_t row;
        double value;
    };
    using Column = std::vector<double>;
    // Rows that interact, some of which are left out.
    struct Part {
        std::vector<std::size_t> rows, left_out;   // ascending
        std::vector<std::size_t> components;       // of wrenches
        std::vector<Column> null;                  // over these rows, one per row left out
        std::vector<Column> directions, wrenches;  // z and W z with orthonormal W z
    };

    void find_parts(std::span<const WrenchBlock> blocks);
    void find_lengths(double t, std::span<const double> q, std::span<const double> p);
    void find_null_space(double t, std::span<const double> q, std::span<const double> p);
    void set_weights(std::span<const WrenchBlock> blocks);
    void orthogonalize(Part& part) const;
    [[nodiscard]] Column wrench_of(const Part& part, std::span<const double> lambda) const;
    // The largest entry of a null vector in units of the lengths of the rows.
    [[nodiscard]] double size_of(const Part& part, const Column& vector) const;

    System<double>*whole_, *carried_;
    std::vector<std::size_t> rows_, left_out_, of_bodies_;
    std::shared_ptr<ConstraintMatrix<double>> matrix_;
    bool available_ = false;
    double tolerance_ = 0;
    std::vector<double> G_, carried_G_, A_, length_;
    std::vector<Part> parts_;
    std::vector<std::size_t> part_of_, place_;  // of each row: its part, and its place there
    std::vector<std::vector<Weight>> weights_;  // W, one list per component
};

}  // namespace libration
