// Points, lists and families of terms in C++: symbols with an index, and over which indices a term is taken.
//
//     auto n = builder.parameter("n", 10);
//     auto r = builder.points({.name = "r", .count = n, .dimension = 2, .mass = 1});
//     auto i = symbol("i");
//     auto d = r[i] - r[i - 1];
//     builder.constraint("rod", d[0]*d[0] + d[1]*d[1] - 1, over(i, 1, n - 1));
#pragma once

#include <libration/expression/expression.hpp>

#include <optional>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// x, y, z as far as the points have them.
class PointVector {
  public:
    explicit PointVector(std::vector<Expression> components) : components_(std::move(components)) {}
    [[nodiscard]] std::size_t size() const { return components_.size(); }
    [[nodiscard]] const Expression& operator[](std::size_t k) const { return components_[k]; }

    friend PointVector operator+(const PointVector& a, const PointVector& b);
    friend PointVector operator-(const PointVector& a, const PointVector& b);
    friend PointVector operator*(const Expression& factor, const PointVector& a);
    friend Expression dot(const PointVector& a, const PointVector& b);

  private:
    std::vector<Expression> components_;
};

// The symbols of points. Numbers count from 0; they are numbers, or integer formulas of indices and parameters.
class PointSymbols {
  public:
    PointSymbols(std::string name, std::size_t dimension) : name_(std::move(name)), dimension_(dimension) {}
    [[nodiscard]] PointVector operator[](const Expression& number) const { return part("", number); }
    [[nodiscard]] PointVector velocity(const Expression& number) const { return part("v_", number); }
    [[nodiscard]] PointVector momentum(const Expression& number) const { return part("p_", number); }

  private:
    [[nodiscard]] PointVector part(const char* prefix, const Expression& number) const;

    std::string name_;
    std::size_t dimension_;
};

// The elements of a list of values, or the values of a formula in i.
class ListSymbols {
  public:
    explicit ListSymbols(std::string name) : name_(std::move(name)) {}
    [[nodiscard]] Expression operator[](const Expression& number) const;

  private:
    std::string name_;
};

// The sum of `summand` over an index from `first` to `last`, both included; the bounds may contain indices around it.
Expression sum_over(const Expression& index, const Expression& first, const Expression& last,
                    const Expression& summand);

// Over which indices a term is taken: ranges, where each may use the indices before it, or the rows of a table.
struct Over {
    struct Range {
        Expression index, first, last;  // both ends included
    };
    std::vector<Range> ranges;
    std::vector<Expression> indices;               // of a table: one per column
    std::vector<std::vector<std::int64_t>> table;  // rows
    std::string table_name = "rows";               // for messages

    Over& then(const Expression& index, const Expression& first, const Expression& last) {
        ranges.push_back({index, first, last});
        return *this;
    }
};
inline Over over(const Expression& index, const Expression& first, const Expression& last) {
    return {{{index, first, last}}, {}, {}};
}
inline Over over_rows(std::vector<Expression> indices, std::vector<std::vector<std::int64_t>> rows,
                      std::string name = "rows") {
    return {{}, std::move(indices), std::move(rows), std::move(name)};
}

// Description of points.
struct PointProperties {
    std::string name;
    Expression count;  // in parameters
    std::size_t dimension = 3;
    std::optional<Expression> mass = {};  // may contain the number i of the point; nothing: that of all coordinates
    std::vector<Expression> masses = {};  // instead of it: one per point
};

// Initial values of points: one formula per component, over the index of a range. Without p and v they are at rest.
struct PointStart {
    std::vector<Expression> q;
    std::vector<Expression> p = {}, v = {};
};

}  // namespace libration
