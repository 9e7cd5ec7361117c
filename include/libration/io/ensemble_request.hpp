// From what a user asks for to the settings of an ensemble, with defaults from [run] of the model.
#pragma once

#include <libration/integrate/run_defaults.hpp>
#include <libration/io/ensemble_file.hpp>

namespace libration {

struct EnsembleRequest {
    GivenRun given;
    bool project = false, trajectories = false;
    std::optional<std::int64_t> every;    // of recorded trajectories; nothing: all nodes
    std::optional<std::int64_t> monitor;  // of statistics; nothing: at about a hundred times
    std::vector<std::string> variations;  // as read_variation takes them, drawn `count` times
    std::optional<std::int64_t> count, seed;
    std::optional<VariedValues> values;  // instead of, or besides, variations: the numbers themselves
    std::string values_source;           // where they came from, for messages
};

// InputError where something is missing, makes no sense, or depends on what is varied although all trajectories must have it in
// common.
EnsembleSettings ensemble_settings(Model model, const EnsembleRequest& request);

// InputError unless the name ends in .h5.
void check_ensemble_name(const std::string& out);

}  // namespace libration
