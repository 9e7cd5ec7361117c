// Tables: checked, turned into piecewise polynomials, and known by what they contain.
#include "table_handle.hpp"

#include "node.hpp"
#include "spline.hpp"
#include "tape.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <unordered_map>

namespace libration {

struct Table::Contents {
    std::string name;
    std::vector<Expression> x, y;
    Kind kind;
    std::size_t number = 0;  // of the piecewise polynomial
    Expression handle;
};

namespace {

constexpr std::string_view mark = "table ";

std::size_t degree(Table::Kind kind) { return kind == Table::Kind::linear ? 1 : 3; }

WideScalar value_of(const Expression& constant) {
    if (constant.is(Op::constant)) {  // nearly all of them
        return from_text<WideScalar>(constant.text());
    }
    return Tape<WideScalar>(compile(std::array{constant}, {}), {}).output(0);
}

std::vector<WideScalar> values_of(const std::vector<Expression>& constants) {
    std::vector<WideScalar> values;
    values.reserve(constants.size());
    for (const auto& constant : constants) {
        values.push_back(value_of(constant));
    }
    return values;
}

// Of the contents alone, so that equal tables have equal handles in every process. [Fowler, Noll, Vo: FNV-1a]
std::uint64_t digest(const std::vector<Expression>& x, const std::vector<Expression>& y, Table::Kind kind) {
    std::uint64_t h = 0xCBF29CE484222325ULL;
    const auto take = [&h](std::string_view text) {
        for (const char c : text) {
            h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
        }
        h = (h ^ 0xFFU) * 0x100000001B3ULL;
    };
    take(name(kind));
    for (const auto* column : {&x, &y}) {
        for (const auto& value : *column) {
            take(to_string(value));
        }
    }
    return h;
}

struct Registry {
    std::mutex mutex;
    std::unordered_map<std::string, std::shared_ptr<const Table::Contents>> by_handle;
};

// Never destroyed, as the nodes of expressions are not.
Registry& registry() {
    static auto* const instance = new Registry;
    return *instance;
}

std::shared_ptr<const Table::Contents> contents_of(const Expression& handle) {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().by_handle.find(handle.text());
    return found == registry().by_handle.end() ? nullptr : found->second;
}

}  // namespace

std::string_view name(Table::Kind kind) { return kind == Table::Kind::linear ? "linear" : "cubic"; }

std::optional<Table::Fault> Table::fault(const std::vector<Expression>& x, const std::vector<Expression>& y,
                                         Kind kind) {
    const std::size_t least = kind == Kind::linear ? 2 : 3;
    if (x.size() != y.size()) {
        return Fault{fmt::format("x has {} values and y has {}", x.size(), y.size()), {}};
    }
    if (x.size() < least) {
        return Fault{fmt::format("{} interpolation needs at least {} rows, and there {} {}", libration::name(kind),
                                 least, x.size() == 1 ? "is" : "are", x.size()),
                     {}};
    }
    if (x.size() > most_rows) {
        return Fault{fmt::format("it has {} rows, and at most {} are possible", x.size(), most_rows), {}};
    }
    double before = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double here = to_double(value_of(x[k])), value = to_double(value_of(y[k]));
        if (!std::isfinite(here) || !std::isfinite(value)) {
            const bool in_y = std::isfinite(here);
            return Fault{fmt::format("{} = {} is not a finite number", in_y ? "y" : "x", to_string(in_y ? y[k] : x[k])),
                         k, in_y};
        }
        if (k > 0 && !(before < here)) {
            return Fault{fmt::format("x must increase from row to row, and {} follows {}", here, before), k};
        }
        before = here;
    }
    return std::nullopt;
}

Table::Table(std::string name, std::vector<Expression> x, std::vector<Expression> y, Kind kind) {
    for (const auto* column : {&x, &y}) {
        if (const auto symbols = symbols_of(*column); !symbols.empty()) {
            throw InputError(
                fmt::format("the table '{}' contains the symbol '{}'; a table holds numbers", name, symbols[0].text()));
        }
    }
    if (const auto wrong = fault(x, y, kind)) {
        throw InputError(fmt::format("the table '{}': {}{}", name, wrong->problem,
                                     wrong->row ? fmt::format(" (row {})", *wrong->row + 1) : std::string()));
    }
    auto text = fmt::format("{}{}#{:016x}", mark, name, digest(x, y, kind));
    const std::lock_guard lock(registry().mutex);
    auto& known = registry().by_handle;
    for (auto found = known.find(text); found != known.end(); found = known.find(text += '+')) {
        if (found->second->kind == kind && found->second->x == x && found->second->y == y) {
            contents_ = found->second;
            return;
        }
    }
    const auto wide_x = values_of(x), wide_y = values_of(y);
    const auto number =
        keep_piecewise(kind == Kind::linear ? linear_interpolant(wide_x, wide_y) : cubic_interpolant(wide_x, wide_y));
    if (!number) {
        throw InputError("this process has used too many different tables; start another one");
    }
    contents_ = std::make_shared<const Contents>(
        Contents{std::move(name), std::move(x), std::move(y), kind, *number, intern(Op::constant, text, {})});
    known.emplace(text, contents_);
}

const std::string& Table::name() const { return contents_->name; }
const std::vector<Expression>& Table::x() const { return contents_->x; }
const std::vector<Expression>& Table::y() const { return contents_->y; }
Table::Kind Table::kind() const { return contents_->kind; }
const Expression& Table::handle() const { return contents_->handle; }

Expression interp(const Table& table, const Expression& x, int derivative) {
    return operation(Op::interp, std::array{x, table.handle(), Expression(derivative)});
}

Expression interp(std::string_view table, const Expression& x, int derivative) {
    return operation(Op::interp, std::array{x, unknown_table(table), Expression(derivative)});
}

bool is_table(const Expression& handle) { return handle.text().starts_with(mark); }

std::string_view table_name(const Expression& handle) {
    const std::string_view text = handle.text();
    return is_table(handle) ? text.substr(mark.size(), text.find('#') - mark.size()) : text;
}

Expression unknown_table(std::string_view name) { return symbol(std::string(mark) + std::string(name)); }

std::string table_number(const Expression& handle) { return std::to_string(contents_of(handle)->number); }

bool vanishes(const Expression& handle, const Expression& derivative) {
    const auto& order = rational_value(derivative);
    if (!handle.is(Op::constant) || !is_table(handle) || !order) {
        return false;
    }
    return order->numerator > static_cast<std::int64_t>(degree(contents_of(handle)->kind));
}

std::optional<Expression> next_derivative(const Expression& interp) {
    const auto a = interp.arguments();
    const auto next = a[2] + 1;
    return vanishes(a[1], next) ? std::nullopt : std::optional(operation(Op::interp, std::array{a[0], a[1], next}));
}

}  // namespace libration
