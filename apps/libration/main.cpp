// The command line: parse, call, print. The only file that includes CLI11.
#include "commands.hpp"
#include "examples.hpp"
#include "terminal.hpp"

#include <libration/text/error.hpp>
#include <libration/text/suggest.hpp>
#include <libration/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <locale>

namespace libration::app {

namespace {

// Numbers are read without regard to the locale.
template <class Number>
Number number_argument(const std::string& option, const std::string& text) {
    Number value{};
    const auto* first = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(first, text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
        throw InputError(fmt::format("{} {}: the number is too large or too small", option, text));
    }
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
        throw InputError(fmt::format("{} {}: expected {}", option, text,
                                     std::is_integral_v<Number> ? "a whole number" : "a number such as 0.01 or 1e-3"));
    }
    return value;
}

template <class Number>
void add_number(CLI::App& command, const std::string& option, std::optional<Number>& target, const std::string& help,
                const std::string& type) {
    command
        .add_option_function<std::string>(
            option, [option, &target](const std::string& text) { target = number_argument<Number>(option, text); },
            help)
        ->type_name(type);
}

void add_assignments(CLI::App& command, std::vector<std::string>& target, const std::string& help) {
    command.add_option("--set", target, help)
        ->type_name("NAME=VALUE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1);
}

void add_run(CLI::App& app, RunArguments& a) {
    auto* command = app.add_subcommand("run", "integrate a model");
    command->add_option("MODEL", a.model, "a problem of 'libration problems', or a file ending in .toml")
        ->type_name("");
    command->add_option("--method", a.method, "method, see 'libration methods' (default: that of the model)")
        ->type_name("SPEC");
    add_number(*command, "--step", a.step, "step size; may be negative", "H");
    add_number(*command, "--duration", a.duration, "length of the run: round(T/H) steps, H is never changed", "T");
    add_number(*command, "--steps", a.steps, "number of steps, instead of --duration", "N");
    add_assignments(*command, a.assignments,
                    "replace a parameter, or an initial value (x, p_x, v_x), of the model; may be repeated");
    command->add_option("--out", a.out, "record the trajectory")->type_name("FILE.h5|FILE.csv");
    add_number(*command, "--every", a.every, "record every K-th step (default 1); first and last always", "K");
    add_number(*command, "--monitor", a.monitor,
               "watch energy, constraints, invariants every K steps (default 1; 0: start and end)", "K");
    command
        ->add_option("--resume", a.resume, "continue a recorded run in place, to the same bits; --steps may be larger")
        ->type_name("FILE.h5");
    command->add_option("--stop-if", a.stop_if, "stop at the first step where this holds, e.g. \"y > 0 and v_y < 0\"")
        ->type_name("COND");
    command
        ->add_option("--adaptive", a.adaptive,
                     "steps choose their length, H is a first guess; reversible: the way back makes the same steps")
        ->type_name("reversible|standard");
    add_number(*command, "--tol", a.tolerance, "of --adaptive: the error of a step, e.g. 1e-8", "TOL");
    command
        ->add_option("--estimator", a.estimator,
                     "of --adaptive: symmetric (default), or antisymmetric, the only one for two stages")
        ->type_name("E");
    command
        ->add_option("--at", a.at,
                     "record the states at these times instead of every K-th step: 0.5,pi,7 or first:step:last")
        ->type_name("LIST");
    command
        ->add_option("--event", a.events,
                     "where an expression passes zero: \"[name:] EXPR [rising|falling] [terminal]\"; may be repeated")
        ->type_name("EVENT")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1);
    command->add_option("--events-out", a.events_out, "write the states of all events, one a line")
        ->type_name("FILE.csv");
    command
        ->add_option(
            "--backend", a.backend,
            "who makes the steps: generated machine code, or the interpreter; to the same bits (default: auto, "
            "code for long runs)")
        ->type_name("auto|interpreted|generated");
    command->add_flag("--project", a.project, "move inconsistent initial values onto the constraints");
    command->add_flag("--force", a.force, "accept a method that its own record refuses, for demonstrations");
    command->add_flag("--overwrite", a.overwrite, "replace an existing --out or --events-out file");
    command->add_flag("--json", a.json, "print the result as one JSON object");
    command->add_flag("--full", a.full, "with --json: arrays of more than 10,000 entries too");
    command->add_flag("--quiet", a.quiet, "no progress");
    command->footer(run_examples);
}

void add_ensemble(CLI::App& app, EnsembleArguments& a) {
    auto* command = app.add_subcommand("ensemble", "integrate many variants of a model at once");
    command->add_option("MODEL", a.model, "a problem of 'libration problems', or a file ending in .toml")
        ->type_name("");
    add_number(*command, "--count", a.count, "number of trajectories", "N");
    command
        ->add_option(
            "--vary", a.variations,
            "a parameter, or an initial value (x1, p_x1, v_x1), and its distribution: \"NAME = uniform(a, b)\", "
            "normal(mean, sd), log_uniform(a, b) or linspace(a, b); may be repeated")
        ->type_name("VARIATION")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1);
    command->add_option("--from", a.from, "or a table: names in the first line, then one trajectory a line")
        ->type_name("FILE.csv");
    add_number(*command, "--seed", a.seed, "of the distributions (default 0)", "S");
    command->add_option("--method", a.method, "method, see 'libration methods' (default: that of the model)")
        ->type_name("SPEC");
    add_number(*command, "--step", a.step, "step size; may be negative", "H");
    add_number(*command, "--duration", a.duration, "length of the runs: round(T/H) steps, H is never changed", "T");
    add_number(*command, "--steps", a.steps, "number of steps, instead of --duration", "N");
    add_assignments(*command, a.assignments,
                    "replace a parameter, or an initial value (x, p_x, v_x), of the model; may be repeated");
    add_number(*command, "--monitor", a.monitor,
               "energy, constraints and statistics every K steps (default: a hundredth of the run; 0: start and end)",
               "K");
    command->add_option("--out", a.out, "write results and statistics")->type_name("FILE.h5");
    command->add_flag("--trajectories", a.trajectories, "with --out: record all trajectories, too");
    add_number(*command, "--every", a.every, "with --trajectories: record every K-th step (default 1)", "K");
    command->add_option("--resume", a.resume, "continue an ensemble that was stopped or killed")->type_name("FILE.h5");
    add_number(*command, "--threads", a.threads, "threads that share the work (default: one a core)", "K");
    command->add_option("--backend", a.backend, "auto (default), interpreted or generated")->type_name("B");
    command->add_flag("--project", a.project, "move inconsistent initial values onto the constraints");
    command->add_flag("--force", a.force, "accept a method that its own record refuses, for demonstrations");
    command->add_flag("--overwrite", a.overwrite, "replace an existing --out file");
    command->add_flag("--json", a.json, "print the result as one JSON object");
    command->add_flag("--full", a.full, "with --json: lists of more than 10,000 entries too");
    command->add_flag("--quiet", a.quiet, "no progress");
    command->footer(ensemble_examples);
}

