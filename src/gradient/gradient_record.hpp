// A gradient as named values, and as what a request asks for.
#pragma once

#include "request/gradient_request.hpp"
#include <libration/gradient/gradient.hpp>
#include <libration/result/record.hpp>

namespace libration {

Record record_of(const Gradient& gradient);

// As every face computes it: what is missing in the request comes from [run] of the model. Nothing: it was stopped.
// `data`: a table in place of the file that the request names.
std::optional<Gradient> gradient_of(const Model& model, const GradientRequest& request, StopSignal& stop,
                                    std::optional<Measurements> data = std::nullopt);
std::optional<Jacobian> jacobian_of(const Model& model, const GradientRequest& request, StopSignal& stop,
                                    std::optional<Measurements> data = std::nullopt);

}  // namespace libration
