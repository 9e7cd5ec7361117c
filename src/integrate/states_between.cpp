// Rows as nodes.
#include "states_between.hpp"

#include "redundancy.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

namespace libration {

StatesBetween::StatesBetween(const Model& model, const Method& method)
    : model_(carrying(model)), dense_(model_, method), system_(make_system<double>(model_)), manifold_(*system_),
      reader_(model_, *system_, manifold_), q_low_(system_->dimension()), turns_(model.windings.size()) {}

// What files and arrays hold is q rounded once; the low part of the run is not there.
Sample StatesBetween::between(const Sample& left, const Sample& right, double t) {
    const Node<double> before{left.t, left.q, q_low_, left.p, left.observables.first(turns_)},
        after{right.t, right.q, q_low_, right.p, right.observables.first(turns_)};
    try {
        const auto node = dense_.between(before, after, t);
        return reader_.read(node, node.t == right.t ? right.step : left.step, true);
    } catch (const DenseFailure& fault) {
        throw InputError(fault.what());
    }
}

}  // namespace libration