void add_certify(CLI::App& app, CertifyArguments& a) {
    auto* command = app.add_subcommand("certify", "measure every claim of a method");
    command->add_option("METHOD", a.method, "a method of 'libration methods', with its parameters")->type_name("");
    command
        ->add_option("MODEL", a.model,
                     "a problem, or a file ending in .toml (default: the problems of the tests that fit)")
        ->type_name("");
    add_number(*command, "--step", a.step, "the largest sensible step for MODEL; smaller ones are tried too", "H");
    add_number(*command, "--duration", a.duration, "time over which errors are measured (default: 8 H)", "T");
    add_assignments(*command, a.assignments,
                    "replace a parameter, or an initial value (x, p_x, v_x), of the model; may be repeated");
    command->add_flag("--all", a.all, "every method, instead of METHOD");
    command->add_flag("--force", a.force, "accept a method that its own record refuses");
    command->add_flag("--markdown", a.markdown, "print one table, a row for each method and problem");
    command->add_flag("--json", a.json, "print the certificates as one JSON object");
    command->footer(certify_examples);
}

void read_steps(const std::string& text, std::vector<double>& steps) {
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(',', at), text.size());
        steps.push_back(number_argument<double>("--steps-list", text.substr(at, end - at)));
        at = end + 1;
    }
}

