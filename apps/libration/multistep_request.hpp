// What `libration multistep` is asked.
#pragma once

#include "commands.hpp"

namespace libration::app {

struct MultistepRequest {
    std::string k;
    std::vector<std::string> a;
    std::optional<std::string> beta, region, watch;
    std::optional<double> step, duration;  // of the watched run
    std::optional<std::int64_t> steps;
    std::vector<std::string> set;
    bool search = false, overwrite = false, json = false;
};

int watch_multistep(const MultistepRequest& request, const std::string& spec);

}  // namespace libration::app
