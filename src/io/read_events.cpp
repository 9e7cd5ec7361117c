// Rows of /events.
#include <libration/io/trajectory_recorder.hpp>

#include "integrate/run_record.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

// Of names; the run has saved them before anything happened.
std::size_t number_of_events(const TrajectoryFile& file) {
    return file.summary() ? run_of(*file.summary()).events.size() : 0;
}

}  // namespace

EventRecorder read_events(const TrajectoryFile& file, std::size_t most_numbers) {
    EventRecorder recorder(most_numbers);
    const auto names = number_of_events(file);
    if (!file.keeps_events() || names == 0) {
        return recorder;
    }
    const auto count = static_cast<std::size_t>(file.events());
    const auto read = [&](const std::string& name, std::size_t width) {
        auto values = file.read("/events/" + name);
        if (values.size() != count * width) {
            throw FileError(
                fmt::format("/events/{} has {} numbers instead of {} rows of {}; the file is damaged or was "
                            "changed: take a whole copy",
                            name, values.size(), count, width));
        }
        return values;
    };
    const auto n = file.dimension(), m = file.constraints();
    const auto event = read("event", 1), rising = read("rising", 1), step = read("step", 1), t = read("t", 1),
               energy = read("energy", 1), constraint = read("constraint", 1), hidden = read("hidden", 1);
    const auto q = read("q", n), p = read("p", n), v = read("v", n), lambda = read("lambda", m);
    const auto row_of = [](const std::vector<double>& flat, std::size_t row, std::size_t width) {
        return std::span(flat).subspan(row * width, width);
    };
    for (std::size_t row = 0; row < count && recorder.complete; ++row) {
        // Cells that a kill left unwritten.
        if (event[row] < 0 || std::isnan(t[row])) {
            break;
        }
        if (event[row] >= static_cast<double>(names)) {
            throw FileError(
                fmt::format("/events/event has the number {} in row {}, and the run has {} events; the file "
                            "is damaged: take a whole copy",
                            event[row], row, names));
        }
        recorder.happen(static_cast<std::size_t>(event[row]), rising[row] > 0,
                        {static_cast<std::int64_t>(step[row]),
                         t[row],
                         row_of(q, row, n),
                         row_of(p, row, n),
                         row_of(v, row, n),
                         row_of(lambda, row, m),
                         {},
                         energy[row],
                         constraint[row],
                         hidden[row]});
    }
    return recorder;
}

}  // namespace libration
