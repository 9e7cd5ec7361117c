// The request for an ensemble: all that a run and an ensemble have in common, and what differs between its
// trajectories.
#pragma once

#include "run_fields.hpp"

namespace libration {

struct EnsembleRequest : RunRequest {
    std::optional<std::int64_t> count, seed, threads;
    std::vector<std::string> vary;
    std::optional<std::string> from;
    bool trajectories = false;
};

// The fields of a run that ensembles take, and these; where the names agree, these.
inline constexpr std::array own_ensemble_fields{
    RequestField<EnsembleRequest>{
        .name = "count", .member = &EnsembleRequest::count, .value = "N", .help = "number of trajectories", .least = 1},
    RequestField<EnsembleRequest>{
        "vary", &EnsembleRequest::vary, "VARIATION",
        "a parameter or an initial value (x1, p_x1, v_x1) and its distribution: \"NAME = uniform(a, b)\", "
        "normal(mean, sd), log_uniform(a, b) or linspace(a, b); may be repeated"},
    RequestField<EnsembleRequest>{
        "from", &EnsembleRequest::from, "FILE.csv",
        "table of values, instead of `vary`: names in the first line, then one trajectory per line", use::command},
    RequestField<EnsembleRequest>{.name = "seed",
                                  .member = &EnsembleRequest::seed,
                                  .value = "S",
                                  .help = "random seed of the distributions",
                                  .fallback = "0",
                                  .least = 0},
    RequestField<EnsembleRequest>{"monitor", &EnsembleRequest::monitor, "K",
                                  "monitor energy, constraint residuals and statistics every K steps (default: a "
                                  "hundredth of the run; 0: only at start and end)"},
    RequestField<EnsembleRequest>{"out", &EnsembleRequest::out, "FILE.h5", "write results and statistics"},
    RequestField<EnsembleRequest>{"trajectories", &EnsembleRequest::trajectories, "",
                                  "with `out`: also record all trajectories"},
    RequestField<EnsembleRequest>{"every", &EnsembleRequest::every, "K", "with `trajectories`: record every K-th step",
                                  use::both, "1"},
    RequestField<EnsembleRequest>{"resume", &EnsembleRequest::resume, "FILE.h5",
                                  "continue an ensemble that was stopped or killed", use::command | use::beside_resume},
    RequestField<EnsembleRequest>{.name = "threads",
                                  .member = &EnsembleRequest::threads,
                                  .value = "K",
                                  .help = "number of threads (default: one per core)",
                                  .uses = use::both | use::beside_resume,
                                  .least = 1,
                                  .most = 1024},
};

// All of them, those of the run first.
std::span<const RequestField<EnsembleRequest>> ensemble_fields();

}  // namespace libration
