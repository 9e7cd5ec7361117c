// The inverse of ensemble_hdf5.cpp.
#include <libration/io/read_ensemble.hpp>

#include "io/ensemble_hdf5.hpp"
#include "io/hdf5_handle.hpp"
#include "io/record_attributes.hpp"

#include "ensemble/ensemble_record.hpp"
#include "integrate/run_record.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <sstream>

namespace libration {

namespace {

using hdf5::checked;

constexpr std::string_view ensemble_format = "libration-ensemble";
constexpr double most_count = 9007199254740992;  // 2^53: numbers are doubles
constexpr hsize_t all_rows = std::numeric_limits<hsize_t>::max();

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path) {
        const auto access = hdf5::file_access(path_);
        file_ = checked(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, path_, "open the file");
        if (!is_ensemble()) {
            hdf5::fail(path_, "read the ensemble", "this file contains none");
        }
    }

    [[nodiscard]] bool is_ensemble() const {
        return H5Aexists(file_.id(), "format") > 0 && text("format").starts_with(ensemble_format);
    }

    StoredEnsemble read() {
        StoredEnsemble stored;
        read_settings(stored.settings);
        stored.settings.trajectories = has_frames();
        read_result(stored);
        return stored;
    }

    [[nodiscard]] StoredFrames frames() const {
        if (!has_frames()) {
            return {};
        }
        StoredFrames frames{numbers("/trajectories/time"), numbers("/trajectories/q"), {}};
        frames.p = numbers("/trajectories/p", frames.q.size());
        return frames;
    }

  private:
    [[nodiscard]] bool has_frames() const { return H5Lexists(file_.id(), "/trajectories", H5P_DEFAULT) > 0; }
    [[nodiscard]] std::string text(const char* name) const { return hdf5::read_attribute(file_.id(), name, path_); }

