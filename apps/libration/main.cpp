// The command line: parse, call, print. The only file that includes CLI11.
#include "commands.hpp"
#include "examples.hpp"
#include "manual.hpp"
#include "terminal.hpp"

#include "request/run_fields.hpp"
#include "text/suggest.hpp"
#include "text/text_file.hpp"
#include <libration/version.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace libration::app {

namespace {

void add_option(CLI::App& command, const Option& option) {
    const auto& argument = option.argument;
    const auto help = said(argument.meaning());
    if (argument.kind == FieldKind::flag) {
        command.add_flag_callback(
            argument.option_name(), [take = option.take] { take("1"); }, help);
        return;
    }
    const auto name = option.is_position ? std::string(argument.value) : argument.option_name();
    const auto value = option.is_position ? std::string() : std::string(argument.value);
    if (argument.kind == FieldKind::texts) {
        auto* list = command.add_option_function<std::vector<std::string>>(
            name, [take = option.take](const std::vector<std::string>& texts) { std::ranges::for_each(texts, take); },
            help);
        list->type_name(value);
        if (!option.is_position) {
            list->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->expected(1);
        }
        return;
    }
    command.add_option_function<std::string>(name, option.take, help)->type_name(value);
}

// A bar would end a cell.
std::string in_cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
        text.insert(at, 1, '\\');
    }
    return text;
}

// What the help shows, as a table for the documentation.
std::string markdown_of(const Command& command) {
    auto text = fmt::format("## libration {}\n\n{}\n\n| option | value | meaning |\n|---|---|---|\n", command.name,
                            command.summary);
    for (const auto& option : command.options) {
        const auto& argument = option.argument;
        const auto value = in_cell(std::string(argument.value));
        const bool in_model = (argument.uses & use::run_section) != 0;
        text += fmt::format("| `{}` | {} | {}{} |\n", option.is_position ? argument.value : argument.option_name(),
                            option.is_position || value.empty() ? value : "`" + value + "`",
                            in_cell(said(argument.meaning())), in_model ? "; also a key of `[run]`" : "");
    }
    return text + "\n```text\n" + command.footer + "\n```\n";
}

struct HelpRequest {
    std::string command;
    bool markdown = false;
    std::optional<std::string> write;
};
constexpr std::array help_fields{
    RequestField<HelpRequest>{"command", &HelpRequest::command, "COMMAND",
                              "the command to describe (default: an overview)"},
    RequestField<HelpRequest>{"markdown", &HelpRequest::markdown, "", "print the tables of options in Markdown"},
    RequestField<HelpRequest>{"write", &HelpRequest::write, "DIR",
                              "write manual pages, shell completions and option tables below DIR, e.g. ~/.local/share"},
};

constexpr const char* description =
    "Libration: structure-preserving long-time integration of constrained mechanical systems.";

// All commands, and the program that knows them.
class Program {
  public:
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    Program() : app_(description) {
        app_.name("libration");
        app_.set_version_flag("--version", fmt::format("libration {}", version));
        app_.require_subcommand(0, 1);
        app_.footer(first_examples);
#define LIBRATION_LIST(name) commands_.push_back(name##_command());
        LIBRATION_COMMANDS(LIBRATION_LIST)
#undef LIBRATION_LIST
        commands_.push_back(make_command<HelpRequest>("help", "show the options of a command", help_examples,
                                                      help_fields,
                                                      [this](const HelpRequest& request) { return help(request); }));
        for (const auto& command : commands_) {
            auto* parser = app_.add_subcommand(command.name, command.summary);
            for (const auto& option : command.options) {
                add_option(*parser, option);
            }
            parser->footer(command.footer);
        }
    }

