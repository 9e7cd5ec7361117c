// The requests of check, certify, compare, choose, analyse and reproduce.
#pragma once

#include "assignments.hpp"
#include "field.hpp"
#include "run_fields.hpp"

#include <array>

namespace libration {

// As a run takes it: what starts elsewhere starts there for all of them.
template <class Request>
inline constexpr RequestField<Request> project_field{
    "project", &Request::project, "", "start from the initial values moved onto the constraints, as `libration run`"};

struct CheckRequest {
    std::string model;
    std::vector<std::string> set;
    bool project = false, json = false;
};
inline constexpr std::array model_check_fields{
    RequestField<CheckRequest>{"model", &CheckRequest::model, "MODEL",
                               "a built-in problem, or a model file ending in .toml", use::command},
    RequestField<CheckRequest>{"set", &CheckRequest::set, "NAME=VALUE",
                               "override a parameter or an initial value (x, p_x, v_x) of the model; may be repeated",
                               use::command},
    project_field<CheckRequest>,
    RequestField<CheckRequest>{"json", &CheckRequest::json, "", "print the findings as one JSON object", use::command},
};

struct CertifyRequest {
    std::string method, model;
    std::optional<double> step, duration;
    std::vector<std::string> set;
    bool all = false, project = false, force = false, markdown = false, json = false;
};
inline constexpr std::array certify_fields{
    RequestField<CertifyRequest>{"method", &CertifyRequest::method, "METHOD",
                                 "a method (see `libration methods`), with its parameters"},
    RequestField<CertifyRequest>{
        "model", &CertifyRequest::model, "MODEL",
        "a built-in problem, or a model file ending in .toml (default: all suitable certification problems)"},
    RequestField<CertifyRequest>{"step", &CertifyRequest::step, "H",
                                 "the largest reasonable step size for MODEL; smaller ones are used too"},
    RequestField<CertifyRequest>{"duration", &CertifyRequest::duration, "T",
                                 "time over which errors are measured (default: 8 H)"},
    RequestField<CertifyRequest>{"set", &CertifyRequest::set, "NAME=VALUE",
                                 "override a parameter or an initial value (x, p_x, v_x) of the model; may be repeated",
                                 use::command},
    RequestField<CertifyRequest>{"all", &CertifyRequest::all, "", "certify every method, instead of METHOD",
                                 use::command},
    project_field<CertifyRequest>,
    RequestField<CertifyRequest>{"force", &CertifyRequest::force, "", "accept a method that is rejected as unsuitable"},
    RequestField<CertifyRequest>{"markdown", &CertifyRequest::markdown, "",
                                 "print a Markdown table, one row per method and problem", use::command},
    RequestField<CertifyRequest>{"json", &CertifyRequest::json, "", "print the certificates as one JSON object",
                                 use::command},
};

struct CompareRequest {
    std::string model;
    std::optional<std::string> methods;
    std::vector<double> steps_list;
    std::optional<double> duration;
    std::vector<std::string> set;
    std::optional<std::string> plot, plot_by;
    bool project = false, force = false, overwrite = false, json = false, quiet = false;
};
inline constexpr std::array compare_fields{
    RequestField<CompareRequest>{"model", &CompareRequest::model, "MODEL",
                                 "a built-in problem (see `libration problems`), or a model file ending in .toml"},
    RequestField<CompareRequest>{
        "methods", &CompareRequest::methods, "A,B,...",
        "methods (see `libration methods`), with their parameters (default: four that suit the model)"},
    RequestField<CompareRequest>{
        .name = "steps_list",
        .member = &CompareRequest::steps_list,
        .value = "H1,H2,...",
        .help = "step sizes, each a divisor of T (default: 8, 4, 2, 1, 1/2 times that of the model)",
        .keyword = "steps"},
    RequestField<CompareRequest>{
        "duration", &CompareRequest::duration, "T",
        "length of every run (default: that of the model, or as much of it as takes a few seconds)"},
    RequestField<CompareRequest>{"set", &CompareRequest::set, "NAME=VALUE",
                                 "override a parameter or an initial value (x, p_x, v_x) of the model; may be repeated",
                                 use::command},
    RequestField<CompareRequest>{"plot", &CompareRequest::plot, "FILE.svg", "draw a work-precision diagram",
                                 use::command},
    RequestField<CompareRequest>{"plot_by", &CompareRequest::plot_by, "evaluations|seconds",
                                 "measure of work: evaluations (of the force; default) or seconds", use::command},
    project_field<CompareRequest>,
    RequestField<CompareRequest>{"force", &CompareRequest::force, "", "accept methods that are rejected as unsuitable"},
    RequestField<CompareRequest>{"overwrite", &CompareRequest::overwrite, "", "replace an existing `plot` file",
                                 use::command},
    RequestField<CompareRequest>{"json", &CompareRequest::json, "", "print the table as one JSON object", use::command},
    RequestField<CompareRequest>{"quiet", &CompareRequest::quiet, "", "do not show progress", use::command},
};

struct ChooseRequest {
    std::string model;
    std::optional<double> error, energy_error, duration;
    std::optional<std::string> method;
    std::optional<double> step;
    std::vector<std::string> set;
    bool project = false, run = false, json = false, quiet = false;
};
inline constexpr std::array choose_fields{
    RequestField<ChooseRequest>{"model", &ChooseRequest::model, "MODEL",
                                "a built-in problem (see `libration problems`), or a model file ending in .toml"},
    RequestField<ChooseRequest>{
        "error", &ChooseRequest::error, "E",
        "largest relative error of q and of p at the end (default: 1e-6, without `energy_error`)"},
    RequestField<ChooseRequest>{"energy_error", &ChooseRequest::energy_error, "E",
                                "largest absolute energy error along the run; with `error`: both are met"},
    RequestField<ChooseRequest>{"duration", &ChooseRequest::duration, "T",
                                "length of the run (default: that of the model, or 100 times its slowest time scale)"},
    RequestField<ChooseRequest>{"method", &ChooseRequest::method, "SPEC",
                                "choose only the step size of this method, see `libration methods`"},
    RequestField<ChooseRequest>{"step", &ChooseRequest::step, "H", "choose only the method for this step size"},
    RequestField<ChooseRequest>{.name = "set",
                                .member = &ChooseRequest::set,
                                .value = "NAME=VALUE",
                                .help = "override a parameter or an initial value (x, p_x, v_x) of the model; may be "
                                        "repeated",
                                .uses = use::command,
                                .check = check_assignment},
    RequestField<ChooseRequest>{"project", &ChooseRequest::project, "",
                                "move inconsistent initial values onto the constraints"},
    RequestField<ChooseRequest>{"run", &ChooseRequest::run, "", "run the model with what was chosen", use::command},
    RequestField<ChooseRequest>{"json", &ChooseRequest::json, "",
                                "print the result as one JSON object; with `run`, that of the run", use::command},
    RequestField<ChooseRequest>{"quiet", &ChooseRequest::quiet, "", "do not show progress", use::command},
};

struct AnalyseRequest {
    std::string file;
    std::optional<std::string> what, model, plot;
    std::vector<std::string> options, set;
    bool list = false, overwrite = false, json = false;
};
inline constexpr std::array analyse_fields{
    RequestField<AnalyseRequest>{
        "file", &AnalyseRequest::file, "FILE",
        "a file written by `libration run`: FILE.h5 (the run may still be in progress) or FILE.csv", use::command},
    RequestField<AnalyseRequest>{"what", &AnalyseRequest::what, "A,B,...",
                                 "analyses from the list below (default: summary)"},
    RequestField<AnalyseRequest>{.name = "options",
                                 .member = &AnalyseRequest::options,
                                 .value = "NAME=VALUE",
                                 .help = "option of an analysis; may be repeated",
                                 .option = "option"},
    RequestField<AnalyseRequest>{"model", &AnalyseRequest::model, "MODEL",
                                 "for FILE.csv: the model that was run, which HDF5 files hold", use::command},
    RequestField<AnalyseRequest>{.name = "set",
                                 .member = &AnalyseRequest::set,
                                 .value = "NAME=VALUE",
                                 .help = "for FILE.csv: a value of the model that was replaced; may be repeated",
                                 .uses = use::command,
                                 .check = check_assignment},
    RequestField<AnalyseRequest>{"plot", &AnalyseRequest::plot, "FILE.svg",
                                 "draw all figures of the analyses on one page", use::command},
    RequestField<AnalyseRequest>{"list", &AnalyseRequest::list, "", "list the analyses and their options",
                                 use::command},
    RequestField<AnalyseRequest>{"overwrite", &AnalyseRequest::overwrite, "", "replace an existing `plot` file",
                                 use::command},
    RequestField<AnalyseRequest>{"json", &AnalyseRequest::json, "", "print the numbers as one JSON object",
                                 use::command},
};

struct ReproduceRequest {
    std::vector<std::string> items;  // papers, items, files
    std::optional<std::string> out;
    std::optional<std::int64_t> threads;
    bool quick = false, again = false, list = false, markdown = false, json = false, quiet = false;
};
inline constexpr std::array reproduce_fields{
    RequestField<ReproduceRequest>{
        "items", &ReproduceRequest::items, "ITEM",
        "items (000-fig2), papers (000 to 004) or your own recipe files ending in .toml (default: everything)",
        use::both | use::position},
    RequestField<ReproduceRequest>{
        "out", &ReproduceRequest::out, "DIR",
        "write a gallery: HTML pages with figures; items finished by an earlier call are reused"},
    RequestField<ReproduceRequest>{"quick", &ReproduceRequest::quick, "",
                                   "shorter runs: everything within two minutes on two cores"},
    RequestField<ReproduceRequest>{"again", &ReproduceRequest::again, "", "with `out`: recompute finished items"},
    RequestField<ReproduceRequest>{.name = "threads",
                                   .member = &ReproduceRequest::threads,
                                   .value = "K",
                                   .help = "number of items computed in parallel (default: one per core)",
                                   .least = 1,
                                   .most = 1024},
    RequestField<ReproduceRequest>{"list", &ReproduceRequest::list, "", "list the items without computing anything",
                                   use::command},
    RequestField<ReproduceRequest>{"markdown", &ReproduceRequest::markdown, "",
                                   "print a Markdown table, one row per item", use::command},
    RequestField<ReproduceRequest>{"json", &ReproduceRequest::json, "", "print the result as one JSON object",
                                   use::command},
    RequestField<ReproduceRequest>{"quiet", &ReproduceRequest::quiet, "", "do not show progress", use::command},
};

}  // namespace libration
