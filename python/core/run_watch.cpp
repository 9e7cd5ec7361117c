// The way from the loop to Python and back.
#include "run_watch.hpp"

#include "arrays.hpp"

#include <pybind11/stl.h>

#include <fmt/format.h>

#include <algorithm>

namespace libration::python {

namespace py = pybind11;

RunWatch::RunWatch(const Model& model, Functions functions, std::size_t most_bytes)
    : recording(
          std::make_shared<Recording>(StateSizes{model.dimension, model.multipliers(), model.observables.size()})),
      functions_(std::move(functions)), most_bytes_(most_bytes), most_rows_(most_bytes / recording->row_bytes()) {
    for (const auto& observable : model.observables) {
        observable_names_.emplace_back(observable.name);
    }
}

void RunWatch::write_to(TrajectoryFile file, RunLength length, KeptMemory memory) {
    rows_in_file_ = memory.rows;
    events_ = memory.events;
    memory_ = std::move(memory);
    file_.emplace(std::move(file), length);
    constexpr std::size_t block_bytes = std::size_t{4} << 20;
    block_rows_ = std::clamp<std::size_t>(block_bytes / recording->row_bytes(), 1, 1024);
}

void RunWatch::attach_to(Integration& integration) {
    using Look = Integration::Look;
    integration.observe(*this, recording->is_lazy() ? Look::states : Look::everything);
    if (file_) {
        integration.checkpoint_to(*this);
    } else {
        integration.checkpoint_to(*this, 1e300);  // at the end only
    }
    integration.report_progress([this](const Progress& progress) { report(progress); });
    integration.stop_on(stop_);
}

void RunWatch::see(const Sample& sample) {
    if (ended_) {
        return;
    }
    recording->see(sample);
    if (file_ && recording->rows() >= block_rows_) {
        flush();
    } else if (!file_ && recording->rows() > most_rows_) {
        full_ = true;
        stop_.request();
    }
    if (!functions_.callback.is_none() && !error_) {
        ask(sample);
    }
}

void RunWatch::happen(std::size_t event, bool rising, const Sample& sample) {
    ++events_;
    if (!file_) {
        return;
    }
    events_to_write_.happen(event, rising, sample);
    if (events_to_write_.states.size() >= block_rows_) {
        flush();
    }
}

void RunWatch::flush() {
    const HoldGil gil;
    for (const auto& state : events_to_write_.states) {
        file_->happen(state.event, state.rising, state.sample());
    }
    events_to_write_.states.clear();
    for (std::size_t row = 0; row < recording->rows(); ++row) {
        file_->see(recording->sample(row));
    }
    rows_in_file_ += recording->rows();
    recording->clear();
}

void RunWatch::save(std::span<const std::byte> memory, const Run& so_far) {
    memory_.bytes.assign(memory.begin(), memory.end());
    memory_.rows = rows_in_file_ + recording->rows();
    memory_.events = events_;
    if (!file_) {
        return;
    }
    flush();
    const HoldGil gil;
    file_->save(memory, so_far);
}

void RunWatch::fail(py::error_already_set& error) {
    error_.emplace(std::move(error));
    stop_.request();
}

void RunWatch::ask(const Sample& sample) {
    const HoldGil gil;
    try {
        State state{.step = sample.step,
                    .t = sample.t,
                    .q = copied_array(sample.q),
                    .p = copied_array(sample.p),
                    .v = copied_array(sample.v),
                    .lambda = copied_array(sample.lambda),
                    .energy = sample.energy,
                    .constraint = sample.constraint,
                    .hidden = sample.hidden,
                    .observables = {}};
        for (std::size_t k = 0; k < observable_names_.size(); ++k) {
            state.observables[observable_names_[k]] = sample.observables[k];
        }
        const py::object answer = functions_.callback(std::move(state));
        if (PyErr_CheckSignals() != 0) {
            throw py::error_already_set();
        }
        ended_ = !answer.is_none() && py::bool_(answer);
        if (ended_) {
            stop_.request();
        }
    } catch (py::error_already_set& error) {
        ended_ = true;
        fail(error);
    }
}

// Signals reach the main thread only; in others there is nothing to be found.
void RunWatch::report(const Progress& progress) {
    if (python_is_leaving()) {
        stop_.request();
    }
    if (error_) {
        return;
    }
    const HoldGil gil;
    try {
        if (PyErr_CheckSignals() != 0) {
            throw py::error_already_set();
        }
        if (!functions_.progress.is_none()) {
            py::dict words;
            words["done"] = progress.done;
            words["total"] = progress.total;
            words["restored"] = progress.restored;
            words["seconds"] = progress.seconds;
            words["fraction"] = progress.fraction;
            functions_.progress(words);
        }
    } catch (py::error_already_set& error) {
        fail(error);
    }
}

void RunWatch::finish(RunResult& result) {
    auto& run = *result.run;
    if (full_) {
        run.warnings.push_back(fmt::format("the run was stopped at t = {}: its states use {:.1f} GiB of memory; give "
                                           "`every = K` or `out = FILE.h5`",
                                           run.t, static_cast<double>(most_bytes_) / (1 << 30)));
    }
    if (file_) {
        flush();
        file_->finish(run);
        file_.reset();
        result.mark = mark_of(result.path);
    } else {
        recording->trim();
        result.recording = recording;
    }
    result.memory = std::move(memory_);
    if (error_) {
        if (!error_->matches(PyExc_KeyboardInterrupt)) {
            throw std::move(*error_);
        }
        result.interrupted = true;
    }
}

void RunWatch::break_off(RunResult& result) {
    result.broken_off = true;
    result.run.reset();
    result.status = to_string(RunStatus::stopped);
    result.memory = std::move(memory_);
    if (!file_) {
        recording->trim();
        result.recording = recording;
        return;
    }
    try {
        flush();
        file_->finish(RunStatus::stopped);
    } catch (const std::exception&) {
        // What the run has thrown says more.
    }
    file_.reset();
    result.mark = mark_of(result.path);
    result.take_summary();
}

}  // namespace libration::python
