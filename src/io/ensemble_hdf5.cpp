// One dataset a number of the trajectories, one a statistic.
#include "io/ensemble_hdf5.hpp"

#include "io/record_attributes.hpp"

#include "ensemble/ensemble_record.hpp"
#include <libration/kit/elementary.hpp>
#include <libration/text/error.hpp>
#include <libration/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>

namespace libration {

namespace {

using hdf5::checked;

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

}  // namespace

EnsembleHdf5::EnsembleHdf5(const std::string& path, const EnsembleSettings& settings, const EnsembleResult& result)
    : path_(path), dimension_(settings.model.dimension) {
    const auto access = hdf5::file_access(path_);
    links_ = checked(H5Pcreate(H5P_LINK_CREATE), H5Pclose, path_, "prepare HDF5");
    checked(H5Pset_create_intermediate_group(links_.id(), 1), path_, "prepare HDF5");
    file_ =
        checked(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose, path_, "create the file");
    write_attributes(settings, result);
    write_trajectories(result);
    write_failures(result);
    write_statistics(result);
    if (settings.trajectories) {
        create_frames(settings, result);
    }
}

void EnsembleHdf5::close() {
    frames_q_ = {};
    frames_p_ = {};
    checked(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), path_, "write the file");
    checked(file_.close(), path_, "close the file");
}

