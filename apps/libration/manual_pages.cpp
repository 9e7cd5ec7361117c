// Manual pages from the table of commands.
#include "manual.hpp"

#include <libration/version.hpp>

#include <fmt/format.h>

#include <cctype>

namespace libration::app {

namespace {

// A text as roff prints it, character by character: options are copied from the page and pasted into a shell.
std::string roff(std::string_view text) {
    std::string result;
    bool line_starts = true;
    for (const char c : text) {
        if (line_starts && (c == '.' || c == '\'')) {
            result += "\\&";  // or the line would be a request
        }
        switch (c) {
            case '\\': result += "\\e"; break;
            case '-': result += "\\-"; break;
            case '\'': result += "\\(aq"; break;
            case '`': result += "\\(ga"; break;
            case '^': result += "\\(ha"; break;
            case '~': result += "\\(ti"; break;
            default: result += c;
        }
        line_starts = c == '\n';
    }
    return result;
}

std::string capitals(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string sentence(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

std::string heading(const std::string& page) {
    return fmt::format(".TH {} 1 \"\" \"libration {}\" \"Libration\"\n", roff(capitals(page)), version);
}

std::string entry(const std::string& head, const std::string& text) { return ".TP\n" + head + "\n" + text + "\n"; }
std::string bold_words(std::string_view text) { return "\\fB" + roff(text) + "\\fP"; }
std::string italic_words(std::string_view text) { return "\\fI" + roff(text) + "\\fP"; }

// What stands below the options in the help: paragraphs. One that begins with a line "Examples:" is a section of lines
// as they are, "Exit status: ..." a section of text, anything else belongs to the description.
struct Footer {
    std::string description, sections, exit_status;

    explicit Footer(std::string_view text) {
        for (std::size_t at = 0; at < text.size();) {
            const auto end = std::min(text.find("\n\n", at), text.size());
            add(text.substr(at, end - at));
            at = text.find_first_not_of('\n', end);
        }
    }

  private:
    void add(std::string_view paragraph) {
        const auto line_end = paragraph.find('\n');
        if (line_end != std::string_view::npos && paragraph[line_end - 1] == ':') {
            sections +=
                fmt::format(".SH {}\n.EX\n{}\n.EE\n", roff(capitals(std::string(paragraph.substr(0, line_end - 1)))),
                            roff(paragraph.substr(line_end + 1)));
            return;
        }
        constexpr std::string_view mark = "Exit status: ";
        const auto status = std::min(paragraph.find(mark), paragraph.size());
        if (status > 0) {
            const auto end = paragraph.find_last_not_of(' ', status - 1) + 1;
            description += ".PP\n" + roff(paragraph.substr(0, end)) + "\n";
        }
        if (status < paragraph.size()) {
            exit_status = ".SH EXIT STATUS\n" + roff(paragraph.substr(status + mark.size())) + "\n";
        }
    }
};

const std::string help_entry =
    entry(bold_words("-h") + ", " + bold_words("--help"), "Print this help message and exit");

}  // namespace

std::string manual_page(const Command& command) {
    const auto page = "libration-" + command.name;
    auto text =
        heading(page) + fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{} [{}]", roff(page), roff(command.summary),
                                    bold_words("libration " + command.name), italic_words("OPTIONS"));
    std::string positions;
    std::string options;
    for (const auto& [argument, is_position, take] : command.options) {
        const auto meaning = roff(said(argument.meaning()));
        if (is_position) {
            const bool several = argument.kind == FieldKind::texts;
            text += fmt::format(" [{}{}]", italic_words(argument.value), several ? "..." : "");
            positions += entry(italic_words(argument.value), meaning);
        } else {
            options += entry(bold_words(argument.option_name()) +
                                 (argument.value.empty() ? "" : " " + italic_words(argument.value)),
                             meaning);
        }
    }
    const Footer footer(command.footer);
    return text + "\n.SH DESCRIPTION\n" + roff(sentence(command.summary)) + "\n" + footer.description +
           (positions.empty() ? "" : ".SH ARGUMENTS\n" + positions) + ".SH OPTIONS\n" + help_entry + options +
           footer.sections + footer.exit_status + ".SH SEE ALSO\n.BR libration (1)\n";
}

std::string manual_page(std::string_view description, std::string_view footer_text, std::span<const Command> commands) {
    const Footer footer(footer_text);
    auto text = heading("libration") + ".SH NAME\nlibration \\- integrate constrained mechanical systems\n" +
                fmt::format(".SH SYNOPSIS\n{} {} [{}]\n", bold_words("libration"), italic_words("COMMAND"),
                            italic_words("OPTIONS")) +
                ".SH DESCRIPTION\n" + roff(description) + "\n" + footer.description + ".SH COMMANDS\n";
    for (const auto& command : commands) {
        text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff("libration-" + command.name), roff(command.summary));
    }
    return text + ".SH OPTIONS\n" + help_entry +
           entry(bold_words("--version"), "Display program version information and exit") + footer.sections +
           footer.exit_status;
}

}  // namespace libration::app
