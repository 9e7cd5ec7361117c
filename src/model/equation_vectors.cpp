// Vectors in formulas: dot and norm2 are spelled out when they are read, and are found again here.
#include "equation_terms.hpp"

#include <libration/expression/latex.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace libration {

namespace {

// ".x" to ".y": the same component of every vector.
std::optional<Expression> shifted(const Expression& e, char from, char to) {
    std::vector<Expression> symbols, by;
    for (const auto& s : symbols_of(std::array{e})) {
        const auto& text = s.text();
        if (text.size() > 2 && text[text.size() - 2] == '.' && text.back() == from) {
            symbols.push_back(s);
            by.push_back(symbol(text.substr(0, text.size() - 1) + to));
        }
    }
    return symbols.empty() ? std::nullopt : std::optional(substitute(e, symbols, by));
}

bool is_component(const Expression& e, char component) {
    return e.is(Op::symbol) && e.text().size() > 2 && e.text()[e.text().size() - 2] == '.' &&
           e.text().back() == component;
}

bool has_components(const Expression& e) {
    return std::ranges::any_of(symbols_of(std::array{e}), [](const Expression& s) {
        return is_component(s, 'x') || is_component(s, 'y') || is_component(s, 'z');
    });
}

// The x component of a vector: linear in components x of points.
bool is_linear(const Expression& e, int depth = 0) {
    const auto a = e.arguments();
    if (depth > 20) {
        return false;
    }
    switch (e.op()) {
        case Op::symbol: return is_component(e, 'x');
        case Op::negate: return is_linear(a[0], depth + 1);
        case Op::add:
        case Op::subtract: return is_linear(a[0], depth + 1) && is_linear(a[1], depth + 1);
        case Op::multiply:
            return (is_linear(a[0], depth + 1) && !has_components(a[1])) ||
                   (is_linear(a[1], depth + 1) && !has_components(a[0]));
        case Op::divide: return is_linear(a[0], depth + 1) && !has_components(a[1]);
        default: return false;
    }
}

std::string vector_latex(const Expression& x_component) {
    std::vector<Expression> symbols, by;
    for (const auto& s : symbols_of(std::array{x_component})) {
        if (is_component(s, 'x')) {
            symbols.push_back(s);
            const auto name = symbol_latex(s.text().substr(0, s.text().size() - 2));
            const auto base = std::min(name.find_first_of("_^"), name.size());
            by.push_back(written_symbol("\\mathbf{" + name.substr(0, base) + '}' + name.substr(base)));
        }
    }
    return to_latex(substitute(x_component, symbols, by));
}

std::size_t dimension_of(const Expression& x_component, const Model& model) {
    for (const auto& s : symbols_of(std::array{x_component})) {
        for (const auto& group : model.points) {
            if (is_component(s, 'x') && s.text().find(group.name + '[') != std::string::npos) {
                return group.dimension;
            }
        }
    }
    return 3;
}

// The factors of a product or square.
std::optional<std::array<Expression, 2>> factors_of(const Expression& e) {
    const auto a = e.arguments();
    if (e.is(Op::multiply)) {
        return std::array{a[0], a[1]};
    }
    if (e.is(Op::power) && a[1].is_constant(2)) {
        return std::array{a[0], a[0]};
    }
    return std::nullopt;
}

// What a sum of products over all components stands for: |a|^2 or a . b
std::optional<Expression> vector_form(const Expression& e, const Model& model) {
    std::vector<Expression> open{e}, products;
    while (!open.empty() && products.size() + open.size() <= 3) {
        const auto last = open.back();
        open.pop_back();
        if (last.is(Op::add)) {
            open.push_back(last.arguments()[1]);
            open.push_back(last.arguments()[0]);
        } else {
            products.push_back(last);
        }
    }
    if (!open.empty() || products.size() < 2) {
        return std::nullopt;
    }
    for (const auto& candidate : products) {
        const auto x = factors_of(candidate);
        if (!x || !is_linear((*x)[0]) || !is_linear((*x)[1]) || dimension_of((*x)[0], model) != products.size()) {
            continue;
        }
        bool all = true;
        for (std::size_t c = 1; c < products.size(); ++c) {
            const auto a = *shifted((*x)[0], 'x', "xyz"[c]), b = *shifted((*x)[1], 'x', "xyz"[c]);
            all = all && std::ranges::any_of(products, [&](const Expression& product) {
                      const auto f = factors_of(product);
                      return f && (((*f)[0] == a && (*f)[1] == b) || ((*f)[0] == b && (*f)[1] == a));
                  });
        }
        if (!all) {
            continue;
        }
        if ((*x)[0] == (*x)[1]) {
            return pow(written_length("\\lVert " + vector_latex((*x)[0]) + " \\rVert"), 2);
        }
        auto a = as_factor(vector_latex((*x)[0])), b = as_factor(vector_latex((*x)[1]));
        return written_symbol("\\langle " + std::min(a, b) + ", " + std::max(a, b) + " \\rangle");
    }
    return std::nullopt;
}

}  // namespace

Expression with_vectors(const Expression& kernel, const Model& model) {
    if (model.points.empty() && model.bodies.empty()) {
        return kernel;
    }
    std::vector<Expression> nodes, by;
    const auto all = sorted_nodes(std::array{kernel});
    for (const auto& e : all) {
        if (e.is(Op::add) && all.size() < longest_latex) {
            if (const auto form = vector_form(e, model)) {
                nodes.push_back(e);
                by.push_back(*form);
            }
        }
    }
    return nodes.empty() ? kernel : substitute(kernel, nodes, by);
}

}  // namespace libration
