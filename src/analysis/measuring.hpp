// The parts of a measurement, each in a file of its own.
#pragma once

#include "walk.hpp"

#include <libration/analysis/measurement.hpp>

namespace libration {

// What all parts share: step and duration are set.
struct Subject {
    const Method* method;
    const Model* model;
    CertifyOptions options;
    StartKick kick;
    SystemProperties properties;
};

void measure_orders(const Subject& subject, Measurement& result);         // order_ladder.cpp
void measure_symmetry(const Subject& subject, Measurement& result);       // structure.cpp
void measure_symplecticity(const Subject& subject, Measurement& result);  // structure.cpp
void measure_volume(const Subject& subject, Measurement& result);         // volume.cpp
void measure_long_run(const Subject& subject, Measurement& result);       // long_run.cpp

// How much n steps enlarge a disturbance, in q and in p, each relative to its own size; nothing if they fail.
struct TangentGrowth {
    double q = 1, p = 1;
    double defect = 0;  // of the symplectic form, relative to the sizes of the tangents at the end
};
std::optional<TangentGrowth> tangent_growth(const Subject& subject, double h, std::int64_t steps, std::string& failure);

}  // namespace libration
