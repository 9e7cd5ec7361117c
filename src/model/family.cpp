// Symbols with an index. Their names are what a text would say, and a scope reads them as such.
#include <libration/model/family.hpp>

#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

template <class F>
PointVector combined(const PointVector& a, const PointVector& b, F f) {
    if (a.size() != b.size()) {
        throw InputError(fmt::format("vectors of {} and {} components cannot be combined", a.size(), b.size()));
    }
    std::vector<Expression> components;
    for (std::size_t k = 0; k < a.size(); ++k) {
        components.push_back(f(a[k], b[k]));
    }
    return PointVector(std::move(components));
}

}  // namespace

PointVector operator+(const PointVector& a, const PointVector& b) {
    return combined(a, b, [](const Expression& x, const Expression& y) { return x + y; });
}

PointVector operator-(const PointVector& a, const PointVector& b) {
    return combined(a, b, [](const Expression& x, const Expression& y) { return x - y; });
}

PointVector operator*(const Expression& factor, const PointVector& a) {
    return combined(a, a, [&](const Expression& x, const Expression&) { return factor * x; });
}

Expression dot(const PointVector& a, const PointVector& b) {
    const auto products = combined(a, b, [](const Expression& x, const Expression& y) { return x * y; });
    Expression total = products[0];
    for (std::size_t k = 1; k < products.size(); ++k) {
        total += products[k];
    }
    return total;
}

PointVector PointSymbols::part(const char* prefix, const Expression& number) const {
    std::vector<Expression> components;
    for (std::size_t c = 0; c < dimension_; ++c) {
        components.push_back(symbol(fmt::format("{}{}[{}].{}", prefix, name_, to_string(number), "xyz"[c])));
    }
    return PointVector(std::move(components));
}

Expression ListSymbols::operator[](const Expression& number) const {
    return symbol(fmt::format("{}[{}]", name_, to_string(number)));
}

Expression sum_over(const Expression& index, const Expression& first, const Expression& last,
                    const Expression& summand) {
    return symbol(
        fmt::format("sum({} in {}..{}, {})", index.text(), to_string(first), to_string(last), to_string(summand)));
}

}  // namespace libration
