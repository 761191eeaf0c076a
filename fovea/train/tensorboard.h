/// Event files, which TensorBoard shows.
///
/// A file is a row of records: the length of its data (8 bytes), a checksum of these 8 bytes, the
/// data, a checksum of the data; numbers are little-endian. A checksum is a CRC-32C, turned and
/// shifted: https://www.tensorflow.org/tutorials/load_data/tfrecord. The data is a protocol buffer:
///   Event   { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5;
///   } Summary { repeated Value value = 1; }    Value { string tag = 1; float simple_value = 2; }
#pragma once

#include <span>
#include <string>

#include "fovea/base/view.h"

namespace fovea {

struct Scalar {
  std::string tag;  // "train/loss"
  double value = 0;
};

/// The first record of a file.
std::string event_file_version(double wall_time);
/// Seconds since 1970, the step, and what was measured there.
std::string event_record(double wall_time, Dim step, std::span<const Scalar> scalars);

/// CRC-32C (Castagnoli), as iSCSI has it: RFC 3720, B.4.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace fovea
