// Formulas in quadruple precision, where the compiler has it.
#include "reproduce/computations/exact_number.hpp"

#include "expression/tape.hpp"
#include <libration/expression/parse.hpp>

#include <vector>

namespace libration {

Wide exact_number(const std::string& text, const std::map<std::string, Wide>& names) {
#ifdef LIBRATION_HAS_QUAD
    using Number = Quad;
#else
    using Number = double;
#endif
    std::vector<Expression> symbols;
    std::vector<Number> values;
    for (const auto& [name, value] : names) {
        symbols.push_back(symbol(name));
        values.push_back(static_cast<Number>(value));
    }
    const std::vector outputs{parse(text)};
    Tape<Number> tape(compile(outputs, {}, symbols), values);
    tape.run();
    return static_cast<Wide>(tape.output(0));
}

}  // namespace libration
