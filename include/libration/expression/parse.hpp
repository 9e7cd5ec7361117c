// Text to expressions. `^` binds to the right and tighter than a sign: -x^2 = -(x^2), 2^-x = 2^(-x).
//
//     expression := comparison { ("and" | "or") comparison }        "not" binds tighter
//     comparison := sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//     sum        := product { ("+" | "-") product }
//     product    := signed { ("*" | "/" | "//" | "%") signed }      // and % round down, as indices need
//     signed     := { "+" | "-" } power        power := postfix [ "^" signed ]
//     postfix    := primary { "." ("w" | "x" | "y" | "z") }         w: of quaternions, the vectors of four components
//     primary    := number | "pi" | name | name "[" expression "]" | function "(" arguments ")" | "(" expression ")"
//                 | "sum" "(" name "in" expression ".." expression "," expression ")" | member
//                 | "interp" "(" name "," expression [ "," integer ] ")"       the integer: which derivative
//     member     := name "." name [ "[" arguments "]" | "(" arguments ")" ]     where the first name has members
//                 | name "[" arguments "]" "." ...                              the same where it is a family
//                 | name "." name "." name                                      where the second one has parts, too
//     arguments  := [ expression { "," expression } ]
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/text/source.hpp>

#include <functional>
#include <optional>

namespace [[gnu::visibility("default")]] libration {

// A scalar, or a vector of two or more components.
struct Value {
    std::vector<Expression> components;
    [[nodiscard]] bool is_vector() const { return components.size() > 1; }
};

// name, name[1, 2] or name(a, b, c) after "top."
struct Member {
    std::string name;
    std::vector<Expression> indices, arguments;
    std::string part = {};  // name.part
};

// The meaning of names in a text.
class Scope {
  public:
    virtual ~Scope() = default;
    // Nothing if the name is unknown.
    virtual std::optional<Value> name(std::string_view name) = 0;
    // name[index]
    virtual std::optional<Value> element(std::string_view name, const Expression& index) = 0;
    // Whether a dot after the name selects a part of it, and that part. Most names have none.
    [[nodiscard]] virtual bool has_members(std::string_view) const { return false; }
    virtual Value member(std::string_view name, const Member& wanted);
    // Whether name[index] is the name of something with members, and this name with numbers: link[3].
    [[nodiscard]] virtual bool is_family(std::string_view) const { return false; }
    virtual std::string family_member(std::string_view name, std::span<const Expression> indices);
    // Whether a dot after name.member selects a part of this, unless it is a component x, y, z or w.
    [[nodiscard]] virtual bool has_parts(std::string_view, std::string_view) const { return false; }
    // The table of that name, as interp takes it (table.hpp); nothing if there is none.
    virtual std::optional<Expression> table(std::string_view) { return std::nullopt; }
    [[nodiscard]] virtual std::vector<std::string> table_names() const { return {}; }
    // sum(index in lower..upper, body): `body` reads the body in the scope that it is given.
    virtual Value sum(const std::string& index, const Expression& lower, const Expression& upper,
                      const std::function<Value(Scope&)>& body) = 0;
    // For suggestions.
    [[nodiscard]] virtual std::vector<std::string> names() const = 0;
};

// Throws an InputError that points at the fault; `place` is where the text starts in the user's file. `what` names
// the text in messages, e.g. "the potential".
Value parse_value(std::string_view text, Scope& scope, const Place& place, std::string_view what);
// The same for a scalar.
Expression parse(std::string_view text, Scope& scope, const Place& place = {},
                 std::string_view what = "the expression");
// Reads with the names themselves as symbols: for tests and for C++ users.
Expression parse(std::string_view text);

// "i in 1..n-1, j in 0..i-1" or "(i, j) in bonds".
struct Range {
    std::vector<std::string> names;
    Expression lower, upper;  // of a single name; both ends included
    std::string table;        // otherwise the name of a table of tuples
};
// Names of earlier ranges are symbols in the bounds of later ones; all else is looked up in `scope`.
std::vector<Range> parse_ranges(std::string_view text, Scope& scope, const Place& place, std::string_view what);

}  // namespace libration