void add_compare(CLI::App& app, CompareArguments& a) {
    auto* command = app.add_subcommand("compare", "error against work, for several methods and steps");
    command->add_option("MODEL", a.model, "a problem of 'libration problems', or a file ending in .toml")
        ->type_name("");
    command
        ->add_option("--methods", a.methods,
                     "methods of 'libration methods', with their parameters (default: four that fit the model)")
        ->type_name("A,B,...");
    command
        ->add_option_function<std::string>(
            "--steps-list", [&a](const std::string& text) { read_steps(text, a.steps); },
            "steps, each a divisor of T (default: 8, 4, 2, 1, 1/2 times the step of the model)")
        ->type_name("H1,H2,...");
    add_number(*command, "--duration", a.duration, "length of every run (default: fifty of the largest steps)", "T");
    add_assignments(*command, a.assignments,
                    "replace a parameter, or an initial value (x, p_x, v_x), of the model; may be repeated");
    command->add_option("--plot", a.plot, "draw error against work, both logarithmic")->type_name("FILE.svg");
    command->add_option("--plot-by", a.plot_by, "what work is: evaluations (of the force; default) or seconds")
        ->type_name("WORK");
    command->add_flag("--force", a.force, "accept methods that their own records refuse");
    command->add_flag("--overwrite", a.overwrite, "replace an existing --plot file");
    command->add_flag("--json", a.json, "print the table as one JSON object");
    command->footer(compare_examples);
}

void add_multistep(CLI::App& app, MultistepArguments& a) {
    auto* command = app.add_subcommand("multistep", "the laboratory of symmetric multistep methods");
    command->add_option("K", a.steps, "number of steps, which is the order: 2, 4, 6, ...")->type_name("");
    command->add_option("A", a.a, "the K/2 - 1 parameters, between -1 and 1 (default: ours, for K = 2 to 10)")
        ->type_name("");
    command->add_option("--beta", a.beta, "first and last coefficient of sigma; not 0: an implicit method")
        ->type_name("B");
    command->add_flag("--search", a.search, "look for good parameters, and compare those given with them");
    command->add_option("--region", a.region, "draw where sigma has its roots on the unit circle, for K >= 6")
        ->type_name("FILE.svg");
    command->add_option("--watch", a.watch, "run this model, and follow the parasitic components along the run")
        ->type_name("MODEL");
    add_number(*command, "--step", a.step, "of --watch: step size (default: that of the model)", "H");
    add_number(*command, "--duration", a.duration, "of --watch: length of the run (default: that of the model)", "T");
    add_number(*command, "--steps", a.number, "of --watch: number of steps, instead of --duration", "N");
    add_assignments(*command, a.assignments,
                    "of --watch: replace a parameter or an initial value of the model; may be repeated");
    command->add_flag("--overwrite", a.overwrite, "replace an existing --region file");
    command->add_flag("--json", a.json, "print the result as one JSON object");
    command->footer(multistep_examples);
}

void add_tableau(CLI::App& app, TableauArguments& a) {
    auto* command = app.add_subcommand("tableau", "the laboratory of Runge-Kutta methods");
    command
        ->add_option("NAME", a.name,
                     "gauss, radau, lobatto-a, -b, -c, -cstar, -d; lobatto: the pair A-B; spark: all Lobatto families")
        ->type_name("");
    command->add_option("S", a.stages, "number of stages: 2 to 40, gauss and radau from 1")->type_name("");
    command->add_flag("--json", a.json, "print the result as one JSON object");
    command->footer(tableau_examples);
}