    template <class Number>
    [[nodiscard]] Number number(const char* name) const {
        const auto digits = text(name);
        Number value{};
        if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) {
            hdf5::fail(path_, fmt::format("read the attribute '{}'", name), "it is not a number");
        }
        return value;
    }

    [[nodiscard]] std::vector<double> numbers(const std::string& name) const {
        return hdf5::read_numbers(file_.id(), name, all_rows, path_);
    }

    // Nothing is allocated for a dataset of another size.
    [[nodiscard]] std::vector<double> numbers(const std::string& name, std::size_t expected) const {
        const auto action = "read " + name;
        const auto data = checked(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose, path_, action);
        require_size(action, size_of(data, action), expected);
        return numbers(name);
    }

    [[nodiscard]] std::size_t size_of(const hdf5::Handle& data, const std::string& action) const {
        const auto space = checked(H5Dget_space(data.id()), H5Sclose, path_, action);
        return static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.id()), path_, action));
    }

    void require_size(const std::string& action, std::size_t found, std::size_t expected) const {
        if (found != expected) {
            hdf5::fail(path_, action,
                       fmt::format("its size is {} instead of {}: the file is damaged", found, expected));
        }
    }

    // A count that was stored as a number.
    template <class Count>
    [[nodiscard]] Count count_of(double number, const char* what) const {
        if (!(number >= 0 && number <= most_count)) {
            hdf5::fail(path_, fmt::format("read {}", what),
                       fmt::format("{} is out of range: the file is damaged", number));
        }
        return static_cast<Count>(number);
    }

    [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
        const auto action = "read " + name;
        const auto data = checked(H5Dopen2(file_.id(), name.c_str(), H5P_DEFAULT), H5Dclose, path_, action);
        const auto count = size_of(data, action);
        if (count > 0 && H5Dget_storage_size(data.id()) == 0) {
            hdf5::fail(path_, action, "it was never written: the file is damaged");
        }
        std::vector<char*> pointers(count, nullptr);
        const auto type = hdf5::text_type(path_);
        if (count > 0) {
            checked(H5Dread(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), path_, action);
        }
        std::vector<std::string> result;
        for (char* const pointer : pointers) {
            result.emplace_back(pointer == nullptr ? "" : pointer);
            H5free_memory(pointer);
        }
        return result;
    }

    void read_settings(EnsembleSettings& settings) const {
        std::vector<std::pair<std::string, std::string>> overrides;
        for (const auto& line : lines_of(text("set"))) {
            const auto equals = line.find('=');
            overrides.emplace_back(line.substr(0, equals), line.substr(equals + 1));
        }
        settings.model = Model::parse(text("model_text"), text("model"), overrides);
        settings.method = text("method");
        settings.options.step = number<double>("step");
        settings.options.steps = count_of<std::int64_t>(number<double>("steps"), "the attribute 'steps'");
        settings.options.monitor = count_of<std::int64_t>(number<double>("monitor"), "the attribute 'monitor'");
        settings.options.every = count_of<std::int64_t>(number<double>("every"), "the attribute 'every'");
        settings.options.project = text("project") == "yes";
        settings.seed = number<std::uint64_t>("seed");
        settings.variations = lines_of(text("vary"));
    }

    void read_result(StoredEnsemble& stored) {
        auto& result = stored.result;
        const auto& settings = stored.settings;
        result.model = settings.model.name;
        result.method = settings.method;
        result.step = settings.options.step;
        result.steps = *settings.options.steps;
        result.monitor = settings.options.monitor;
        // Files of earlier versions have no attributes there.
        const auto group = checked(H5Gopen2(file_.id(), "/ensemble", H5P_DEFAULT), H5Gclose, path_, "open /ensemble");
        read_call(read_attributes(group.id(), path_), result);
        for (std::size_t k = 0; k < settings.model.dimension; ++k) {
            result.channels.push_back(settings.model.coordinate_name(k));
        }
        result.channels.emplace_back("energy_error");
        for (const auto& observable : settings.model.observables) {
            result.channels.push_back(observable.name);
        }
        read_outcomes(result, settings.model.dimension);
        read_values(result.values, result.trajectories.size());
        stored.settings.values = result.values;
        read_failures(result);
        read_statistics(result, settings.model.dimension);
    }

    void read_outcomes(EnsembleResult& result, std::size_t dimension) const {
        const auto status = texts("/ensemble/status");
        auto& all = result.trajectories;
        all.resize(status.size());
        for (const auto& [name, member] : outcome_numbers) {
            const auto path = std::string("/ensemble/") + name;
            if (H5Lexists(file_.id(), path.c_str(), H5P_DEFAULT) <= 0) {
                continue;  // of an earlier format
            }
            const auto column = numbers(path, all.size());
            for (std::size_t k = 0; k < all.size(); ++k) {
                all[k].*member = column[k];
            }
        }
        const auto steps = numbers("/ensemble/steps", all.size());
        const auto q = numbers("/ensemble/final/q", all.size() * dimension);
        const auto p = numbers("/ensemble/final/p", all.size() * dimension);
        for (std::size_t k = 0; k < all.size(); ++k) {
            all[k].status = status_named(status[k]);
            all[k].steps = count_of<std::int64_t>(steps[k], "the steps of a trajectory");
            const auto first = static_cast<std::ptrdiff_t>(k * dimension);
            const auto last = first + static_cast<std::ptrdiff_t>(dimension);
            all[k].q.assign(q.begin() + first, q.begin() + last);
            all[k].p.assign(p.begin() + first, p.begin() + last);
        }
    }

    // HDF5 sorts by name; what was varied first comes first in the list of variations, but values of a table have no
    // such list.
    void read_values(VariedValues& values, std::size_t count) const {
        const auto group = checked(H5Gopen2(file_.id(), "/ensemble/varied", H5P_DEFAULT), H5Gclose, path_, "read");
        H5G_info_t info;
        checked(H5Gget_info(group.id(), &info), path_, "read /ensemble/varied");
        std::vector<std::vector<double>> columns;
        for (hsize_t k = 0; k < info.nlinks; ++k) {
            std::vector<char> name(
                1 + static_cast<std::size_t>(checked(
                        H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k, nullptr, 0, H5P_DEFAULT),
                        path_, "read /ensemble/varied")));
            H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size(), H5P_DEFAULT);
            values.names.emplace_back(name.data());
            columns.push_back(numbers("/ensemble/varied/" + values.names.back(), count));
        }
        for (std::size_t k = 0; k < count; ++k) {
            for (const auto& column : columns) {
                values.values.push_back(column[k]);
            }
        }
    }

    void read_failures(EnsembleResult& result) const {
        const auto kind = texts("/ensemble/failures/kind"), message = texts("/ensemble/failures/message");
        require_size("read /ensemble/failures/message", message.size(), kind.size());
        const auto trajectory = numbers("/ensemble/failures/trajectory", kind.size());
        const auto step = numbers("/ensemble/failures/step", kind.size());
        const auto t = numbers("/ensemble/failures/t", kind.size());
        for (std::size_t k = 0; k < trajectory.size(); ++k) {
            result.trajectories.at(count_of<std::size_t>(trajectory[k], "the trajectory of a failure")).failure =
                RunFailure{count_of<std::int64_t>(step[k], "the step of a failure"), t[k], kind[k], message[k]};
        }
    }

    void read_statistics(EnsembleResult& result, std::size_t dimension) const {
        result.times = numbers("/statistics/time");
        const std::size_t nodes = result.times.size(), width = result.channels.size();
        const auto counts = numbers("/statistics/count", nodes);
        result.by_node.resize(nodes * width);
        const auto read_channels = [&](const std::string& group, std::size_t first, std::size_t number) {
            const auto each = [&](auto set) {
                for (std::size_t node = 0; node < nodes; ++node) {
                    for (std::size_t channel = 0; channel < number; ++channel) {
                        set(result.by_node[node * width + first + channel], node, channel);
                    }
                }
            };
            for (const auto& [name, member] : statistic_numbers) {
                const auto values = numbers(group + "/" + name, nodes * number);
                each([&, part = member](NodeStatistics& s, std::size_t node, std::size_t channel) {
                    s.*part = values[node * number + channel];
                });
            }
            const auto quantiles = numbers(group + "/quantiles", nodes * number * quantile_percents.size());
            each([&](NodeStatistics& s, std::size_t node, std::size_t channel) {
                s.count = count_of<std::size_t>(counts[node], "/statistics/count");
                for (std::size_t k = 0; k < s.quantiles.size(); ++k) {
                    s.quantiles[k] = quantiles[(node * s.quantiles.size() + k) * number + channel];
                }
            });
        };
        read_channels("/statistics/q", 0, dimension);
        read_channels("/statistics/energy_error", dimension, 1);
        for (std::size_t channel = dimension + 1; channel < width; ++channel) {
            read_channels("/statistics/observables/" + result.channels[channel], channel, 1);
        }
    }

    hdf5::Silence silence_;
    std::string path_;
    hdf5::Handle file_;
};

}  // namespace

StoredEnsemble read_ensemble(const std::string& path) {
    try {
        return Reader(path).read();
    } catch (const std::out_of_range&) {
        throw FileError(fmt::format("{}: the file is damaged; rerun the ensemble", path));
    } catch (const InputError& error) {
        throw FileError(fmt::format("{}: the model in the file cannot be read: {}", path, error.what()));
    }
}

StoredFrames read_ensemble_frames(const std::string& path) { return Reader(path).frames(); }

bool is_ensemble_file(const std::string& path) {
    const hdf5::Silence silence;
    if (H5Fis_hdf5(path.c_str()) <= 0) {
        return false;
    }
    const auto access = hdf5::file_access(path);
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    return file && H5Aexists(file.id(), "format") > 0 &&
           hdf5::read_attribute(file.id(), "format", path).starts_with(ensemble_format);
}

}  // namespace libration
