// The whole library in one include.
#pragma once

#include <libration/analysis/certify.hpp>
#include <libration/analysis/compare.hpp>
#include <libration/codegen/machine_code.hpp>
#include <libration/codegen/traced_program.hpp>
#include <libration/ensemble/ensemble.hpp>
#include <libration/expression/differentiate.hpp>
#include <libration/expression/expression.hpp>
#include <libration/expression/parse.hpp>
#include <libration/integrate/dense_output.hpp>
#include <libration/integrate/events.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/integrate/output_times.hpp>
#include <libration/integrate/start.hpp>
#include <libration/io/trajectory_file.hpp>
#include <libration/manifold/manifold.hpp>
#include <libration/manifold/rank.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/model.hpp>
#include <libration/plot/figure.hpp>
#include <libration/plot/work_precision.hpp>
#include <libration/system/term_system.hpp>
#include <libration/text/error.hpp>
#include <libration/version.hpp>
