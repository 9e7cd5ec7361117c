// `libration compare`: work-precision data. Every method with every step over the same time, against one reference.
//
//     auto comparison = compare(Model::load("double-pendulum"), {.methods = {method("rattle"), method("lobatto(3)")}});
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <functional>
#include <limits>

namespace libration {

struct CompareProgress {
    std::size_t done = 0, total = 0;  // runs; the reference counts as one
    std::string running;              // "rattle, step 0.01"
    double fraction = 0;              // of the work, as it was estimated
    double seconds = 0;
};

struct CompareOptions {
    std::vector<Method> methods;  // empty: default_methods
    // Each must divide the duration. Empty: 8, 4, 2, 1 and 1/2 times the step of the model (a 400th of the duration if
    // it has none), stretched a little where that is needed to divide the duration.
    std::vector<double> steps;
    // 0: that of the model, or as much of it as a few seconds of work allow. Without one in the model 400 of its steps,
    // or fifty of the largest steps given.
    double duration = 0;
    bool project = false;  // from the projected initial values, as a run with `project`
    std::function<void(const CompareProgress&)> progress = {};
};

// One method with one step. Errors are those at Comparison::compared_at, relative to the largest q, p and lambda of the
// reference, and not a number where there is nothing to measure.
struct CompareRow {
    std::string method;
    double step = 0;
    std::int64_t steps = 0;
    double error_q = 0, error_p = 0, error_lambda = 0;
    double energy_error = 0;  // maximum along the run, absolute
    EvaluationCounts evaluations;
    double seconds = 0;  // of the steps alone; the median of three runs where one takes less than 0.02 s with its setup
    std::optional<RunFailure> failure;
    // The larger of the errors of q and p.
    [[nodiscard]] double error() const;
};

struct CompareReference {
    std::string method;
    std::int64_t steps = 0;
    bool quadruple = false;  // precision; otherwise double
    // By how much half as many steps change it; not a number if there is no reference.
    double accuracy = std::numeric_limits<double>::quiet_NaN();
};

struct Comparison {
    std::string model;
    double duration = 0;
    std::optional<double> shortened_from;  // the duration of the model, where it would have taken too long
    bool constrained = false;
    std::optional<StartChange> start;  // of a projected start
    CompareReference reference;
    // Of chaotic motions, the last time at which two runs of the reference agree at all: no positions can be compared
    // later. Nothing: they agree to the end.
    std::optional<double> horizon;
    // The time of all errors but that of the energy: the end, or the last node of all runs at which a chaotic motion is
    // known well. Nothing: there is no reference.
    std::optional<double> compared_at;
    std::vector<CompareRow> rows;  // method by method, from the largest step to the smallest
    bool complete = false;         // false: a stop was requested, and rows are missing
};

// Throws an InputError if a method cannot run the model (before anything runs), a step does not divide the duration, or
// the model is invalid. A run that fails is a row.
Comparison compare(const Model& model, const CompareOptions& options = {});

// Up to four methods of different order that can run such a model.
std::vector<Method> default_methods(const SystemProperties& properties, std::size_t constraints);

// "rattle, compose(rattle, kahanli8)" has two items: commas inside parentheses do not separate. Throws an InputError
// for an empty item.
std::vector<std::string> split_methods(std::string_view text);

}  // namespace libration
