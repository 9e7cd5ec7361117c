// Results of the laboratory as named values: the one description that JSON and Python are made of.
#pragma once

#include <libration/analysis/certify.hpp>
#include <libration/analysis/check.hpp>
#include <libration/analysis/compare.hpp>
#include <libration/result/record.hpp>

namespace libration {

Record record_of(const ModelCheck& check);
Record record_of(const Certificate& certificate);
Record record_of(const Comparison& comparison);

}  // namespace libration
