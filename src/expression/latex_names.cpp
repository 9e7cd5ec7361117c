// How names become letters with indices: a letter or a word, digits and what stands behind _ below it.
#include "latex_names.hpp"
#include "table_handle.hpp"

#include "lexer.hpp"

#include <libration/expression/parse.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace libration {

namespace {

// First characters of symbols that are mathematics already; no name of a model contains them.
constexpr char written_mark = '\x01', length_mark = '\x02';

constexpr std::array<std::string_view, 40> greek{
    "alpha",  "beta",   "gamma", "delta",  "epsilon",  "zeta",       "eta",    "theta",    "iota",    "kappa",
    "lambda", "mu",     "nu",    "xi",     "pi",       "rho",        "sigma",  "tau",      "upsilon", "phi",
    "chi",    "psi",    "omega", "varphi", "vartheta", "varepsilon", "varrho", "varsigma", "Gamma",   "Delta",
    "Theta",  "Lambda", "Xi",    "Pi",     "Sigma",    "Upsilon",    "Phi",    "Psi",      "Omega",   "ell"};

struct GreekLetter {
    std::string_view letter, name;
};
constexpr std::array<GreekLetter, 38> unicode_greek{{
    {"α", "alpha"},   {"β", "beta"},     {"γ", "gamma"},   {"δ", "delta"}, {"ε", "varepsilon"}, {"ζ", "zeta"},
    {"η", "eta"},     {"θ", "theta"},    {"ι", "iota"},    {"κ", "kappa"}, {"λ", "lambda"},     {"μ", "mu"},
    {"ν", "nu"},      {"ξ", "xi"},       {"π", "pi"},      {"ρ", "rho"},   {"σ", "sigma"},      {"τ", "tau"},
    {"υ", "upsilon"}, {"φ", "varphi"},   {"χ", "chi"},     {"ψ", "psi"},   {"ω", "omega"},      {"ϑ", "vartheta"},
    {"ϕ", "phi"},     {"ς", "varsigma"}, {"ϵ", "epsilon"}, {"Γ", "Gamma"}, {"Δ", "Delta"},      {"Θ", "Theta"},
    {"Λ", "Lambda"},  {"Ξ", "Xi"},       {"Π", "Pi"},      {"Σ", "Sigma"}, {"Υ", "Upsilon"},    {"Φ", "Phi"},
    {"Ψ", "Psi"},     {"Ω", "Omega"},
}};

bool all_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

// A letter, a Greek letter or a word, without digits behind.
std::string letters_latex(std::string_view letters) {
    if (std::ranges::find(greek, letters) != greek.end()) {
        return '\\' + std::string(letters);
    }
    const auto found = std::ranges::find(unicode_greek, letters, &GreekLetter::letter);
    if (found != unicode_greek.end()) {
        return '\\' + std::string(found->name);
    }
    const bool letter = letters.size() == 1 && std::isalpha(static_cast<unsigned char>(letters[0])) != 0;
    return letter ? std::string(letters) : text_latex(letters);
}

std::string join(std::string a, const std::string& b) {
    return a.empty() ? b : (b.empty() ? a : std::move(a) + ',' + b);
}

// Names as symbols, also r[i - 1] and sums: what stands in the names of symbols themselves.
class NameScope final : public Scope {
  public:
    std::optional<Value> name(std::string_view name) override { return Value{{symbol(name)}}; }
    std::optional<Value> element(std::string_view name, const Expression& index) override {
        return Value{{symbol(fmt::format("{}[{}]", name, to_string(index)))}};
    }
    std::optional<Expression> table(std::string_view name) override { return unknown_table(name); }
    Value sum(const std::string& index, const Expression& lower, const Expression& upper,
              const std::function<Value(Scope&)>& body) override {
        const auto summand = body(*this);
        return {{written_symbol(fmt::format("\\sum_{{{}={}}}^{{{}}} {}", symbol_latex(index), to_latex(lower),
                                            to_latex(upper), to_latex(summand.components[0])))}};
    }
    [[nodiscard]] std::vector<std::string> names() const override { return {}; }
};

std::string formula_latex(std::string_view text) {
    try {
        NameScope scope;
        return to_latex(parse(text, scope));
    } catch (const InputError&) {
        return text_latex(text);
    }
}

// An index is small: i-1, not i - 1.
std::string tight(std::string text) {
    for (const std::string_view sign : {" + ", " - "}) {
        for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at)) {
            text.replace(at, 3, sign.substr(1, 1));
        }
    }
    return text;
}

// x1, theta, tip_x: no brackets and no points.
LatexName plain_name(std::string_view name) {
    LatexName result;
    while (!name.empty()) {
        const auto end = std::min(name.find('_'), name.size());
        auto token = name.substr(0, end);
        name.remove_prefix(std::min(end + 1, name.size()));
        if (token.empty()) {
            continue;
        }
        const auto last_letter = token.find_last_not_of("0123456789");
        const auto split = last_letter == std::string_view::npos ? 0 : last_letter + 1;
        const auto letters = token.substr(0, split);
        const std::string digits(token.substr(split));
        if (result.base.empty()) {
            result.base = letters.empty() ? digits : letters_latex(letters);
            result.below = letters.empty() ? "" : digits;
            continue;
        }
        const auto below = letters.empty()  ? digits
                           : digits.empty() ? letters_latex(letters)
                                            : letters_latex(letters) + "_{" + digits + '}';
        result.below = join(result.below, below);
    }
    if (result.base.empty()) {
        result.base = text_latex("_");
    }
    return result;
}

