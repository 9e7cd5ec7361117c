// Programs of the forces of a model and of their derivatives.
#include "system/applied_forces.hpp"
#include "model/model_values.hpp"
#include "scalar/second_order.hpp"

namespace libration {

template <class S>
AppliedForces<S>::AppliedForces(const Model& model, const ParameterValues<S>& given) : count_(model.forces.size()) {
    const auto q = model.coordinate_symbols(), v = model.coordinate_symbols("v_");
    const Symbols lambda = model.multiplier_symbols();
    Symbols all = q;
    all.insert(all.end(), v.begin(), v.end());
    all.insert(all.end(), lambda.begin(), lambda.end());
    std::vector<Expression> values, derivatives;
    for (std::uint32_t k = 0; k < count_; ++k) {
        for (const auto& [coordinate, expression] : model.forces[k].on) {
            const auto row = gradient(expression.value, all);
            for (std::uint32_t column = 0; column < row.size(); ++column) {
                if (!row[column].is_constant(0)) {
                    slopes_.push_back({static_cast<std::uint32_t>(components_.size()), column});
                    derivatives.push_back(row[column]);
                    depend_on_multipliers_ = depend_on_multipliers_ || column >= 2 * q.size();
                }
            }
            components_.push_back({k, static_cast<std::uint32_t>(coordinate)});
            values.push_back(expression.value);
        }
    }
    values_ = WholeTape<S>(values, {q, v, lambda}, given);
    derivatives_ = WholeTape<S>(derivatives, {q, v, lambda}, given);
}

#define LIBRATION_INSTANTIATE(scalar) template class AppliedForces<scalar>;
LIBRATION_INSTANTIATE_SCALARS(LIBRATION_INSTANTIATE)
LIBRATION_INSTANTIATE_SECOND_ORDER(LIBRATION_INSTANTIATE)
#undef LIBRATION_INSTANTIATE

}  // namespace libration
