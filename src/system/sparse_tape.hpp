// A matrix of expressions of which most are zero, run as one program.
#pragma once

#include "expression/tape_visitor.hpp"
#include "model/model_values.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/model/formula.hpp>

namespace libration {

struct MatrixEntry {
    std::size_t row, column;
    Expression value;
};

// The entries of f_xx on and below the diagonal.
inline std::vector<MatrixEntry> lower_hessian(const Expression& f, std::span<const Expression> x) {
    std::vector<MatrixEntry> entries;
    const auto slopes = gradient(f, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto row = gradient(slopes[i], x.first(i + 1));
        for (std::size_t j = 0; j <= i; ++j) {
            entries.push_back({i, j, row[j]});
        }
    }
    return entries;
}

inline std::vector<MatrixEntry> column(const std::vector<Expression>& values) {
    std::vector<MatrixEntry> entries;
    for (std::size_t i = 0; i < values.size(); ++i) {
        entries.push_back({i, 0, values[i]});
    }
    return entries;
}

template <class S>
class SparseTape {
  public:
    SparseTape() = default;
    SparseTape(const std::vector<MatrixEntry>& entries, std::span<const Expression> inputs,
               const ParameterValues<S>& given) {
        std::vector<Expression> outputs;
        for (const auto& entry : entries) {
            if (!entry.value.is_constant(0)) {
                outputs.push_back(entry.value);
                places_.push_back({entry.row, entry.column});
            }
        }
        tape_ = Tape<S>(compile(outputs, inputs, given.symbols), given.values);
    }

    S& input(std::size_t k) { return tape_.input(k); }
    void set(std::size_t first, std::span<const S> values) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            tape_.input(first + k) = values[k];
        }
    }

    // Evaluates, and calls visit(row, column, value) for each entry that is not identically zero.
    template <class Visit>
    void run(Visit visit) {
        tape_.run();
        for (std::size_t k = 0; k < places_.size(); ++k) {
            visit(places_[k].row, places_[k].column, tape_.output(k));
        }
    }

    struct Place {
        std::size_t row, column;
    };
    // In the order in which run() visits them.
    [[nodiscard]] std::span<const Place> places() const { return places_; }

    void visit_tapes(TapeVisitor<S>& visitor) {
        if (!places_.empty()) {
            visitor.tape(tape_);
        }
    }

  private:
    std::vector<Place> places_;
    Tape<S> tape_;
};

}  // namespace libration