void add_analyse(CLI::App& app, AnalyseArguments& a) {
    auto* command = app.add_subcommand("analyse", "drift, exponents, averages, portraits: what a recorded run tells");
    command->add_option("FILE", a.file, "a file that 'libration run --out FILE.h5' wrote, also while it does")
        ->type_name("");
    command->add_option("--what", a.what, "analyses of the list below (default: summary)")->type_name("A,B,...");
    command->add_option("--option", a.options, "option of an analysis; may be repeated")
        ->type_name("NAME=VALUE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->expected(1);
    command->add_option("--plot", a.plot, "draw all figures of the analyses, on one page")->type_name("FILE.svg");
    command->add_flag("--list", a.list, "list the analyses and their options");
    command->add_flag("--overwrite", a.overwrite, "replace an existing --plot file");
    command->add_flag("--json", a.json, "print the numbers as one JSON object");
    command->footer(fmt::format("Analyses and their options:\n{}\n"
                                "Examples:\n"
                                "  libration run triple-pendulum --out run.h5\n"
                                "  libration analyse run.h5\n"
                                "  libration analyse run.h5 --what summary --plot run.svg\n"
                                "  libration analyse --list\n\n"
                                "Exit status: 0 success, 2 bad usage, 3 file trouble.",
                                analyses_text()));
}

void add_reproduce(CLI::App& app, ReproduceArguments& a) {
    auto* command = app.add_subcommand("reproduce", "figures and tables of five papers, printed value beside measured");
    command
        ->add_option("ITEM", a.names,
                     "items (000-fig2), papers (000 to 004) or files of your own ending in .toml (default: everything)")
        ->type_name("");
    command
        ->add_option("--out", a.out,
                     "make a gallery: HTML pages with figures; what an earlier call finished there is taken over")
        ->type_name("DIR");
    command->add_flag("--quick", a.quick, "shorter runs: everything within two minutes on two cores");
    command->add_flag("--again", a.again, "with --out: compute finished items again");
    add_number(*command, "--threads", a.threads, "items computed at the same time (default: one a core)", "K");
    command->add_flag("--list", a.list, "show the items and compute nothing");
    command->add_flag("--markdown", a.markdown, "print one table, a row for each item");
    command->add_flag("--json", a.json, "print the result as one JSON object");
    command->add_flag("--quiet", a.quiet, "no progress");
    command->footer(reproduce_examples);
}

std::string option_suggestion(const std::vector<std::string>& extras, const CLI::App& app) {
    std::vector<std::string> known;
    const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
    const bool is_option = extras.front().starts_with('-');
    if (is_option) {
        for (const auto* option : command->get_options()) {
            for (const auto& name : option->get_lnames()) {
                known.push_back("--" + name);
            }
        }
    } else if (command == &app) {
        for (const auto* other : app.get_subcommands({})) {
            known.push_back(other->get_name());
        }
    }
    const auto name = extras.front().substr(0, extras.front().find('='));
    return fmt::format("{} '{}'{}",
                       is_option ? "unknown option" : (command == &app ? "unknown command" : "unexpected argument"),
                       name, suggestion(name, known, 40));
}

// All words after the name of the program, last first as CLI11 wants them. It knows -0.5 as a number, but not -.5.
std::vector<std::string> reversed_words(int argc, char** argv) {
    std::vector<std::string> words;
    for (int i = argc - 1; i > 0; --i) {
        std::string word = argv[i];
        if (word.size() > 2 && word.starts_with("-.") && word[2] >= '0' && word[2] <= '9') {
            word.insert(1, "0");
        }
        words.push_back(std::move(word));
    }
    return words;
}

int dispatch(int argc, char** argv) {
    auto words = reversed_words(argc, argv);
    CLI::App app{
        "Libration integrates constrained mechanical systems over very long times without losing their structure."};
    app.name("libration");
    app.set_version_flag("--version", fmt::format("libration {}", version));
    app.require_subcommand(0, 1);
    app.footer(first_examples);
    RunArguments run;
    add_run(app, run);
    EnsembleArguments ensemble;
    add_ensemble(app, ensemble);
    CertifyArguments certify;
    add_certify(app, certify);
    CompareArguments compare;
    add_compare(app, compare);
    MultistepArguments multistep;
    add_multistep(app, multistep);
    TableauArguments tableau;
    add_tableau(app, tableau);
    AnalyseArguments analyse;
    add_analyse(app, analyse);
    ReproduceArguments reproduce;
    add_reproduce(app, reproduce);
    std::string checked_model;
    std::vector<std::string> assignments;
    bool json = false;
    auto* check = app.add_subcommand("check", "validate a model: names, sizes, rank, initial values, derivatives");
    check->add_option("MODEL", checked_model, "a problem, or a file ending in .toml")->type_name("")->required();
    add_assignments(*check, assignments, "replace a parameter, or an initial value (x, p_x, v_x), of the model");
    check->add_flag("--json", json, "print the findings as one JSON object");
    check->footer("Examples:\n  libration check pendulum\n  libration check my-model.toml --set l=2");
    auto* methods = app.add_subcommand("methods", "list the methods and what they claim");
    methods->add_flag("--json", json, "print the list as one JSON object");
    methods->footer("Examples:\n  libration methods\n  libration methods --json");
    auto* problems = app.add_subcommand("problems", "list the built-in problems");
    problems->add_flag("--json", json, "print the list as one JSON object");

    problems->footer("Examples:\n  libration problems\n  libration problems --json");

    try {
        app.parse(words);
    } catch (const CLI::ExtrasError&) {
        throw InputError(option_suggestion(app.remaining(true), app) + "\nSee 'libration --help'.");
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help, --version
            return app.exit(error);
        }
        const bool counted = error.get_name() == "ArgumentMismatch";
        throw InputError(fmt::format(
            "{}{}\nSee 'libration --help'.", error.what(),
            counted ? " (each option takes one value and, except --set, --event, --vary and --option, is given once)"
                    : ""));
    }
    if (app.got_subcommand("run")) {
        if (run.model.empty() && !run.resume) {
            throw InputError(
                "which model? e.g. 'libration run triple-pendulum'; 'libration problems' lists those built in");
        }
        return run_command(run);
    }
    if (app.got_subcommand("ensemble")) {
        if (ensemble.model.empty() && !ensemble.resume) {
            throw InputError(
                "which model? e.g. 'libration ensemble pendulum --count 100 --vary \"g = uniform(0.9, 1.1)\"'");
        }
        return ensemble_command(ensemble);
    }
    if (app.got_subcommand("certify")) {
        return certify_command(certify);
    }
    if (app.got_subcommand("compare")) {
        return compare_command(compare);
    }
    if (app.got_subcommand("multistep")) {
        return multistep_command(multistep);
    }
    if (app.got_subcommand("tableau")) {
        return tableau_command(tableau);
    }
    if (app.got_subcommand("analyse")) {
        return analyse_command(analyse);
    }
    if (app.got_subcommand("reproduce")) {
        return reproduce_command(reproduce);
    }
    if (app.got_subcommand(check)) {
        return check_command(checked_model, assignments, json);
    }
    if (app.got_subcommand(methods)) {
        return methods_command(json);
    }
    if (app.got_subcommand(problems)) {
        return problems_command(json);
    }
    fmt::print("{}", app.help());
    return bad_usage;
}

}  // namespace

int guarded(int argc, char** argv) {
    const auto complain = [](const std::exception& error) {
        fmt::print(stderr, "{} {}\n", red("error:", stderr), error.what());
    };
    try {
        const int status = dispatch(argc, argv);
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            throw FileError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
        }
        return status;
    } catch (const InputError& error) {
        complain(error);
        return bad_usage;
    } catch (const FileError& error) {
        complain(error);
        return file_failure;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "{} not enough memory for this model\n", red("error:", stderr));
        return bad_usage;
    } catch (const std::exception& error) {
        complain(error);
        return file_failure;
    }
}

}  // namespace libration::app

int main(int argc, char** argv) { return libration::app::guarded(argc, argv); }
