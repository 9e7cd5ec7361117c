// Functions given by values: interp(table, x) in formulas.
//
//     Table profile("profile", {0, 1, 2}, {0, 5, 0}, Table::Kind::linear);
//     auto torque = interp(profile, t);
//
// linear: straight lines between the points. cubic: the not-a-knot spline, which has continuous first and second
// derivatives; through three points it is a parabola. Below the first x and above the last one the function keeps its
// first and last value. At a point where a derivative jumps it has the value of the piece on the right.
//
// One evaluation costs a binary search and a polynomial, whatever the number of points. Derivatives of every order are
// exact. A table lives as long as the process, as generated code does; equal tables are stored once.
#pragma once

#include <libration/expression/expression.hpp>

#include <optional>

namespace [[gnu::visibility("default")]] libration {

class Table {
  public:
    enum class Kind { linear, cubic };
    static constexpr std::size_t most_rows = 1'000'000;

    // What is wrong with the values; the number of the row counts from 0.
    struct Fault {
        std::string problem;
        std::optional<std::size_t> row;
        bool in_y = false;
    };
    static std::optional<Fault> fault(const std::vector<Expression>& x, const std::vector<Expression>& y, Kind kind);

    // Values are constants: numbers, or expressions without symbols. x must increase; two rows are needed, three for
    // cubic. Otherwise an InputError.
    Table(std::string name, std::vector<Expression> x, std::vector<Expression> y, Kind kind = Kind::linear);

    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] const std::vector<Expression>& x() const;
    [[nodiscard]] const std::vector<Expression>& y() const;
    [[nodiscard]] Kind kind() const;
    // The argument of interp that stands for this table.
    [[nodiscard]] const Expression& handle() const;

    struct Contents;

  private:
    std::shared_ptr<const Contents> contents_;
};

std::string_view name(Table::Kind kind);

// The function of the table at x, or its derivative of the given order.
Expression interp(const Table& table, const Expression& x, int derivative = 0);
// The same with the name of a table, for expressions that are written before the model is built.
Expression interp(std::string_view table, const Expression& x, int derivative = 0);

}  // namespace libration
