// Whole text files: figures and tables.
#pragma once

#include <string>
#include <string_view>

namespace libration {

// InputError if the file exists and `overwrite` is false; to be asked before the work that fills the file.
void refuse_existing(const std::string& path, bool overwrite);

// Writes to a temporary name and renames, so that a file under the final name is always complete. FileError if it
// cannot be written.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace libration
