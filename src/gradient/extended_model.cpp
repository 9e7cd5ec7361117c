// From parameters to coordinates, term by term.
#include "extended_model.hpp"
#include "shifted_parameters.hpp"

#include "model/augmented.hpp"

#include <algorithm>

namespace libration {

namespace {

const Expression& infinite_mass() {
    static const Expression mass(infinite_mass_value);
    return mass;
}

// From so many constraints on, the zeros of G M^-1 G^T are worth more than short vectors.
constexpr std::size_t many_rows = 17;

// Families whose instances change in different ways are taken apart: not into more than this.
constexpr std::size_t most_pieces = 2000;

class Extension {
  public:
    Extension(const Model& model, std::span<const std::string> names)
        : model_(&model), result_(model), changes_(named_changes(names.size())),
          shift_(model, names, less_one(changes_)), scale_(model.dimension, Expression(1)) {
        for (std::size_t k = 0; k < names.size(); ++k) {
            owner_.push_back(k);
        }
    }

    ExtendedModel made() {
        if (auto obstacle = extend(); !obstacle.empty()) {
            return {{}, {}, std::move(obstacle)};
        }
        return {std::move(result_), std::move(owner_), {}};
    }

  private:
    // No name in a model has brackets: these clash with none.
    static constexpr const char* group = "(theta)";

    static std::vector<Expression> named_changes(std::size_t count, const char* prefix = "") {
        std::vector<Expression> symbols;
        for (std::size_t k = 0; k < count; ++k) {
            symbols.push_back(symbol(std::string(prefix) + group + '[' + std::to_string(k) + "].x"));
        }
        return symbols;
    }

    // Not zero, because methods judge rounding by the sizes of coordinates, and this one has the size of a parameter.
    static std::vector<Expression> less_one(std::vector<Expression> coordinates) {
        for (auto& coordinate : coordinates) {
            coordinate = coordinate - 1;
        }
        return coordinates;
    }

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
        if (!model_->nonholonomic.empty()) {
            return "constraints on velocities are not holonomic";
        }
        const bool by_energy = !find_scales();
        if (!extend_terms()) {
            return "too many terms depend on parameters, each in its own way";
        }
        result_.programs = nullptr;  // nothing of it would be found again
        result_.observables.clear();
        result_.events.clear();
        result_.points.push_back({group, owner_.size(), 1, model_->dimension});
        result_.dimension = model_->dimension + owner_.size();
        InitialValue ones{InitialValue::Kind::position, {Expression(1), owner_.size(), {}}, {}};
        for (std::size_t k = 0; k < owner_.size(); ++k) {
            ones.coordinates.push_back(static_cast<std::uint32_t>(model_->dimension + k));
        }
        result_.initial.push_back(std::move(ones));
        if (model_->hamiltonian) {
            result_.hamiltonian->value = shift_.apply(model_->hamiltonian->value);
        } else if (model_->kinetic || by_energy) {
            extend_kinetic(model_->kinetic ? model_->kinetic->value : kinetic_energy());
        } else {
            extend_mass();
        }
        return {};
    }

    // Of constant masses.
    [[nodiscard]] Expression kinetic_energy() const {
        const std::size_t d = model_->dimension;
        const auto v = model_->coordinate_symbols("v_");
        const auto& mass = model_->mass;
        Expression twice;
        for (std::size_t i = 0; i < d && !mass.matrix.empty(); ++i) {
            for (std::size_t j = 0; j < d; ++j) {
                twice += v[i] * mass.matrix[i * d + j] * v[j];
            }
        }
        std::size_t coordinate = 0;
        for (const auto& block : mass.diagonal) {
            for (std::size_t k = 0; k < block.value.instances * block.repeat; ++k, ++coordinate) {
                twice += instance_of(*model_, block.value, k / block.repeat) * pow(v[coordinate], 2);
            }
        }
        return ratio(1, 2) * twice;
    }

    void extend_kinetic(const Expression& of_model) {
        auto energy = shift_.apply(of_model);
        for (const auto& velocity : named_changes(owner_.size(), "v_")) {
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
        } else if (!owner_.empty()) {
            result_.mass.diagonal.push_back({{infinite_mass(), owner_.size(), {}}, 1, {}});
        }
        forget_scaled_bodies();
    }

    // False: masses that are not those of single coordinates, or have no inverse, depend on the parameters. They are
    // taken for masses that depend on coordinates.
    bool find_scales() {
        const auto& mass = model_->mass;
        if (std::ranges::any_of(mass.matrix, [&](const Expression& entry) { return shift_.affects(entry); }) ||
            (model_->singular_mass &&
             std::ranges::any_of(mass.diagonal, [&](const auto& block) { return shift_.affects(block.value); }))) {
            return false;
        }
        std::size_t coordinate = 0;
        for (const auto& block : model_->mass.diagonal) {
            const bool affected = shift_.affects(block.value);
            Expression scale(1);
            for (std::size_t k = 0; k < block.value.instances; ++k) {
                if (affected && (k == 0 || !block.value.parameters.empty())) {
                    const auto value = instance_of(*model_, block.value, k);
                    scale = sqrt(value / shift_.apply(value));
                }
                for (std::size_t repeat = 0; repeat < block.repeat; ++repeat) {
                    scale_[coordinate++] = scale;
                }
            }
        }
        return true;
    }

