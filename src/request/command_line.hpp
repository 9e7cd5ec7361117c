// The command line as a language: --step H, --set g=1, 'libration methods'. The one place that knows how options are
// written.
#pragma once

#include "field.hpp"
#include "run_fields.hpp"
#include "text/language.hpp"

namespace libration {

class CommandLine final : public Language {
  public:
    [[nodiscard]] std::optional<std::string> words(const Reference& reference) const override;
};

// "--step H", "--project", MODEL; values in quotes where a shell needs them.
std::string option_words(const Argument& argument, std::string_view value);

// What was given, as one command: libration run pendulum --step 0.1
template <class Request>
std::string command_line(std::string_view task, const Request& request, std::span<const RequestField<Request>> fields) {
    auto line = "libration " + std::string(task);
    for (const auto& field : fields) {
        if (!is_given(request, field)) {
            continue;
        }
        auto rest = text_of(request, field);
        if (field.kind() == FieldKind::texts) {  // line by line
            for (std::size_t end = 0; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
                line += " " + (field.is_position() ? rest.substr(0, end)
                                                   : option_words(argument_of(field), rest.substr(0, end)));
            }
        } else {
            line += " " + (field.is_position() ? rest : option_words(argument_of(field), rest));
        }
    }
    return line;
}

}  // namespace libration
