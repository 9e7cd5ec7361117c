// The language of the program: that of the library, and the options that only the program has.
#include "commands.hpp"

#include "request/command_line.hpp"

namespace libration::app {

namespace {

std::vector<Argument>& own_arguments() {
    static std::vector<Argument> all;
    return all;
}

class ProgramLanguage final : public Language {
  public:
    [[nodiscard]] std::optional<std::string> words(const Reference& reference) const override {
        if (auto known = CommandLine{}.words(reference)) {
            return known;
        }
        const auto& own = own_arguments();
        const auto found = std::ranges::find(own, reference.name, &Argument::name);
        return found == own.end() ? std::nullopt : std::optional(option_words(*found, reference.value));
    }
};

}  // namespace

void know(const Argument& argument) { own_arguments().push_back(argument); }

std::string said(const std::string& message) { return told(message, ProgramLanguage{}); }

std::vector<std::string> said(const std::vector<std::string>& messages) {
    std::vector<std::string> all;
    std::ranges::transform(messages, std::back_inserter(all), [](const std::string& text) { return said(text); });
    return all;
}

}  // namespace libration::app
