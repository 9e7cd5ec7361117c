// Rows as nodes.
#include "states_between.hpp"

#include "model/carried.hpp"
#include "redundancy.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <utility>

namespace libration {

StatesBetween::Reader::Reader(Model carrying, const Method& method)
    : model(std::move(carrying)), dense(model, method), system(make_system<double>(model)), manifold(*system),
      nodes(model, *system, manifold) {}

StatesBetween::StatesBetween(const Model& model, const Method& method, double start_time)
    : method_(method), start_(carrying(model, start_time), method_), watch_(start_.model, *start_.system),
      q_low_(start_.system->dimension()), turns_(model.windings.size()) {}

// A run does not record which rows it carried; where those of the start became badly conditioned, they were others.
StatesBetween::Reader& StatesBetween::reader_of(const Node<double>& left, const Node<double>& right) {
    auto rows = watch_.needed() ? watch_.better_rows(left, right) : std::nullopt;
    if (!rows) {
        return start_;
    }
    if (!other_ || other_->model.carried->rows != *rows) {
        other_ = std::make_unique<Reader>(carry(start_.model.carried->whole, std::move(*rows)), method_);
    }
    return *other_;
}

// What files and arrays hold is q rounded once; the low part of the run is not there.
Sample StatesBetween::between(const Sample& left, const Sample& right, double t) {
    const Node<double> before{left.t, left.q, q_low_, left.p, left.observables.first(turns_)},
        after{right.t, right.q, q_low_, right.p, right.observables.first(turns_)};
    auto& reader = reader_of(before, after);
    try {
        const auto node = reader.dense.between(before, after, t);
        return reader.nodes.read(node, node.t == right.t ? right.step : left.step, true);
    } catch (const DenseFailure& fault) {
        throw InputError(fault.what());
    }
}

}  // namespace libration
