// How an interface of the library renders a message: the text in backticks, as its user would write it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace libration {

// What a message refers to, taken apart. The views are into the message.
struct Reference {
    enum class Kind {
        argument,  // `step`, `step = H`: of a request
        key,       // `[run]`, `[run] step`, `[run] step = H`: in a model file
        command    // `libration methods`
    };
    Kind kind = Kind::argument;
    std::string_view whole;    // all that is in the backticks
    std::string_view section;  // of a key, without brackets: "run"
    std::string_view name;     // of an argument or a key; may be empty for a key
    std::string_view value;    // after " = "; empty: none
};

class Language {
  public:
    virtual ~Language() = default;
    // Nothing: the text is no reference and stays as it is, backticks included.
    [[nodiscard]] virtual std::optional<std::string> words(const Reference& reference) const = 0;
};

// The message with its references in the words of the language.
std::string told(std::string_view message, const Language& language);

}  // namespace libration
