// Views with strides over arrays of structures.
#include "ensemble_arrays.hpp"

#include "arrays.hpp"

#include "ensemble/ensemble_record.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace libration::python {

namespace py = pybind11;

namespace {

using Owner = std::shared_ptr<const void>;

void add_outcomes(const EnsembleResult& result, const Owner& owner, py::dict& columns) {
    const auto& all = result.trajectories;
    const auto column = [&](const auto* first) {
        return view(first, {signed_size(all.size())}, {sizeof(TrajectoryOutcome)}, owner);
    };
    using Code = std::underlying_type_t<RunStatus>;
    columns["status"] = column(reinterpret_cast<const Code*>(&all[0].status));
    columns["steps"] = column(&all[0].steps);
    for (const auto& [name, member] : outcome_numbers) {
        columns[name] = column(&(all[0].*member));
    }
}

void add_statistics(const EnsembleResult& result, const Owner& owner, py::dict& columns) {
    const auto nodes = signed_size(result.times.size()), width = signed_size(result.channels.size());
    const auto& first = result.by_node[0];
    constexpr py::ssize_t one = sizeof(NodeStatistics);
    const auto number = [&](const double* of) { return view(of, {nodes, width}, {width * one, one}, owner); };
    columns["times"] = view(result.times.data(), {nodes}, owner);
    static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
    columns["counts"] = view(&first.count, {nodes}, {width * one}, owner);
    for (const auto& [name, member] : statistic_numbers) {
        columns[name] = number(&(first.*member));
    }
    columns["quantiles"] = view(first.quantiles.data(), {nodes, width, signed_size(first.quantiles.size())},
                                {width * one, one, sizeof(double)}, owner);
}

}  // namespace

void Ensemble::gather() {
    for (const auto& outcome : result.trajectories) {
        q.insert(q.end(), outcome.q.begin(), outcome.q.end());
        p.insert(p.end(), outcome.p.begin(), outcome.p.end());
    }
}

void Ensemble::load_frames() {
    if (frames) {
        return;
    }
    if (mark && mark_of(path) != mark) {
        throw FileError(fmt::format("{}: the file was changed or replaced after this ensemble; lb.open(...) reads its "
                                    "current contents",
                                    path));
    }
    auto read = std::make_shared<StoredFrames>(read_ensemble_frames(path));
    const auto expected = result.trajectories.size() * read->times.size() * settings.model.dimension;
    if (read->q.size() != expected || read->p.size() != expected) {
        throw FileError(
            fmt::format("{}: /trajectories does not have the sizes of the ensemble: the file is damaged", path));
    }
    frames = std::move(read);
}

py::dict ensemble_columns(const std::shared_ptr<Ensemble>& ensemble) {
    const auto& result = ensemble->result;
    const Owner owner = ensemble;
    const auto count = signed_size(result.trajectories.size());
    const auto dimension = signed_size(ensemble->settings.model.dimension);
    py::dict columns;
    columns["values"] = view(result.values.values.data(), {count, signed_size(result.values.names.size())}, owner);
    add_outcomes(result, owner, columns);
    columns["q"] = view(ensemble->q.data(), {count, dimension}, owner);
    columns["p"] = view(ensemble->p.data(), {count, dimension}, owner);
    add_statistics(result, owner, columns);
    return columns;
}

py::object ensemble_frames(const std::shared_ptr<Ensemble>& ensemble) {
    if (!ensemble->settings.trajectories) {
        return py::none();
    }
    ensemble->load_frames();
    const auto& frames = *ensemble->frames;
    const Owner owner = ensemble->frames;
    const ArrayShape shape{signed_size(ensemble->result.trajectories.size()), signed_size(frames.times.size()),
                           signed_size(ensemble->settings.model.dimension)};
    return py::make_tuple(view(frames.times.data(), {shape[1]}, owner), view(frames.q.data(), shape, owner),
                          view(frames.p.data(), shape, owner));
}

}  // namespace libration::python
