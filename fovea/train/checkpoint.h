/// A checkpoint is a safetensors file whose last tensor, the last four bytes of the file, is the
/// CRC-32 of all bytes before it. It is written beside, synced and renamed; older ones go only when
/// the new one is safely there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fovea/formats/safetensors.h"

namespace fovea {

void write_checkpoint(const std::filesystem::path& path, std::vector<NamedTensor> tensors,
                      const SafeTensors::Metadata& metadata);
/// An Error if a single bit of the file is not as it was written.
SafeTensors open_checkpoint(const std::filesystem::path& path);

}  // namespace fovea
