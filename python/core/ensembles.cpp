// libration._core.ensemble: many trajectories, and what they leave as arrays that share the memory of the result.
#include "arrays.hpp"
#include "bindings.hpp"
#include "choices.hpp"
#include "ensemble_arrays.hpp"
#include "file_mark.hpp"
#include "gil.hpp"
#include "patience.hpp"
#include "recording.hpp"
#include "records.hpp"
#include "requests.hpp"

#include "ensemble/ensemble_record.hpp"
#include "io/execute.hpp"
#include <libration/io/read_ensemble.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace libration::python {

namespace py = pybind11;

namespace {

using SharedEnsemble = std::shared_ptr<Ensemble>;

// Frames in memory, for ensembles without a file.
class FrameKeeper final : public EnsembleSink {
  public:
    explicit FrameKeeper(const EnsembleSettings& settings) : dimension_(settings.model.dimension) {
        for (const auto n : node_numbers(*settings.options.steps, settings.options.every)) {
            frames.times.push_back(settings.options.start_time + static_cast<double>(n) * settings.options.step);
        }
        const auto numbers = settings.values.count() * frames.times.size() * dimension_;
        const auto needed = 2.0 * static_cast<double>(numbers) * sizeof(double);
        if (const auto there = static_cast<double>(physical_memory()); needed > there / 2) {
            throw InputError(
                fmt::format("the trajectories need {:.3g} GiB of the {:.3g} GiB of memory; record less often "
                            "(a larger `every`), or give `out = FILE.h5`",
                            needed / (1 << 30), there / (1 << 30)));
        }
        frames.q.assign(numbers, std::numeric_limits<double>::quiet_NaN());
        frames.p = frames.q;
    }

    void finished(const BatchRecord& batch) override {
        for (std::size_t k = 0; k < batch.trajectories.size(); ++k) {
            const auto& rows = batch.trajectories[k].frames;
            auto at = (batch.batch * trajectories_a_batch + k) * frames.times.size() * dimension_;
            for (std::size_t row = 0; row < rows.rows(); ++row) {
                for (std::size_t j = 0; j < dimension_; ++j, ++at) {
                    frames.q[at] = rows.numbers[row * rows.width + j];
                    frames.p[at] = rows.numbers[row * rows.width + dimension_ + j];
                }
            }
        }
    }

    StoredFrames frames;

  private:
    std::size_t dimension_;
};

// The last progress, from the threads that compute to the one that holds the GIL.
class ProgressBox {
  public:
    void put(const EnsembleProgress& progress) {
        const std::lock_guard lock(mutex_);
        last_ = progress;
        fresh_ = true;
    }
    void tell(const py::object& callback) {
        EnsembleProgress progress;
        {
            const std::lock_guard lock(mutex_);
            if (!fresh_) {
                return;
            }
            fresh_ = false;
            progress = last_;
        }
        py::dict news;
        news["done"] = progress.done;
        news["total"] = progress.total;
        news["restored"] = progress.restored;
        news["steps"] = progress.steps;
        news["seconds"] = progress.seconds;
        news["noun"] = "trajectories";
        callback(news);
    }

