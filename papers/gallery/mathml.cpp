// One pass over the LaTeX: atoms become elements, groups rows, and what stands after _ and ^ is attached to the atom
// before it.
#include "mathml.hpp"

#include "html.hpp"
#include "mathml_signs.hpp"

#include <fmt/format.h>

#include <cctype>
#include <utility>
#include <vector>

namespace libration::html {

namespace {

std::string element(std::string_view tag, std::string_view inside) {
    return fmt::format("<{0}>{1}</{0}>", tag, inside);
}

bool is_letter_of_math(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit_of_math(char c) { return c >= '0' && c <= '9'; }

// An operator, or the left one of two fences.
bool begins_with_operator(std::string_view latex) {
    constexpr std::array<std::string_view, 14> commands{"\\lt",    "\\gt",     "\\le",     "\\ge",    "\\ne",
                                                        "\\to",    "\\in",     "\\cdot",   "\\times", "\\lVert",
                                                        "\\lvert", "\\lfloor", "\\langle", "\\bmod"};
    const bool command = std::ranges::any_of(commands, [&](std::string_view one) {
        return latex.starts_with(one) && (latex.size() == one.size() || !is_letter_of_math(latex[one.size()]));
    });
    return command || std::string_view("([=,/").find(latex[0]) != std::string_view::npos;
}

class MathReader {
  public:
    explicit MathReader(std::string_view latex) : rest_(latex) {}

    // Up to the end, or to what `closing` begins with, which stays.
    std::string row(std::string_view closing = {}) {
        std::vector<std::string> atoms;
        bool awaits_operand = true;  // a sign belongs to what follows
        for (skip_spaces(); !rest_.empty() && (closing.empty() || !rest_.starts_with(closing)); skip_spaces()) {
            if (rest_[0] == '}' || rest_[0] == '&' || rest_.starts_with("\\\\")) {
                break;  // the end of a group, a cell or a line
            }
            if (awaits_operand && (rest_[0] == '-' || rest_[0] == '+')) {
                atoms.push_back(fmt::format("<mo form=\"prefix\">{}</mo>", take(1) == "-" ? "−" : "+"));
                continue;
            }
            awaits_operand = begins_with_operator(rest_);
            atoms.push_back(scripted());
        }
        std::string inside;
        for (const auto& atom : atoms) {
            inside += atom;
        }
        return atoms.size() == 1 ? inside : element("mrow", inside);
    }

    // Cells and lines up to \end{...} or the end of the text.
    std::string table_rows() {
        std::string rows, cells;
        for (;;) {
            cells += element("mtd", row("\\end"));
            if (!rest_.empty() && rest_[0] == '&') {
                rest_.remove_prefix(1);
            } else if (rest_.starts_with("\\\\")) {
                rest_.remove_prefix(2);
                rows += element("mtr", std::exchange(cells, {}));
            } else {
                return rows + element("mtr", cells);
            }
        }
    }

  private:
    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }

    std::string scripted() {
        large_ = false;
        auto base = atom();
        const bool limits = large_;
        std::string below, above;
        for (skip_spaces(); !rest_.empty() && (rest_[0] == '_' || rest_[0] == '^'); skip_spaces()) {
            auto& script = rest_[0] == '_' ? below : above;
            rest_.remove_prefix(1);
            script = argument();
        }
        const std::string_view both = limits ? "munderover" : "msubsup";
        if (!below.empty() && !above.empty()) {
            return element(both, base + below + above);
        }
        if (!below.empty()) {
            return element(limits ? "munder" : "msub", base + below);
        }
        return above.empty() ? base : element("msup", base + above);
    }

    // A group in braces, or one atom.
    std::string argument() {
        skip_spaces();
        if (rest_.empty() || rest_[0] != '{') {
            return atom();
        }
        rest_.remove_prefix(1);
        auto inside = row("}");
        rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
        return inside;
    }

    std::string atom() {
        if (rest_.empty()) {
            return "<mrow></mrow>";
        }
        const char c = rest_[0];
        if (c == '\\') {
            return command();
        }
        if (c == '{') {
            return argument();
        }
        if (is_digit_of_math(c)) {
            return element("mn", take(length_of_number()));
        }
        // A letter beyond ASCII is several bytes.
        std::size_t length = 1;
        while (length < rest_.size() && (static_cast<unsigned char>(rest_[length]) & 0xC0U) == 0x80) {
            ++length;
        }
        const auto text = take(length);
        if (is_letter_of_math(c) || length > 1) {
            return element("mi", text);
        }
        const bool fence = c == '(' || c == ')' || c == '[' || c == ']' || c == '|';
        const auto shown = c == '-'    ? std::string("−")
                           : c == '\'' ? std::string("′")
                           : c == '*'  ? std::string("·")
                                       : escaped(text);
        if (c == '/') {
            return "<mo lspace=\"0\" rspace=\"0\">/</mo>";
        }
        return fence ? fmt::format("<mo stretchy=\"false\">{}</mo>", shown) : element("mo", shown);
    }

    // 9.81, and 200,000
    [[nodiscard]] std::size_t length_of_number() const {
        std::size_t end = 0;
        const auto digit_at = [&](std::size_t k) { return k < rest_.size() && is_digit_of_math(rest_[k]); };
        while (digit_at(end) || (end > 0 && end < rest_.size() && rest_[end] == '.' && digit_at(end + 1)) ||
               rest_.substr(end, 3) == "{,}") {
            end += rest_[end] == '{' ? 3 : 1;
        }
        return end;
    }

    std::string take(std::size_t length) {
        std::string text(rest_.substr(0, length));
        rest_.remove_prefix(length);
        for (auto at = text.find("{,}"); at != std::string::npos; at = text.find("{,}")) {
            text.replace(at, 3, ",");
        }
        return text;
    }

    std::string command() {
        std::size_t end = 1;
        while (end < rest_.size() && is_letter_of_math(rest_[end])) {
            ++end;
        }
        end = std::max<std::size_t>(end, 2);
        const auto name = std::string(rest_.substr(1, std::min(end, rest_.size()) - 1));
        rest_.remove_prefix(std::min(end, rest_.size()));
        if (const auto* letter = sign_named(letters, name)) {
            const bool capital = name[0] >= 'A' && name[0] <= 'Z';
            return capital ? fmt::format("<mi mathvariant=\"normal\">{}</mi>", letter->text)
                           : element("mi", letter->text);
        }
        if (const auto* sign = sign_named(operators, name)) {
            return element("mo", sign->text);
        }
        if (const auto* fence = sign_named(fences, name)) {
            return fmt::format("<mo stretchy=\"false\">{}</mo>", fence->text);
        }
        if (const auto* space = sign_named(spaces, name)) {
            return fmt::format("<mspace width=\"{}\"/>", space->text);
        }
        if (std::ranges::find(functions, name) != functions.end()) {
            return function(name);
        }
        return structure(name);
    }

    std::string structure(const std::string& name) {
        if (name == "frac") {
            auto above = argument();
            return element("mfrac", above + argument());
        }
        if (name == "sqrt" && rest_.starts_with('[')) {
            rest_.remove_prefix(1);
            const auto degree = row("]");
            rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
            return element("mroot", argument() + degree);
        }
        if (name == "sqrt") {
            return element("msqrt", argument());
        }
        if (name == "dot") {  // not as an accent, for which browsers do not look at the height of the letter
            return element("mover", argument() + "<mo>˙</mo>");
        }
        if (name == "hat" || name == "tilde") {
            return fmt::format("<mover accent=\"true\">{}<mo stretchy=\"false\">{}</mo></mover>", argument(),
                               name == "hat" ? "^" : "~");
        }
        if (name == "mathrm" || name == "text") {
            const auto inside = raw_group();
            return name == "text" ? element("mtext", inside)
                                  : fmt::format("<mi mathvariant=\"normal\">{}</mi>", inside);
        }
        if (name == "mathbf") {
            return fmt::format("<mrow class=\"vector\">{}</mrow>", argument());
        }
        if (name == "operatorname") {
            return function(raw_group());
        }
        if (name == "sum") {
            large_ = true;
            return "<mo>∑</mo>";
        }
        if (name == "left") {
            return fenced();
        }
        if (name == "begin") {
            return environment();
        }
        return name.size() == 1 && is_letter_of_math(name[0]) == false
                   ? element("mo", escaped(name))
                   : element("merror", element("mtext", escaped(name)));
    }

    // sin x, but sin(x + y) without a space; sin^2 x.
    std::string function(const std::string& name) {
        auto word = element("mi", name);
        skip_spaces();
        if (rest_.starts_with('^')) {
            rest_.remove_prefix(1);
            word = element("msup", word + argument());
            skip_spaces();
        }
        const bool parenthesis = rest_.empty() || rest_[0] == '(' || rest_.starts_with("\\left") || rest_[0] == '_';
        return parenthesis ? word : element("mrow", word + "<mspace width=\"0.17em\"/>");
    }

    std::string fence() {
        skip_spaces();
        if (rest_.starts_with('\\')) {
            return command();
        }
        return escaped(take(1));
    }

    std::string fenced() {
        const auto open = fence();
        const auto inside = row("\\right");
        rest_.remove_prefix(std::min<std::size_t>(6, rest_.size()));
        const auto close = fence();
        const auto stretched = [](const std::string& sign) {
            return sign.starts_with('<') ? sign : fmt::format("<mo stretchy=\"true\">{}</mo>", sign);
        };
        return element("mrow", stretched(open) + inside + stretched(close));
    }

    std::string environment() {
        const auto name = raw_group();
        const auto table = fmt::format("<mtable class=\"{}\">{}</mtable>", name, table_rows());
        rest_.remove_prefix(std::min<std::size_t>(4, rest_.size()));
        raw_group();
        if (name == "cases") {
            return element("mrow", "<mo stretchy=\"true\">{</mo>" + table);
        }
        return name == "pmatrix"
                   ? element("mrow", "<mo stretchy=\"true\">(</mo>" + table + "<mo stretchy=\"true\">)</mo>")
                   : table;
    }

    // The text in braces, without what escapes its characters.
    std::string raw_group() {
        std::string text;
        int depth = 0;
        while (!rest_.empty()) {
            const char c = rest_[0];
            rest_.remove_prefix(1);
            if (c == '\\' && !rest_.empty() && is_letter_of_math(rest_[0])) {
                rest_ = rest_.substr(0);
                const auto end = std::min(rest_.find(' '), rest_.size());
                const auto* sign = sign_named(operators, rest_.substr(0, end));
                text += sign == nullptr ? "" : sign->text;
                rest_.remove_prefix(std::min(end + 1, rest_.size()));
            } else if (c == '\\' && !rest_.empty()) {
                text += rest_[0] == ' ' ? "&#160;" : escaped(rest_.substr(0, 1));
                rest_.remove_prefix(1);
            } else if (c == '{') {
                ++depth;
            } else if (c == '}') {
                if (--depth == 0) {
                    break;
                }
            } else if (c == ' ') {
                text += "&#160;";  // at the ends of a text, spaces are kept so only
            } else {
                text += escaped(std::string_view(&c, 1));
            }
        }
        return text;
    }

    std::string_view rest_;
    bool large_ = false;  // the atom is a sign with limits below and above
};

}  // namespace

std::string mathml_of(std::string_view latex) { return element("math", MathReader(latex).row()); }

std::string mathml_of_lines(std::span<const std::string> lines) {
    std::string rows;
    for (const auto& line : lines) {
        rows += MathReader(line).table_rows() + "\n";
    }
    return "<div class=\"equations-box\"><math display=\"block\"><mtable class=\"equations\" displaystyle=\"true\">\n" +
           rows + "</mtable></math></div>\n";
}

}  // namespace libration::html