hdf5::Handle EnsembleHdf5::create(const std::string& name, hid_t type, const Shape& shape) {
    const auto action = "create " + name;
    const auto space =
        checked(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose, path_, action);
    return checked(H5Dcreate2(file_.id(), name.c_str(), type, space.id(), links_.id(), H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose, path_, action);
}

void EnsembleHdf5::write(const std::string& name, const Shape& shape, const std::vector<double>& values) {
    const auto data = create(name, H5T_IEEE_F64LE, shape);
    checked(H5Dwrite(data.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path_,
            "write " + name);
}

void EnsembleHdf5::write(const std::string& name, const std::vector<std::int64_t>& values) {
    const auto data = create(name, H5T_STD_I64LE, {values.size()});
    checked(H5Dwrite(data.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path_,
            "write " + name);
}

void EnsembleHdf5::write(const std::string& name, const std::vector<std::string>& texts) {
    const auto type = hdf5::text_type(path_);
    const auto data = create(name, type.id(), {texts.size()});
    std::vector<const char*> pointers;
    for (const auto& text : texts) {
        pointers.push_back(text.c_str());
    }
    if (!pointers.empty()) {
        checked(H5Dwrite(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), path_, "write " + name);
    }
}

// With these the ensemble can be repeated: `--vary` and `--seed`, or the values themselves as a table.
void EnsembleHdf5::write_attributes(const EnsembleSettings& settings, const EnsembleResult& result) {
    const auto& model = settings.model;
    std::vector<std::string> overrides, names;
    for (const auto& [name, value] : model.overrides) {
        overrides.push_back(name + "=" + value);
    }
    for (std::size_t k = 0; k < model.dimension; ++k) {
        names.push_back(model.coordinate_name(k));
    }
    const std::vector<std::pair<const char*, std::string>> texts{
        {"format", "libration-ensemble 1"},
        {"version", std::string(version)},
        {"model", model.name},
        {"model_text", model.saved_text()},
        {"functions", model.external ? model.external->what() : ""},
        {"set", fmt::format("{}", fmt::join(overrides, "\n"))},
        {"method", settings.method},
        {"vary", fmt::format("{}", fmt::join(settings.variations, "\n"))},
        {"seed", fmt::format("{}", settings.seed)},  // a text: seeds have 64 bits without a sign
        {"project", settings.options.project ? "yes" : "no"},
        {"coordinates", fmt::format("{}", fmt::join(names, "\n"))},
        {"fused_multiply_add", has_fused_multiply_add() ? "yes" : "no"},
    };
    for (const auto& [name, text] : texts) {
        write_attribute(file_.id(), name, text, path_);
    }
    write_attribute(file_.id(), "step", settings.options.step, path_);
    const std::vector<std::pair<const char*, ResultValue>> numbers{
        {"steps", result.steps},
        {"monitor", result.monitor},
        {"every", settings.options.every},
        {"count", result.trajectories.size()},
    };
    for (const auto& [name, value] : numbers) {
        write_attribute(file_.id(), name, value, path_);
    }
}

void EnsembleHdf5::write_trajectories(const EnsembleResult& result) {
    const auto& all = result.trajectories;
    const hsize_t count = all.size();
    std::vector<double> column(count);
    for (std::size_t name = 0; name < result.values.names.size(); ++name) {
        for (std::size_t k = 0; k < count; ++k) {
            column[k] = result.values.at(k, name);
        }
        write("/ensemble/varied/" + result.values.names[name], {count}, column);
    }
    for (const auto& [name, member] : outcome_numbers) {
        for (std::size_t k = 0; k < count; ++k) {
            column[k] = all[k].*member;
        }
        write(std::string("/ensemble/") + name, {count}, column);
    }
    std::vector<std::string> status;
    std::vector<std::int64_t> steps;
    std::vector<double> q, p;
    for (const auto& outcome : all) {
        status.push_back(to_string(outcome.status));
        steps.push_back(outcome.steps);
        q.insert(q.end(), outcome.q.begin(), outcome.q.end());
        p.insert(p.end(), outcome.p.begin(), outcome.p.end());
    }
    write("/ensemble/status", status);
    write("/ensemble/steps", steps);
    write("/ensemble/final/q", {count, dimension_}, q);
    write("/ensemble/final/p", {count, dimension_}, p);
    const auto group = checked(H5Gopen2(file_.id(), "/ensemble", H5P_DEFAULT), H5Gclose, path_, "open /ensemble");
    create_attributes(group.id(), record_of_call(result), path_);
}

void EnsembleHdf5::write_failures(const EnsembleResult& result) {
    std::vector<std::int64_t> trajectory, step;
    std::vector<double> t;
    std::vector<std::string> kind, message;
    for (std::size_t k = 0; k < result.trajectories.size(); ++k) {
        if (const auto& failure = result.trajectories[k].failure) {
            trajectory.push_back(static_cast<std::int64_t>(k));
            step.push_back(failure->step);
            t.push_back(failure->t);
            kind.push_back(failure->kind);
            message.push_back(failure->message);
        }
    }
    write("/ensemble/failures/trajectory", trajectory);
    write("/ensemble/failures/step", step);
    write("/ensemble/failures/t", {t.size()}, t);
    write("/ensemble/failures/kind", kind);
    write("/ensemble/failures/message", message);
}

void EnsembleHdf5::write_statistics(const EnsembleResult& result) {
    const std::size_t nodes = result.times.size(), width = result.channels.size();
    write("/statistics/time", {nodes}, result.times);
    std::vector<std::int64_t> counts, percents(quantile_percents.begin(), quantile_percents.end());
    for (std::size_t node = 0; node < nodes; ++node) {
        counts.push_back(static_cast<std::int64_t>(result.by_node[node * width].count));
    }
    write("/statistics/count", counts);
    write("/statistics/percents", percents);
    const auto write_channels = [&](const std::string& group, std::size_t first, std::size_t number, bool single) {
        const auto shape = [&](Shape more) {
            Shape all{nodes};
            all.insert(all.end(), more.begin(), more.end());
            if (!single) {
                all.push_back(number);
            }
            return all;
        };
        const auto gather = [&](const char* name, const Shape& more, std::size_t repeat, auto value) {
            std::vector<double> values;
            for (std::size_t node = 0; node < nodes; ++node) {
                for (std::size_t k = 0; k < repeat; ++k) {
                    for (std::size_t channel = first; channel < first + number; ++channel) {
                        values.push_back(value(result.by_node[node * width + channel], k));
                    }
                }
            }
            write(group + "/" + name, shape(more), values);
        };
        using One = const NodeStatistics&;
        for (const auto& [name, member] : statistic_numbers) {
            gather(name, {}, 1, [part = member](One s, std::size_t) { return s.*part; });
        }
        gather("quantiles", {quantile_percents.size()}, quantile_percents.size(),
               [](One s, std::size_t k) { return s.quantiles[k]; });
    };
    write_channels("/statistics/q", 0, dimension_, false);
    write_channels("/statistics/energy_error", dimension_, 1, true);
    for (std::size_t channel = dimension_ + 1; channel < width; ++channel) {
        write_channels("/statistics/observables/" + result.channels[channel], channel, 1, true);
    }
}

void EnsembleHdf5::create_frames(const EnsembleSettings& settings, const EnsembleResult& result) {
    std::vector<double> times;
    for (const auto n : node_numbers(result.steps, settings.options.every)) {
        times.push_back(settings.options.start_time + static_cast<double>(n) * result.step);
    }
    frames_ = times.size();
    write("/trajectories/time", {frames_}, times);
    const Shape shape{result.trajectories.size(), frames_, dimension_};
    frames_q_ = create("/trajectories/q", H5T_IEEE_F64LE, shape);
    frames_p_ = create("/trajectories/p", H5T_IEEE_F64LE, shape);
}

// Frames that a trajectory did not reach are not a number.
void EnsembleHdf5::write_frames(const BatchRecord& batch) {
    for (std::size_t k = 0; k < batch.trajectories.size(); ++k) {
        const auto& rows = batch.trajectories[k].frames;
        const std::array<hsize_t, 3> begin{batch.batch * trajectories_a_batch + k, 0, 0};
        const std::array<hsize_t, 3> extent{1, frames_, dimension_};
        const auto memory = checked(H5Screate_simple(3, extent.data(), nullptr), H5Sclose, path_, "write frames");
        for (const bool momenta : {false, true}) {
            std::vector<double> values(frames_ * dimension_, no_value);
            for (std::size_t row = 0; row < rows.rows(); ++row) {
                for (std::size_t j = 0; j < dimension_; ++j) {
                    values[row * dimension_ + j] = rows.numbers[row * rows.width + (momenta ? dimension_ : 0) + j];
                }
            }
            const auto& data = momenta ? frames_p_ : frames_q_;
            const auto space = checked(H5Dget_space(data.id()), H5Sclose, path_, "write frames");
            checked(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(), nullptr, extent.data(), nullptr),
                    path_, "write frames");
            checked(H5Dwrite(data.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, values.data()), path_,
                    "write frames");
        }
    }
}

}  // namespace libration