    int run(std::vector<std::string> words) {
        try {
            app_.parse(words);
        } catch (const CLI::ExtrasError&) {
            throw InputError(option_suggestion(app_.remaining(true)) + "\nSee `libration help`.");
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() == 0) {  // --help, --version
                return app_.exit(error);
            }
            const bool counted = error.get_name() == "ArgumentMismatch";
            throw InputError(fmt::format("{}{}\nSee `libration help`.", error.what(),
                                         counted ? " (each option takes one value and can be given once; only --set, "
                                                   "--event, --vary and --option may be repeated)"
                                                 : ""));
        }
        for (const auto& command : commands_) {
            if (app_.got_subcommand(command.name)) {
                return command.run();
            }
        }
        fmt::print("{}", app_.help());
        return bad_usage;
    }

  private:
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        std::ranges::transform(commands_, std::back_inserter(all), &Command::name);
        return all;
    }

    [[nodiscard]] std::string option_tables() const {
        auto text = fmt::format("# The commands of libration {}\n\nWritten by `libration help --markdown`.\n", version);
        for (const auto& command : commands_) {
            text += "\n" + markdown_of(command);
        }
        return text;
    }

    // Laid out as below /usr/share.
    void write_manual(const std::filesystem::path& place) const {
        const auto write = [&](const std::filesystem::path& name, const std::string& text) {
            const auto path = place / name;
            std::error_code error;
            std::filesystem::create_directories(path.parent_path(), error);
            if (error) {
                throw FileError(fmt::format("cannot create {}: {}", path.parent_path().string(), error.message()));
            }
            write_text_file(path.string(), text);
        };
        write("man/man1/libration.1", manual_page(description, first_examples, commands_));
        for (const auto& command : commands_) {
            write(fmt::format("man/man1/libration-{}.1", command.name), manual_page(command));
        }
        write("bash-completion/completions/libration", bash_completion(commands_));
        write("zsh/site-functions/_libration", zsh_completion(commands_));
        write("fish/vendor_completions.d/libration.fish", fish_completion(commands_));
        write("doc/libration/options.md", option_tables());
    }

    int help(const HelpRequest& request) const {
        if (request.write) {
            if (!request.command.empty() || request.markdown) {
                throw InputError("`write` writes the pages of all commands; omit COMMAND and `markdown`");
            }
            write_manual(*request.write);
            return success;
        }
        if (request.command.empty()) {
            if (!request.markdown) {
                // Not app_.help(), which is that of the command that was given.
                fmt::print("{}", app_.get_formatter()->make_help(&app_, "libration", CLI::AppFormatMode::Normal));
                return success;
            }
            fmt::print("{}", option_tables());
            return success;
        }
        const auto known = names();
        const auto found = std::ranges::find(commands_, request.command, &Command::name);
        if (found == commands_.end()) {
            throw InputError(
                fmt::format("unknown command '{}'{}", request.command, suggestion(request.command, known, 40)));
        }
        fmt::print("{}", request.markdown ? markdown_of(*found) : app_.get_subcommand(found->name)->help("libration"));
        return success;
    }

    [[nodiscard]] std::string option_suggestion(const std::vector<std::string>& extras) const {
        std::vector<std::string> known;
        const CLI::App* command = app_.get_subcommands().empty() ? &app_ : app_.get_subcommands().front();
        const bool is_option = extras.front().starts_with('-');
        if (is_option) {
            for (const auto* option : command->get_options()) {
                for (const auto& name : option->get_lnames()) {
                    known.push_back("--" + name);
                }
            }
        } else if (command == &app_) {
            known = names();
        }
        const auto name = extras.front().substr(0, extras.front().find('='));
        return fmt::format(
            "{} '{}'{}", is_option ? "unknown option" : (command == &app_ ? "unknown command" : "unexpected argument"),
            name, suggestion(name, known, 40));
    }

    CLI::App app_;
    std::vector<Command> commands_;
};

// All words after the name of the program, last first as CLI11 wants them. It knows -0.5 as a number, but not -.5.
std::vector<std::string> reversed_words(int argc, char** argv) {
    std::vector<std::string> words;
    for (int i = argc - 1; i > 0; --i) {
        std::string word = argv[i];
        if (word.size() > 2 && word.starts_with("-.") && word[2] >= '0' && word[2] <= '9') {
            word.insert(1, "0");
        }
        words.push_back(std::move(word));
    }
    return words;
}

}  // namespace

int guarded(int argc, char** argv) {
    const auto complain = [](const std::exception& error) {
        fmt::print(stderr, "{} {}\n", red("error:", stderr), said(error.what()));
    };
    try {
        const int status = Program().run(reversed_words(argc, argv));
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            throw FileError(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
        }
        return status;
    } catch (const InputError& error) {
        complain(error);
        return bad_usage;
    } catch (const FileError& error) {
        complain(error);
        return file_failure;
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "{} not enough memory for this model\n", red("error:", stderr));
        return bad_usage;
    } catch (const std::exception& error) {
        complain(error);
        return file_failure;
    }
}

}  // namespace libration::app

int main(int argc, char** argv) { return libration::app::guarded(argc, argv); }
