// What it takes to stop a run in the middle and to go on from its checkpoint.
#pragma once

#include <libration/integrate/integrate.hpp>
#include <libration/io/json.hpp>

#include <cstddef>
#include <span>
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

// All of a result that must be the same, to the bit.
inline std::string without_times(Run run) {
    run.seconds = 0;
    run.setup_seconds = 0;
    return json_of(run, true);
}

}  // namespace libration
