// The parts of a measurement, each in a file of its own.
#pragma once

#include "walk.hpp"

#include <libration/analysis/measurement.hpp>
#include <libration/kit/method_record.hpp>

namespace libration {

// What all parts share: step and duration are set.
struct Subject {
    const Method* method;
    const Model* model;
    CertifyOptions options;
    StartKick kick;
    SystemProperties properties;
    double rate = 0;  // of the fastest motion: the largest eigenvalue of the field's derivative along the window
    bool kinks = false;
    // How far q and p move, as a part of their size; errors are small while they are small against this.
    double q_extent = 1, p_extent = 1;
};

// If a method fails, that says something about it only if the motion is smooth and the step small for the fastest
// motion.
inline bool resolves(const Subject& subject, double h) { return h * subject.rate < 0.05 && !subject.kinks; }
// Oscillations are followed: 2 is the limit of the leapfrog. Order 2s takes s stages at least, which share the step.
inline bool follows(const Subject& subject, double h, int order) {
    return h * subject.rate < std::max(2.0, order / 2.0);
}

// The equations of motion near the start.
struct FieldSlope {
    bool linear = false, flat_constraints = false;
};
FieldSlope field_slope(const Subject& subject);                                              // field_slope.cpp
double fastest_rate(const Subject& subject, const std::vector<StartState<double>>& states);  // field_slope.cpp
void choose_window(Subject& subject, Measurement& result);                                   // window.cpp

void measure_orders(const Subject& subject, Measurement& result);         // order_ladder.cpp
void measure_symmetry(const Subject& subject, Measurement& result);       // structure.cpp
void measure_symplecticity(const Subject& subject, Measurement& result);  // structure.cpp
void measure_gradient(const Subject& subject, Measurement& result);       // gradient_error.cpp
void measure_volume(const Subject& subject, Measurement& result);         // volume.cpp
void measure_long_run(const Subject& subject, Measurement& result);       // long_run.cpp

// How much n steps enlarge a disturbance, in q and in p, each relative to its own size; nothing if they fail.
struct TangentGrowth {
    double q = 1, p = 1;
    double defect = 0;  // of the symplectic form, relative to the sizes of the tangents at the end
};
// The error of this many steps, relative to q and p, in double; 0 if they fail.
double visible_error(const Subject& subject, double h, std::int64_t steps);
std::optional<TangentGrowth> tangent_growth(const Subject& subject, double h, std::int64_t steps, std::string& failure);

// A user-defined method may lack some scalars.
template <class S>
bool can_be_made(const Method& method) {
    return std::get<Factory<S>>(method.record().factories) != nullptr ||
           std::get<MapFactory<S>>(method.record().maps) != nullptr;
}

}  // namespace libration
