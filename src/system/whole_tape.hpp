// A program of the whole model: some expressions of the time and of vectors such as q and p.
#pragma once

#include "expression/tape_visitor.hpp"
#include "model/model_values.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/model/model.hpp>

#include <algorithm>
#include <initializer_list>

namespace libration {

using Symbols = std::vector<Expression>;

inline const Expression& time_symbol() {
    static const Expression t = symbol("t");
    return t;
}

// A direction to differentiate along: one symbol a coordinate.
inline Symbols fresh_symbols(std::string_view stem, std::size_t count) {
    Symbols symbols;
    for (std::size_t k = 0; k < count; ++k) {
        symbols.push_back(fresh_symbol(stem));
    }
    return symbols;
}

inline std::vector<Expression> values_of(std::span<const WholeExpression> expressions) {
    std::vector<Expression> values;
    for (const auto& expression : expressions) {
        values.push_back(expression.value);
    }
    return values;
}

inline bool depends_on_time(std::span<const WholeExpression> expressions) {
    return std::ranges::any_of(expressions,
                               [](const auto& e) { return depends_on(e.value, std::array{time_symbol()}); });
}

// The program of a WholeTape.
inline SharedProgram whole_program(std::span<const Expression> outputs, std::initializer_list<Symbols> vectors,
                                   std::span<const Expression> parameters) {
    Symbols inputs{time_symbol()};
    for (const auto& vector : vectors) {
        inputs.insert(inputs.end(), vector.begin(), vector.end());
    }
    return std::make_shared<const Program>(compile(outputs, inputs, parameters));
}

template <class S>
class WholeTape {
  public:
    WholeTape() = default;
    WholeTape(std::span<const Expression> outputs, std::initializer_list<Symbols> vectors,
              const ParameterValues<S>& given)
        : WholeTape(whole_program(outputs, vectors, given.symbols), given) {}
    WholeTape(const SharedProgram& program, const ParameterValues<S>& given) : tape_(program, given.values) {}

    // The vectors in the order of the constructor.
    void run(const S& t, std::initializer_list<std::span<const S>> vectors) {
        tape_.input(0) = t;
        std::size_t input = 1;
        for (const auto& vector : vectors) {
            for (const auto& value : vector) {
                tape_.input(input++) = value;
            }
        }
        assert(input == tape_.inputs());
        tape_.run();
    }
    // The same, with all outputs copied; they may share memory with a vector.
    void run(const S& t, std::initializer_list<std::span<const S>> vectors, std::span<S> out) {
        run(t, vectors);
        for (std::size_t k = 0; k < out.size(); ++k) {
            out[k] = tape_.output(k);
        }
    }
    [[nodiscard]] const S& output(std::size_t k) const { return tape_.output(k); }
    void visit_tapes(TapeVisitor<S>& visitor) { visitor.tape(tape_); }

  private:
    Tape<S> tape_;
};

}  // namespace libration
