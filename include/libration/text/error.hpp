// What the library throws. Every message says what is wrong, where, and how to fix it.
//
// Messages are written in one neutral language. What a user can give stands in backticks by its neutral name: `step`,
// `step = H`, `[run] step = H` for a line of a model file, `libration methods` for a command. Each interface renders a
// message in its own language (text/language.hpp): --step H on the command line, step=H in Python.
#pragma once

#include <libration/text/source.hpp>

#include <memory>
#include <stdexcept>
#include <string>

namespace [[gnu::visibility("default")]] libration {

// An error in the user's input.
struct Mistake {
    std::string argument =
        {};  // by its neutral name: "every", or "[run] step" where a model file gave it; empty: no single one
    std::string value = {};    // as it was given; empty: the name alone is sufficient
    std::string problem = {};  // "it must be at least 1"
    std::string remedy = {};   // "give `out = FILE.h5`"; empty: the problem says it
    Place place = {};          // in the text of a file or a formula, if it is in one
    std::size_t width = 1;     // characters there
};

// "`every = 0`: it must be at least 1", with place, line and caret where there is a place.
std::string text(const Mistake& mistake);

// The caller's mistake: a bad model, option, size or name.
class InputError : public std::runtime_error {
  public:
    explicit InputError(Mistake mistake);
    explicit InputError(const std::string& problem);
    InputError(const Place& place, const std::string& problem, std::size_t width = 1);

    [[nodiscard]] const Mistake& mistake() const noexcept { return *mistake_; }

  private:
    std::shared_ptr<const Mistake> mistake_;  // copies of exceptions must not throw
};

// A file that cannot be read or written.
class FileError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace libration