    // The constraints of a scaled body are no longer Q^T Q = 1, which fast methods would take for granted.
    void forget_scaled_bodies() {
        std::vector<Body> kept;
        for (const auto& body : model_->bodies) {
            const std::size_t first = body.centre.value_or(body.first), last = body.first + 9;
            const auto scales = std::span(scale_).subspan(first, last - first);
            if (std::ranges::all_of(scales, [](const Expression& scale) { return scale.is_constant(1); })) {
                kept.push_back(body);
            } else {
                result_.points.push_back({"(" + body.name + ")", last - first, 1, first});
            }
        }
        result_.bodies = std::move(kept);
    }

    bool extend_terms() {
        result_.potential.clear();
        for (const auto& term : model_->potential) {
            if (!append(term, false, [&](Term piece) { result_.potential.push_back(std::move(piece)); })) {
                return false;
            }
        }
        result_.constraints.clear();
        for (const auto& constraint : model_->constraints) {
            std::size_t row = constraint.first_row;
            const bool fits = append(constraint.term, model_->constraint_rows >= many_rows, [&](Term piece) {
                auto part = constraint;
                part.first_row = row;
                row += piece.formula.instances;
                part.term = std::move(piece);
                result_.constraints.push_back(std::move(part));
            });
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    // The scales of the coordinates of an instance.
    std::vector<Expression> scales(const Term& term, std::size_t instance) const {
        std::vector<Expression> all;
        for (std::size_t s = 0; s < term.slots.size(); ++s) {
            all.push_back(scale_[term.indices[instance * term.slots.size() + s]]);
        }
        return all;
    }

    // Instances that follow each other and change in the same way stay together. `apart`: each gets coordinates of its
    // own for the parameters.
    template <class Take>
    bool append(const Term& term, bool apart, Take take) {
        const std::size_t count = term.formula.instances;
        std::vector<std::size_t> starts{0};
        for (std::size_t k = 1; k < count; ++k) {
            if (scales(term, k) != scales(term, starts.back())) {
                starts.push_back(k);
            }
        }
        const bool sums = std::ranges::any_of(term.formula.parameters, [](const InstanceParameter& parameter) {
            return parameter.kind == InstanceParameter::Kind::sum;
        });
        const bool singly = shift_.affects_instances(term.formula) || (starts.size() > 1 && sums);
        if (singly) {
            starts.resize(count);
            for (std::size_t k = 0; k < count; ++k) {
                starts[k] = k;
            }
        }
        if (starts.size() > most_pieces) {
            return false;
        }
        for (std::size_t k = 0; k < starts.size() && count > 0; ++k) {
            const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : count;
            take(piece(term, starts[k], end - starts[k], {singly, apart}));
        }
        return true;
    }

    struct Way {
        bool singly, apart;
    };
    Term piece(const Term& term, std::size_t first, std::size_t count, Way way) {
        Term part = term;
        part.formula.instances = count;
        if (way.singly) {
            part.formula.kernel = instance_of(*model_, term.formula, first);
            part.formula.parameters.clear();
        } else if (count < term.formula.instances) {
            for (auto& parameter : part.formula.parameters) {
                IndexColumn column;
                for (std::size_t k = first; k < first + count; ++k) {
                    column.push_back(parameter.integers[k]);
                }
                parameter.integers = std::move(column);
            }
        }
        if (count < term.formula.instances) {
            part.origin = nullptr;
        }
        auto kernel = shift_.apply(part.formula.kernel);
        auto scaled = scales(term, first);
        for (std::size_t s = 0; s < scaled.size(); ++s) {
            scaled[s] = term.slots[s] * scaled[s];
        }
        kernel = substitute(kernel, term.slots, scaled);
        part.formula.kernel = kernel;
        std::vector<std::size_t> numbers;
        for (std::size_t k = 0; k < changes_.size(); ++k) {
            if (depends_on(kernel, std::span(changes_).subspan(k, 1))) {
                part.slots.push_back(changes_[k]);
                numbers.push_back(k);
            }
        }
        const std::size_t width = term.slots.size();
        part.indices.clear();
        for (std::size_t k = first; k < first + count; ++k) {
            part.indices.insert(part.indices.end(), term.indices.begin() + static_cast<std::ptrdiff_t>(k * width),
                                term.indices.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
            for (const auto number : numbers) {
                const std::size_t coordinate = way.apart ? owner_.size() : number;
                if (way.apart) {
                    owner_.push_back(number);
                }
                part.indices.push_back(static_cast<std::uint32_t>(model_->dimension + coordinate));
            }
        }
        return part;
    }

    const Model* model_;
    Model result_;
    std::vector<Expression> changes_;  // the symbols of the first added coordinates
    ShiftedParameters shift_;
    std::vector<Expression> scale_;  // q = scale x, by coordinate
    std::vector<std::size_t> owner_;
};

}  // namespace

ExtendedModel extended_model(const Model& model, std::span<const std::string> parameters) {
    return Extension(model, parameters).made();
}

}  // namespace libration
