// The table of commands. A command is one file that fills in a Command, and its name in the list below.
#pragma once

#include "request/field.hpp"
#include "request/run_fields.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace libration::app {

enum ExitStatus { success = 0, numerical_failure = 1, bad_usage = 2, file_failure = 3 };

// One option or position, ready to be given.
struct Option {
    Argument argument;
    bool is_position;
    std::function<void(const std::string&)> take;  // of lists once for each element, of flags "1"
};

struct Command {
    std::string name, summary;
    std::string footer;  // examples, and what an exit status means
    std::vector<Option> options;
    std::function<int()> run;
};

// From now on messages may refer to it.
void know(const Argument& argument);

// Its options are the fields of the request that the command line takes; they are checked before it runs.
template <class Request>
Command make_command(std::string name, std::string summary, std::string footer,
                     std::span<const RequestField<Request>> fields, std::function<int(const Request&)> run) {
    Command command{std::move(name), std::move(summary), std::move(footer), {}, {}};
    const auto request = std::make_shared<Request>();
    for (const auto& field : fields) {
        if (field.for_use(use::command)) {
            know(argument_of(field));
            command.options.push_back(
                {argument_of(field), field.is_position(),
                 [request, field](const std::string& text) { read_text(*request, field, text); }});
        }
    }
    command.run = [request, run = std::move(run),
                   all = std::vector<RequestField<Request>>(fields.begin(), fields.end())] {
        check_fields<Request>(*request, all);
        return run(*request);
    };
    return command;
}

// In the order of the help. Declares `Command run_command();` and so on.
#define LIBRATION_COMMANDS(X) \
    X(run)                    \
    X(ensemble)               \
    X(gradient)               \
    X(certify)                \
    X(compare)                \
    X(choose)                 \
    X(multistep) X(tableau) X(analyse) X(reproduce) X(new) X(check) X(convert) X(methods) X(problems) X(doctor)
#define LIBRATION_DECLARE(name) Command name##_command();
LIBRATION_COMMANDS(LIBRATION_DECLARE)
#undef LIBRATION_DECLARE

// A message of the library in the words of the command line.
std::string said(const std::string& message);
std::vector<std::string> said(const std::vector<std::string>& messages);

}  // namespace libration::app
