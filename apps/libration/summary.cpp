// A summary that a newcomer understands: what ran, what was kept, where it ended.
#include "summary.hpp"

#include "terminal.hpp"

#include "integrate/run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration::app {

namespace {

constexpr std::size_t most_state_rows = 12;

void print_state(const Run& run, const Model& model) {
    const std::size_t shown = std::min(run.q.size(), most_state_rows);
    const std::size_t rows = std::min(run.lambda.size(), most_state_rows);
    std::size_t width = 13;
    for (std::size_t k = 0; k < shown; ++k) {
        width = std::max(width, characters(model.coordinate_name(k)) + 1);
    }
    for (std::size_t k = 0; k < rows; ++k) {
        width = std::max(width, characters(model.multiplier_name(k)) + 1);
    }
    // A field keeps its v where p stands otherwise, and what stands under v is its q'.
    const bool field = model.field.has_value();
    fmt::print("\n  {:<{}}{:>24}{:>24}{:>24}\n", fmt::format("at t = {}", run.t), width, "q", field ? "v" : "p",
               field ? "q'" : "v");
    for (std::size_t k = 0; k < shown; ++k) {
        fmt::print("  {:<{}}{:>24.16g}{:>24.16g}{:>24.16g}\n", model.coordinate_name(k), width, run.q[k], run.p[k],
                   run.v[k]);
    }
    if (shown < run.q.size()) {
        fmt::print("  ... and {} more coordinates (--out FILE.h5 keeps them, --json prints them)\n",
                   grouped(static_cast<std::int64_t>(run.q.size() - shown)));
    }
    for (std::size_t k = 0; k < rows; ++k) {
        fmt::print("  {:<{}}{:>24.16g}\n", model.multiplier_name(k), width, run.lambda[k]);
    }
}

void print_verdict(const RunVerdict& verdict) {
    const auto word = to_string(verdict.word);
    const auto shown = verdict.word == VerdictWord::good    ? green(word, stdout)
                       : verdict.word == VerdictWord::rough ? bold(word, stdout)
                                                            : red(word, stdout);
    std::string label = "verdict";
    for (const auto& reason : verdict.reasons) {
        summary_line(label.c_str(), label.empty() ? "  " + said(reason) : shown + ": " + said(reason));
        label = "";
    }
}

}  // namespace

void summary_line(const char* label, const std::string& text) { fmt::print("  {:<13}{}\n", label, text); }

void warn_of_meaningless(const RunVerdict& verdict) {
    const std::string frame(72, '*');
    fmt::print(stderr, "\n{}\n{}\n", red(frame, stderr), red("*** THIS RESULT IS MEANINGLESS: do not use it.", stderr));
    for (const auto& reason : verdict.reasons) {
        fmt::print(stderr, "*** {}\n", said(reason));
    }
    fmt::print(stderr, "{}\n", red(frame, stderr));
}

void print_summary(const Run& run, const Model& model, const std::string& out) {
    const auto status = run.status == RunStatus::completed ? green("completed", stdout)
                        : run.status == RunStatus::stopped ? bold("stopped early", stdout)
                                                           : red("failed", stdout);
    fmt::print("{}  {}\n", bold(run.model, stdout), status);
    if (!model.description.empty()) {
        fmt::print("  {}\n", model.description);
    }
    fmt::print("\n");
    if (run.verdict) {
        print_verdict(*run.verdict);
    }
    for (const auto& [label, text] : run_facts(run)) {
        if (label == "verdict") {
            continue;  // printed line by line
        }
        summary_line(label.c_str(), text);
    }
    if (!out.empty()) {
        summary_line("written", out);
    }
    print_state(run, model);
    if (run.failure) {
        fmt::print("\n{} step {} (t = {}): {}\n", red("failed at", stdout), grouped(run.failure->step), run.failure->t,
                   run.failure->message);
    }
}

}  // namespace libration::app
