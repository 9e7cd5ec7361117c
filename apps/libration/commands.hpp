// The commands: options in, exit status out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace libration::app {

enum ExitStatus { success = 0, numerical_failure = 1, bad_usage = 2, file_failure = 3 };

struct RunArguments {
    std::string model;
    std::optional<std::string> method;
    std::optional<double> step, duration;
    std::optional<std::int64_t> steps;
    std::vector<std::string> assignments;
    std::optional<std::string> out, resume, stop_if, adaptive, estimator, at, events_out, backend;
    std::optional<double> tolerance;
    std::vector<std::string> events;
    std::optional<std::int64_t> every, monitor;
    bool project = false, overwrite = false, json = false, full = false, quiet = false, force = false;
};

struct EnsembleArguments {
    std::string model;
    std::optional<std::string> method, from, out, resume, backend;
    std::optional<double> step, duration;
    std::optional<std::int64_t> steps, count, seed, threads, every, monitor;
    std::vector<std::string> assignments, variations;
    bool project = false, trajectories = false, overwrite = false, json = false, full = false, quiet = false;
    bool force = false;
};

struct CertifyArguments {
    std::string method, model;
    std::optional<double> step, duration;
    std::vector<std::string> assignments;
    bool all = false, markdown = false, json = false, force = false;
};

struct CompareArguments {
    std::string model;
    std::optional<std::string> methods;
    std::vector<double> steps;
    std::optional<double> duration;
    std::vector<std::string> assignments;
    std::optional<std::string> plot, plot_by;
    bool overwrite = false, json = false, force = false;
};

struct MultistepArguments {
    std::string steps;
    std::vector<std::string> a;
    std::optional<std::string> beta, region, watch;
    std::optional<double> step, duration;  // of --watch
    std::optional<std::int64_t> number;    // of its steps
    std::vector<std::string> assignments;
    bool search = false, overwrite = false, json = false;
};

struct TableauArguments {
    std::string name, stages;
    bool json = false;
};

struct AnalyseArguments {
    std::string file;
    std::optional<std::string> what, plot;
    std::vector<std::string> options;
    bool list = false, overwrite = false, json = false;
};

struct ReproduceArguments {
    std::vector<std::string> names;  // papers, items, files
    std::optional<std::string> out;
    std::optional<std::int64_t> threads;
    bool quick = false, again = false, list = false, json = false, markdown = false, quiet = false;
};

int run_command(const RunArguments& arguments);
int ensemble_command(const EnsembleArguments& arguments);
int check_command(const std::string& model, const std::vector<std::string>& assignments, bool json);
int certify_command(const CertifyArguments& arguments);
int compare_command(const CompareArguments& arguments);
int multistep_command(const MultistepArguments& arguments);
int watch_command(const MultistepArguments& arguments, const std::string& spec);
int tableau_command(const TableauArguments& arguments);
int analyse_command(const AnalyseArguments& arguments);
// Every analysis with its options.
std::string analyses_text();
int reproduce_command(const ReproduceArguments& arguments);
int methods_command(bool json);
int problems_command(bool json);

// "name=value" pairs of --set; an InputError for anything else.
std::vector<std::pair<std::string, std::string>> read_assignments(const std::vector<std::string>& assignments);

}  // namespace libration::app
