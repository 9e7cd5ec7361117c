// What the journal of an ensemble consists of, as bytes.
#pragma once

#include "result/bytes.hpp"

#include <libration/io/ensemble_file.hpp>

namespace libration {

void put(const EnsembleSettings& settings, ByteWriter& out);
EnsembleSettings take_settings(ByteReader& in);
void put(const BatchRecord& batch, ByteWriter& out);
BatchRecord take_batch(ByteReader& in);

}  // namespace libration
