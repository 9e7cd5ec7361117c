// One formula, compiled for one number.
#include "start_value.hpp"

namespace libration {

double value_at_start(const Model& model, const ParameterValues<double>& given, const InitialState<double>& start,
                      const Expression& e, double t) {
    std::vector<Expression> inputs;
    std::vector<double> numbers;
    for (const auto& s : symbols_of(std::array{e})) {
        if (s.text() == "t") {
            inputs.push_back(s);
            numbers.push_back(t);
        } else if (const auto k = model.coordinate_number(s.text())) {
            inputs.push_back(s);
            numbers.push_back(start.q[*k]);
        }
    }
    Tape<double> tape(compile(std::array{e}, inputs, given.symbols), given.values);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        tape.input(k) = numbers[k];
    }
    tape.run();
    return tape.output(0);
}

}  // namespace libration
