// The faces of the parser: whole texts and ranges, with messages that point into the user's file.
#include "parser.hpp"
#include "table_handle.hpp"

namespace libration {

namespace {

// Index names of the ranges already read, in front of the given scope.
class RangeScope final : public Scope {
  public:
    explicit RangeScope(Scope& outer) : outer_(&outer) {}
    void add(const std::string& name) { names_.push_back(name); }
    [[nodiscard]] bool has(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }
    std::optional<Value> name(std::string_view name) override {
        if (std::ranges::find(names_, name) != names_.end()) {
            return Value{{symbol(name)}};
        }
        return outer_->name(name);
    }
    std::optional<Value> element(std::string_view name, const Expression& index) override {
        return outer_->element(name, index);
    }
    std::optional<Expression> table(std::string_view name) override { return outer_->table(name); }
    [[nodiscard]] std::vector<std::string> table_names() const override { return outer_->table_names(); }
    Value sum(const std::string& index, const Expression& lower, const Expression& upper,
              const std::function<Value(Scope&)>& body) override {
        return outer_->sum(index, lower, upper, body);
    }
    [[nodiscard]] std::vector<std::string> names() const override {
        auto all = names_;
        const auto more = outer_->names();
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

  private:
    Scope* outer_;
    std::vector<std::string> names_;
};

}  // namespace

Value Scope::member(std::string_view name, const Member& wanted) {
    throw std::invalid_argument(fmt::format("'{}' has no '{}'", name, wanted.name));
}

std::string Scope::family_member(std::string_view name, std::span<const Expression>) {
    throw std::invalid_argument(fmt::format("'{}' has no members", name));
}

std::vector<Range> Parser::ranges() {
    RangeScope inner(*scope_);
    scope_ = &inner;
    std::vector<Range> all;
    do {
        Range range;
        if (take("(")) {
            do {
                range.names.push_back(expect_name("the name of an index"));
            } while (take(","));
            expect(")", "after the indices");
        } else {
            range.names.push_back(expect_name("the name of an index"));
        }
        expect("in", "after the index");
        if (here().kind == TokenKind::name && (next().kind == TokenKind::end || next().text == ",")) {
            range.table = expect_name("the name of a table");
        } else {
            const Token start = here();
            range.lower = scalar(additive(), start, "a bound");
            expect("..", "between the bounds of a range");
            const Token middle = here();
            range.upper = scalar(additive(), middle, "a bound");
            if (range.names.size() > 1) {
                fail(start, "several indices need a table of tuples, not a range of numbers");
            }
        }
        for (const auto& name : range.names) {
            if (inner.has(name)) {
                fail(tokens_[at_ - 1], fmt::format("the index '{}' is used twice", name));
            }
            inner.add(name);
        }
        all.push_back(std::move(range));
    } while (take(","));
    expect_end();
    return all;
}

namespace {

class FreeScope final : public Scope {
  public:
    std::optional<Value> name(std::string_view name) override { return Value{{symbol(name)}}; }
    std::optional<Value> element(std::string_view, const Expression&) override { return std::nullopt; }
    std::optional<Expression> table(std::string_view name) override { return unknown_table(name); }
    Value sum(const std::string&, const Expression&, const Expression&, const std::function<Value(Scope&)>&) override {
        throw std::invalid_argument("sum can be used only inside a model");
    }
    [[nodiscard]] std::vector<std::string> names() const override { return {}; }
};

template <class F>
auto reporting(std::string_view text, const Place& place, std::string_view what, F f) {
    try {
        return f();
    } catch (const SyntaxFault& fault) {
        const auto width = characters(text.substr(std::min(fault.offset, text.size()), fault.width));
        if (place.line == 0) {  // no file: point into the text itself
            const bool is_argument =
                what.find('`') != std::string_view::npos && text.find('\n') == std::string_view::npos;
            const Place start{std::make_shared<Source>(Source{std::string(what), std::string(text), is_argument}), 1, 1,
                              nullptr};
            throw InputError(advance(start, text, fault.offset), fault.what(), width);
        }
        throw InputError(advance(place, text, fault.offset), fmt::format("in {}: {}", what, fault.what()), width);
    }
}

}  // namespace

Value parse_value(std::string_view text, Scope& scope, const Place& place, std::string_view what) {
    return reporting(text, place, what, [&] { return Parser(text, scope).whole(); });
}

Expression parse(std::string_view text, Scope& scope, const Place& place, std::string_view what) {
    return reporting(text, place, what, [&] {
        const auto value = Parser(text, scope).whole();
        if (value.is_vector()) {
            throw SyntaxFault(
                fmt::format("a number is expected, this is a vector of {} components", value.components.size()), 0,
                text.size());
        }
        return value.components[0];
    });
}

Expression parse(std::string_view text) {
    FreeScope scope;
    return parse(text, scope);
}

std::vector<Range> parse_ranges(std::string_view text, Scope& scope, const Place& place, std::string_view what) {
    return reporting(text, place, what, [&] { return Parser(text, scope).ranges(); });
}

}  // namespace libration
