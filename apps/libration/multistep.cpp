// `multistep`: coefficients, roots and conditions of a symmetric multistep method.
#include "examples.hpp"
#include "multistep_request.hpp"
#include "terminal.hpp"

#include "analysis/json.hpp"
#include "plot/multistep_region.hpp"
#include "request/run_fields.hpp"
#include "text/text_file.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

namespace libration::app {

namespace {

using Fractions = std::vector<std::optional<Rational>>;

// Fractions longer than this are of no use.
constexpr std::size_t longest_fraction = 24;

std::string fraction_text(const Fractions& values, std::size_t i) {
    const auto text = i < values.size() && values[i] ? to_string(*values[i]) : "";
    return text.size() <= longest_fraction ? text : "";
}

std::string coefficients_text(const std::vector<Wide>& values, const Fractions& exact) {
    std::string result;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto fraction = fraction_text(exact, i);
        result += (i == 0 ? "" : ", ") + (fraction.empty() ? wide_to_text(values[i]) : fraction);
    }
    return result;
}

void print_multistep_coefficients(const MultistepReport& report) {
    const auto& pair = report.pair;
    const auto exact = report.exact.value_or(ExactMultistep{});
    fmt::print("{}\n", bold(fmt::format("  {:<7}{:<23}{:<26}{:<23}{}", "power", "rho", "", "sigma", ""), stdout));
    for (std::size_t i = 0; i < pair.rho.size(); ++i) {
        fmt::print("{}\n",
                   fmt::format("  {:<7}{:<23}{:<26}{:<23}{}", i, wide_to_text(pair.rho[i]), fraction_text(exact.rho, i),
                               wide_to_text(pair.sigma[i]), fraction_text(exact.sigma, i)));
    }
    fmt::print("\n  rho / (zeta - 1)^2   {}\n", coefficients_text(pair.rho_tilde, exact.rho_tilde));
    fmt::print("  momenta (11)         {}\n\n", coefficients_text(pair.momentum, exact.momentum));
}

void print_roots(const char* name, const std::vector<MultistepRoot>& roots) {
    for (const auto& root : roots) {
        fmt::print("  {:<8}{:>12.6f}{:>14.4f}\n", name, root.modulus, root.angle * 180 / std::numbers::pi);
        name = "";
    }
}

void print_condition(const char* name, const RootCondition& condition) {
    fmt::print("  {:<28}{}\n", name,
               condition.holds ? green(fmt::format("holds, margin {:.4f}", condition.margin), stdout)
                               : red("fails: " + condition.fault, stdout));
}

std::string list_text(const std::vector<double>& a) {
    std::string text;
    for (const double x : a) {
        text += (text.empty() ? "" : ", ") + fmt::format("{}", x);
    }
    return text;
}

void print_multistep_report(const MultistepReport& report) {
    const auto& stability = report.stability;
    const auto line = [](const char* label, const std::string& text) { fmt::print("  {:<28}{}\n", label, text); };
    fmt::print("{}  {} steps, {}{}\n\n", bold(report.spec, stdout), report.pair.k,
               report.pair.beta == 0 ? "explicit" : "implicit", report.is_default ? ", the default" : "");
    print_multistep_coefficients(report);
    if (!stability.rho_roots.empty() || !stability.sigma_roots.empty()) {
        fmt::print("{}\n", bold(fmt::format("  {:<8}{:>12}{:>14}", "roots", "modulus", "angle, deg"), stdout));
        print_roots("rho", stability.rho_roots);
        print_roots("sigma", stability.sigma_roots);
        fmt::print("  Omitted: the double root 1 of rho, the root 0 of sigma, and for each root zeta its conjugate and "
                   "1/zeta.\n\n");
    }
    print_condition("(12) roots of rho", stability.rho);
    print_condition("(13) roots of sigma", stability.sigma);
    if (!stability.irreducible.holds) {
        print_condition("common roots", stability.irreducible);
    }
    line("interval of periodicity", std::isinf(stability.periodicity)
                                        ? "all h omega"
                                        : fmt::format("0 < h omega < {:.6g}", stability.periodicity));
    const auto constant = report.exact ? fraction_text({report.exact->error_constant}, 0) : "";
    line("error constant",
         fmt::format("{:.6g}{}", high(report.pair.error_constant), constant.empty() ? "" : " = " + constant));
    line("depth of (13)",
         fmt::format("sigma may be lowered by {:.4g} of max |sigma| before its roots collide", stability.depth));
    line("response to a perturbation",
         fmt::format("{:.3g} in q, {:.3g} in the multipliers, relative to the smooth part", stability.rho_response,
                     stability.sigma_response));
    if (!stability.good()) {
        fmt::print("\n  {}\n", stability.holds() ? "Near the stability boundary: long constrained runs may fail."
                                                 : red("Not suitable for constrained systems.", stdout));
        line("nearest good choice", report.nearest ? list_text(*report.nearest) : "none found");
    }
    fmt::print("\n  Use it:  libration run MODEL --method \"{}\"{}\n", report.spec,
               stability.sigma.holds ? "" : "   (unconstrained models only; otherwise --force is required)");
}

void print_rating(const MultistepRating& rating, const std::string& what) {
    fmt::print("  {:<40}{:>9.4f}{:>11.3e}{:>9.3f}{:>9.3f}{:>10.2g}{:>10.3g}{:>8.3f}  {}\n", list_text(rating.a),
               rating.periodicity, rating.error_constant, rating.rho_margin, rating.sigma_margin, rating.depth,
               rating.sigma_response, rating.merit, what);
}

void print_search(int k, const std::vector<MultistepRating>& found, const std::vector<double>& given, double beta,
                  bool is_default) {
    fmt::print("{}\n\n", bold(fmt::format("{} steps{}", k, beta == 0 ? "" : fmt::format(", beta = {}", beta)), stdout));
    fmt::print("{}\n", bold(fmt::format("  {:<40}{:>9}{:>11}{:>9}{:>9}{:>10}{:>10}{:>8}", "a", "Omega", "error C",
                                        "(12)", "(13)", "depth", "response", "merit"),
                            stdout));
    for (const auto& rating : found) {
        print_rating(rating, rating.note);
    }
    if (!given.empty()) {
        const auto what = is_default ? "the default" : "given";
        if (const auto rating = multistep_rating(given, beta)) {
            print_rating(*rating, what);
        } else {
            fmt::print("  {:<40}{}  {}\n", list_text(given), red("violates (12) or (13)", stdout), what);
        }
    }
    fmt::print("{}", found.empty() ? "  No good parameters were found.\n" : "");
    fmt::print("\n  (12), (13): margins of the roots of rho and sigma. Merit: sqrt(Omega |C|^(-1/{})) depth^(1/10).\n",
               k);
}

int steps_of(const std::string& text) {
    if (text.empty()) {
        throw InputError(
            "K, the number of steps, is missing; e.g. 'libration multistep 8' or 'libration multistep 6 -0.7 0.4'");
    }
    std::int64_t k = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw InputError(fmt::format("K = {}: expected an even integer, e.g. 8", text));
    }
    check_multistep_steps(k);
    return static_cast<int>(k);
}

