// From parameters to coordinates: masses, energies and constraints.
#include "extended_model.hpp"
#include "angles_in_equations.hpp"
#include "extended_terms.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

const Expression& infinite_mass() {
    static const Expression mass(infinite_mass_value);
    return mass;
}

// From so many constraints on, the zeros of G M^-1 G^T are worth more than short vectors.
constexpr std::size_t many_rows = 17;

class Extension {
  public:
    Extension(const Model& model, std::span<const Unknown> unknowns)
        : model_(&model), result_(model), theta_(model, unknowns), shift_(model, theta_) {}

    ExtendedModel made() {
        if (auto obstacle = extend(); !obstacle.empty()) {
            return {{}, {}, std::move(obstacle)};
        }
        return {std::move(result_), theta_.owner(), {}};
    }

  private:
    std::string extend() {
        if (model_->external) {
            return "functions of the model cannot be traced";
        }
        if (model_->field) {
            return "a field has no Hamiltonian";
        }
        if (!model_->forces.empty()) {
            return "forces act beside the Hamiltonian";
        }
        if (!model_->windings.empty()) {
            const auto angle = angle_in_equations(*model_);
            return angle.empty() ? fmt::format("the model counts the turns of the angle {}, without which, and the "
                                               "formulas that use it, a backward run is possible",
                                               model_->windings.front().name)
                                 : fmt::format("the equations of motion use the angle {}, which counts turns", angle);
        }
        if (!model_->nonholonomic.empty()) {
            return "constraints on velocities are not holonomic";
        }
        const bool by_energy = masses_are_energy();
        if (!by_energy) {
            scales_.emplace(*model_, shift_);
        }
        if (!extend_terms()) {
            return "too many terms depend on parameters, each in its own way";
        }
        result_.programs = nullptr;  // nothing of it would be found again
        result_.observables.clear();
        result_.events.clear();
        result_.points.push_back({ThetaCoordinates::group, theta_.count(), 1, model_->dimension});
        result_.dimension = model_->dimension + theta_.count();
        InitialValue ones{InitialValue::Kind::position, {Expression(1), theta_.count(), {}}, {}};
        for (std::size_t k = 0; k < theta_.count(); ++k) {
            ones.coordinates.push_back(static_cast<std::uint32_t>(model_->dimension + k));
        }
        result_.initial.push_back(std::move(ones));
        if (model_->hamiltonian) {
            result_.hamiltonian->value = shift_.apply(model_->hamiltonian->value);
        } else if (model_->kinetic || by_energy) {
            extend_kinetic(model_->kinetic ? shift_.apply(model_->kinetic->value) : kinetic_energy());
        } else {
            extend_mass();
        }
        return {};
    }

    // Whether masses that are not those of single coordinates, or have no inverse, depend on the parameters. They are
    // taken for masses that depend on coordinates.
    [[nodiscard]] bool masses_are_energy() const {
        const auto& mass = model_->mass;
        return std::ranges::any_of(mass.matrix, [&](const Expression& entry) { return shift_.affects(entry); }) ||
               (model_->singular_mass &&
                std::ranges::any_of(mass.diagonal, [&](const auto& block) { return shift_.affects(block.value); }));
    }

    // Of constant masses, as they change.
    [[nodiscard]] Expression kinetic_energy() const {
        const std::size_t d = model_->dimension;
        const auto v = model_->coordinate_symbols("v_");
        const auto& mass = model_->mass;
        Expression twice;
        for (std::size_t i = 0; i < d && !mass.matrix.empty(); ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                twice += v[i] * shift_.apply(mass.matrix[i * d + j]) * v[j];
            }
        }
        std::size_t coordinate = 0;
        for (const auto& block : mass.diagonal) {
            for (std::size_t k = 0; k < block.value.instances * block.repeat; ++k, ++coordinate) {
                twice += shift_.instance(block.value, k / block.repeat) * pow(v[coordinate], 2);
            }
        }
        return ratio(1, 2) * twice;
    }

    void extend_kinetic(Expression energy) {
        for (std::size_t k = 0; k < theta_.count(); ++k) {
            const auto velocity = symbol(std::string("v_") + ThetaCoordinates::group + '[' + std::to_string(k) + "].x");
            energy += ratio(1, 2) * infinite_mass() * pow(velocity, 2);
        }
        result_.kinetic = {energy, model_->kinetic ? model_->kinetic->place : model_->mass.place};
        result_.mass = {};
    }

    void extend_mass() {
        const std::size_t d = model_->dimension, n = result_.dimension;
        if (const auto& matrix = model_->mass.matrix; !matrix.empty()) {
            result_.mass.matrix.assign(n * n, Expression(0));
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    result_.mass.matrix[i * n + j] =
                        i < d && j < d ? matrix[i * d + j] : (i == j ? infinite_mass() : Expression(0));
                }
            }
        } else if (theta_.count() > 0) {
            result_.mass.diagonal.push_back({{infinite_mass(), theta_.count(), {}}, 1, {}});
        }
        forget_scaled_bodies();
    }

    // The constraints of a scaled body are no longer Q^T Q = 1, which fast methods would take for granted.
    void forget_scaled_bodies() {
        std::vector<Body> kept;
        for (const auto& body : model_->bodies) {
            const std::size_t first = body.centre.value_or(body.first), last = body.end();
            bool scaled = false;
            for (std::size_t j = first; j < last; ++j) {
                scaled = scaled || scales_->kind(j) != MassScales::unscaled;
            }
            if (scaled) {
                result_.points.push_back({"(" + body.name + ")", last - first, 1, first});
            } else {
                kept.push_back(body);
            }
        }
        result_.bodies = std::move(kept);
        result_.body_numbers.clear();
        for (std::size_t k = 0; k < result_.bodies.size(); ++k) {
            result_.body_numbers.emplace(result_.bodies[k].name, k);
        }
    }

    bool extend_terms() {
        ExtendedTerms terms(*model_, theta_, shift_, scales_ ? &*scales_ : nullptr);
        result_.potential.clear();
        for (const auto& term : model_->potential) {
            auto pieces = terms.pieces(term, false);
            if (!pieces) {
                return false;
            }
            std::ranges::move(*pieces, std::back_inserter(result_.potential));
        }
        result_.constraints.clear();
        for (const auto& constraint : model_->constraints) {
            auto pieces = terms.pieces(constraint.term, model_->constraint_rows >= many_rows);
            if (!pieces) {
                return false;
            }
            std::size_t row = constraint.first_row;
            for (auto& piece : *pieces) {
                const std::size_t rows = piece.formula.instances;
                std::vector<std::string> names;
                if (!constraint.row_names.empty()) {
                    const auto from =
                        constraint.row_names.begin() + static_cast<std::ptrdiff_t>(row - constraint.first_row);
                    names.assign(from, from + static_cast<std::ptrdiff_t>(rows));
                }
                result_.constraints.push_back(
                    {std::move(piece), constraint.name, constraint.family, constraint.numbered, row, std::move(names)});
                row += rows;
            }
        }
        return true;
    }

    const Model* model_;
    Model result_;
    ThetaCoordinates theta_;
    ShiftedParameters shift_;
    std::optional<MassScales> scales_;
};

}  // namespace

ExtendedModel extended_model(const Model& model, std::span<const Unknown> unknowns) {
    return Extension(model, unknowns).made();
}

}  // namespace libration
