// A gradient as named values, and as what a request asks for.
#pragma once

#include "request/gradient_request.hpp"
#include <libration/gradient/gradient.hpp>
#include <libration/result/record.hpp>

namespace libration {

Record record_of(const Gradient& gradient);

// As every face computes it: what is missing in the request comes from [run] of the model. Nothing: it was stopped.
std::optional<Gradient> gradient_of(const Model& model, const GradientRequest& request, const StopSignal& stop);

}  // namespace libration
