// The integrator in one include: models, methods, runs, ensembles, files. The analysis library has its own headers.
#pragma once

#include <libration/choose/choose.hpp>
#include <libration/ensemble/ensemble.hpp>
#include <libration/expression/differentiate.hpp>
#include <libration/expression/expression.hpp>
#include <libration/expression/latex.hpp>
#include <libration/expression/parse.hpp>
#include <libration/gradient/gradient.hpp>
#include <libration/integrate/drift.hpp>
#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/integrate/trajectory.hpp>
#include <libration/io/csv.hpp>
#include <libration/io/json.hpp>
#include <libration/io/read_ensemble.hpp>
#include <libration/io/read_trajectory.hpp>
#include <libration/io/trajectory_recorder.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/model.hpp>
#include <libration/model/to_text.hpp>
#include <libration/text/error.hpp>
#include <libration/version.hpp>