void check_region(const MultistepRequest& request, int k) {
    if (!request.region) {
        return;
    }
    if (k < 6) {
        throw InputError(fmt::format("--region needs two parameters, K >= 6; with {} steps there is {}", k,
                                     k == 4 ? "one, and (13) holds for all of (-1, 1)" : "none"));
    }
    refuse_existing(*request.region, request.overwrite);
}

constexpr std::array multistep_fields{
    RequestField<MultistepRequest>{"k", &MultistepRequest::k, "K", "number of steps, which is the order: 2, 4, 6, ..."},
    RequestField<MultistepRequest>{
        "a", &MultistepRequest::a, "A",
        "the K/2 - 1 parameters, between -1 and 1 (default: built-in values, for K = 2 to 10)",
        use::command | use::position},
    RequestField<MultistepRequest>{"beta", &MultistepRequest::beta, "B",
                                   "first and last coefficient of sigma; a nonzero value makes the method implicit"},
    RequestField<MultistepRequest>{"search", &MultistepRequest::search, "",
                                   "search for good parameters and compare them with those given"},
    RequestField<MultistepRequest>{
        "region", &MultistepRequest::region, "FILE.svg",
        "plot the parameter region where the roots of sigma lie on the unit circle, for K >= 6"},
    RequestField<MultistepRequest>{"watch", &MultistepRequest::watch, "MODEL",
                                   "run this model and monitor the parasitic components along the run"},
    RequestField<MultistepRequest>{"step", &MultistepRequest::step, "H",
                                   "for --watch: step size (default: that of the model)"},
    RequestField<MultistepRequest>{"duration", &MultistepRequest::duration, "T",
                                   "for --watch: length of the run (default: that of the model)"},
    RequestField<MultistepRequest>{"steps", &MultistepRequest::steps, "N",
                                   "for --watch: number of steps, instead of --duration"},
    RequestField<MultistepRequest>{
        "set", &MultistepRequest::set, "NAME=VALUE",
        "for --watch: override a parameter or an initial value of the model; may be repeated"},
    RequestField<MultistepRequest>{"overwrite", &MultistepRequest::overwrite, "", "replace an existing --region file"},
    RequestField<MultistepRequest>{"json", &MultistepRequest::json, "", "print the result as one JSON object"},
};