  private:
    std::mutex mutex_;
    EnsembleProgress last_;
    bool fresh_ = false;
};

SharedEnsemble compute(const EnsembleSettings& settings, const EnsembleRequest& request, EnsembleJournal* journal,
                       const py::object& progress) {
    const Work whole;
    auto ensemble = std::make_shared<Ensemble>();
    ensemble->settings = settings;
    std::optional<FrameKeeper> keeper;
    if (journal == nullptr && settings.trajectories) {
        keeper.emplace(settings);
    }
    ProgressBox box;
    StopSignal stop;
    const EnsembleAttachments attachments{.journal = journal,
                                          .sink = keeper ? &*keeper : nullptr,
                                          .progress = [&](const EnsembleProgress& now) { box.put(now); }};
    ensemble->interrupted =
        work_patiently([&] { ensemble->result = execute(settings, request, stop, attachments); }, stop,
                       [&] {
                           if (!progress.is_none()) {
                               box.tell(progress);
                           }
                       });
    if (journal != nullptr && ensemble->result.complete) {
        journal->complete(ensemble->result);  // HDF5: with the GIL
        ensemble->path = absolute_path(request.resume ? *request.resume : *request.out);
        ensemble->mark = mark_of(ensemble->path);
    } else if (keeper) {
        ensemble->frames = std::make_shared<StoredFrames>(std::move(keeper->frames));
    }
    if (ensemble->result.complete) {
        ensemble->gather();
    }
    return ensemble;
}

SharedEnsemble start_ensemble(const Model& model, const EnsembleRequest& request,
                              const std::optional<GivenValues>& values, const py::object& progress) {
    EnsembleSettings settings;
    StopSignal stop;
    choose_patiently([&] { settings = resolve_ensemble(model, request, values, {.stop = &stop}); }, stop);
    if (!request.out) {
        return compute(settings, request, nullptr, progress);
    }
    check_ensemble(settings.model, method(settings.method, request.force ? Doubts::accept : Doubts::refuse),
                   settings.options, ensemble_options(settings, request));
    auto journal = EnsembleJournal::create(*request.out, settings, request.overwrite);
    return compute(settings, request, &journal, progress);
}

SharedEnsemble resume_ensemble(EnsembleRequest request, const std::string& path, const py::object& progress) {
    request.resume = path;
    check_resumed_ensemble(request);
    auto journal = EnsembleJournal::open(path);
    const auto settings = journal.settings();
    return compute(settings, request, &journal, progress);
}

SharedEnsemble open(const std::string& path) {
    const auto whole_path = absolute_path(path);
    const auto mark = mark_of(whole_path);  // before it is read: a change meanwhile is a change
    auto stored = read_ensemble(path);
    auto ensemble = std::make_shared<Ensemble>();
    ensemble->settings = std::move(stored.settings);
    ensemble->result = std::move(stored.result);
    ensemble->path = whole_path;
    ensemble->mark = mark;
    ensemble->gather();
    return ensemble;
}

// The frames of one batch, as the sink of the file takes them.
BatchRecord batch_of(const StoredFrames& frames, std::size_t batch, std::size_t count, std::size_t dimension) {
    BatchRecord record{batch, {}};
    const std::size_t nodes = frames.times.size();
    for (std::size_t k = batch * trajectories_a_batch; k < std::min(count, (batch + 1) * trajectories_a_batch); ++k) {
        auto& rows = record.trajectories.emplace_back().frames;
        rows.width = 2 * dimension;
        for (std::size_t row = k * nodes; row < (k + 1) * nodes && !std::isnan(frames.q[row * dimension]); ++row) {
            for (const auto* part : {&frames.q, &frames.p}) {
                const auto first = part->begin() + static_cast<std::ptrdiff_t>(row * dimension);
                rows.numbers.insert(rows.numbers.end(), first, first + static_cast<std::ptrdiff_t>(dimension));
            }
        }
    }
    return record;
}

void save(Ensemble& ensemble, const std::string& path, bool overwrite) {
    check_word("out", "FILE.h5", path);
    if (ensemble.settings.trajectories) {
        ensemble.load_frames();
    }
    auto journal = EnsembleJournal::create(path, ensemble.settings, overwrite);
    try {
        const std::size_t count = ensemble.result.trajectories.size();
        for (std::size_t batch = 0; ensemble.frames && batch * trajectories_a_batch < count; ++batch) {
            journal.finished(batch_of(*ensemble.frames, batch, count, ensemble.settings.model.dimension));
        }
        journal.complete(ensemble.result);
    } catch (...) {
        journal.discard();
        throw;
    }
}

void require_table(const std::vector<std::string>& names, const std::optional<GivenNumbers>& values) {
    if (!values && !names.empty()) {
        throw InputError("names are given without a table of values");
    }
    if (values && (values->shape().size() != 2 || values->shape()[1] != signed_size(names.size()))) {
        throw InputError(fmt::format("a table of values has one row per member and one column per name; {} names are "
                                     "given for {} numbers",
                                     names.size(), values->values().size()));
    }
}

std::optional<GivenValues> values_of(const std::vector<std::string>& names, const py::object& given) {
    std::optional<GivenNumbers> values;
    if (!given.is_none()) {
        values = real_numbers(given);
    }
    require_table(names, values);
    if (!values) {
        return std::nullopt;
    }
    return GivenValues{{names, {values->values().begin(), values->values().end()}}, "the table of values"};
}

}  // namespace

void bind_ensembles(py::module_& m) {
    py::class_<Ensemble, SharedEnsemble> type(m, "EnsembleResult", "The trajectories of an ensemble.");
    only_from_functions(type);
    type.def_property_readonly("model", [](const Ensemble& e) { return std::make_shared<Model>(e.settings.model); })
        .def_property_readonly("names", [](const Ensemble& e) { return e.result.values.names; })
        .def_property_readonly("channels", [](const Ensemble& e) { return e.result.channels; })
        .def_property_readonly("warnings", [](const Ensemble& e) { return e.result.warnings; })
        .def_property_readonly("complete", [](const Ensemble& e) { return e.result.complete; })
        .def_readonly("interrupted", &Ensemble::interrupted)
        .def_readonly("path", &Ensemble::path)
        .def_property_readonly(
            "summary",
            [](const Ensemble& e) { return dict_of(record_of(e.result, std::numeric_limits<std::size_t>::max())); })
        .def("save", &save, py::arg("path"), py::arg("overwrite") = false)
        .def("columns", [](Ensemble& e) { return ensemble_columns(e.shared_from_this()); })
        .def("frames", [](Ensemble& e) { return ensemble_frames(e.shared_from_this()); });
    m.attr("quantile_percents") = py::cast(std::vector<int>(quantile_percents.begin(), quantile_percents.end()));
    m.def(
        "ensemble",
        [](const Model& model, const py::dict& options, const std::vector<std::string>& names, const py::object& values,
           const py::object& progress) {
            return start_ensemble(model, request_of<EnsembleRequest>(options, ensemble_fields()),
                                  values_of(names, values), progress);
        },
        py::arg("model"), py::arg("options"), py::arg("names"), py::arg("values"), py::kw_only(),
        py::arg("progress") = py::none());
    m.def(
        "resume_ensemble",
        [](const std::string& path, const py::dict& options, const py::object& progress) {
            return resume_ensemble(request_of<EnsembleRequest>(options, ensemble_fields()), path, progress);
        },
        py::arg("path"), py::arg("options"), py::arg("progress") = py::none());
    m.def("open_ensemble", &open, py::arg("path"));
    m.def("is_ensemble_file", &is_ensemble_file, py::arg("path"));
}

}  // namespace libration::python