// What stands in brackets: numbers, or expressions in the indices of a range.
std::string index_latex(std::string_view inside) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t k = 0; k <= inside.size(); ++k) {
        if (k == inside.size() || (inside[k] == ',' && depth == 0)) {
            parts.push_back(inside.substr(start, k - start));
            start = k + 1;
            continue;
        }
        depth += inside[k] == '(' || inside[k] == '[' ? 1 : (inside[k] == ')' || inside[k] == ']' ? -1 : 0);
    }
    const bool digits = std::ranges::all_of(parts, [](auto part) { return part.size() == 1 && is_digit(part[0]); });
    std::string text;
    for (const auto& part : parts) {
        std::string one(part);
        if (!all_digits(part)) {
            one = tight(formula_latex(part));
        }
        text += (text.empty() || digits ? "" : ",") + one;
    }
    return text;
}

// name[index].component, or body.Q[i,j], body.r.x, body.rigid[i,j]
LatexName structured_name(std::string_view name) {
    const auto head_end = std::min(name.find_first_of("[."), name.size());
    LatexName result = plain_name(name.substr(0, head_end));
    name.remove_prefix(head_end);
    bool indexed = false;
    while (!name.empty()) {
        if (name[0] == '[') {
            int depth = 0;
            std::size_t end = 0;
            for (; end < name.size(); ++end) {
                depth += name[end] == '[' ? 1 : (name[end] == ']' ? -1 : 0);
                if (depth == 0) {
                    break;
                }
            }
            result.below = join(result.below, index_latex(name.substr(1, end - 1)));
            name.remove_prefix(std::min(end + 1, name.size()));
            indexed = true;
            continue;
        }
        name.remove_prefix(1);
        const auto end = std::min(name.find_first_of("[."), name.size());
        const auto member = name.substr(0, end);
        name.remove_prefix(end);
        if (!indexed && result.above.empty() &&
            (member == "Q" || member == "P" || member == "r" || member == "rigid")) {
            result = {member == "P" ? "Q" : std::string(member), {}, result.text()};
        } else if (!indexed && result.above.empty() && member == "angle") {
            result = {"\\varphi", {}, result.text()};
        } else {
            result.below = join(result.below, member.empty() ? "" : plain_name(member).text());
        }
    }
    return result;
}

}  // namespace

std::string LatexName::text() const {
    return base + (below.empty() ? "" : "_{" + below + '}') + (above.empty() ? "" : "^{" + above + '}');
}

std::string text_latex(std::string_view text) {
    std::string inside;
    bool ascii = true;
    for (const char c : text) {
        ascii = ascii && static_cast<unsigned char>(c) < 128;
        switch (c) {
            case '_':
            case '#':
            case '$':
            case '%':
            case '&':
            case '{':
            case '}': (inside += '\\') += c; break;
            case ' ': inside += "\\ "; break;
            case '<': inside += "\\lt "; break;
            case '>': inside += "\\gt "; break;
            case '\\': inside += "\\backslash "; break;
            case '^':
            case '~':
            case '`':
            case '"':
            case '\'': inside += ' '; break;
            default:
                if (static_cast<unsigned char>(c) >= 32) {
                    inside += c;
                }
        }
    }
    return (ascii ? "\\mathrm{" : "\\text{") + inside + '}';
}

Expression written_symbol(std::string_view latex) { return symbol(written_mark + std::string(latex)); }

Expression written_length(std::string_view latex) { return symbol(length_mark + std::string(latex)); }

bool is_length(const Expression& e) { return e.is(Op::symbol) && e.text().starts_with(length_mark); }

LatexName latex_name(std::string_view name) {
    if (name.starts_with(written_mark) || name.starts_with(length_mark)) {
        return {std::string(name.substr(1)), {}, {}};
    }
    name = name.substr(0, name.find('%'));  // the number of a fresh symbol
    if (name.starts_with("sum(")) {
        return {"\\left(" + formula_latex(name) + "\\right)", {}, {}};
    }
    if (name.starts_with("p_") && name.size() > 2) {
        return {"p", structured_name(name.substr(2)).text(), {}};
    }
    if (name.starts_with("v_") && name.size() > 2) {
        auto result = structured_name(name.substr(2));
        result.base = "\\dot{" + result.base + '}';
        return result;
    }
    if (name.starts_with("lambda_") && name.size() > 7) {
        auto row = structured_name(name.substr(7));
        if (row.base == "rigid") {
            return {"\\lambda", row.below, row.above};
        }
        const bool numbered = name.find('[') != std::string_view::npos;
        return {"\\lambda", numbered ? join(row.base, row.below) : row.text(), {}};
    }
    return structured_name(name);
}

std::string symbol_latex(std::string_view name) { return latex_name(name).text(); }

}  // namespace libration
