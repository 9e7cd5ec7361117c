// Texts of models that contain their tables.
#pragma once

#include "document.hpp"

#include <libration/model/model.hpp>

namespace libration {

// The text with the values of tables in the place of the files from which they were read: it means the same wherever it
// is read again.
std::string with_inline_tables(const std::string& text, const Document& document, const Model& model);

}  // namespace libration
