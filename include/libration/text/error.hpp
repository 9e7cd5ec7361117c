// What the library throws. Every message says what is wrong, where, and how to mend it.
#pragma once

#include <stdexcept>
#include <string>

namespace libration {

// The caller's mistake: a bad model, option, size or name.
class InputError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A file that cannot be read or written.
class FileError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace libration
