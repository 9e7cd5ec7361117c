// Formulas and names without quotes, which TOML does not know.
#pragma once

#include <libration/text/source.hpp>

namespace libration {

// InputError with the corrected line, if the line at which TOML stopped becomes a good one with quotes or with a
// decimal point; nothing otherwise.
void refuse_unquoted(const std::shared_ptr<const Source>& source, std::size_t line);

}  // namespace libration
