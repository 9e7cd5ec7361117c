// Numbers, symbols and functions.
#include "latex_product.hpp"
#include "node.hpp"

#include <cstdlib>

namespace libration {

bool is_remainder(const Expression& e) {
    if (!e.is(Op::subtract) || !e.arguments()[1].is(Op::multiply)) {
        return false;
    }
    const auto factors = e.arguments()[1].arguments();
    const auto rounded = factors[factors[0].is(Op::floor) ? 0 : 1], divisor = factors[factors[0].is(Op::floor) ? 1 : 0];
    return rounded.is(Op::floor) && rounded.arguments()[0] == e.arguments()[0] / divisor;
}

LatexText number_text(const Expression& e) {
    if (e.text() == "pi") {
        return {"\\pi", LatexKind::atom};
    }
    const bool negative = e.text().starts_with('-');
    const auto text =
        rational_value(e)
            ? latex_number(Rational{std::abs(rational_value(e)->numerator), rational_value(e)->denominator})
            : latex_number(std::string_view(e.text()));
    if (negative) {
        return {'-' + text.text, LatexKind::sum};
    }
    return {text.text, text.is_fraction  ? LatexKind::fraction
                       : text.is_product ? LatexKind::product
                                         : LatexKind::number};
}

LatexText symbol_text(const Expression& e) {
    const auto name = latex_name(e.text());
    return {name.text(), name.above.empty() ? LatexKind::atom : LatexKind::power};
}

std::string function_name(Op op) {
    switch (op) {
        case Op::log: return "\\ln";
        case Op::asin: return "\\arcsin";
        case Op::acos: return "\\arccos";
        case Op::atan: return "\\arctan";
        case Op::asinh: return "\\operatorname{arsinh}";
        case Op::acosh: return "\\operatorname{arcosh}";
        case Op::atanh: return "\\operatorname{artanh}";
        case Op::sign: return "\\operatorname{sgn}";
        case Op::atan2:
        case Op::floors: return "\\operatorname{" + std::string(name(op)) + '}';
        default: return '\\' + std::string(name(op));
    }
}

LatexText function_text(const std::string& name, const LatexText& argument) {
    if (argument.kind == LatexKind::atom) {
        return {name + ' ' + argument.text, LatexKind::function, name};
    }
    return {name + parentheses(argument.text), LatexKind::function, name};
}

LatexText exponential_text(const LatexText& argument) {
    // Small letters above the line are readable as long as they are few.
    if (is_tall(argument.text) || argument.text.size() > 60) {
        return function_text("\\exp", {argument.text, LatexKind::sum});
    }
    return {"\\mathrm{e}^{" + argument.text + '}', LatexKind::power};
}

}  // namespace libration
