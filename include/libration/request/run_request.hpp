// The request for a run, from any source: the command line, Python, [run] of a model, a file that is resumed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// Each member has a line in the table of src/request/run_fields.hpp.
struct RunRequest {
    std::string model;
    std::optional<std::string> method;
    std::optional<double> step, duration;
    std::optional<std::int64_t> steps;
    std::optional<double> error, energy_error;
    std::vector<std::string> set;
    std::optional<std::string> out;
    std::optional<std::int64_t> every, monitor;
    std::optional<std::string> resume, stop_if, adaptive, estimator, at, events_out, backend;
    std::optional<double> tol;
    std::vector<std::string> events;
    std::optional<std::string> time_limit;
    bool project = false, force = false, overwrite = false, strict = false, json = false, full = false, quiet = false;
};

}  // namespace libration