int start_multistep(const MultistepRequest& request) {
    const int k = steps_of(request.k);
    check_region(request, k);
    if (request.overwrite && !request.region) {
        throw InputError("--overwrite requires --region FILE.svg");
    }
    if (request.watch) {
        if (request.search || request.region) {
            throw InputError("--watch runs one method; omit --search and --region");
        }
        return watch_multistep(request, multistep_report(k, request.a, request.beta.value_or("")).spec);
    }
    if (request.step || request.duration || request.steps || !request.set.empty()) {
        throw InputError("--step, --duration, --steps and --set require --watch MODEL");
    }
    if (request.search && (k < 4 || k > most_searched_steps)) {
        throw InputError(fmt::format("--search supports K = 4, 6, ..., {}", most_searched_steps));
    }
    // A search needs no parameters to begin with, also where there are no defaults.
    const bool report_needed = !request.search || request.region || !request.a.empty() || default_parameter_texts(k);
    std::optional<MultistepReport> report;
    std::vector<double> a;
    const auto beta_text = request.beta.value_or("");
    const double beta = beta_text.empty() ? 0 : high(multistep_number("beta", beta_text));
    if (report_needed) {
        report = multistep_report(k, request.a, beta_text);
        for (const Wide x : report->pair.a) {
            a.push_back(high(x));
        }
    }
    if (request.search) {
        const auto found = search_multistep(k, 6, beta);
        if (request.json) {
            fmt::print("{}\n", json_of(k, found));
        } else {
            print_search(k, found, a, beta, request.a.empty());
        }
    } else if (request.json) {
        fmt::print("{}\n", json_of(*report));
    } else {
        print_multistep_report(*report);
    }
    if (request.region) {
        write_text_file(*request.region, plot::to_svg(plot::multistep_region_figure(a, beta)));
        if (!request.json) {
            fmt::print("  Figure: {}\n", *request.region);
        }
    }
    return success;
}

}  // namespace

Command multistep_command() {
    return make_command<MultistepRequest>("multistep", "analyse a symmetric multistep method", multistep_examples,
                                          multistep_fields, start_multistep);
}

}  // namespace libration::app
