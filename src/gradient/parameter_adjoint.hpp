// How much a weighted sum of masses, initial values and formulas of a model changes with each parameter: all of them in
// one sweep, from the sum back to the parameters, whose cost is that of evaluating the formulas.
#pragma once

#include "directions.hpp"

#include <unordered_map>

namespace libration {

// Of models with a constant mass of each coordinate, that is, with a diagonal.
bool has_diagonal_mass(const Model& model);

class ParameterAdjoint {
  public:
    // exact: the derivative. size: of its terms the sum of magnitudes, for weights that are magnitudes.
    enum class Result { exact, size };
    ParameterAdjoint(const Model& model, Result result);

    // A scalar parameter, by its symbol; others are ignored.
    void add_scalar(const Expression& symbol, double weight);
    // One weight for each coordinate.
    void add_masses(std::span<const double> weights);
    // Of the start of a run, in the coordinates x = q sqrt(m(theta)/m) and their momenta.
    void add_start(const StartPoint& start, std::span<const double> x_weights, std::span<const double> p_weights);

    // The derivative by each of these parameters; nothing may be added afterwards.
    std::vector<double> by(std::span<const Unknown> parameters);

  private:
    void add(const Formula& formula, std::span<const double> weights);
    void add_sum(const InstanceSum& sum, std::span<const double> weights);
    void add_initial(InitialValue::Kind kind, std::vector<double> weights);
    void follow_formulas();
    [[nodiscard]] double part(double value) const { return result_ == Result::size ? std::abs(value) : value; }

    const Model* model_;
    Result result_;
    ParameterValues<double> given_;
    std::vector<double> masses_;                          // by coordinate
    std::unordered_map<Expression, std::size_t> places_;  // of scalar parameters
    std::vector<double> scalars_;
    std::map<std::string, std::vector<double>, std::less<>> lists_;
};

}  // namespace libration
