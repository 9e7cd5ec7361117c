// What it takes to stop a run in the middle and to go on from its checkpoint.
#pragma once

#include <libration/integrate/integrate.hpp>
#include <libration/io/json.hpp>

#include <cstddef>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace libration {

struct LastCheckpoint final : CheckpointSink {
    void save(std::span<const std::byte> memory, const Run&) override { bytes.assign(memory.begin(), memory.end()); }
    std::vector<std::byte> bytes;
};

// Requests a stop when it has seen this many samples.
struct StopAt final : Observer {
    explicit StopAt(std::int64_t at) : step(at) {}
    void see(const Sample& sample) override {
        if (sample.step >= step) {
            stop.request();
        }
    }
    std::int64_t step;
    StopSignal stop;
};

// What the monitors measured, which JSON does not show in full.
inline std::string monitored(const Run& run) {
    std::ostringstream text;
    text << std::hexfloat << "kinetic " << run.energy_scale.kinetic << ", potential " << run.energy_scale.potential_low
         << " to " << run.energy_scale.potential_high << ", turn " << run.turn << ", every "
         << run.energy_history.stride << ":";
    for (std::size_t k = 0; k < run.energy_history.t.size(); ++k) {
        text << ' ' << run.energy_history.t[k] << ' ' << run.energy_history.error[k];
    }
    return text.str();
}

// All of a result that must be the same, to the bit.
inline std::string without_times(Run run) {
    run.seconds = 0;
    run.setup_seconds = 0;
    return json_of(run, true) + monitored(run);
}

}  // namespace libration
