// From formulas to their derivatives by the coordinates of the extended model.
#include "point_gradient.hpp"

#include "directions.hpp"
#include "start_check.hpp"

#include <numeric>

namespace libration {

namespace {

using D = Dual<double>;

// Calls read(group) with tangents of `x` along the unit vectors of each group of coordinates.
template <class Read>
void along_each(std::span<D> x, std::span<const std::size_t> coordinates, Read read) {
    for (std::size_t first = 0; first < coordinates.size(); first += dual_width) {
        const auto group = coordinates.subspan(first, std::min<std::size_t>(dual_width, coordinates.size() - first));
        for (std::size_t k = 0; k < group.size(); ++k) {
            x[group[k]].tangent[k] = 1;
        }
        read(group);
        for (std::size_t k = 0; k < group.size(); ++k) {
            x[group[k]].tangent[k] = 0;
        }
    }
}

// The coordinates whose positions or momenta formulas may depend on: of many only few, where each velocity belongs to
// one momentum.
std::vector<std::size_t> coordinates_in(const Loss& loss, const System<D>& system, std::size_t dimension) {
    using Kind = NodeFormula::Input::Kind;
    std::vector<std::size_t> numbers;
    if (loss.needs_multipliers || system.inverse_masses().empty()) {
        numbers.resize(dimension);
        std::iota(numbers.begin(), numbers.end(), std::size_t{0});
        return numbers;
    }
    for (const auto& input : loss.inputs) {
        if (input.kind != Kind::time && std::ranges::find(numbers, input.index) == numbers.end()) {
            numbers.push_back(input.index);
        }
    }
    return numbers;
}

// Whether formulas of the state change with parameters where q and p do not.
bool uses_parameters(const Loss& loss, const System<D>& system, std::span<const Expression> parameters) {
    using Kind = NodeFormula::Input::Kind;
    const bool velocities =
        std::ranges::any_of(loss.inputs, [](const NodeFormula::Input& input) { return input.kind == Kind::velocity; });
    const auto symbols = symbols_of(loss.formulas);
    return loss.needs_multipliers || (velocities && system.inverse_masses().empty()) ||
           std::ranges::any_of(
               symbols, [&](const Expression& s) { return std::ranges::find(parameters, s) != parameters.end(); });
}

}  // namespace

std::vector<std::array<double, dual_width>> scale_changes(System<D>& along, std::size_t dimension) {
    std::vector<std::array<double, dual_width>> changes(dimension);
    const auto inverse = along.inverse_masses();
    for (std::size_t j = 0; j < dimension && !inverse.empty(); ++j) {
        for (std::size_t k = 0; k < dual_width; ++k) {
            changes[j][k] = inverse[j].tangent[k] / (2 * inverse[j].value);  // s = sqrt(m / m(theta))
        }
    }
    return changes;
}

PointGradient::PointGradient(const Model& model, const Loss& loss, std::span<const Unknown> parameters,
                             const ExtendedModel& extended)
    : dimension_(model.dimension), given_(parameter_values<D>(model)), system_(system_at<D>(model, given_)),
      reader_(loss, *system_, given_), coordinates_(coordinates_in(loss, *system_, model.dimension)),
      q_(system_->dimension(), lit<D>(0)), p_(q_) {
    const std::size_t n = dimension_ + extended.owner.size();
    gradients_.assign(loss.formulas.size(), {std::vector<double>(n), std::vector<double>(n)});
    if (parameters.size() >= many_unknowns && has_diagonal_mass(model) && !loss.needs_multipliers) {
        parameters_.assign(parameters.begin(), parameters.end());
        at_once_.emplace(model, loss);
        return;
    }
    const bool direct = uses_parameters(loss, *system_, given_.symbols);
    for (std::size_t first = 0; first < parameters.size(); first += dual_width) {
        const auto group = parameters.subspan(first, std::min<std::size_t>(dual_width, parameters.size() - first));
        auto along = std::make_unique<Along>(model, group);
        along->first = first;
        along->count = group.size();
        along->scale = scale_changes(*along->system, dimension_);
        const bool scaled = std::ranges::any_of(along->scale, [](const auto& changes) { return changes != Changes{}; });
        if (direct || scaled) {
            along->reader.emplace(loss, *along->system, along->given);
            along_.push_back(std::move(along));
        }
    }
}

PointGradient::Along::Along(const Model& model, std::span<const Unknown> group)
    : given(direction_detail::changed_parameters<double>(model, group)), system(system_at<D>(model, given)) {}

void PointGradient::read(const Node<double>& node) {
    for (std::size_t j = 0; j < q_.size(); ++j) {
        q_[j] = from_double<D>(j < node.q.size() ? node.q[j] : 0);
        p_[j] = from_double<D>(j < node.p.size() ? node.p[j] : 0);
    }
    const D t = from_double<D>(node.t);
    const auto by_each = [&](std::vector<D>& from, std::vector<double> Tangent::*to) {
        along_each(from, coordinates_, [&](std::span<const std::size_t> group) {
            reader_.read(t, q_, p_);
            for (std::size_t f = 0; f < gradients_.size(); ++f) {
                for (std::size_t k = 0; k < group.size(); ++k) {
                    (gradients_[f].*to)[group[k]] = reader_.value(f).tangent[k];
                }
            }
        });
    };
    by_each(q_, &Tangent::q);
    by_each(p_, &Tangent::p);
    for (const auto& along : along_) {
        read_along(t, *along);
    }
    if (at_once_) {
        read_at_once(node);
    }
}

void PointGradient::read_at_once(const Node<double>& node) {
    at_once_->read(node);
    std::vector<double> q(dimension_), p(dimension_);  // known already
    for (std::size_t f = 0; f < gradients_.size(); ++f) {
        const auto slopes = std::span(gradients_[f].q).subspan(dimension_);
        std::ranges::fill(slopes, 0.0);
        at_once_->add(f, 1, parameters_, {q, p, slopes});
    }
}

void PointGradient::read_along(const D& t, Along& along) {
    for (std::size_t j = 0; j < dimension_; ++j) {
        q_[j].tangent = p_[j].tangent = {};
        for (std::size_t k = 0; k < along.count; ++k) {
            q_[j].tangent[k] = along.scale[j][k] * q_[j].value;
            p_[j].tangent[k] = -along.scale[j][k] * p_[j].value;
        }
    }
    along.reader->read(t, q_, p_);
    for (std::size_t f = 0; f < gradients_.size(); ++f) {
        for (std::size_t k = 0; k < along.count; ++k) {
            gradients_[f].q[dimension_ + along.first + k] = along.reader->value(f).tangent[k];
        }
    }
}

}  // namespace libration
