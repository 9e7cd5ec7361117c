// Sections of aligned equations; every list ends after a number of lines that still can be read.
#include "latex_document.hpp"

#include "model/equation_terms.hpp"
#include <libration/expression/latex.hpp>
#include <libration/model/to_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration::app {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t most_listed_lines = 60;
constexpr std::size_t most_listed_values = 12;
constexpr std::size_t surely_fits = 60;  // of width_of, on a page

// Text outside of formulas. Greek letters are the only ones beyond Latin that descriptions of models use.
std::string prose_latex(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        switch (c) {
            case '\\': result += "\\textbackslash{}"; continue;
            case '^': result += "\\textasciicircum{}"; continue;
            case '~': result += "\\textasciitilde{}"; continue;
            case '<': result += "\\textless{}"; continue;
            case '>': result += "\\textgreater{}"; continue;
            case '#':
            case '$':
            case '%':
            case '&':
            case '_':
            case '{':
            case '}': (result += '\\') += c; continue;
            default: break;
        }
        const auto code = static_cast<unsigned char>(c);
        const bool greek = (code == 0xCE || code == 0xCF) && at + 1 < text.size();
        result += greek ? '$' + symbol_latex(text.substr(at, 2)) + '$' : std::string(1, c);
        at += greek ? 1 : 0;
    }
    return result;
}

// A line that may be wider than the page is scaled down to it where it is. Lines are broken at the signs of their sums;
// what is left are long products, fractions and roots.
std::string fitted(std::string line) {
    const auto mark = line.find('&');
    if (mark == std::string::npos || width_of(line) <= surely_fits) {
        return line;
    }
    const std::size_t begin = mark + (line.compare(mark + 1, 2, "= ") == 0 ? 3 : 1);
    return line.substr(0, begin) + "\\fit{" + line.substr(begin) + '}';
}

void append_section(std::string& text, const std::string& title, Lines lines) {
    if (lines.empty()) {
        return;
    }
    if (lines.size() > most_listed_lines) {
        lines.resize(most_listed_lines);
        lines.emplace_back("&\\;\\,\\vdots");
    }
    std::ranges::transform(lines, lines.begin(), fitted);
    text +=
        fmt::format("\n\\section*{{{}}}\n\\begin{{align*}}\n{}\n\\end{{align*}}\n", title, fmt::join(lines, " \\\\\n"));
}

Lines parameter_lines(const Model& model) {
    Lines lines;
    for (const auto& parameter : model.parameters) {
        const auto name = symbol_latex(parameter.name);
        if (parameter.function_of_index) {
            append_equation(lines, name + "_{i}", to_latex(*parameter.function_of_index));
            continue;
        }
        if (!parameter.list) {
            append_equation(lines, name, to_latex(parameter.values.front()));
            continue;
        }
        Lines values;
        for (const auto& value : parameter.values) {
            values.push_back(values.size() == most_listed_values ? "\\ldots" : to_latex(value));
            if (values.size() > most_listed_values) {
                break;
            }
        }
        lines.push_back(fmt::format("{} &= ({})", name, fmt::join(values, ",\\; ")));
    }
    return lines;
}

// r[0].x of the first instance is r[i].x of all of them.
std::string name_in_family(std::string name, const Instances& instances) {
    const auto open = name.find('['), close = name.find(']');
    if (open != std::string::npos && close != std::string::npos) {
        name.replace(open + 1, close - open - 1, fmt::format("{}", fmt::join(instances.names, ",")));
    }
    return name;
}

// Whether --set gives another value for it, which comes later.
bool is_replaced(const Model& model, const InitialValue& initial) {
    const auto end = model.initial.end();
    const auto begin = end - static_cast<std::ptrdiff_t>(model.replaced_initial);
    using Kind = InitialValue::Kind;
    const bool position = initial.kind == Kind::position;
    return &initial < &*begin && initial.coordinates.size() == 1 && std::any_of(begin, end, [&](const auto& other) {
        return other.coordinates == initial.coordinates && position == (other.kind == Kind::position);
    });
}

Lines initial_lines(const Model& model) {
    Lines lines;
    for (const auto& initial : model.initial) {
        if (initial.coordinates.empty() || (model.replaced_initial > 0 && is_replaced(model, initial))) {
            continue;
        }
        using Kind = InitialValue::Kind;
        const auto* prefix = initial.kind == Kind::position ? "" : initial.kind == Kind::momentum ? "p_" : "v_";
        auto name = model.coordinate_name(initial.coordinates.front());
        std::string remark;
        if (initial.origin && initial.coordinates.size() > 1) {
            name = name_in_family(std::move(name), *initial.origin);
            remark = family_range(*initial.origin).list;
        }
        append_equation(lines, symbol_latex(prefix + name) + "(0)", to_latex(initial.value.kernel), remark);
    }
    return lines;
}

Lines observable_lines(const Model& model) {
    Lines lines;
    for (const auto& observable : model.observables) {
        append_equation(lines, symbol_latex(observable.name), to_latex(with_vectors(observable.value, model)),
                        observable.invariant ? "\\text{(invariant)}" : "");
    }
    return lines;
}

}  // namespace

std::string latex_document(const Model& model) {
    std::string text = "\\documentclass{article}\n"
                       "\\usepackage[T1]{fontenc}\n"
                       "\\usepackage[margin=25mm]{geometry}\n"
                       "\\usepackage{amsmath}\n"
                       "\\usepackage{graphicx}\n"
                       "\\allowdisplaybreaks\n"
                       "\\providecommand{\\lt}{<}\n"
                       "\\providecommand{\\gt}{>}\n"
                       "% shrinks a formula that is wider than the page\n"
                       "\\newcommand{\\fit}[1]{\\sbox0{$\\displaystyle #1$}%\n"
                       "  \\ifdim\\wd0>0.8\\textwidth \\resizebox{0.8\\textwidth}{!}{\\usebox0}\\else\\usebox0\\fi}\n"
                       "\\begin{document}\n";
    text += fmt::format("\n\\section*{{{}}}\n", prose_latex(model.name));
    text += model.description.empty() ? "" : prose_latex(model.description) + "\n";
    text += model.source.empty() ? "" : fmt::format("\n\\noindent Source: {}.\n", prose_latex(model.source));
    append_section(text, "Equations of motion", latex_equations(model));
    append_section(text, "Parameters", parameter_lines(model));
    append_section(text, "Initial values", initial_lines(model));
    append_section(text, "Observables", observable_lines(model));
    return text + "\n\\end{document}\n";
}

}  // namespace libration::app
