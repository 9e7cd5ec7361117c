// From options of the command line to arguments of Python.
#include "errors.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace libration::python {

namespace {

struct Phrase {
    std::string_view command, words;
};

// Whole commands, in quotes, that have a counterpart; the others stay commands.
constexpr std::array commands{
    Phrase{"libration run --out FILE.h5", "model.run(out=\"FILE.h5\")"},
    Phrase{"libration run --resume", "lb.resume"},
    Phrase{"libration analyse --list", "lb.analyses()"},
    Phrase{"libration methods", "lb.methods()"},
    Phrase{"libration problems", "lb.problems()"},
};

enum class Kind { flag, number, text };
struct Argument {
    const char* option;
    const char* argument;
    Kind kind;
};

constexpr std::array known_arguments{
    Argument{"project", "project", Kind::flag},
    Argument{"overwrite", "overwrite", Kind::flag},
    Argument{"force", "force", Kind::flag},
    Argument{"quick", "quick", Kind::flag},
    Argument{"again", "again", Kind::flag},
    Argument{"trajectories", "trajectories", Kind::flag},
    Argument{"steps-list", "steps", Kind::number},
    Argument{"step", "step", Kind::number},
    Argument{"steps", "steps", Kind::number},
    Argument{"duration", "duration", Kind::number},
    Argument{"every", "every", Kind::number},
    Argument{"monitor", "monitor", Kind::number},
    Argument{"tol", "tol", Kind::number},
    Argument{"count", "count", Kind::number},
    Argument{"seed", "seed", Kind::number},
    Argument{"threads", "threads", Kind::number},
    Argument{"at", "at", Kind::text},
    Argument{"adaptive", "adaptive", Kind::text},
    Argument{"estimator", "estimator", Kind::text},
    Argument{"backend", "backend", Kind::text},
    Argument{"stop-if", "stop_if", Kind::text},
    Argument{"method", "method", Kind::text},
    Argument{"methods", "methods", Kind::text},
    Argument{"event", "events", Kind::text},
    Argument{"vary", "vary", Kind::text},
    Argument{"out", "out", Kind::text},
    Argument{"option", "options", Kind::text},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// What follows an option, if it looks like its value: a text in quotes, a number, a placeholder, a file, or a word that
// only stands for a value.
std::string_view value_at(std::string_view text) {
    const auto token = text.substr(0, static_cast<std::size_t>(std::ranges::find_if(text, is_space) - text.begin()));
    if (token.empty()) {
        return {};
    }
    if (token.front() == '"') {
        const auto end = text.find('"', 1);
        return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
    }
    for (const std::string_view ending : {".h5", ".csv"}) {
        if (const auto at = token.rfind(ending); at != std::string_view::npos && at > 0) {
            const auto end = at + ending.size();
            if (end == token.size() || !is_word(token[end])) {
                return token.substr(0, end);
            }
        }
    }
    auto digit = token;
    digit.remove_prefix(digit.starts_with('-') ? 1 : 0);
    digit.remove_prefix(digit.starts_with('.') ? 1 : 0);
    if (!digit.empty() && digit.front() >= '0' && digit.front() <= '9') {
        auto number = token.substr(0, token.find_first_of(";)"));
        number.remove_suffix(number.ends_with(':') || number.ends_with(',') ? 1 : 0);
        return number;
    }
    std::size_t capitals = 0;
    while (capitals < token.size() && (std::isupper(static_cast<unsigned char>(token[capitals])) != 0 ||
                                       (capitals > 0 && token[capitals] >= '0' && token[capitals] <= '9'))) {
        ++capitals;
    }
    if (capitals > 0 && (capitals == token.size() || !is_word(token[capitals]))) {
        return token.substr(0, capitals);
    }
    for (const std::string_view word : {"reversible", "standard", "symmetric", "antisymmetric"}) {
        if (token.starts_with(word)) {
            return token.substr(0, word.size());
        }
    }
    return {};
}

// "--every K" is every=K and "a smaller --every" a smaller every.
std::string argument_words(std::string_view option, std::string_view value) {
    const auto* known =
        std::ranges::find_if(known_arguments, [&](const Argument& one) { return one.option == option; });
    if (known == known_arguments.end()) {
        return std::string("--").append(option).append(value.empty() ? "" : " ").append(value);
    }
    std::string words = known->argument;
    if (known->kind == Kind::flag) {
        return words.append("=True").append(value.empty() ? "" : " ").append(value);
    }
    if (value.empty()) {
        return words;
    }
    const std::string_view quote = known->kind == Kind::number || value.front() == '"' ? "" : "\"";
    return words.append("=").append(quote).append(value).append(quote);
}

// Where the quote at the front closes in its line: before one of the followers, or, if there are none, not inside of a
// word.
std::size_t closing(std::string_view text, std::string_view followers = {}) {
    text = text.substr(0, text.find('\n'));
    for (auto end = text.find(text[0], 1); end != std::string_view::npos; end = text.find(text[0], end + 1)) {
        if (end + 1 == text.size() ||
            (followers.empty() ? !is_word(text[end + 1]) : followers.find(text[end + 1]) != std::string_view::npos)) {
            return end;
        }
    }
    return std::string_view::npos;
}

// Reads a message from left to right, once.
class Translator {
  public:
    explicit Translator(std::string_view text) : rest_(text) {}

    std::string translate() {
        while (!rest_.empty()) {
            if (rest_.front() == '\'' || rest_.front() == '"') {
                quoted();
            } else if (rest_.starts_with("--") && !is_word(before_) && before_ != '-') {
                option();
            } else {
                if (rest_.front() == '\n') {
                    lonely_single_ = lonely_double_ = false;
                }
                take(1);
            }
        }
        return std::move(result_);
    }

  private:
    // Moves so many characters to the result.
    void take(std::size_t count) { replace(count, rest_.substr(0, count)); }
    void replace(std::size_t count, std::string_view words) {
        result_.append(words);
        before_ = rest_[count - 1];
        rest_.remove_prefix(count);
    }

    // What stands in quotes is the user's and stays, except for commands of ours.
    void quoted() {
        bool& lonely = rest_.front() == '"' ? lonely_double_ : lonely_single_;
        if (is_word(before_) || lonely) {  // an apostrophe
            take(1);
            return;
        }
        const auto end = closing(rest_);
        if (end == std::string_view::npos) {
            lonely = true;
            take(1);
            return;
        }
        const auto inside = rest_.substr(1, end - 1);
        if (rest_.front() == '"' || !inside.starts_with("libration ")) {
            take(end + 1);
            return;
        }
        const auto* known = std::ranges::find(commands, inside, &Phrase::command);
        if (known != commands.end()) {
            replace(end + 1, known->words);
        } else {
            take(end + 1);
            result_ += " in a terminal";
        }
    }

    void option() {
        std::size_t end = 2;
        while (end < rest_.size() && (std::islower(static_cast<unsigned char>(rest_[end])) != 0 || rest_[end] == '-')) {
            ++end;
        }
        while (end > 2 && rest_[end - 1] == '-') {
            --end;
        }
        const auto name = rest_.substr(2, end - 2);
        if (name.size() < 2 || name.front() == '-') {
            take(2);
            return;
        }
        const bool spaced = end < rest_.size() && rest_[end] == ' ';
        const auto after = spaced ? rest_.substr(end + 1) : std::string_view();
        constexpr std::string_view table = "FILE.csv", list = "H1,H2,...";
        if (name == "set") {
            set(after);
        } else if (name == "resume") {
            const auto file = value_at(after);
            file.ends_with(".h5") ? replace(end + 1 + file.size(), "lb.resume(\"" + std::string(file) + "\")")
                                  : replace(end, "lb.resume");
        } else if (name == "from") {
            replace(after.starts_with(table) ? end + 1 + table.size() : end, "vary={name: array}");
        } else if (name == "search") {
            replace(end, "'libration multistep K --search' in a terminal");
        } else if ((name == "event" || name == "vary") && after.starts_with('"')) {
            formula(name, after);
        } else if (name == "steps-list" && after.starts_with(list)) {
            replace(end + 1 + list.size(), "steps=[H1, H2, ...]");
        } else {
            const auto value = value_at(after);
            replace(value.empty() ? end : end + 1 + value.size(), argument_words(name, value));
        }
    }

    // --set NAME=VALUE, --set NAME:, --set
    void set(std::string_view after) {
        constexpr std::size_t length = 5;
        const auto in_name = [](char c) { return is_word(c) || c == '[' || c == ']' || c == '.'; };
        const auto in_value = [](char c) { return !is_space(c) && c != ':' && c != ';' && c != ','; };
        std::size_t end = 0;
        while (end < after.size() && in_name(after[end])) {
            ++end;
        }
        const char next = end < after.size() ? after[end] : ' ';
        if (end == 0 || (next != '=' && next != ':')) {
            replace(length, "model.set(name=value)");
            return;
        }
        const auto name = std::string(after.substr(0, end));
        std::string value = "...";
        if (next == '=') {
            const std::size_t begin = ++end;
            while (end < after.size() && in_value(after[end])) {
                ++end;
            }
            value = after.substr(begin, end - begin);
        }
        const bool plain = std::ranges::all_of(name, is_word);
        replace(length + 1 + end,
                plain ? "model.set(" + name + "=" + value + ")" : "model.set({\"" + name + "\": " + value + "})");
    }

    // --event "..." and --vary "...", whatever is in between.
    void formula(std::string_view name, std::string_view after) {
        const std::size_t before = 2 + name.size() + 1;
        const auto end = closing(after, ": ,;)");
        if (end == std::string_view::npos) {
            take(before);
            return;
        }
        const auto text = std::string(after.substr(0, end + 1));
        const auto equals = text.find(" = ");
        if (name == "event") {
            replace(before + end + 1, "events=[" + text + "]");
        } else if (equals != std::string::npos && equals > 1 &&
                   std::ranges::all_of(text.substr(1, equals - 1), is_word)) {
            replace(before + end + 1, "vary={" + text.substr(0, equals) + "\": \"" + text.substr(equals + 3) + "}");
        } else {
            replace(before + end + 1, "vary " + text);
        }
    }

    std::string_view rest_;
    std::string result_;
    char before_ = ' ';
    bool lonely_single_ = false, lonely_double_ = false;  // this quote does not close in its line
};

}  // namespace

std::string python_words(const std::string& message) {
    if (message.find("--") == std::string::npos && message.find("'libration ") == std::string::npos) {
        return message;
    }
    return Translator(message).translate();
}

std::vector<std::string> python_words(std::vector<std::string> messages) {
    std::ranges::transform(messages, messages.begin(), [](const std::string& text) { return python_words(text); });
    return messages;
}

}  // namespace libration::python
