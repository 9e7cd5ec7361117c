// Reading and writing method specifications.
#include <libration/methods/spec.hpp>

#include <libration/text/error.hpp>
#include <libration/text/source.hpp>

#include <fmt/format.h>

#include <memory>

namespace libration {

namespace {

class SpecParser {
  public:
    explicit SpecParser(std::string_view text) : text_(text) {}

    MethodSpec whole() {
        MethodSpec spec = one(0);
        skip_spaces();
        if (at_ < text_.size()) {
            fail("expected the end of the method");
        }
        return spec;
    }

  private:
    void skip_spaces() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
            ++at_;
        }
    }
    bool take(char c) {
        skip_spaces();
        if (at_ < text_.size() && text_[at_] == c) {
            ++at_;
            return true;
        }
        return false;
    }
    [[noreturn]] void fail(const std::string& message) const {
        const auto source = std::make_shared<Source>(Source{"method", std::string(text_)});
        throw InputError({source, 1, at_ + 1, nullptr}, message);
    }
    std::string word() {
        skip_spaces();
        const auto start = at_;
        const auto belongs = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
                   c == '.' || c == '/' || c == '_';
        };
        while (at_ < text_.size() && belongs(text_[at_])) {
            ++at_;
        }
        if (at_ == start) {
            fail("expected the name of a method or a number");
        }
        return std::string(text_.substr(start, at_ - start));
    }
    MethodSpec one(int depth) {
        if (depth > 20) {
            fail("methods are nested too deeply");
        }
        MethodSpec spec{word(), {}, {}};
        if (take('=')) {
            const auto key = spec.name;
            spec = one(depth + 1);
            spec.key = key;
            return spec;
        }
        if (take('(')) {
            do {
                spec.arguments.push_back(one(depth + 1));
            } while (take(','));
            if (!take(')')) {
                fail("expected ',' or ')' after an argument");
            }
        }
        return spec;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

MethodSpec parse_spec(std::string_view text) { return SpecParser(text).whole(); }

std::string to_string(const MethodSpec& spec) {
    std::string text = spec.key.empty() ? spec.name : spec.key + '=' + spec.name;
    for (std::size_t k = 0; k < spec.arguments.size(); ++k) {
        text += (k == 0 ? "(" : ", ") + to_string(spec.arguments[k]);
    }
    return spec.arguments.empty() ? text : text + ')';
}

}  // namespace libration
