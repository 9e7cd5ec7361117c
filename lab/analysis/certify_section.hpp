// What the text of a problem says of certificates.
#pragma once

#include <libration/analysis/certify.hpp>

#include <optional>

namespace libration {

// Nothing if the text has no section [certify]. InputError with its place where it makes no sense.
std::optional<CertifiedProblem> certify_section(const Model& model);

}  // namespace libration
