// Commands of LaTeX and the characters that they stand for.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace libration::html {

struct Sign {
    std::string_view command, text;
};

// Upper-case Greek letters that look like Latin ones do not occur as commands of LaTeX.
inline constexpr std::array<Sign, 41> letters{{
    {"alpha", "α"},    {"beta", "β"},       {"gamma", "γ"},  {"delta", "δ"},    {"epsilon", "ϵ"}, {"zeta", "ζ"},
    {"eta", "η"},      {"theta", "θ"},      {"iota", "ι"},   {"kappa", "κ"},    {"lambda", "λ"},  {"mu", "μ"},
    {"nu", "ν"},       {"xi", "ξ"},         {"pi", "π"},     {"rho", "ρ"},      {"sigma", "σ"},   {"tau", "τ"},
    {"upsilon", "υ"},  {"phi", "ϕ"},        {"chi", "χ"},    {"psi", "ψ"},      {"omega", "ω"},   {"varphi", "φ"},
    {"vartheta", "ϑ"}, {"varepsilon", "ε"}, {"varrho", "ϱ"}, {"varsigma", "ς"}, {"Gamma", "Γ"},   {"Delta", "Δ"},
    {"Theta", "Θ"},    {"Lambda", "Λ"},     {"Xi", "Ξ"},     {"Pi", "Π"},       {"Sigma", "Σ"},   {"Upsilon", "Υ"},
    {"Phi", "Φ"},      {"Psi", "Ψ"},        {"Omega", "Ω"},  {"ell", "ℓ"},      {"infty", "∞"},
}};
inline constexpr std::array<Sign, 18> operators{{
    {"cdot", "·"},
    {"times", "×"},
    {"ldots", "…"},
    {"vdots", "⋮"},
    {"partial", "∂"},
    {"nabla", "∇"},
    {"le", "≤"},
    {"ge", "≥"},
    {"ne", "≠"},
    {"lt", "&lt;"},
    {"gt", "&gt;"},
    {"in", "∈"},
    {"land", "∧"},
    {"lor", "∨"},
    {"lnot", "¬"},
    {"bmod", "mod"},
    {"to", "→"},
    {"backslash", "\\"},
}};
inline constexpr std::array<Sign, 8> fences{{{"lVert", "‖"},
                                             {"rVert", "‖"},
                                             {"lvert", "|"},
                                             {"rvert", "|"},
                                             {"lfloor", "⌊"},
                                             {"rfloor", "⌋"},
                                             {"langle", "⟨"},
                                             {"rangle", "⟩"}}};
inline constexpr std::array<Sign, 6> spaces{
    {{",", "0.17em"}, {":", "0.22em"}, {";", "0.28em"}, {" ", "0.25em"}, {"quad", "1em"}, {"qquad", "2em"}}};
inline constexpr std::array<std::string_view, 17> functions{"sin",    "cos",  "tan",  "cot",  "exp",    "ln",
                                                            "log",    "sinh", "cosh", "tanh", "arcsin", "arccos",
                                                            "arctan", "min",  "max",  "det",  "lim"};

template <std::size_t N>
const Sign* sign_named(const std::array<Sign, N>& signs, std::string_view command) {
    const auto found = std::ranges::find(signs, command, &Sign::command);
    return found == signs.end() ? nullptr : &*found;
}

}  // namespace libration::html
