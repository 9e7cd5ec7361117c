// Operations of programs and matrices. The constants are those of the interpreter on small models, where calls cost
// more than what they compute; decision 55 compares the sums with measured times.
#include "work.hpp"

#include "expression/tape_visitor.hpp"
#include "manifold/manifold.hpp"
#include "model/model_values.hpp"
#include "system/constraint_rows.hpp"
#include "system/potential_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace libration {

namespace {

constexpr double call = 25;       // of a program, of a function of the system, of a loop over coordinates
constexpr double in_block = 0.5;  // an instruction on one of many instances
constexpr double dispatch = 1.5;  // an instruction, once per block of instances
constexpr double instances_a_block = 64;
constexpr double untraced = 2e4;  // a function of Python or C++, of which nothing is known
constexpr double step_overhead = 60, monitor_overhead = 60;
// Fill-in makes a sparse stage matrix about this dense.
constexpr double stage_bandwidth = 32;

double program_work(const Program& program, std::size_t instances) {
    const auto length = static_cast<double>(program.instructions.size() - program.prepared);
    const auto count = static_cast<double>(instances);
    return call + length * (dispatch * std::ceil(count / instances_a_block) + in_block * count);
}

// The programs of terms come in turns: value and gradient of potentials; value, value at q + low, gradient, curvature
// and, with t, rate of constraints.
class WorkByTurn final : public TapeVisitor<double> {
  public:
    void tape(Tape<double>& tape) override { add(tape.program(), 1); }
    void block(BlockTape<double>& tape, std::size_t instances) override { add(tape.tape().program(), instances); }
    std::vector<double> works;

  private:
    void add(const Program& program, std::size_t instances) { works.push_back(program_work(program, instances)); }
};

template <class Visited>
std::vector<double> works_of(Visited& visited) {
    WorkByTurn visitor;
    visited.visit_tapes(visitor);
    return std::move(visitor.works);
}

double sum_of_works(const std::vector<double>& works) {
    double sum = 0;
    for (const double work : works) {
        sum += work;
    }
    return sum;
}

// The stages of a method that has them, its first parameter.
double stages_of(const Method& method) {
    const auto& spec = method.spec();
    if (!method.spec().name.starts_with("compose") && !spec.arguments.empty()) {
        const double stages = std::strtod(spec.arguments.front().name.c_str(), nullptr);
        return stages >= 1 && method.spec().name != "multistep" && method.spec().name != "respa" ? stages : 1;
    }
    return 1;
}

}  // namespace

WorkCount::WorkCount(const Model& model, System<double>& system)
    : dimension_(static_cast<double>(system.dimension())), constraints_(static_cast<double>(system.constraints())),
      forced_(system.properties().forced || system.properties().nonholonomic > 0),
      partitioned_(system.properties().partitioned) {
    const auto given = constant_parameters(model);
    PotentialTerms<double> potential(model, given);
    SparsePattern pattern;
    ConstraintRows<double> rows(model, given, pattern);
    const auto potentials = works_of(potential), constraints = works_of(rows);
    for (std::size_t k = 0; k + 1 < potentials.size(); k += 2) {
        each_.energy += potentials[k];
        each_.force += potentials[k + 1];
    }
    std::size_t k = 0;
    for (const auto& constraint : model.constraints) {
        const std::size_t programs = constraint.term.uses_time ? 5 : 4;
        if (k + 2 >= constraints.size()) {
            break;
        }
        each_.constraint += constraints[k];
        each_.jacobian += constraints[k + 2];
        each_.energy += constraints[k] + constraints[k + 2];
        k += programs;
    }
    // Everything else, kinetic energies, Hamiltonians, fields and forces, is part of each force.
    const double rest =
        std::max(0.0, sum_of_works(works_of(system)) - sum_of_works(potentials) - sum_of_works(constraints));
    const double hidden = system.properties().untraced.empty() ? 0 : untraced;
    each_.force += rest + hidden + call + 4 * dimension_;
    each_.energy += rest + hidden + call + 4 * dimension_;
    each_.constraint += 2 * constraints_ + (constraints_ > 0 ? call : 0);
    each_.jacobian += static_cast<double>(pattern.entries()) + (constraints_ > 0 ? call : 0);
    if (constraints_ > 0) {
        const auto entries = static_cast<double>(constraint_matrix(system)->entries());
        const double bandwidth = std::max(1.0, entries / constraints_);
        constraint_matrix_.factor =
            2 * call + entries * (1 + bandwidth / 2) + 4 * static_cast<double>(pattern.entries());
        constraint_matrix_.solve = 2 * call + 2 * entries + 4 * static_cast<double>(pattern.entries());
    }
}

double WorkCount::of(const Run& run, const Method& method) const {
    const auto& made = run.evaluations;
    const auto number = [](std::int64_t count) { return static_cast<double>(count); };
    const double steps = number(std::max<std::int64_t>(run.steps, 1)), stages = stages_of(method);
    double work = number(made.force) * each_.force + number(made.constraint) * each_.constraint +
                  number(made.jacobian) * each_.jacobian;
    // Stages by Newton's method with a dense matrix, whose unknowns are all stages of q and p.
    if (method.needs().dense_derivatives || (constraints_ == 0 && !forced_ && made.factorizations > 0)) {
        const double size = (partitioned_ ? 2 : 1) * stages * dimension_;
        work += number(made.factorizations) * (size * size * size / 3 + dimension_ * each_.force) +
                number(made.newton_iterations) * 2 * size * size;
    } else {
        // Beyond one per step and substep, factorizations are those of stiff stages.
        const double stiff = forced_ ? std::max(0.0, number(made.factorizations) - steps) : 0;
        const double size = dimension_ + constraints_, inner = std::max(1.0, stages - 1);
        const double dense = size * size * size / 3;
        work += (number(made.factorizations) - stiff) * constraint_matrix_.factor +
                number(made.newton_iterations) * inner * (constraint_matrix_.solve + 4 * dimension_) +
                stiff * inner * std::min(dense, stage_bandwidth * stage_bandwidth * size);
    }
    const double monitored = run.monitor > 0 ? 1 / number(run.monitor) : 0;
    return work + steps * (step_overhead + 8 * dimension_ + monitored * (monitor_overhead + each_.energy));
}

}  // namespace libration
